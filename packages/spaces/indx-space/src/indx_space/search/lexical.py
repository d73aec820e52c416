"""Search by words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.text import query_terms
from indx_space.search.bm25 import LexicalIndex
from indx_space.search.hits import make_hits

if TYPE_CHECKING:
    from indx_core.contracts.space import SearchHit, Space

__all__ = ["index_of", "search"]


def search(space: Space, query: str, k: int) -> list[SearchHit]:
    """The chunks that hold a word of the query, by BM25."""
    terms = query_terms(query)
    ranked = index_of(space).rank(terms, k) if terms and len(space.chunks) else ()
    return make_hits(space, ((place, score, {}) for place, score in ranked), "lexical")


def index_of(space: Space) -> LexicalIndex:
    """The index of a space: its own where it keeps one, else made now."""
    own = getattr(space, "lexical_index", None)
    if own is not None:
        index: LexicalIndex = own()
        return index
    return LexicalIndex.of_texts([chunk.text for chunk in space.chunks])
