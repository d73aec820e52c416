"""A model's server on this machine, and what is not collected where LiteLLM is absent."""

from __future__ import annotations

import importlib.util

import pytest

from indx_model_litellm import HostedModel, model_settings
from indx_testkit.serving import ModelServer

# LiteLLM is too large for everybody's environment: `scripts/test install` runs this file with it.
collect_ignore = [] if importlib.util.find_spec("litellm") else ["test_calls.py"]

SETTINGS = model_settings("INDX_TRIAL", purpose="is tried")


@pytest.fixture
def settings(monkeypatch):
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)
    monkeypatch.delenv("OLLAMA_API_BASE", raising=False)
    return SETTINGS


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


@pytest.fixture
def model(settings, server):
    """A model behind the server; waits between attempts are counted, not slept."""
    pauses: list[float] = []

    def make(name="openai/trial", **more):
        return HostedModel(
            settings, name, "gpu", more.pop("api_key", None), server.address, pause=pauses.append, **more
        )

    make.pauses = pauses
    return make
