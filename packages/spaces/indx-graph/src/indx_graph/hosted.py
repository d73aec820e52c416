"""Hosted embedders through LiteLLM, among them `nomic-embed-text`, which tells documents from queries."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from indx_core.errors import ConfigurationError, Unavailable, explain
from indx_graph.graph import unit_rows
from indx_graph.settings import LLM_API_BASE, LLM_TIMEOUT_SECONDS, NOMIC_MODEL

__all__ = ["HostedTexts"]

_BATCH: Final = 32
_TRIES: Final = 3
_PREFIXES: Final = {"document": "search_document: ", "query": "search_query: "}
_PREFIX: Final = "litellm:"


class HostedTexts:
    """Embeds by LiteLLM, which is imported when the first text comes.

    Args:
        name: `nomic-embed-text`, or `litellm:` and what LiteLLM calls a model.

    Raises:
        ConfigurationError: `unknown_component`: LiteLLM is not installed.
    """

    def __init__(self, name: str) -> None:
        """Look for LiteLLM; import nothing."""
        if find_spec("litellm") is None:
            raise ConfigurationError(
                f'embedder {name!r} goes through LiteLLM: pip install "indx-graph[llm]"',
                code="unknown_component",
            )
        self.name = name
        self._model = name.removeprefix(_PREFIX) if name.startswith(_PREFIX) else NOMIC_MODEL.get()
        self._prefixes = _PREFIXES if "nomic" in self._model else {"document": "", "query": ""}

    def embed(self, texts: Sequence[str], role: Literal["document", "query"]) -> npt.NDArray[np.float32]:
        """One row of length 1 a text; 0 throughout for a blank one, which is not sent.

        Raises:
            Unavailable: `embedder_unavailable`: the server failed three times, or answered something else.
        """
        kept = [place for place, text in enumerate(texts) if text.strip()]
        rows: list[Any] = []
        for start in range(0, len(kept), _BATCH):
            batch = [self._prefixes[role] + texts[place] for place in kept[start : start + _BATCH]]
            rows += self._ask(batch)
        width = len(rows[0]) if rows else 0
        if any(len(row) != width for row in rows):
            raise Unavailable(f"{self.name} answered vectors of several lengths", code="embedder_unavailable")
        values = np.zeros((len(texts), width), np.float64)
        values[kept] = rows
        return unit_rows(values)

    def _ask(self, batch: list[str]) -> list[Any]:
        # Without this the library asks the network for prices while it is imported.
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        embedding = import_module("litellm").embedding
        reason = ""
        for _ in range(_TRIES):
            try:
                answer = embedding(
                    model=self._model,
                    input=batch,
                    api_base=LLM_API_BASE.get(),
                    timeout=LLM_TIMEOUT_SECONDS.get(),
                    num_retries=0,
                )
                rows = [item["embedding"] for item in sorted(answer["data"], key=lambda item: item["index"])]
                if len(rows) == len(batch):
                    return rows
                reason = f"{len(rows)} vectors for {len(batch)} texts"
            except Exception as error:  # the library raises errors of many kinds
                reason = explain(error)
        raise Unavailable(f"{self.name} failed: {reason}", code="embedder_unavailable")
