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
    plan: Plan
    blocks: tuple[Block, ...]
    embedding_spaces: tuple[EmbeddingSpaceInfo, ...] = ()
    trace: Trace
    usage: Usage
