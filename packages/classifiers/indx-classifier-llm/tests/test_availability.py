"""What is advertised, and where its model runs: told without LiteLLM and without asking anyone."""

from __future__ import annotations

import importlib.util
import socket

import pytest

from indx_classifier_llm.provider import LlmClassifier, chunks, documents, pages
from indx_classifier_llm.settings import LABELS, MAX_CHARACTERS, MODEL, SETTINGS
from indx_core.ports import Unavailability

LANES = [
    (documents, "classifier-llm", "document"),
    (pages, "classifier-llm-page", "page"),
    (chunks, "classifier-llm-chunk", "chunk"),
]


@pytest.fixture
def installed(monkeypatch):
    """As if LiteLLM were there; whoever asks the network fails."""

    def refuse(*args: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.parametrize(("factory", "lane", "unit"), LANES)
def test_without_litellm_there_is_nothing_to_advertise(monkeypatch, factory, lane, unit):
    monkeypatch.setenv(MODEL.model.name, "ollama/llama3.2")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    lack = factory()
    assert isinstance(lack, Unavailability)
    assert lack.fix == 'pip install "indx-classifier-llm[llm]"'


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(("factory", "lane", "unit"), LANES)
def test_without_a_model_there_is_nothing_to_advertise(factory, lane, unit):
    lack = factory()
    assert isinstance(lack, Unavailability)
    assert MODEL.model.name in lack.reason
    assert MODEL.model.name in lack.fix


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    "setting", [one for one in SETTINGS if one.kind.name in ("integer", "number", "address")]
)
def test_a_wrong_setting_is_named(monkeypatch, setting):
    monkeypatch.setenv(MODEL.model.name, "ollama/llama3.2")
    monkeypatch.setenv(setting.name, "nonsense")
    lack = documents()
    assert isinstance(lack, Unavailability)
    assert setting.name in lack.reason
    assert setting.name in lack.fix
    assert LlmClassifier("x", "page").declaration.device in ("gpu", "external")  # it can still be listed


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(("factory", "lane", "unit"), LANES)
def test_each_unit_has_its_own_lane(monkeypatch, factory, lane, unit):
    monkeypatch.setenv(MODEL.model.name, "ollama/llama3.2")
    declaration = factory().declaration
    assert (declaration.id, declaration.unit) == (lane, unit)


@pytest.mark.parametrize(
    ("model", "base", "device"),
    [
        ("ollama/llama3.2", "", "gpu"),
        ("openai/gpt-4o-mini", "", "external"),
        ("openai/own", "http://127.0.0.1:8080/v1", "gpu"),
        ("openai/own", "http://localhost:8080/v1", "gpu"),
        ("openai/own", "https://models.example.org/v1", "external"),
        ("ollama/llama3.2", "http://10.0.0.7:11434", "external"),
    ],
)
def test_the_device_says_whether_text_leaves_this_machine(monkeypatch, model, base, device):
    monkeypatch.setenv(MODEL.model.name, model)
    monkeypatch.setenv(MODEL.api_base.name, base)
    assert LlmClassifier("x", "page").declaration.device == device


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        (MODEL.model, "openai/other"),
        (MODEL.api_base, "http://127.0.0.1:1/v1"),
        (LABELS, "a,b"),
        (MAX_CHARACTERS, "100"),
    ],
)
def test_whatever_changes_answers_changes_the_key(monkeypatch, setting, value):
    monkeypatch.setenv(MODEL.model.name, "openai/gpt-4o-mini")
    lane = LlmClassifier("x", "page")
    before = lane.declaration.settings_key
    monkeypatch.setenv(setting.name, value)
    assert lane.declaration.settings_key != before


def test_no_key_and_no_address_stands_in_what_is_declared(monkeypatch):
    monkeypatch.setenv(MODEL.model.name, "openai/gpt-4o-mini")
    monkeypatch.setenv(MODEL.api_key.name, "sk-secret")
    monkeypatch.setenv(MODEL.api_base.name, "https://private.example.org/v1")
    shown = repr(LlmClassifier("x", "page").declaration)
    assert "sk-secret" not in shown
    assert "private" not in shown
