"""Kept documents: each caller's apart, until their time is up."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from indx_core.canonical import clean_text
from indx_core.contracts import (
    Block,
    DocumentList,
    DocumentSummary,
    EncodeResult,
    InlineSource,
    SearchRequest,
    SearchResult,
    StoredDocument,
    UriSource,
)
from indx_core.errors import IndxError, NotFound, echoing
from indx_core.ports import IndexedChunk, StoredSource
from indx_core.text import grapheme_floor
from indx_workspace.checks import Clock, is_digest
from indx_workspace.searching import search
from indx_workspace.settings import SOURCE_STORE, STORE_MAX_DOCUMENTS, STORE_TTL
from indx_workspace.stores import together

if TYPE_CHECKING:
    from indx_core.ports import DocumentStore, SourceStore, VectorIndex
    from indx_runtime import Engine

__all__ = ["KeptDocuments"]

_log = logging.getLogger("indx.workspace")

_SWEEP: Final = 100
_LONGEST_NAME: Final = 512


class KeptDocuments:
    """What callers keep. An owner is an opaque string that the transport makes of a caller.

    What belongs to another owner is answered exactly as what was never kept.
    """

    def __init__(
        self,
        engine: Engine,
        documents: DocumentStore,
        index: VectorIndex,
        sources: SourceStore | None,
        *,
        clock: Clock,
    ) -> None:
        """Serve open stores."""
        self._engine, self._clock = engine, clock
        self._documents, self._index, self._sources = documents, index, sources

    def keep(
        self,
        owner: str,
        result: EncodeResult,
        *,
        source: UriSource | InlineSource | None = None,
        name: str | None = None,
    ) -> StoredDocument:
        """Keep what `encode` answered, replacing what the owner kept of the same bytes.

        All of it is kept or nothing changes. One document more than INDX_STORE_MAX_DOCUMENTS_PER_OWNER
        drops the owner's oldest. Its time, INDX_STORE_TTL_SECONDS, starts now.

        Args:
            owner: Who keeps it.
            result: The answer of the engine.
            source: What was encoded; where the deployment keeps sources, inline bytes are kept too.
            name: What to call it; by default the file's name, else the end of its URI, else its digest.

        Raises:
            InputTooLarge: A store takes no document of that size.
        """
        now = self._clock()
        expires = _later(now, STORE_TTL.get())
        original = self._original(result, source)
        summary = _summary(result, name, now, expires, source_kept=original is not None)
        digest = summary.digest
        chunks = [_indexed(block) for block in result.blocks if block.scope == "CHUNK"]
        with together(self._documents, self._index, self._sources):
            known = self._documents.get(owner, digest, now=now)
            if known is not None:
                summary = summary.model_copy(update={"created_at": known.summary.created_at})
            kept = StoredDocument(summary=summary, result=result)
            self._documents.put(owner, kept, expires_at=expires)
            self._index.put(owner, digest, chunks, expires_at=expires)
            if self._sources is not None:
                self._sources.delete(owner, digest)
                if original is not None:
                    self._sources.put(owner, original, expires_at=expires)
            self._make_room(owner, digest, now)
        self._engine.notify("indx_document_kept", digest=digest, chunks=len(chunks))
        self._sweep()
        return kept

    def list(self, owner: str | None) -> DocumentList:
        """The owner's documents, the last kept first, then by digest; nobody has kept nothing."""
        kept = () if owner is None else self._documents.summaries(owner, now=self._clock())
        return DocumentList(documents=tuple(kept))

    def get(self, owner: str | None, digest: str) -> StoredDocument:
        """A document with its whole result.

        Raises:
            NotFound: `document_not_found`.
        """
        found = None
        if owner is not None and is_digest(digest):
            found = self._documents.get(owner, digest, now=self._clock())
        if found is None:
            raise NotFound("no such document is kept; it may have expired: list those that are")
        return found

    def source(self, owner: str | None, digest: str) -> StoredSource:
        """The bytes a document was read from, with the media type and name they were kept under.

        Raises:
            NotFound: `source_not_kept`.
        """
        found = None
        if self._sources is not None and owner is not None and is_digest(digest):
            found = self._sources.get(owner, digest, now=self._clock())
        if found is None:
            raise NotFound(
                "no source is kept for such a document; keep the document again, here where sources are kept "
                f"({SOURCE_STORE.name})",
                code="source_not_kept",
            )
        return found

    def delete(self, owner: str | None, digest: str) -> None:
        """Forget a document now; nothing happens when there is none."""
        if owner is not None and is_digest(digest):
            with together(self._documents, self._index, self._sources):
                self._forget(owner, digest)

    def search(self, owner: str | None, request: SearchRequest) -> SearchResult:
        """Search the owner's chunks by words and, where a space is named, by meaning.

        Raises:
            InvalidEmbeddingSpace: As for embedding the query.
            Unavailable: `embedder_unavailable`.
        """
        with echoing(request.request_id):
            return search(owner, request, self._engine, self._documents, self._index, now=self._clock())

    def expire(self) -> int:
        """Drop documents past their time, a bounded number of them; how many."""
        now = self._clock()
        # Each store is asked: one of a process that ended, or was full, says nothing of what others hold.
        kept = [store for store in (self._documents, self._index, self._sources) if store is not None]
        gone = dict.fromkeys(place for store in kept for place in store.expired(now=now, limit=_SWEEP))
        for owner, digest in gone:
            with together(*kept):
                if self._documents.get(owner, digest, now=now) is None:  # not kept again meanwhile
                    self._forget(owner, digest)
        return len(gone)

    def _sweep(self) -> None:
        """Expire what is due; a keep that is done does not fail for it."""
        try:
            self.expire()
        except IndxError as error:
            _log.info("nothing was expired now: %s", error.message)

    def _original(self, result: EncodeResult, source: UriSource | InlineSource | None) -> StoredSource | None:
        if self._sources is None or not isinstance(source, InlineSource):
            return None
        plan = result.plan
        return StoredSource(plan.source_digest, plan.media_type, source.filename, source.data)

    def _forget(self, owner: str, digest: str) -> None:
        self._documents.delete(owner, digest)
        self._index.delete(owner, digest)
        if self._sources is not None:
            self._sources.delete(owner, digest)

    def _make_room(self, owner: str, newest: str, now: datetime) -> None:
        """Drop the owner's oldest documents over the ceiling, and what a full store left of others."""
        known = [summary.digest for summary in self._documents.summaries(owner, now=now)]
        rest = [digest for digest in known if digest != newest]
        for digest in rest[STORE_MAX_DOCUMENTS.get() - 1 :]:
            self._forget(owner, digest)
        for digest in set(self._index.list(owner)) - set(known):
            self._forget(owner, digest)


def _summary(
    result: EncodeResult, name: str | None, now: datetime, expires: datetime, *, source_kept: bool
) -> DocumentSummary:
    """A document kept for the first time, now."""
    filled = {v.embedding_space_id for block in result.blocks for v in block.vectors or ()}
    return DocumentSummary(
        digest=result.plan.source_digest,
        name=_name(name, result.blocks[0], result.plan.source_digest),
        media_type=result.plan.media_type,
        pages=result.usage.pages,
        chunks=sum(block.scope == "CHUNK" for block in result.blocks),
        embedding_space_ids=tuple(space for space in result.plan.embedding_space_ids if space in filled),
        source_kept=source_kept,
        created_at=now,
        updated_at=now,
        expires_at=expires,
    )


def _later(now: datetime, seconds: int) -> datetime:
    try:
        return now + timedelta(seconds=seconds)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)


def _name(given: str | None, document: Block, digest: str) -> str:
    name = next((clean_text(name) for name in _names(given, document) if name.strip()), digest)
    return name[: grapheme_floor(name, _LONGEST_NAME)]


def _names(given: str | None, document: Block) -> Iterator[str]:
    yield given or ""
    yield document.provenance.filename or ""
    if document.provenance.source_uri:
        try:
            path = urlsplit(document.provenance.source_uri).path
        except ValueError:
            return
        yield unquote(path.rstrip("/").rpartition("/")[2])


def _indexed(block: Block) -> IndexedChunk:
    import numpy as np

    return IndexedChunk(
        block_id=block.id,
        text=block.text or "",
        page=block.page,
        section=block.section or (),
        box=block.bbox,
        vectors={v.embedding_space_id: np.asarray(v.values, dtype="<f4") for v in block.vectors or ()},
    )
