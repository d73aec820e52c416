"""The answer to an encode request."""

from __future__ import annotations

from pydantic import Field

from indx_core.contracts._base import WireModel
from indx_core.contracts.blocks import Block
from indx_core.contracts.plan import Plan
from indx_core.contracts.snapshot import EmbeddingSpaceInfo
from indx_core.contracts.trace import Trace, Usage


class EncodeResult(WireModel):
    """The plan that was executed, the block tree, the spaces of its vectors, the trace and the totals."""

    request_id: str | None = Field(default=None, description="The caller's own identifier.")
    plan: Plan = Field(description="The plan that was carried out.")
    blocks: tuple[Block, ...] = Field(description="The tree as a flat list, parents first.")
    embedding_spaces: tuple[EmbeddingSpaceInfo, ...] = Field(
        default=(), description="The spaces that vectors of it lie in."
    )
    trace: Trace = Field(description="What happened, attempt by attempt.")
    usage: Usage = Field(description="What it took, summed.")
