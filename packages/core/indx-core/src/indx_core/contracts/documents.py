"""Kept documents, and the search over them."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from indx_core.contracts._base import (
    BBox,
    Count,
    Digest,
    Name,
    Ordinal,
    PageNumber,
    RequestModel,
    Text,
    Timestamp,
    WireModel,
)
from indx_core.contracts.encode import EncodeResult


class DocumentSummary(WireModel):
    """A kept document without its result. Within an owner its identity is its source digest."""

    digest: Digest = Field(description="The digest of the document's bytes.")
    name: str = Field(description="The name people see.")
    media_type: str = Field(description="What the bytes are taken for.")
    pages: Count = Field(description="Its pages.")
    chunks: Count = Field(description="Its chunks.")
    embedding_space_ids: tuple[str, ...] = Field(description="The spaces it can be searched in.")
    source_kept: bool = Field(description="Whether the deployment stored the file itself.")
    created_at: Timestamp = Field(description="When it was first kept.")
    updated_at: Timestamp = Field(description="When it was last kept.")
    expires_at: Timestamp = Field(description="When it is forgotten.")


class StoredDocument(WireModel):
    """A kept document with its whole result."""

    summary: DocumentSummary = Field(description="What it is.")
    result: EncodeResult = Field(description="The answer of `encode` as kept.")


class DocumentList(WireModel):
    """A caller's kept documents, the last kept first, then by digest."""

    documents: tuple[DocumentSummary, ...] = Field(description="Latest first.")


class SearchRequest(RequestModel):
    """A search over the caller's kept chunks by words, and by meaning where a space is named."""

    query: Text = Field(min_length=1, description="What to look for; any text is literal.")
    embedding_space_id: Name | None = Field(
        default=None, description="The space to compare meanings in; without one, words alone."
    )
    limit: Annotated[Ordinal, Field(le=100)] = Field(default=10, description="Hits at most.")
    request_id: Text | None = Field(default=None, description="The caller's own identifier, echoed.")


class SearchHitKept(WireModel):
    """A kept chunk that answers. `score` orders the response and means nothing on its own."""

    NULLABLE: ClassVar[frozenset[str]] = frozenset({"text_score", "vector_score"})

    digest: Digest = Field(description="The digest of the document's bytes.")
    name: str = Field(description="The document's name.")
    block_id: str = Field(description="The chunk.")
    page: PageNumber | None = Field(default=None, description="The page, counted from 1.")
    text: str = Field(description="The chunk's text.")
    section: tuple[str, ...] | None = Field(default=None, description="The headings above it.")
    bbox: BBox | None = Field(default=None, description="Its place on the page.")
    score: float = Field(description="What ranked it.")
    text_score: float | None = Field(default=None, description="BM25; null where words did not find it.")
    vector_score: float | None = Field(default=None, description="Higher is nearer; null where not compared.")
    lanes: tuple[Literal["text", "vector"], ...] = Field(description="Which legs found it.")


class SearchResult(WireModel):
    """The hits, best first."""

    hits: tuple[SearchHitKept, ...] = Field(description="Best first.")
