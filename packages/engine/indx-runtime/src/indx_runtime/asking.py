"""What is refused of a request before anything is fetched: unknown names, and what nothing here produces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.errors import (
    InvalidChunker,
    InvalidEmbeddingSpace,
    InvalidRequest,
    PlanConflict,
)
from indx_runtime.agreement import keep_residency
from indx_runtime.chunking import requested_chunkers
from indx_runtime.lanes import LaneChoice, choose_lanes
from indx_runtime.vectors import check_spaces, embedder_for

if TYPE_CHECKING:
    from indx_core.contracts import (
        EmbeddingSpaceInfo,
        EmbedRequest,
        EncodeRequest,
        PlanRequestPart,
        Snapshot,
    )
    from indx_core.discovery import Provider, Registry
    from indx_core.ports import Modality

__all__ = ["check_embed", "check_encode", "check_plan"]


def check_plan(request: PlanRequestPart, snapshot: Snapshot, registry: Registry) -> None:
    """Refuse a plan request that cannot be served.

    Raises:
        InvalidRequest: `unsupported_granularity`.
        InvalidEmbeddingSpace: It names a space that is not installed, or spaces without chunks.
        PlanConflict: It relies on another snapshot.
    """
    if "REGION" in request.granularities:
        raise InvalidRequest(
            "nothing installed produces REGION blocks; ask for DOCUMENT, PAGE or CHUNK",
            code="unsupported_granularity",
            param="granularities",
        )
    check_spaces(request, registry)
    if request.snapshot_id is not None and request.snapshot_id != snapshot.snapshot_id:
        message = f"the installation is at snapshot {snapshot.snapshot_id}; plan again"
        raise PlanConflict(message, param="snapshot_id")


def check_encode(request: EncodeRequest, snapshot: Snapshot, registry: Registry) -> list[LaneChoice]:
    """Refuse an encode request that cannot be served; the lanes it names.

    Raises:
        IndxError: As `check_plan`; and for lanes, chunkers, and a plan that leaves the machine.
    """
    check_plan(request, snapshot, registry)
    lanes = choose_lanes(request, registry)
    if request.chunking and request.chunking.chunkers:
        if "CHUNK" not in request.granularities:
            raise InvalidChunker(
                "chunkers were named and no chunks asked for; add CHUNK to granularities",
                code="granularity_required",
                param="chunking",
            )
        requested_chunkers(request.chunking.chunkers, registry)
    keep_residency(request, snapshot)
    return lanes


def check_embed(
    request: EmbedRequest, snapshot: Snapshot, registry: Registry
) -> tuple[EmbeddingSpaceInfo, Provider]:
    """The space of a query and the embedder that serves its kind of input.

    Raises:
        InvalidEmbeddingSpace: `unknown_embedding_space`, or `no_query_embedder` for the input's kind.
    """
    space_id = request.embedding_space_id
    space = next((s for s in snapshot.embedding_spaces if s.id == space_id), None)
    if space is None:
        known = ", ".join(s.id for s in snapshot.embedding_spaces) or "none"
        message = f"no embedding space {space_id[:200]!r} is installed; installed: {known}"
        raise InvalidEmbeddingSpace(message, param="embedding_space_id")
    modality: Modality = "text" if request.input.type == "text" else "image"
    provider = embedder_for(space_id, "query", modality, registry)
    if provider is None:
        other: Modality = "image" if modality == "text" else "text"
        instead = f"send {other} input, " if embedder_for(space_id, "query", other, registry) else ""
        raise InvalidEmbeddingSpace(
            f"{space_id!r} has no query embedder for {modality} input; {instead}ask in another space, or "
            "install an embedder that has it",
            code="no_query_embedder",
            param="embedding_space_id",
        )
    return space, provider
