"""Search over kept chunks: those that hold the words first, then those that resemble the query.

Each leg looks at every chunk of the owner and offers the first of its ranking, which no store orders
otherwise. A chunk belongs to the first group when the words found it, to the second when only its vector
did; inside a group the legs are fused by reciprocal rank among its members. A query without a word asks for
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from indx_core.contracts import (
    EmbedRequest,
    EmbedResult,
    SearchHitKept,
    SearchRequest,
    SearchResult,
    TextInput,
)
from indx_core.text import index_terms, query_terms

if TYPE_CHECKING:
    from indx_core.ports import DocumentStore, IndexedChunk, VectorHit, VectorIndex
    from indx_runtime import Engine

__all__ = ["rank", "search"]

_FUSION: Final = 60
_DEPTH: Final = 1000
"""How many chunks a leg offers: ten times the most hits a request can ask for."""

Place: TypeAlias = "tuple[str, str]"
"""Digest and block ID."""

Scores: TypeAlias = "dict[Place, float]"
"""What a leg found, best first."""


def search(
    owner: str | None,
    request: SearchRequest,
    engine: Engine,
    documents: DocumentStore,
    index: VectorIndex,
    *,
    now: datetime,
) -> SearchResult:
    """Search an owner's chunks.

    Raises:
        InvalidEmbeddingSpace: The space named is not installed or embeds no query text.
        Unavailable: `embedder_unavailable`.
    """
    query = _embedded(request, engine)
    terms = query_terms(request.query)
    if owner is None or not _says_something(terms):
        return SearchResult(hits=())
    names = {summary.digest: summary.name for summary in documents.summaries(owner, now=now)}
    words = _live(index.search_text(owner, terms, limit=_DEPTH, now=now), names)
    depth = _DEPTH
    while True:
        near = _near(owner, query, index, depth, now)
        legs = (words, _live(near, names))
        hits = _hits(owner, legs, index, names, request.limit)
        if len(hits) == request.limit or len(near) < depth:
            return SearchResult(hits=tuple(hits))
        depth *= 4  # the nearest say nothing: look behind them


def _hits(
    owner: str, legs: tuple[Scores, Scores], index: VectorIndex, names: Mapping[str, str], limit: int
) -> list[SearchHitKept]:
    """The first hits of both groups, with their chunks."""
    ranked = rank(*legs)
    hits: list[SearchHitKept] = []
    for start in range(0, len(ranked), limit):
        part = ranked[start : start + limit]
        for (place, score), chunk in zip(part, index.chunks(owner, [at for at, _ in part]), strict=True):
            if chunk is not None and (place in legs[0] or _resembles(chunk)):
                hits.append(_hit(place, score, legs, chunk, names[place[0]]))
        if len(hits) >= limit:
            break
    return hits[:limit]


def rank(words: Scores, near: Scores) -> list[tuple[Place, float]]:
    """Places with their scores, best first: what the words found, then what is merely near.

    Args:
        words: What the words found, best first.
        near: What the vectors found, best first.
    """
    first = _fused([words, [place for place in near if place in words]], above=1.0)
    return first + _fused([[place for place in near if place not in words]], above=0.0)


def _fused(legs: Sequence[Iterable[Place]], *, above: float) -> list[tuple[Place, float]]:
    fused: dict[Place, float] = {}
    for leg in legs:
        for place_in_leg, place in enumerate(leg, start=1):
            fused[place] = fused.get(place, above) + 1 / (_FUSION + place_in_leg)
    rounded = [(place, round(score, 6)) for place, score in fused.items()]
    return sorted(rounded, key=lambda found: (-found[1], found[0]))


def _live(hits: Iterable[VectorHit], names: Mapping[str, str]) -> Scores:
    """The hits in documents that are kept."""
    return {(hit.digest, hit.block_id): hit.score for hit in hits if hit.digest in names}


def _embedded(request: SearchRequest, engine: Engine) -> EmbedResult | None:
    if request.embedding_space_id is None:
        return None
    query = TextInput(text=request.query)
    return engine.embed(EmbedRequest(embedding_space_id=request.embedding_space_id, input=query))


def _near(
    owner: str, query: EmbedResult | None, index: VectorIndex, depth: int, now: datetime
) -> Sequence[VectorHit]:
    """The nearest chunks by their vectors; none where no space was named."""
    if query is None:
        return ()
    import numpy as np

    space = query.embedding_space
    vector = np.asarray(query.vectors[0].values, dtype="<f4")
    return index.search_vector(owner, space.id, vector, limit=depth, now=now, metric=space.metric)


def _resembles(chunk: IndexedChunk) -> bool:
    """Whether a chunk is a picture or holds a word: punctuation alone resembles anything."""
    return not chunk.text or _says_something(index_terms(chunk.text))


def _says_something(terms: Iterable[str]) -> bool:
    """Whether one of the terms is a word, and not the underscores of a form."""
    return any(term.strip("_") for term in terms)


def _hit(
    place: Place, score: float, legs: tuple[Scores, Scores], chunk: IndexedChunk, name: str
) -> SearchHitKept:
    words, near = legs
    lanes: tuple[tuple[Literal["text", "vector"], Scores], ...] = (("text", words), ("vector", near))
    return SearchHitKept(
        digest=place[0],
        name=name,
        block_id=place[1],
        page=chunk.page,
        text=chunk.text,
        section=tuple(chunk.section) or None,
        bbox=None if chunk.box is None else (chunk.box[0], chunk.box[1], chunk.box[2], chunk.box[3]),
        score=score,
        text_score=words.get(place),
        vector_score=near.get(place),
        lanes=tuple(lane for lane, found in lanes if place in found),
    )
