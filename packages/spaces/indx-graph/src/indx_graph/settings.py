"""Settings of the chunk graph."""

from __future__ import annotations

from typing import Final

from indx_core.settings import Setting, number, string

__all__ = ["LLM_API_BASE", "LLM_TIMEOUT_SECONDS", "NOMIC_MODEL", "SETTINGS"]

NOMIC_MODEL: Final[Setting[str]] = Setting(
    "INDX_GRAPH_NOMIC_MODEL",
    string,
    "ollama/nomic-embed-text",
    "What the embedder `nomic-embed-text` is called by LiteLLM.",
)
LLM_API_BASE: Final[Setting[str | None]] = Setting(
    "INDX_GRAPH_LLM_API_BASE",
    string,
    None,
    "The address of the server that embeds for `nomic-embed-text`; LiteLLM's own default when unset.",
    secret=True,
)
LLM_TIMEOUT_SECONDS: Final[Setting[float]] = Setting(
    "INDX_GRAPH_LLM_TIMEOUT_SECONDS",
    number(minimum=0.1),
    60.0,
    "How long a hosted embedder may take for one batch.",
)
SETTINGS = (NOMIC_MODEL, LLM_API_BASE, LLM_TIMEOUT_SECONDS)
