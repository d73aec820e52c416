"""The settings of a lane's model."""

from __future__ import annotations

import pytest

from indx_core.errors import ConfigurationError
from indx_model_litellm import HostedModel, model_settings

MODEL = model_settings("INDX_TRIAL", purpose="is tried", timeout_seconds=9, retries=3)


def test_the_five_variables_stand_under_the_prefix():
    names = [setting.name.removeprefix("INDX_TRIAL_") for setting in MODEL]
    assert names == ["MODEL", "API_KEY", "API_BASE", "TIMEOUT_SECONDS", "RETRIES"]


def test_defaults_are_the_lanes_own():
    assert (MODEL.timeout.default, MODEL.retries.default) == (9, 3)
    assert MODEL.model.default is MODEL.api_key.default is MODEL.api_base.default is None


def test_the_key_and_the_address_are_secret():
    assert [setting.name for setting in MODEL if setting.secret] == [MODEL.api_key.name, MODEL.api_base.name]


@pytest.mark.parametrize(
    "address", ["ftp://here", "localhost:11434", "http://", "http://a b", "http://[", "x"]
)
def test_an_address_that_is_none_is_refused_without_showing_it(address):
    with pytest.raises(ConfigurationError) as refusal:
        MODEL.api_base.get({MODEL.api_base.name: address})
    assert MODEL.api_base.name in refusal.value.message
    assert address not in refusal.value.message.replace("http://127.0.0.1:11434", "")


@pytest.mark.parametrize(("member", "value"), [("timeout", "0"), ("timeout", "inf"), ("retries", "-1")])
def test_bounds_that_are_none_are_refused(member, value):
    setting = getattr(MODEL, member)
    with pytest.raises(ConfigurationError):
        setting.get({setting.name: value})


def test_a_model_is_made_of_what_the_variables_say_now(settings, monkeypatch):
    with pytest.raises(ConfigurationError, match="INDX_TRIAL_MODEL"):
        HostedModel.configured(settings)
    monkeypatch.setenv("INDX_TRIAL_MODEL", "openai/some")
    monkeypatch.setenv("INDX_TRIAL_API_KEY", "very-secret")
    monkeypatch.setenv("INDX_TRIAL_API_BASE", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("INDX_TRIAL_RETRIES", "0")
    made = HostedModel.configured(settings)
    assert (made.model, made.device, made.retries, made.timeout) == ("openai/some", "gpu", 0, 60.0)
    assert "very-secret" not in repr(made)
    assert "127.0.0.1" not in repr(made)


def test_a_fingerprint_tells_models_and_servers_apart_and_hides_the_address():
    def made(model, base):
        return HostedModel(MODEL, model, "external", None, base).fingerprint

    prints = {made("a", None), made("b", None), made("a", "http://x/"), made("a", "http://y/")}
    assert len(prints) == 4
    assert made("a", "http://x/") == made("a", "http://x/")
    assert not any("http" in one for one in prints)
