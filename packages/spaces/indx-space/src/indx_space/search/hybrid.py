"""Search by words and by meaning: what holds a word of the query first, then what is near."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Final

from indx_core.text import query_terms
from indx_space.search.hits import make_hits, says_something
from indx_space.search.lexical import index_of
from indx_space.search.ranking import DIGITS, best, rounded
from indx_space.search.semantic import Rows, embed_query

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indx_core.contracts.space import SearchHit, Space
    from indx_core.discovery import Registry
    from indx_space.search.bm25 import LexicalIndex

__all__ = ["search"]

_FUSION: Final = 60
_WORDS_FIRST: Final = 1.0
"""Added to the score of a chunk that holds a word; reciprocal ranks never reach it."""


def search(space: Space, query: str, k: int, registry: Registry | None) -> list[SearchHit]:
    """Fuse the ranks of both legs, words first.

    The score of a chunk is the sum of 1 / (60 + rank) over the legs that found it, and 1 more where a word
    of the query was found.
    """
    terms = query_terms(query)
    if not terms or not len(space.chunks):
        return []
    index = index_of(space)
    table = space.vectors()
    vector = None if table is None else embed_query(space, query, table, registry)
    if table is None or vector is None:
        return make_hits(space, _words_only(index, terms, k), "hybrid")
    import numpy as np

    rows = Rows.of(space, table)
    words = index.scores(terms)
    cosines = np.full(len(words), np.nan)
    cosines[rows.places] = rows.cosines(vector)
    scores = np.zeros(len(words))
    for leg, found in ((words, np.flatnonzero(words)), (cosines, rows.places)):
        order = found[np.lexsort((found, -np.round(leg[found], DIGITS)))]
        scores[order] += 1 / (_FUSION + 1 + np.arange(len(order)))
    scores += _WORDS_FIRST * (words > 0)

    def fits(place: int) -> bool:
        return scores[place] > 0 and (words[place] > 0 or says_something(space.chunks[place].text))

    chosen = best(scores, np.arange(len(words)), k, fits, digits=None)
    return make_hits(
        space, ((place, score, _legs(words[place], cosines[place])) for place, score in chosen), "hybrid"
    )


def _words_only(
    index: LexicalIndex, terms: list[str], k: int
) -> Iterator[tuple[int, float, dict[str, float]]]:
    for rank, (place, score) in enumerate(index.rank(terms, k), start=1):
        yield place, _WORDS_FIRST + 1 / (_FUSION + rank), {"text_score": score}


def _legs(words: float, cosine: float) -> dict[str, float]:
    """The scores of the legs that found a chunk."""
    scores = {"text_score": rounded(float(words))} if words else {}
    return scores if isnan(cosine) else {**scores, "vector_score": rounded(float(cosine))}
