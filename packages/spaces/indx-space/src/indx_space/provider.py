"""Declares the search modes `semantic`, `lexical` and `hybrid`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.ports.declarations import PORT_VERSION
from indx_core.ports.spaces import SearchModeDeclaration

if TYPE_CHECKING:
    from indx_core.contracts.space import SearchHit, Space
    from indx_core.discovery import Registry

__all__ = ["HybridMode", "LexicalMode", "SemanticMode", "hybrid", "lexical", "semantic"]


class SemanticMode:
    """Ranks chunks by the cosine of their vectors and the query's.

    Args:
        registry: Where the query's embedder is looked for; None for the installed ones.
    """

    port_version = PORT_VERSION
    declaration = SearchModeDeclaration("semantic")

    def __init__(self, registry: Registry | None = None) -> None:
        self._registry = registry

    def search(self, space: Space, query: str, k: int) -> list[SearchHit]:
        """The nearest chunks; the score is the cosine.

        Raises:
            InvalidRequest: The space has no vectors.
            ArchiveError: `embedder_mismatch`: nothing installed makes vectors that compare with them.
            Unavailable: `embedder_unavailable`.
        """
        from indx_space.search.semantic import search

        return search(space, query, k, self._registry)


class LexicalMode:
    """Ranks chunks by BM25 over the words they share with the query."""

    port_version = PORT_VERSION
    declaration = SearchModeDeclaration("lexical")

    def search(self, space: Space, query: str, k: int) -> list[SearchHit]:
        """The chunks that hold a word of the query; the score is the BM25 sum."""
        from indx_space.search.lexical import search

        return search(space, query, k)


class HybridMode:
    """Ranks chunks that hold a word of the query first, then those that are near in meaning.

    Args:
        registry: Where the query's embedder is looked for; None for the installed ones.
    """

    port_version = PORT_VERSION
    declaration = SearchModeDeclaration("hybrid")

    def __init__(self, registry: Registry | None = None) -> None:
        self._registry = registry

    def search(self, space: Space, query: str, k: int) -> list[SearchHit]:
        """Hits in order. The score only orders; `text_score` and `vector_score` are those of the legs.

        Raises:
            ArchiveError: `embedder_mismatch`: nothing installed makes vectors that compare with them.
            Unavailable: `embedder_unavailable`.
        """
        from indx_space.search.hybrid import search

        return search(space, query, k, self._registry)


def semantic() -> SemanticMode:
    """Search by meaning."""
    return SemanticMode()


def lexical() -> LexicalMode:
    """Search by words."""
    return LexicalMode()


def hybrid() -> HybridMode:
    """Search by words, then by meaning."""
    return HybridMode()
