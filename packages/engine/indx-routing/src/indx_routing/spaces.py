"""Which embedding spaces of a request no run could fill."""

from __future__ import annotations

from collections.abc import Iterator

from indx_core.contracts import Constraints, EmbeddingSpaceInfo, PlanRequestPart, Snapshot

__all__ = ["DOCUMENT_EMBEDDING_MODALITIES", "unservable_spaces"]

DOCUMENT_EMBEDDING_MODALITIES = ("text", "image")
"""What a run may produce to embed, in the order in which it is produced: a page read is not rendered too."""


def unservable_spaces(
    request: PlanRequestPart, snapshot: Snapshot, constraints: Constraints
) -> Iterator[str]:
    """One line for each named space that no embedder fills; unknown spaces are refused elsewhere."""
    spaces = {space.id: space for space in snapshot.embedding_spaces}
    for space_id in request.embedding_space_ids:
        space = spaces.get(space_id)
        if space is None:
            continue
        if not _lanes(space, residency=False):
            yield f"embedding_space_ids: {space_id} embeds no document input that this run produces"
        elif constraints.data_residency and not _lanes(space, residency=True):
            yield f"data_residency: {space_id} embeds outside this machine; name a local space"


def _lanes(space: EmbeddingSpaceInfo, *, residency: bool) -> bool:
    return any(
        "document" in embedder.roles
        and any(modality in DOCUMENT_EMBEDDING_MODALITIES for modality in embedder.modalities)
        and not (residency and embedder.device == "external")
        for embedder in space.embedders
    )
