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

    digest: Digest
    name: str
    media_type: str
    pages: Count
    chunks: Count
    embedding_space_ids: tuple[str, ...]
    source_kept: bool = Field(description="Whether the deployment stored the file itself.")
    created_at: Timestamp = Field(description="When it was first kept.")
    updated_at: Timestamp = Field(description="When it was last kept.")
    expires_at: Timestamp


class StoredDocument(WireModel):
    """A kept document with its whole result."""

    summary: DocumentSummary
    result: EncodeResult


class DocumentList(WireModel):
    """A caller's kept documents, the last kept first, then by digest."""

    documents: tuple[DocumentSummary, ...]


class SearchRequest(RequestModel):
    """A search over the caller's kept chunks by words, and by meaning where a space is named."""

    query: Text = Field(min_length=1)
    embedding_space_id: Name | None = None
    limit: Annotated[Ordinal, Field(le=100)] = Field(default=10, description="Hits at most.")
    request_id: Text | None = Field(default=None, description="The caller's own identifier, echoed.")


class SearchHitKept(WireModel):
    """A kept chunk that answers. `score` orders the response and means nothing on its own."""

    NULLABLE: ClassVar[frozenset[str]] = frozenset({"text_score", "vector_score"})

    digest: Digest
    name: str
    block_id: str
    page: PageNumber | None = None
    text: str
    section: tuple[str, ...] | None = None
    bbox: BBox | None = None
    score: float
    text_score: float | None = Field(default=None, description="BM25; null where words did not find it.")
    vector_score: float | None = Field(default=None, description="Higher is nearer; null where not compared.")
    lanes: tuple[Literal["text", "vector"], ...] = Field(description="Which legs found it.")


class SearchResult(WireModel):
    """The hits, best first."""

    hits: tuple[SearchHitKept, ...]
