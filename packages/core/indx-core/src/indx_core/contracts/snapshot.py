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
    kind: CapabilityKind = Field(description="What kind of reader it is; it decides the default economics.")
    distribution: str = Field(description="The installed package that declares it.")
    version: str = Field(description="The version of that package.")
    device: Device = Field(description="Where the work is done: on this machine, or `external`.")
    media_types: tuple[str, ...] = Field(description="The media types it reads.")
    available: bool = Field(description="False when it is declared but cannot run here; see `reason`.")
    reason: str | None = Field(default=None, description="Why it is unavailable, and what would help.")
    converts: bool | None = Field(
        default=None, description="True when it reads what another program makes of the document."
    )


class EmbedderInfo(WireModel):
    """The public configuration of one embedder of a space. Never a credential or a private address."""

    id: str = Field(description="The embedder's ID.")
    distribution: str = Field(description="The installed package that declares it.")
    version: str = Field(description="The version of the package.")
    device: Device = Field(description="Where the work is done: on this machine, or `external`.")
    roles: tuple[EmbedderRole, ...] = Field(description="Which side of a search it serves.")
    modalities: tuple[Modality, ...] = Field(description="What it embeds.")
    model: str | None = Field(default=None, description="The model's public name.")
    available: bool = Field(description="False when it cannot run here; see `reason`.")
    reason: str | None = Field(default=None, description="Why it is unavailable, and what would help.")


class EmbeddingSpaceInfo(WireModel):
    """One embedding space: vectors that share its ID are directly comparable."""

    id: str = Field(description="What requests name.")
    dimension: int = Field(ge=1, description="Numbers in each vector.")
    metric: Metric = Field(description="How two of its vectors are compared.")
    normalized: bool = Field(description="Whether every vector has length 1.")
    embedders: tuple[EmbedderInfo, ...] = Field(description="Those that embed into it.")


class ChunkerInfo(WireModel):
    """One (id, version) pair of a chunker. Advice for callers; nothing here gates a request."""

    id: str = Field(description="What requests name.")
    version: int = Field(ge=1, description="Frozen behaviour: a change is another version.")
    default: bool = Field(description="Whether it runs for requests that do not name it.")
    media_types: tuple[str, ...] = Field(description="The types it cuts; empty means any.")
    summary: str = Field(description="One phrase: what a chunk is under it.")
    distribution: str = Field(description="The installed package that declares it.")


class LaneInfo(WireModel):
    """One classifier, extractor, enricher or language detector."""

    id: str = Field(description="What requests name.")
    unit: Unit = Field(description="What it answers about.")
    device: Device = Field(description="Where the work is done: on this machine, or `external`.")
    distribution: str = Field(description="The installed package that declares it.")


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

    snapshot_id: Digest = Field(description="The digest of what is installed and configured.")
    policy_version: str = Field(description="The version of the routing policy.")
    capabilities: tuple[CapabilityInfo, ...] = Field(description="The readers.")
    embedding_spaces: tuple[EmbeddingSpaceInfo, ...] = Field(description="The embedding spaces.")
    limits: Limits = Field(description="Bounds of this deployment.")
    resolvable: Resolvable = Field(description="What sources may be.")
    chunkers: tuple[ChunkerInfo, ...] = Field(
        default=(), description="The chunkers, in the order they are asked."
    )
    classifiers: tuple[LaneInfo, ...] = Field(default=(), description="The classifiers.")
    extractors: tuple[LaneInfo, ...] = Field(default=(), description="The entity extractors.")
    enrichers: tuple[LaneInfo, ...] = Field(default=(), description="The enrichers.")
    language_detectors: tuple[LaneInfo, ...] = Field(default=(), description="The language detectors.")
