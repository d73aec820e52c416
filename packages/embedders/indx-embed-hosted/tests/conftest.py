"""A model's server on this machine, and what is not collected where LiteLLM is absent."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest

from indx_embed_hosted.settings import SETTINGS
from indx_testkit.serving import Asked, ModelServer, Response, vectors

# LiteLLM is too large for everybody's environment. `scripts/test install` (tests/install/test_engines.py)
# runs these files with it; where it is absent they are not collected.
collect_ignore = (
    []
    if importlib.util.find_spec("litellm")
    else ["test_conformance.py", "test_embedding.py", "test_encode.py"]
)


CHARGE = {"x-litellm-response-cost": "0.25"}
"""How a gateway of LiteLLM's reports what it was charged."""


def row(text: str) -> list[float]:
    """A vector that depends on the text alone, of no particular length."""
    counts = [0.5] * 8
    for place, character in enumerate(text[:2000]):
        counts[(ord(character) + place) % 8] += 1.0
    return counts


def answer(asked: Asked) -> Response:
    """What a model does: a vector for each text."""
    return vectors([row(text) for text in asked.body["input"]], headers=CHARGE)


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)
    monkeypatch.delenv("OLLAMA_API_BASE", raising=False)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """A server that answers, and settings that name it."""
    with ModelServer() as running:
        running.will(answer)
        monkeypatch.setenv("INDX_EMBED_MODEL", "openai/trial")
        monkeypatch.setenv("INDX_EMBED_DIMENSION", "8")
        monkeypatch.setenv("INDX_EMBED_API_BASE", running.address)
        monkeypatch.setenv("INDX_EMBED_RETRIES", "0")
        yield running
