"""What a knowledge space, its writers and its search modes share: mutable models and the `Space` protocol.

Stages fill these models in place, so they are mutable; keys they do not know are accepted and kept. The JSON
names are those of `index.json`; the objects also answer `index`, `neighbors`, `type` and `folder`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from posixpath import dirname
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Protocol

from pydantic import ConfigDict, Field, PrivateAttr, field_serializer

from indx_core.canonical import sha256_hex
from indx_core.contracts._base import OmitsAbsent

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

SPACE_VERSION: Final = "1.0"
"""The schema version that `index.json` states."""


def document_id(path: str) -> str:
    """Return the ID of the document at `path`: 16 hex digits of the SHA-256 of its NFC form.

    Args:
        path: The path relative to the walked root, with `/` between its parts.
    """
    normal = unicodedata.normalize("NFC", path)
    return sha256_hex(normal.encode("utf-8", "surrogatepass"))[:16]


def chunk_id(doc_id: str, position: int) -> str:
    """Return the ID of the chunk at `position` (from 0) of a document: 16 hex digits."""
    return sha256_hex(f"{doc_id}:{position}".encode())[:16]


class SpaceModel(OmitsAbsent):
    """A mutable model of a space. Extra keys are kept, because a newer writer may have written them."""

    model_config = ConfigDict(
        extra="allow", allow_inf_nan=False, json_schema_serialization_defaults_required=True
    )


class Numbered(SpaceModel):
    """An object with a place in traversal order, which gives it a readable second name."""

    ORDINAL_PREFIX: ClassVar[str]

    _ordinal: int | None = PrivateAttr(default=None)

    @property
    def ordinal(self) -> int | None:
        """Its place in traversal order, from 0; None until the space has numbered it. Never written."""
        return self._ordinal

    @ordinal.setter
    def ordinal(self, value: int | None) -> None:
        self._ordinal = value

    @property
    def ordinal_id(self) -> str | None:
        """Its readable name, such as `doc_0007`; None until the space has numbered it."""
        return None if self._ordinal is None else f"{self.ORDINAL_PREFIX}_{self._ordinal:04d}"

    def __eq__(self, other: object) -> bool:
        """Compare all that is written; the place in traversal order and a vector take no part."""
        if not isinstance(other, Numbered) or other.ORDINAL_PREFIX != self.ORDINAL_PREFIX:
            return NotImplemented
        return self._written() == other._written()

    def _written(self) -> dict[str, Any]:
        return {**self.__dict__, "embedding": None, **(self.__pydantic_extra__ or {})}


class RelationType(StrEnum):
    """The five kinds of edge a build writes. Readers also accept kinds they do not know."""

    SIBLING = "sibling"
    PARENT = "parent"
    REFERENCES = "references"
    CONTINUES = "continues"
    DUPLICATE_OF = "duplicate-of"


class Source(SpaceModel):
    """Where a chunk or document comes from. `type` is the document's type, null until it is known."""

    NULLABLE: ClassVar[frozenset[str]] = frozenset({"type"})

    path: str = Field(description="Relative to the root, with `/`.")
    folder: str = Field(default="", description="Its folder.")
    type: str | None = Field(default=None, description="The document's type.")


class Relation(SpaceModel):
    """A typed, directed edge between IDs or root-relative paths, with a confidence from 0 to 1."""

    src: str = Field(description="Where it begins.")
    dst: str = Field(description="Where it leads.")
    type: RelationType | str = Field(
        union_mode="left_to_right",
        description="`parent`, `sibling`, `continues`, `references`, `duplicate-of`, or one of a plugin.",
    )
    score: float = Field(default=1.0, ge=0, le=1, description="How sure it is, from 0 to 1.")


class Chunk(Numbered):
    """A retrievable unit. `position` counts from 0 within its document.

    `embedding` is one float32 row of `dim` numbers once vectors exist; it lives in memory only and stands in
    no dump.
    """

    NULLABLE: ClassVar[frozenset[str]] = frozenset({"prev_id", "next_id"})
    ORDINAL_PREFIX: ClassVar[str] = "chunk"

    id: str = Field(description="16 hex digits, of document and position.")
    doc_id: str = Field(description="The document it is of.")
    position: int = Field(ge=0, description="Its place among the document's chunks, from 0.")
    text: str = Field(description="Its text.")
    prev_id: str | None = Field(default=None, description="The chunk before it.")
    next_id: str | None = Field(default=None, description="The chunk after it.")
    source: Source = Field(default_factory=lambda: Source(path=""), description="Where it comes from.")
    metadata: dict[str, Any] = Field(
        default_factory=dict, description="Page, box, section, layout and block ID where known."
    )
    relations: list[Relation] = Field(default_factory=list, description="Edges that begin here.")
    embedding: Any = Field(default=None, exclude=True, repr=False, description="Its vector, in memory only.")

    @property
    def index(self) -> int:
        """Its place within its document, from 0: the same as `position`."""
        return self.position

    @property
    def neighbors(self) -> list[str]:
        """The IDs of the chunk before and the chunk after it, as far as they exist."""
        return [neighbor for neighbor in (self.prev_id, self.next_id) if neighbor is not None]

    @field_serializer("metadata")
    def _without_null_summary(self, metadata: dict[str, Any]) -> dict[str, Any]:
        if "summary" in metadata and metadata["summary"] is None:
            return {key: value for key, value in metadata.items() if key != "summary"}
        return metadata

    @classmethod
    def trusted(
        cls,
        *,
        doc_id: str,
        position: int,
        text: str,
        source: Source,
        prev_id: str | None = None,
        next_id: str | None = None,
        metadata: dict[str, Any] | None = None,
        ordinal: int | None = None,
    ) -> Chunk:
        """Build a chunk from checked values without validating them: the fast way for a pipeline."""
        chunk = cls.model_construct(
            id=chunk_id(doc_id, position),
            doc_id=doc_id,
            position=position,
            text=text,
            prev_id=prev_id,
            next_id=next_id,
            source=source,
            metadata={} if metadata is None else metadata,
            relations=[],
            embedding=None,
        )
        chunk.ordinal = ordinal
        return chunk


class Document(Numbered):
    """One source file, enriched. It points at its chunks by ID and holds no chunk itself."""

    NULLABLE: ClassVar[frozenset[str]] = frozenset({"doc_type"})
    ORDINAL_PREFIX: ClassVar[str] = "doc"

    id: str = Field(description="16 hex digits, of the path.")
    path: str = Field(description="Relative to the root, with `/`.")
    lineage: list[str] = Field(default_factory=list, description="The folders above it.")
    size_bytes: int = Field(default=0, ge=0, description="Bytes of the file.")
    doc_type: str | None = Field(default=None, description="Its type, where one was detected.")
    topics: list[str] = Field(default_factory=list, description="What it is about.")
    tags: list[str] = Field(default_factory=list, description="Short labels.")
    summary: str | None = Field(default=None, description="A summary.")
    chunk_ids: list[str] = Field(default_factory=list, description="Its chunks, in order.")
    references: list[Relation] = Field(default_factory=list, description="Edges to documents it refers to.")
    referenced_by: list[Relation] = Field(
        default_factory=list, description="Edges from documents that refer to it."
    )

    @property
    def folder(self) -> str:
        """The folder it stands in, relative to the root; empty at the root."""
        return dirname(self.path)

    @property
    def type(self) -> str | None:
        """Its document type: the same as `doc_type`."""
        return self.doc_type

    @property
    def source(self) -> Source:
        """Its provenance, as its chunks carry it: a new object each time."""
        return Source(path=self.path, folder=self.folder, type=self.doc_type)


class SpaceStats(SpaceModel):
    """Counts over a space. `embed_dim` is absent where nothing was embedded."""

    documents: int = Field(default=0, description="Documents.")
    chunks: int = Field(default=0, description="Chunks.")
    relations: int = Field(default=0, description="Unique edges.")
    embeddings: int = Field(default=0, description="Vectors.")
    embed_dim: int | None = Field(default=None, description="Numbers in a vector.")
    types: dict[str, int] = Field(default_factory=dict, description="Documents by detected type.")


class SearchHit(SpaceModel):
    """One answer of a search, best first, with its source and its neighbours resolved."""

    chunk: Chunk = Field(description="The chunk found.")
    score: float = Field(description="What ranked it; comparable within one answer only.")
    source: Source = Field(description="Where it comes from.")
    neighbors: list[Chunk] = Field(default_factory=list, description="The chunks before and after it.")
    mode: str = Field(description="The mode that answered.")


class StageErrorRecord(SpaceModel):
    """One item that a stage could not process, and why. It does not end a build."""

    stage: str = Field(description="The stage it happened in.")
    path: str = Field(description="The item.")
    code: str = Field(description="A word for programs.")
    message: str = Field(description="A sentence for people.")


class VectorTable(NamedTuple):
    """All vectors of a space: `values` is float32 of shape (n, dim), row i belonging to chunk `ids[i]`."""

    ids: Sequence[str]
    values: npt.NDArray[np.float32]


class Space(Protocol):
    """What a writer or a search mode may ask of a knowledge space."""

    @property
    def root(self) -> str:
        """The absolute path of the walked directory or ZIP."""

    @property
    def metadata(self) -> Mapping[str, Any]:
        """Build provenance: `tool_version`, `created_at`, `embedder`, `config`, `errors`."""

    @property
    def stats(self) -> SpaceStats:
        """Counts over the space."""

    @property
    def documents(self) -> Sequence[Document]:
        """Every document, in traversal order."""

    @property
    def chunks(self) -> Sequence[Chunk]:
        """Every chunk, in traversal order."""

    @property
    def relations(self) -> Iterable[Relation]:
        """The edges of the space, each once."""

    def document(self, key: str) -> Document:
        """Return a document by ID or by readable name (`doc_0007`); KeyError where there is none."""

    def chunk(self, key: str) -> Chunk:
        """Return a chunk by ID or by readable name (`chunk_0481`); KeyError where there is none."""

    def vectors(self) -> VectorTable | None:
        """Return the vectors of the space, or None where nothing was embedded."""
