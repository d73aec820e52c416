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

    plan_id: Digest
    source_digest: Digest
    snapshot_id: Digest
    capability_id: str | None = Field(default=None, description="The capability whose reading was kept.")
    media_type: str | None = Field(default=None, description="Document block: what it was read as.")
    source_uri: str | None = Field(default=None, description="Document block of a URI source.")
    filename: str | None = Field(default=None, description="Document block of a named inline source.")


class Cell(WireModel):
    """One cell of a table. Rows and columns count from 1."""

    row: int = Field(ge=1)
    column: int = Field(ge=1)
    row_span: int = Field(default=1, ge=1)
    column_span: int = Field(default=1, ge=1)
    text: str
    bbox: BBox | None = None


class Layout(WireModel):
    """What a chunk is, where its chunker can tell. The chunk's text stays the plain rendering."""

    role: Literal["paragraph", "table"]
    rows: int | None = Field(default=None, ge=0)
    columns: int | None = Field(default=None, ge=0)
    header_rows: int | None = Field(default=None, ge=0)
    cells: tuple[Cell, ...] | None = None


class ImageRef(WireModel):
    """The rendering an image chunk was made of: its size in pixels and its resolution."""

    width: int = Field(ge=1)
    height: int = Field(ge=1)
    dpi: int = Field(ge=1)


class Vector(WireModel):
    """One vector: `values` holds as many finite numbers as its space has dimensions."""

    embedding_space_id: str
    embedder_id: str
    modality: Modality
    values: list[float]


class Block(WireModel):
    """One document, page, region or chunk. IDs: `doc`, `p<page>`, `p<page>.c<n>` with n from 0."""

    NULLABLE: ClassVar[frozenset[str]] = frozenset({"parent_id"})

    id: str
    parent_id: str | None = Field(default=None, description="The enclosing block; null for the document.")
    scope: Scope
    page: PageNumber | None = None
    status: BlockStatus = "ok"
    reason: str | None = Field(default=None, description="What stopped it; given with every other status.")
    text: str | None = Field(default=None, description="The text of a page or chunk.")
    section: tuple[str, ...] | None = Field(default=None, description="Headings above, outermost first.")
    bbox: BBox | None = Field(default=None, description="Chunks only: where it stands on its page.")
    bbox_reason: BBoxReason | None = Field(default=None, description="Chunks only: why there is no box.")
    layout: Layout | None = None
    image: ImageRef | None = None
    provenance: Provenance
    metadata: JsonObject | None = None
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
