"""The capability snapshot: what an installation can do, and the content-addressed identity of it."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from indx_core.contracts._base import ContentAddressed, Count, Device, Digest, Modality, Unit, WireModel

CapabilityKind = Literal["native", "parser", "ocr", "vision", "manual"]
"""The kind of a reading capability; it decides the default economics."""

Metric = Literal["cosine", "dot", "euclidean"]
"""How two vectors of a space are compared."""

EmbedderRole = Literal["document", "query"]
"""Which side of a search an embedder serves."""


class CapabilityInfo(WireModel):
    """One installed reading capability."""

    id: str = Field(description="Its ID, as a plan names it: `pdf-reader`, `ocr`, `invoice-parser`.")
    kind: CapabilityKind
    distribution: str = Field(description="The installed package that declares it.")
    version: str = Field(description="The version of that package.")
    device: Device
    media_types: tuple[str, ...] = Field(description="The media types it reads.")
    available: bool = Field(description="False when it is declared but cannot run here; see `reason`.")
    reason: str | None = Field(default=None, description="Why it is unavailable, and what would help.")


class EmbedderInfo(WireModel):
    """The public configuration of one embedder of a space. Never a credential or a private address."""

    id: str
    distribution: str
    version: str
    device: Device
    roles: tuple[EmbedderRole, ...]
    modalities: tuple[Modality, ...]
    model: str | None = Field(default=None, description="The model's public name.")
    available: bool
    reason: str | None = Field(default=None, description="Why it is unavailable, and what would help.")


class EmbeddingSpaceInfo(WireModel):
    """One embedding space: vectors that share its ID are directly comparable."""

    id: str
    dimension: int = Field(ge=1, description="Numbers in each vector.")
    metric: Metric
    normalized: bool = Field(description="Whether every vector has length 1.")
    embedders: tuple[EmbedderInfo, ...]


class ChunkerInfo(WireModel):
    """One (id, version) pair of a chunker. Advice for callers; nothing here gates a request."""

    id: str
    version: int = Field(ge=1)
    default: bool = Field(description="Whether it runs for requests that do not name it.")
    media_types: tuple[str, ...] = Field(description="The types it cuts; empty means any.")
    summary: str = Field(description="One phrase: what a chunk is under it.")
    distribution: str


class LaneInfo(WireModel):
    """One classifier, extractor, enricher or language detector."""

    id: str
    unit: Unit
    device: Device
    distribution: str


class Limits(WireModel):
    """Bounds of this deployment, outside the content hash."""

    max_input_bytes: Count = Field(description="The most decoded source bytes a request may bring.")


class Resolvable(WireModel):
    """What this installation can reach and examine, outside the content hash."""

    schemes: tuple[str, ...] = Field(description="The URI schemes enabled here.")
    observable_media_types: tuple[str, ...] = Field(description="The media types an observer examines.")


class Snapshot(ContentAddressed):
    """Everything an installation offers. Its ID covers what routing decides by, and nothing else."""

    ID_FIELD: ClassVar[str] = "snapshot_id"
    HASHED: ClassVar[frozenset[str] | None] = frozenset(
        {"capabilities", "embedding_spaces", "policy_version"}
    )

    snapshot_id: Digest
    policy_version: str = Field(description="The version of the routing policy.")
    capabilities: tuple[CapabilityInfo, ...]
    embedding_spaces: tuple[EmbeddingSpaceInfo, ...]
    limits: Limits
    resolvable: Resolvable
    chunkers: tuple[ChunkerInfo, ...] = ()
    classifiers: tuple[LaneInfo, ...] = ()
    extractors: tuple[LaneInfo, ...] = ()
    enrichers: tuple[LaneInfo, ...] = ()
    language_detectors: tuple[LaneInfo, ...] = ()
