"""The search modes keep the rules of their port."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from indx_space import provider
from indx_testkit import SearchModeKit


class TestLexical(SearchModeKit):
    factory = staticmethod(provider.lexical)
    finds: ClassVar = {
        "alpha setting": "chunk_0001",
        "東京": "chunk_0002",
        "quotes": "chunk_0003",
        "install": "chunk_0000",
    }


class WithVectors(SearchModeKit):
    """Modes that compare vectors search a space whose embedder is installed."""

    @pytest.fixture(autouse=True)
    def _embedder(self, making, toys) -> None:
        self.kept = making.space(
            {"guide/a.md": ["Install the tool.", "The alpha setting."], "b.txt": ["東京の天気"]}
        )

    def space(self) -> Any:
        return self.kept


class TestSemantic(WithVectors):
    factory = staticmethod(provider.semantic)
    finds: ClassVar = {"alpha setting": "chunk_0001", "東京の天気": "chunk_0002"}


class TestHybrid(WithVectors):
    factory = staticmethod(provider.hybrid)
    finds: ClassVar = {"alpha setting": "chunk_0001", "東京": "chunk_0002", "install": "chunk_0000"}
