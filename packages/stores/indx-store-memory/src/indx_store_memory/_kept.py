"""Kept documents and their sources in memory, within ceilings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from indx_core.errors import InputTooLarge
from indx_core.ports.stores import StoredSource
from indx_store_memory._memory import Memory, MemoryStore
from indx_store_memory._pressure import share_in_use
from indx_store_memory.settings import MAX_BYTES, MAX_DOCUMENTS, PRESSURE

if TYPE_CHECKING:
    from indx_core.contracts.documents import DocumentSummary, StoredDocument

__all__ = ["MemoryDocuments", "MemorySources", "check_size", "make_room"]


class _Document(NamedTuple):
    """A kept document."""

    document: StoredDocument
    expires_at: datetime
    size: int


class _Source(NamedTuple):
    """A kept source; `expires_at` None stays."""

    source: StoredSource
    expires_at: datetime | None
    size: int


class MemoryDocuments(MemoryStore):
    """Keeps documents until they expire, or until there are too many."""

    def put(self, owner: str, document: StoredDocument, *, expires_at: datetime) -> None:
        """Keep `document`, replacing what the owner kept under its digest.

        Raises:
            InputTooLarge: It is larger than all that may be held.
        """
        size, key = _json_length(document), (owner, document.summary.digest)
        check_size(size)
        memory, most, limit = self._memory, MAX_DOCUMENTS.get(), PRESSURE.get()
        short = 0 < limit < share_in_use()
        with memory.lock:
            kept = memory.table("documents")
            kept.pop(key, None)
            if short:
                for oldest in [*kept][: -(-len(kept) // 10)]:
                    drop_document(memory, oldest)
            make_room(memory, "documents", size)
            while len(kept) >= most:
                drop_document(memory, next(iter(kept)))
            kept[key] = _Document(document, expires_at, size)

    def get(self, owner: str, digest: str, *, now: datetime) -> StoredDocument | None:
        """The owner's document, or None when there is none or it has expired."""
        memory = self._memory
        with memory.lock:
            found = memory.table("documents").get((owner, digest))
        return None if found is None or found.expires_at <= now else found.document

    def delete(self, owner: str, digest: str) -> None:
        """Forget it; nothing happens when there is none."""
        memory = self._memory
        with memory.lock:
            memory.table("documents").pop((owner, digest), None)

    def list(self, owner: str, *, now: datetime) -> Sequence[StoredDocument]:
        """The owner's documents, latest update first, then by digest."""
        memory = self._memory
        with memory.lock:
            items = list(memory.table("documents").items())
        found = [kept.document for (whose, _), kept in items if whose == owner and kept.expires_at > now]
        found.sort(key=lambda one: one.summary.digest)
        return sorted(found, key=lambda one: one.summary.updated_at, reverse=True)

    def summaries(self, owner: str, *, now: datetime) -> Sequence[DocumentSummary]:
        """The summaries of `list`, in its order."""
        return [document.summary for document in self.list(owner, now=now)]

    def expired(self, *, now: datetime, limit: int) -> Sequence[tuple[str, str]]:
        """Owner and digest of documents past their time, at most `limit`."""
        return self._memory.expired("documents", now, limit)


class MemorySources(MemoryStore):
    """Keeps what documents were read from; only what expires gives way."""

    def put(self, owner: str | None, source: StoredSource, *, expires_at: datetime | None) -> None:
        """Keep `source`, replacing what was under its digest.

        Raises:
            InputTooLarge: It does not fit beside the sources that never expire.
        """
        size, key = len(source.data), (owner, source.digest)
        memory, most = self._memory, MAX_BYTES.get()
        with memory.lock:
            table = memory.table("sources")
            staying = sum(one.size for k, one in table.items() if one.expires_at is None and k != key)
            if staying + size > most:
                raise InputTooLarge(
                    f"the source has {size} bytes, {staying} are held for datasets, and "
                    f"{MAX_BYTES.name} is {most}: raise it, or keep sources in SQLite or Postgres"
                )
            table.pop(key, None)
            total = size + sum(one.size for one in table.values())
            for old in [k for k, one in table.items() if one.expires_at is not None]:
                if total <= most:
                    break
                total -= table.pop(old).size
            table[key] = _Source(source, expires_at, size)

    def get(self, owner: str | None, digest: str, *, now: datetime) -> StoredSource | None:
        """The source, or None."""
        memory = self._memory
        with memory.lock:
            found = memory.table("sources").get((owner, digest))
        return None if found is None or _is_past(found.expires_at, now) else found.source

    def delete(self, owner: str | None, digest: str) -> None:
        """Drop it; nothing happens when there is none."""
        memory = self._memory
        with memory.lock:
            memory.table("sources").pop((owner, digest), None)

    def list(self, owner: str | None, *, now: datetime) -> Sequence[str]:
        """Digests kept, in order."""
        memory = self._memory
        with memory.lock:
            items = list(memory.table("sources").items())
        return sorted(d for (whose, d), one in items if whose == owner and not _is_past(one.expires_at, now))

    def expired(self, *, now: datetime, limit: int) -> Sequence[tuple[str, str]]:
        """Owner and digest of sources past their time, at most `limit`."""
        return self._memory.expired("sources", now, limit)


def check_size(size: int) -> None:
    """Refuse what is larger than all that a store may hold."""
    most = MAX_BYTES.get()
    if size > most:
        raise InputTooLarge(
            f"the document takes {size} bytes as JSON and {MAX_BYTES.name} is {most}: raise it, or keep "
            "documents in SQLite or Postgres"
        )


def make_room(memory: Memory, table: str, size: int) -> None:
    """Drop the documents least recently kept until `size` more fits into a table."""
    kept, most = memory.table(table), MAX_BYTES.get()
    total = size + sum(one.size for one in kept.values())
    while total > most:
        oldest = next(iter(kept))
        total -= kept[oldest].size
        drop_document(memory, oldest)


def drop_document(memory: Memory, key: tuple[str, str]) -> None:
    """Forget a document, its chunks and its source, so that lists and searches agree."""
    for table in ("documents", "chunks", "sources"):
        memory.table(table).pop(key, None)


def _is_past(moment: datetime | None, now: datetime) -> bool:
    return moment is not None and moment <= now


def _json_length(document: Any) -> int:
    try:
        return len(document.model_dump_json())
    except ValueError:  # a lone surrogate, which has no UTF-8
        return len(json.dumps(document.model_dump(mode="json")))
