"""The flat, addressable block tree that encoding answers with."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from indx_core.contracts._base import BBox, Digest, JsonObject, Modality, PageNumber, Scope, WireModel

BlockStatus = Literal["ok", "unreadable", "failed"]
BBoxReason = Literal["no_geometry", "hidden", "unresolved"]


class Provenance(WireModel):
    """Where a block came from. The document block adds what the source was read as."""

    plan_id: Digest = Field(description="The plan's identity: the digest of its content.")
    source_digest: Digest = Field(description="The digest of the document's bytes.")
    snapshot_id: Digest = Field(description="The digest of what is installed and configured.")
    capability_id: str | None = Field(default=None, description="The capability whose reading was kept.")
    media_type: str | None = Field(default=None, description="Document block: what it was read as.")
    source_uri: str | None = Field(default=None, description="Document block of a URI source.")
    filename: str | None = Field(default=None, description="Document block of a named inline source.")


class Cell(WireModel):
    """One cell of a table. Rows and columns count from 1."""

    row: int = Field(ge=1, description="Its first row, counted from 1 in the whole table.")
    column: int = Field(ge=1, description="Its first column, counted from 1.")
    row_span: int = Field(default=1, ge=1, description="Rows it covers.")
    column_span: int = Field(default=1, ge=1, description="Columns it covers.")
    text: str = Field(description="Its text.")
    bbox: BBox | None = Field(default=None, description="Its place on the page.")


class Layout(WireModel):
    """What a chunk is, where its chunker can tell. The chunk's text stays the plain rendering."""

    role: Literal["paragraph", "table"] = Field(description="A paragraph or a table.")
    rows: int | None = Field(default=None, ge=0, description="Rows of the whole table.")
    columns: int | None = Field(default=None, ge=0, description="Columns of the table.")
    header_rows: int | None = Field(default=None, ge=0, description="Rows that head the others.")
    cells: tuple[Cell, ...] | None = Field(default=None, description="The cells this chunk carries.")


class ImageRef(WireModel):
    """The rendering an image chunk was made of: its size in pixels and its resolution."""

    width: int = Field(ge=1, description="Pixels across.")
    height: int = Field(ge=1, description="Pixels down.")
    dpi: int = Field(ge=1, description="Pixels an inch.")


class Vector(WireModel):
    """One vector: `values` holds as many finite numbers as its space has dimensions."""

    embedding_space_id: str = Field(description="The space it lies in.")
    embedder_id: str = Field(description="The embedder that made it.")
    modality: Modality = Field(description="What was embedded: the text or the picture.")
    values: list[float] = Field(description="Its numbers, as many as the space has dimensions.")


class Block(WireModel):
    """One document, page, region or chunk. IDs: `doc`, `p<page>`, `p<page>.c<n>` with n from 0."""

    NULLABLE: ClassVar[frozenset[str]] = frozenset({"parent_id"})

    id: str = Field(description="`doc`, `p3`, or `p3.c0`: what it is, and where it stands.")
    parent_id: str | None = Field(default=None, description="The enclosing block; null for the document.")
    scope: Scope = Field(description="What kind of block it is.")
    page: PageNumber | None = Field(default=None, description="The page it is or stands on, counted from 1.")
    status: BlockStatus = Field(
        default="ok",
        description="`ok`; `unreadable`: nothing could read it; `failed`: the last reader broke.",
    )
    reason: str | None = Field(default=None, description="What stopped it; given with every other status.")
    text: str | None = Field(default=None, description="The text of a page or chunk.")
    section: tuple[str, ...] | None = Field(default=None, description="Headings above, outermost first.")
    bbox: BBox | None = Field(default=None, description="Chunks only: where it stands on its page.")
    bbox_reason: BBoxReason | None = Field(default=None, description="Chunks only: why there is no box.")
    layout: Layout | None = Field(default=None, description="What the chunk is, where its chunker can tell.")
    image: ImageRef | None = Field(default=None, description="The picture that an image chunk is.")
    provenance: Provenance = Field(description="What it was made from, and by which plan.")
    metadata: JsonObject | None = Field(default=None, description="Facts of it, and what lanes answered.")
    vectors: tuple[Vector, ...] | None = Field(default=None, description="Chunks only: one per space.")

    @model_validator(mode="after")
    def _members_fit_scope(self) -> Self:
        if self.scope == "CHUNK":
            if (self.bbox is None) == (self.bbox_reason is None):
                raise self._unfit("a chunk block has exactly one of bbox and bbox_reason")
            if self.metadata is not None:
                raise self._unfit("a chunk block has no metadata")
        elif self.bbox is not None or self.bbox_reason is not None or self.vectors is not None:
            raise self._unfit("only a chunk block has bbox, bbox_reason or vectors")
        if self.scope == "DOCUMENT" and self.text is not None:
            raise self._unfit("the document block has no text")
        if (self.scope == "DOCUMENT") != (self.parent_id is None):
            raise self._unfit("the document block, and no other, has no parent")
        if self.status != "ok" and not self.reason:
            raise self._unfit("a block that was not read has a reason")
        return self

    def _unfit(self, rule: str) -> PydanticCustomError:
        return PydanticCustomError("block_unfit", "block {id}: {rule}", {"id": repr(self.id), "rule": rule})
