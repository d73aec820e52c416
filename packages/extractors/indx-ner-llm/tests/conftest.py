"""A model's server on this machine, and what is not collected where LiteLLM is absent."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest

from indx_ner_llm.settings import MODEL, SETTINGS
from indx_testkit.serving import ModelServer

# LiteLLM is too large for everybody's environment: `scripts/test install` (tests/install/test_engines.py)
# runs these files with it.
collect_ignore = [] if importlib.util.find_spec("litellm") else ["test_asking.py", "test_conformance.py"]


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)
    monkeypatch.delenv("OLLAMA_API_BASE", raising=False)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """The server, configured as the lane's; it is asked once, so that no test waits between attempts."""
    with ModelServer() as running:
        monkeypatch.setenv(MODEL.model.name, "openai/trial")
        monkeypatch.setenv(MODEL.api_base.name, running.address)
        monkeypatch.setenv(MODEL.retries.name, "0")
        yield running
