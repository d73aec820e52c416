"""Hosted embedders through LiteLLM, among them `nomic-embed-text`, which tells documents from queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from indx_core.errors import ConfigurationError, Unavailable
from indx_graph.graph import unit_rows
from indx_graph.settings import MODEL
from indx_model_litellm import HostedModel, ModelError, device_of, is_installed

__all__ = ["HostedTexts"]

_BATCH: Final = 32
_PREFIXES: Final = {"document": "search_document: ", "query": "search_query: "}
_PREFIX: Final = "litellm:"


class HostedTexts:
    """Embeds by LiteLLM, which is imported when the first text comes.

    Args:
        name: `nomic-embed-text`, or `litellm:` and what LiteLLM calls a model.

    Raises:
        ConfigurationError: `unknown_component`: LiteLLM is not installed; `invalid_setting`: a setting of the
            model is wrong.
    """

    def __init__(self, name: str) -> None:
        """Look for LiteLLM; import nothing."""
        if not is_installed():
            raise ConfigurationError(
                f'embedder {name!r} goes through LiteLLM: pip install "indx-graph[llm]"',
                code="unknown_component",
            )
        self.name = name
        model = name.removeprefix(_PREFIX) if name.startswith(_PREFIX) else MODEL.model.get()
        self._prefixes = _PREFIXES if "nomic" in str(model) else {"document": "", "query": ""}
        self._model = HostedModel(
            MODEL,
            str(model),
            device_of(MODEL),
            MODEL.api_key.get(),
            MODEL.api_base.get(),
            MODEL.timeout.get(),
            MODEL.retries.get(),
        )

    def embed(self, texts: Sequence[str], role: Literal["document", "query"]) -> npt.NDArray[np.float32]:
        """One row of length 1 a text; 0 throughout for a blank one, which is not sent.

        Raises:
            Unavailable: `embedder_unavailable`: the server failed as often as it may, or answered something
                else than a vector of one length for each text.
        """
        kept = [place for place, text in enumerate(texts) if text.strip()]
        rows: list[Sequence[float]] = []
        for start in range(0, len(kept), _BATCH):
            batch = [self._prefixes[role] + texts[place] for place in kept[start : start + _BATCH]]
            try:
                # Every batch is as wide as the first.
                rows += self._model.embed(batch, dimension=len(rows[0]) if rows else None).rows
            except ModelError as error:
                raise Unavailable(f"{self.name} failed: {error}", code="embedder_unavailable") from None
        values = np.zeros((len(texts), len(rows[0]) if rows else 0), np.float64)
        values[kept] = rows
        return unit_rows(values)
