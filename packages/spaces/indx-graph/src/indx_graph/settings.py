"""Settings of the chunk graph."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from indx_core.settings import Kind, Setting, string
from indx_model_litellm import ModelSettings, model_settings

__all__ = ["MODEL", "SETTINGS"]

_TEXT: Final[Kind[str | None]] = string

MODEL: Final[ModelSettings] = replace(
    model_settings("INDX_GRAPH_LLM", purpose="embeds texts", retries=2),
    model=Setting(
        "INDX_GRAPH_NOMIC_MODEL",
        _TEXT,
        "ollama/nomic-embed-text",
        "What the embedder `nomic-embed-text` is called by LiteLLM.",
    ),
)
"""How a hosted embedder is reached."""

SETTINGS = tuple(MODEL)
