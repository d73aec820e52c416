"""Chunks in memory: postings and vectors of each document, ranked when they are asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from indx_core.ports.stores import IndexedChunk, VectorHit
from indx_core.ranking import (
    Postings,
    check_lengths,
    check_vector,
    nearest,
    norms,
    rank_words,
    vectors_by_space,
)
from indx_store_memory._kept import check_size, make_room
from indx_store_memory._memory import MemoryStore

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.ports.embedding import Metric

__all__ = ["MemoryVectors"]


@dataclass(frozen=True, slots=True)
class _Space:
    """The vectors of a document in one space: chunks by number, rows, and their lengths."""

    numbers: Sequence[int]
    rows: npt.NDArray[np.float32]
    norms: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Document:
    """A document's chunks, numbered by block ID, because ties rank so."""

    chunks: Sequence[IndexedChunk]
    order: Sequence[int]
    numbers: Mapping[str, int]
    postings: Postings
    terms: Mapping[str, int]
    spaces: Mapping[str, _Space]
    expires_at: datetime
    size: int

    def rows_of(self, term: str) -> memoryview | None:
        """The postings of a term; None where no chunk holds it."""
        place = self.terms.get(term)
        if place is None:
            return None
        starts = self.postings.starts
        return self.postings.rows[starts[place] : starts[place + 1]].data.cast("B")


class MemoryVectors(MemoryStore):
    """Searches the chunks an owner kept, by words and by vectors, exactly."""

    def put(self, owner: str, digest: str, chunks: Sequence[IndexedChunk], *, expires_at: datetime) -> None:
        """Index `chunks` of a document, replacing those it had.

        Raises:
            InputTooLarge: They are more than all that may be held.
        """
        made = _indexed(chunks, expires_at)
        check_size(made.size)
        memory = self._memory
        with memory.lock:
            table = memory.table("chunks")
            table.pop((owner, digest), None)
            make_room(memory, "chunks", made.size)
            table[owner, digest] = made

    def get(self, owner: str, digest: str) -> Sequence[IndexedChunk]:
        """The chunks of a document in their order."""
        found = self._found(owner, digest)
        return [found.chunks[number] for number in found.order] if found else []

    def chunks(self, owner: str, places: Sequence[tuple[str, str]]) -> Sequence[IndexedChunk | None]:
        """The chunks at each digest and block ID, without their vectors; None for one that is not there."""
        documents = {digest: self._found(owner, digest) for digest in dict.fromkeys(d for d, _ in places)}
        made: list[IndexedChunk | None] = []
        for digest, block_id in places:
            document = documents[digest]
            number = None if document is None else document.numbers.get(block_id)
            found = None if document is None or number is None else document.chunks[number]
            made.append(None if found is None else replace(found, vectors={}))
        return made

    def delete(self, owner: str, digest: str) -> None:
        """Drop a document's chunks."""
        memory = self._memory
        with memory.lock:
            memory.table("chunks").pop((owner, digest), None)

    def list(self, owner: str) -> Sequence[str]:
        """Digests with chunks, in order."""
        memory = self._memory
        with memory.lock:
            return sorted(digest for whose, digest in memory.table("chunks") if whose == owner)

    def expired(self, *, now: datetime, limit: int) -> Sequence[tuple[str, str]]:
        """Owner and digest of documents whose chunks are past their time, at most `limit`."""
        return self._memory.expired("chunks", now, limit)

    def search_text(
        self, owner: str, terms: Sequence[str], *, limit: int, now: datetime
    ) -> Sequence[VectorHit]:
        """BM25 over the owner's chunks; ties by digest and block ID."""
        live = self._live(owner, now)
        asked = []
        for term in dict.fromkeys(terms):
            parts = [(number, one.rows_of(term)) for number, (_, one) in enumerate(live)]
            holding = [(number, rows) for number, rows in parts if rows is not None]
            if holding:
                asked.append(([number for number, _ in holding], [rows for _, rows in holding]))
        if not asked:
            return []
        sizes = [len(one.chunks) for _, one in live]
        length = sum(one.postings.length for _, one in live)
        found = rank_words(asked, sizes, chunks=sum(sizes), length=length, limit=limit)
        return [
            VectorHit(live[number][0], live[number][1].chunks[chunk].block_id, score)
            for number, chunk, score in found
        ]

    def search_vector(
        self,
        owner: str,
        space_id: str,
        vector: npt.NDArray[np.float32],
        *,
        limit: int,
        now: datetime,
        metric: Metric = "cosine",
    ) -> Sequence[VectorHit]:
        """The nearest chunks by the space's metric; ties by digest and block ID."""
        check_vector(vector)
        live = [
            (digest, one, one.spaces[space_id])
            for digest, one in self._live(owner, now)
            if space_id in one.spaces
        ]
        check_lengths(space_id, [space.rows.shape[1] for *_, space in live], len(vector))
        found = nearest(metric, [(space.rows, space.norms) for *_, space in live], vector, limit)
        hits = []
        for number, row, score in found:
            digest, document, space = live[number]
            hits.append(VectorHit(digest, document.chunks[space.numbers[row]].block_id, score))
        return hits

    def _found(self, owner: str, digest: str) -> _Document | None:
        memory = self._memory
        with memory.lock:
            found: _Document | None = memory.table("chunks").get((owner, digest))
            return found

    def _live(self, owner: str, now: datetime) -> Sequence[tuple[str, _Document]]:
        """The owner's documents that have not expired, by digest."""
        memory = self._memory
        with memory.lock:
            items = list(memory.table("chunks").items())
        live = [(digest, one) for (whose, digest), one in items if whose == owner and one.expires_at > now]
        return sorted(live, key=lambda item: item[0])


def _indexed(chunks: Sequence[IndexedChunk], expires_at: datetime) -> _Document:
    by_id = sorted(range(len(chunks)), key=lambda place: chunks[place].block_id)
    order = [0] * len(chunks)
    for number, place in enumerate(by_id):
        order[place] = number
    ordered = [chunks[place] for place in by_id]
    spaces = {
        space: _Space(numbers, rows, norms(rows))
        for space, (numbers, rows) in vectors_by_space(ordered).items()
    }
    postings = Postings.of_texts([chunk.text for chunk in ordered])
    kept = [
        replace(
            chunk,
            section=tuple(chunk.section),
            box=None if chunk.box is None else tuple(chunk.box),
            vectors={},
        )
        for chunk in ordered
    ]
    for name, space in spaces.items():
        for number, row in zip(space.numbers, space.rows, strict=True):
            kept[number] = replace(kept[number], vectors={**kept[number].vectors, name: row})
    return _Document(
        chunks=kept,
        order=order,
        numbers={chunk.block_id: number for number, chunk in enumerate(kept)},
        postings=postings,
        terms={term: place for place, term in enumerate(postings.terms)},
        spaces=spaces,
        expires_at=expires_at,
        size=_size(kept, spaces),
    )


def _size(chunks: Sequence[IndexedChunk], spaces: Mapping[str, _Space]) -> int:
    """The JSON of the chunks, and the bytes of their vectors: what takes the room."""
    texts = [[one.block_id, one.text, one.page, one.section, one.box] for one in chunks]
    return len(json.dumps(texts)) + sum(space.rows.nbytes for space in spaces.values())
