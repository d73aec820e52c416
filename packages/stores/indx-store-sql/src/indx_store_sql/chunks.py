"""Kept chunks: their postings, ranked by the core, and their vectors, left to the dialect."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from sqlalchemy import tuple_

from indx_core.ports.stores import IndexedChunk, VectorHit
from indx_core.ranking import Postings, check_vector, rank_words, vectors_by_space
from indx_store_sql.kept import Stored
from indx_store_sql.owned import BATCH, Owned, live
from indx_store_sql.tables import chunk, exact, indexed, posting

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.ports.embedding import Metric
    from indx_store_sql.backend import Found

__all__ = ["SqlVectors"]

Rows: TypeAlias = list[Any]

_LONGEST: Final = 200
"""Bytes of a term as it is; longer ones stand as their digest, because indexes bound what they take."""


class SqlVectors(Stored):
    """Searches the chunks an owner kept, by words and by vectors, exactly."""

    def put(self, owner: str, digest: str, chunks: Sequence[IndexedChunk], *, expires_at: datetime) -> None:
        """Index `chunks` of a document, replacing those it had."""
        positions = sorted(range(len(chunks)), key=lambda place: chunks[place].block_id)
        ordered = [chunks[place] for place in positions]
        spaces = vectors_by_space(ordered)
        postings = Postings.of_texts([one.text for one in ordered])
        values = {
            "digest": digest,
            "expires_at": expires_at,
            "chunks": len(ordered),
            "terms": postings.length,
            "block_ids": json.dumps([one.block_id for one in ordered]).encode(),
        }
        dialect = self._backend.dialect
        with self._backend.writing(owner) as mine:
            mine.delete(indexed, digest=digest)
            document_id = mine.insert(indexed, values, indexed.c.id)
            dialect.insert(
                mine.connection,
                chunk,
                [
                    {
                        "document_id": document_id,
                        "number": number,
                        "position": position,
                        "place": _placed(one),
                        "text": one.text,
                    }
                    for number, (position, one) in enumerate(zip(positions, ordered, strict=True))
                ],
            )
            dialect.insert(
                mine.connection,
                posting,
                [
                    {"owner_key": mine.key, "term": _term(term), "document_id": document_id, "rows": rows}
                    for term, rows in postings
                ],
            )
            dialect.put_vectors(mine, document_id, spaces)

    def get(self, owner: str, digest: str) -> Sequence[IndexedChunk]:
        """The chunks of a document in their order."""
        with self._backend.reading(owner) as mine:
            found = mine.row(
                mine.select(indexed, indexed.c.id, indexed.c.block_ids).where(indexed.c.digest == digest)
            )
            if found is None:
                return []
            query = mine.select(chunk, *chunk.c).where(chunk.c.document_id == found.id)
            rows = mine.rows(query.order_by(chunk.c.position))
            vectors = self._backend.dialect.vectors_of(mine, found.id)
        names = json.loads(found.block_ids)
        return [_chunk(names[row.number], row, vectors.get(row.number, {})) for row in rows]

    def chunks(self, owner: str, places: Sequence[tuple[str, str]]) -> Sequence[IndexedChunk | None]:
        """The chunks at each digest and block ID, without their vectors; None for one that is not there."""
        with self._backend.reading(owner) as mine:
            documents = self._named(mine, indexed.c.digest, [digest for digest, _ in places])
            by_digest = {row.digest: (row.id, json.loads(row.block_ids)) for row in documents}
            keys = [_located(by_digest, digest, block_id) for digest, block_id in places]
            wanted = sorted({key for key in keys if key is not None})
            found = {}
            for batch in _batches(wanted):
                at = tuple_(chunk.c.document_id, chunk.c.number)
                for row in mine.rows(mine.select(chunk, *chunk.c).where(at.in_(batch))):
                    found[row.document_id, row.number] = row
        return [
            None if key is None or key not in found else _chunk(block_id, found[key], {})
            for key, (_, block_id) in zip(keys, places, strict=True)
        ]

    def delete(self, owner: str, digest: str) -> None:
        """Drop a document's chunks."""
        with self._backend.writing(owner) as mine:
            mine.delete(indexed, digest=digest)

    def list(self, owner: str) -> Sequence[str]:
        """Digests with chunks, in order."""
        with self._backend.reading(owner) as mine:
            query = mine.select(indexed, indexed.c.digest).order_by(indexed.c.digest)
            return [row.digest for row in mine.rows(query)]

    def expired(self, *, now: datetime, limit: int) -> Sequence[tuple[str, str]]:
        """Owner and digest of documents whose chunks are past their time, at most `limit`."""
        return self._expired(indexed, now, limit)

    def search_text(
        self, owner: str, terms: Sequence[str], *, limit: int, now: datetime
    ) -> Sequence[VectorHit]:
        """BM25 over the owner's chunks; ties by digest and block ID."""
        asked = [_term(term) for term in dict.fromkeys(terms)]
        with self._backend.reading(owner) as mine:
            holding = self._postings(mine, asked, now)
            if not holding or limit <= 0:
                return []
            query = mine.select(indexed, indexed.c.id, indexed.c.digest, indexed.c.chunks, indexed.c.terms)
            documents = mine.rows(query.where(live(now)).order_by(indexed.c.digest))
            places = {document.id: place for place, document in enumerate(documents)}
            ranked = rank_words(
                [
                    ([places[document] for document in holding[term][0]], holding[term][1])
                    for term in asked
                    if term in holding
                ],
                [document.chunks for document in documents],
                chunks=sum(document.chunks for document in documents),
                length=sum(document.terms for document in documents),
                limit=limit,
            )
            hits = [(documents[place], number, score) for place, number, score in ranked]
            return self._hits(mine, [(one.id, one.digest, number, score) for one, number, score in hits])

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
        with self._backend.reading(owner) as mine:
            found = self._backend.dialect.nearest(mine, space_id, vector, metric=metric, limit=limit, now=now)
            return self._hits(mine, found)

    def _postings(self, mine: Owned, terms: Sequence[bytes], now: datetime) -> dict[bytes, tuple[Rows, Rows]]:
        """For each term the live documents that hold it, and its rows in each; others are left out."""
        found: dict[bytes, tuple[Rows, Rows]] = {}
        for batch in _batches(terms):
            query = mine.select(posting, posting.c.term, posting.c.document_id, posting.c.rows)
            for row in mine.rows(query.where(posting.c.term.in_(batch), live(now))):
                term, document_id, rows = tuple(row)
                documents, parts = found.setdefault(bytes(term), ([], []))
                documents.append(document_id)
                parts.append(rows)
        return found

    def _hits(self, mine: Owned, found: Sequence[Found]) -> Sequence[VectorHit]:
        """Scores with the block IDs of the numbers."""
        rows = self._named(mine, indexed.c.id, [document for document, *_ in found])
        names = {row.id: json.loads(row.block_ids) for row in rows}
        return [
            VectorHit(digest, names[document][number], score) for document, digest, number, score in found
        ]

    def _named(self, mine: Owned, column: Any, values: Iterable[Any]) -> Rows:
        """ID, digest and block IDs of the owner's documents that have one of the values."""
        rows: Rows = []
        for batch in _batches([*dict.fromkeys(values)]):
            query = mine.select(indexed, indexed.c.id, indexed.c.digest, indexed.c.block_ids)
            rows += mine.rows(query.where(column.in_(batch)))
        return rows


def _batches(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(values), BATCH):
        yield values[start : start + BATCH]


def _located(
    documents: Mapping[str, tuple[int, list[str]]], digest: str, block_id: str
) -> tuple[int, int] | None:
    """Document and number of a block ID; they are numbered in order."""
    if digest not in documents:
        return None
    document_id, names = documents[digest]
    number = bisect_left(names, block_id)
    return (document_id, number) if number < len(names) and names[number] == block_id else None


def _term(term: str) -> bytes:
    """How a term is kept; no UTF-8 starts as the digest of a long one does."""
    made = exact(term)
    return made if len(made) <= _LONGEST else b"\xff" + sha256(made).digest()


def _placed(one: IndexedChunk) -> bytes:
    box = None if one.box is None else list(one.box)
    return json.dumps([one.page, list(one.section), box], allow_nan=False).encode()


def _chunk(block_id: str, row: Any, vectors: Mapping[str, npt.NDArray[np.float32]]) -> IndexedChunk:
    page, section, box = json.loads(row.place)
    return IndexedChunk(
        block_id, row.text, page, tuple(section), None if box is None else tuple(box), vectors
    )
