"""Without LiteLLM, a model and its dimension there is no space; with them it says where the model runs."""

from __future__ import annotations

import importlib.util

import pytest

from indx_core.ports import Unavailability
from indx_embed_hosted import HostedEmbedder, embedder


@pytest.fixture
def litellm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())


def lack() -> Unavailability:
    found = embedder()
    assert isinstance(found, Unavailability)
    return found


def made() -> HostedEmbedder:
    found = embedder()
    assert isinstance(found, HostedEmbedder)
    return found


def configure(monkeypatch: pytest.MonkeyPatch, **settings: str) -> None:
    for name, value in {"MODEL": "openai/trial", "DIMENSION": "8", **settings}.items():
        monkeypatch.setenv(f"INDX_EMBED_{name}", value)


def test_without_litellm_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    configure(monkeypatch)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert lack().fix == 'pip install "indx-embed-hosted[hosted]"'


@pytest.mark.usefixtures("litellm")
def test_without_a_model_nothing_is_advertised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_EMBED_DIMENSION", "8")
    assert "INDX_EMBED_MODEL is unset" in lack().reason


@pytest.mark.usefixtures("litellm")
def test_the_dimension_is_declared_and_never_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    configure(monkeypatch, DIMENSION="")
    assert "INDX_EMBED_DIMENSION is unset" in lack().reason


@pytest.mark.usefixtures("litellm")
@pytest.mark.parametrize("value", ["0", "-8", "eight", "8.5", "65537"])
def test_a_dimension_that_is_none_is_named(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(monkeypatch, DIMENSION=value)
    assert repr(value) in lack().reason
    assert "INDX_EMBED_DIMENSION" in lack().fix


@pytest.mark.usefixtures("litellm")
def test_the_space_is_as_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    configure(monkeypatch, DIMENSION="1536")
    facts = made().declaration
    assert (facts.space.id, facts.space.dimension, facts.space.normalized) == ("hosted-text", 1536, True)
    assert (facts.model, facts.modalities, facts.roles) == ("openai/trial", ("text",), ("document", "query"))
    assert made().availability() is None


@pytest.mark.usefixtures("litellm")
@pytest.mark.parametrize(
    ("model", "base", "device"),
    [
        ("openai/trial", "", "external"),
        ("openai/trial", "https://models.example.test/v1", "external"),
        ("openai/trial", "http://localhost:8000/v1", "gpu"),
        ("openai/trial", "http://127.0.0.1:8000/v1", "gpu"),
        ("ollama/nomic-embed-text", "", "gpu"),
        ("ollama/nomic-embed-text", "http://models.example.test:11434", "external"),
    ],
)
def test_its_device_is_where_the_model_runs(
    model: str, base: str, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(monkeypatch, MODEL=model, API_BASE=base)
    assert made().declaration.device == device


@pytest.mark.usefixtures("litellm")
def test_what_it_declares_holds_no_key_and_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    configure(monkeypatch, API_KEY="the-key", API_BASE="http://inside.example.test:8000/v1")
    shown = repr(made().declaration)
    assert "the-key" not in shown
    assert "inside" not in shown


@pytest.mark.usefixtures("litellm")
@pytest.mark.parametrize(
    "change", [{"MODEL": "openai/other"}, {"API_BASE": "http://localhost:1/v1"}, {"DIMENSION": "16"}]
)
def test_other_vectors_have_another_fingerprint(
    change: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(monkeypatch, API_BASE="http://localhost:2/v1")
    before = made().declaration.fingerprint
    configure(monkeypatch, **{"API_BASE": "http://localhost:2/v1", **change})
    assert made().declaration.fingerprint != before
