"""Kept documents and their sources."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

from sqlalchemy import Table, or_, select

from indx_core.contracts.documents import DocumentSummary, StoredDocument
from indx_core.contracts.encode import EncodeResult
from indx_core.ports.stores import StoredSource
from indx_store_sql.backend import Backend
from indx_store_sql.tables import documents, read, sources, written

__all__ = ["SqlDocuments", "SqlSources", "Stored"]


class Stored:
    """What the stores of all ports have alike."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def transaction(self) -> AbstractContextManager[None]:
        """A block whose calls take effect together or not at all."""
        return self._backend.transaction()

    def _expired(self, table: Table, now: datetime, limit: int) -> Sequence[tuple[str, str]]:
        """Owner and digest of a table's rows that are past their time, the first to go first."""
        query = (
            select(table.c.owner, table.c.digest)
            .where(table.c.expires_at <= now)
            .order_by(table.c.expires_at, table.c.owner, table.c.digest)
            .limit(max(0, limit))
        )
        with self._backend.everyone() as connection:
            found = connection.execute(query).all()
        return [(bytes(row.owner).decode("utf-8", "surrogatepass"), row.digest) for row in found]


class SqlDocuments(Stored):
    """Keeps documents until they expire."""

    def put(self, owner: str, document: StoredDocument, *, expires_at: datetime) -> None:
        """Keep `document`, replacing what the owner kept under its digest."""
        summary = document.summary
        values = {
            "digest": summary.digest,
            "updated_at": summary.updated_at,
            "expires_at": expires_at,
            "summary": written(summary),
            "result": written(document.result),
        }
        with self._backend.writing(owner) as mine:
            mine.delete(documents, digest=summary.digest)
            mine.insert(documents, values)

    def get(self, owner: str, digest: str, *, now: datetime) -> StoredDocument | None:
        """The owner's document, or None when there is none or it has expired."""
        with self._backend.reading(owner) as mine:
            query = mine.select(documents, documents.c.summary, documents.c.result)
            found = mine.row(query.where(documents.c.digest == digest, documents.c.expires_at > now))
        return None if found is None else _document(found.summary, found.result)

    def delete(self, owner: str, digest: str) -> None:
        """Forget it; nothing happens when there is none."""
        with self._backend.writing(owner) as mine:
            mine.delete(documents, digest=digest)

    def list(self, owner: str, *, now: datetime) -> Sequence[StoredDocument]:
        """The owner's documents, latest update first, then by digest."""
        found = self._rows(owner, now, documents.c.summary, documents.c.result)
        return [_document(row.summary, row.result) for row in found]

    def summaries(self, owner: str, *, now: datetime) -> Sequence[DocumentSummary]:
        """The summaries of `list`, in its order."""
        return [read(DocumentSummary, row.summary) for row in self._rows(owner, now, documents.c.summary)]

    def expired(self, *, now: datetime, limit: int) -> Sequence[tuple[str, str]]:
        """Owner and digest of documents past their time, at most `limit`."""
        return self._expired(documents, now, limit)

    def _rows(self, owner: str, now: datetime, *columns: Any) -> Sequence[Any]:
        with self._backend.reading(owner) as mine:
            query = mine.select(documents, *columns).where(documents.c.expires_at > now)
            return mine.rows(query.order_by(documents.c.updated_at.desc(), documents.c.digest))


class SqlSources(Stored):
    """Keeps what documents were read from; owner None is the installation."""

    def put(self, owner: str | None, source: StoredSource, *, expires_at: datetime | None) -> None:
        """Keep `source`, replacing what was under its digest."""
        values = {
            "digest": source.digest,
            "media_type": source.media_type,
            "filename": source.filename,
            "expires_at": expires_at,
            "data": source.data,
        }
        with self._backend.writing(owner) as mine:
            mine.delete(sources, digest=source.digest)
            mine.insert(sources, values)

    def get(self, owner: str | None, digest: str, *, now: datetime) -> StoredSource | None:
        """The source, or None."""
        with self._backend.reading(owner) as mine:
            query = mine.select(sources, sources.c.media_type, sources.c.filename, sources.c.data)
            found = mine.row(query.where(sources.c.digest == digest, _stays(now)))
        if found is None:
            return None
        return StoredSource(digest, found.media_type, found.filename, bytes(found.data))

    def delete(self, owner: str | None, digest: str) -> None:
        """Drop it; nothing happens when there is none."""
        with self._backend.writing(owner) as mine:
            mine.delete(sources, digest=digest)

    def list(self, owner: str | None, *, now: datetime) -> Sequence[str]:
        """Digests kept, in order."""
        with self._backend.reading(owner) as mine:
            query = mine.select(sources, sources.c.digest).where(_stays(now))
            return [row.digest for row in mine.rows(query.order_by(sources.c.digest))]

    def expired(self, *, now: datetime, limit: int) -> Sequence[tuple[str, str]]:
        """Owner and digest of sources past their time, at most `limit`."""
        return self._expired(sources, now, limit)


def _stays(now: datetime) -> Any:
    return or_(sources.c.expires_at.is_(None), sources.c.expires_at > now)


def _document(summary: bytes, result: bytes) -> StoredDocument:
    return StoredDocument(summary=read(DocumentSummary, summary), result=read(EncodeResult, result))
