"""Whether a lane can run and where its model is, told without LiteLLM."""

from __future__ import annotations

import importlib.util

import pytest

from indx_core.settings import Setting, integer
from indx_model_litellm import device_of, unavailability

INSTALL = 'pip install "indx-trial[llm]"'


@pytest.fixture
def present(monkeypatch):
    """An environment in which LiteLLM can be found, or cannot."""

    def set_to(found):
        real = importlib.util.find_spec
        monkeypatch.setattr(
            importlib.util,
            "find_spec",
            lambda name, *rest: (object() if found else None) if name == "litellm" else real(name, *rest),
        )

    return set_to


def test_without_litellm_the_line_that_installs_it_is_named(settings, present):
    present(False)
    lack = unavailability(settings, install=INSTALL)
    assert "LiteLLM" in lack.reason
    assert lack.fix == INSTALL


def test_without_a_model_its_variable_is_named(settings, present):
    present(True)
    lack = unavailability(settings, install=INSTALL)
    assert "INDX_TRIAL_MODEL" in lack.reason
    assert "INDX_TRIAL_MODEL" in lack.fix


def test_with_a_model_nothing_is_lacking(settings, present, monkeypatch):
    present(True)
    monkeypatch.setenv("INDX_TRIAL_MODEL", "ollama/llava")
    assert unavailability(settings, install=INSTALL) is None


def test_a_wrong_setting_is_named_and_its_value_kept_when_secret(settings, present, monkeypatch):
    present(True)
    monkeypatch.setenv("INDX_TRIAL_MODEL", "ollama/llava")
    monkeypatch.setenv("INDX_TRIAL_API_BASE", "private.example:80")
    lack = unavailability(settings, install=INSTALL)
    assert "INDX_TRIAL_API_BASE" in lack.fix
    assert "private.example" not in lack.reason


def test_further_settings_of_a_lane_count_too(settings, present, monkeypatch):
    present(True)
    monkeypatch.setenv("INDX_TRIAL_MODEL", "ollama/llava")
    monkeypatch.setenv("INDX_TRIAL_TAGS", "many")
    tags = Setting("INDX_TRIAL_TAGS", integer(minimum=1), 5, "How many.")
    assert "INDX_TRIAL_TAGS" in unavailability(settings, install=INSTALL, also=(tags,)).fix


@pytest.mark.parametrize(
    ("model", "base", "expected"),
    [
        ("ollama/llava", None, "gpu"),
        ("ollama_chat/llava", None, "gpu"),
        ("ollama/llava", "http://10.0.0.7:11434", "external"),
        ("openai/any", "http://localhost:8000/v1", "gpu"),
        ("openai/any", "http://LOCALHOST.:8000", "gpu"),
        ("openai/any", "http://127.8.9.1/v1", "gpu"),
        ("openai/any", "http://[::1]:80/v1", "gpu"),
        ("openai/any", "https://localhost.example.com/v1", "external"),
        ("openai/any", "http://127.0.0.1.sslip.io/v1", "external"),
        ("openai/any", "http://localhost@models.example.com/v1", "external"),
        ("openai/any", None, "external"),
        ("gpt-4o", None, "external"),
        ("anthropic/claude", None, "external"),
        ("ollamas/llava", None, "external"),
    ],
)
def test_a_model_is_here_only_where_its_address_is_this_machine(settings, model, base, expected):
    environ = {"INDX_TRIAL_MODEL": model} | ({"INDX_TRIAL_API_BASE": base} if base else {})
    assert device_of(settings, environ) == expected


def test_ollama_sent_elsewhere_by_its_own_variable_is_elsewhere(settings):
    environ = {"INDX_TRIAL_MODEL": "ollama/llava", "OLLAMA_API_BASE": "http://gpu.example.com:11434"}
    assert device_of(settings, environ) == "external"
    assert device_of(settings, environ | {"INDX_TRIAL_API_BASE": "http://localhost:11434"}) == "gpu"


def test_no_model_and_a_wrong_address_count_as_elsewhere(settings):
    assert device_of(settings, {}) == "external"
    assert device_of(settings, {"INDX_TRIAL_MODEL": "a", "INDX_TRIAL_API_BASE": "nonsense"}) == "external"
