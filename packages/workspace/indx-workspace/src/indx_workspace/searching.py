"""Search over kept chunks: those that hold the words first, then those that resemble the query.

Every chunk of the owner takes part, so that the ranking is the same whatever the store. A chunk belongs to
the first group when the words found it, to the second when only its vector did; inside a group the legs are
fused by reciprocal rank among its members. A query without a word asks for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
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

__all__ = ["search"]

_FUSION: Final = 60
_EVERY: Final = 1_000_000  # more chunks than an owner keeps: the legs rank all of them

Place: TypeAlias = "tuple[str, str]"
"""Digest and block ID."""

Leg: TypeAlias = Literal["text", "vector"]


@dataclass(slots=True)
class _Found:
    """A chunk with each leg's score and what the fusion makes of it."""

    place: Place
    scores: dict[Leg, float] = field(default_factory=dict)
    fused: float = 0.0


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
    found: dict[Place, _Found] = {}
    _add(found, "text", index.search_text(owner, terms, limit=_EVERY, now=now))
    if query is not None:
        _add(found, "vector", _near(owner, query, index, now))
    names = {summary.digest: summary.name for summary in documents.summaries(owner, now=now)}
    live = [one for one in found.values() if one.place[0] in names]
    ranked = [*_words_first(live), *_resembling(live)]
    hits: list[SearchHitKept] = []
    for start in range(0, len(ranked), request.limit):
        part = ranked[start : start + request.limit]
        chunks = index.chunks(owner, [one.place for one in part])
        hits += [
            _hit(one, chunk, names[one.place[0]])
            for one, chunk in zip(part, chunks, strict=True)
            if chunk is not None and ("text" in one.scores or _resembles(chunk))
        ]
        if len(hits) >= request.limit:
            break
    return SearchResult(hits=tuple(hits[: request.limit]))


def _embedded(request: SearchRequest, engine: Engine) -> EmbedResult | None:
    if request.embedding_space_id is None:
        return None
    query = TextInput(text=request.query)
    return engine.embed(EmbedRequest(embedding_space_id=request.embedding_space_id, input=query))


def _near(owner: str, query: EmbedResult, index: VectorIndex, now: datetime) -> Sequence[VectorHit]:
    import numpy as np

    space = query.embedding_space
    vector = np.asarray(query.vectors[0].values, dtype="<f4")
    return index.search_vector(owner, space.id, vector, limit=_EVERY, now=now, metric=space.metric)


def _add(found: dict[Place, _Found], leg: Leg, hits: Iterable[VectorHit]) -> None:
    for hit in hits:
        place = (hit.digest, hit.block_id)
        found.setdefault(place, _Found(place)).scores[leg] = hit.score


def _words_first(found: Sequence[_Found]) -> list[_Found]:
    """Chunks the words found. Their scores stand above those of every other."""
    return _fused([one for one in found if "text" in one.scores], above=1.0)


def _resembling(found: Sequence[_Found]) -> list[_Found]:
    """Chunks found by their vectors alone."""
    return _fused([one for one in found if "text" not in one.scores], above=0.0)


def _fused(group: list[_Found], *, above: float) -> list[_Found]:
    for one in group:
        one.fused = above
    legs: tuple[Leg, ...] = ("text", "vector")
    for leg in legs:
        ranked = sorted((one for one in group if leg in one.scores), key=lambda o: (-o.scores[leg], o.place))
        for rank, one in enumerate(ranked, start=1):
            one.fused += 1 / (_FUSION + rank)
    for one in group:
        one.fused = round(one.fused, 6)
    return sorted(group, key=lambda one: (-one.fused, one.place))


def _resembles(chunk: IndexedChunk) -> bool:
    """Whether a chunk is a picture or holds a word: punctuation alone resembles anything."""
    return not chunk.text or _says_something(index_terms(chunk.text))


def _says_something(terms: Iterable[str]) -> bool:
    """Whether one of the terms is a word, and not the underscores of a form."""
    return any(term.strip("_") for term in terms)


def _hit(one: _Found, chunk: IndexedChunk, name: str) -> SearchHitKept:
    digest, block_id = one.place
    legs: tuple[Leg, ...] = ("text", "vector")
    return SearchHitKept(
        digest=digest,
        name=name,
        block_id=block_id,
        page=chunk.page,
        text=chunk.text,
        section=tuple(chunk.section) or None,
        bbox=None if chunk.box is None else (chunk.box[0], chunk.box[1], chunk.box[2], chunk.box[3]),
        score=one.fused,
        text_score=one.scores.get("text"),
        vector_score=one.scores.get("vector"),
        lanes=tuple(leg for leg in legs if leg in one.scores),
    )
