"""The search mode keeps the rules of its port, with vectors and without."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from indx_core import discovery
from indx_core.discovery import Candidate, Registry
from indx_core.ports.embedding import Embedded, EmbedderDeclaration, Space
from indx_graph import provider
from indx_testkit.spaces import SearchModeKit, small_space


class TestGraphWithoutVectors(SearchModeKit):
    factory = staticmethod(provider.graph)
    finds: ClassVar = {
        "alpha setting": "chunk_0001",
        "東京の天気": "chunk_0002",
        "install tool": "chunk_0000",
    }

    def space(self) -> Any:
        return small_space(dimension=None)


class TestGraphWithVectors(SearchModeKit):
    factory = staticmethod(provider.graph)
    finds: ClassVar = {"alpha setting": "chunk_0001", "東京の天気": "chunk_0002"}

    @pytest.fixture(autouse=True)
    def _embedder(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = Registry(
            [Candidate("indx.embedders", "flat", "m:f", "dist", "1", lambda: lambda: FlatEmbedder())]
        )
        monkeypatch.setattr(discovery, "_default", made)


class FlatEmbedder:
    """Embeds every query alike, in the space that the kit's vectors claim."""

    port_version = 1
    declaration = EmbedderDeclaration(
        "flat", Space("test-space", 4, "cosine", True), ("document", "query"), ("text",)
    )

    def availability(self) -> None:
        return None

    def embed(self, batch: Any, *, role: str, deadline: Any) -> Embedded:
        import numpy as np

        return Embedded(np.full((len(batch), 4), 0.5, dtype=np.float32))
