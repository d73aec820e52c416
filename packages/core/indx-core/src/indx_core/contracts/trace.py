"""What happened while a plan was executed: every attempt, every part, and what it took."""

from __future__ import annotations

from typing import ClassVar, Final, Literal

from pydantic import Field

from indx_core.contracts._base import Cost, Count, Fraction, Key, PageNumber, Scope, Unit, WireModel
from indx_core.contracts.plan import Component

FailureRole = Literal["chunker", "language_detector", "classifier", "extractor", "enricher", "embedder"]
"""The part something had that failed. Readers are no such part: their attempts are events."""

MAX_FAILED_BLOCKS: Final = 100
"""Blocks that are named of one failure; `failed` counts all of them."""


class TraceEvent(WireModel):
    """One attempt of one capability on some pages."""

    NULLABLE: ClassVar[frozenset[str]] = frozenset({"quality"})

    capability_id: str = Field(description="The reader's ID.")
    scope: Scope = Field(description="What it is about.")
    pages: tuple[PageNumber, ...] = Field(description="The pages this is true of.")
    outcome: Literal["read", "unread", "failed", "manual"] = Field(
        description="`read`; `unread`: it had a reason not to; `failed`: it broke; `manual`: a person has to."
    )
    reason: str | None = Field(default=None, description="What stopped it.")
    quality: Fraction | None = Field(default=None, description="What the capability claims; null: nothing.")
    latency_ms: Count = Field(description="Milliseconds of the attempt.")
    cost_usd: Cost = Field(default=0.0, description="US dollars of the attempt.")


class Actuals(WireModel):
    """What the execution reported: self-reports, not measurements against a truth."""

    NULLABLE: ClassVar[frozenset[str]] = frozenset({"quality"})

    quality: Fraction | None = Field(default=None, description="The mean over the document's pages.")
    cost_usd: Cost = Field(description="US dollars spent.")
    latency_ms: Count = Field(description="Milliseconds taken.")


class PageBranch(WireModel):
    """The router branch a page took; without `type_id`, the default branch."""

    page: PageNumber = Field(description="The page, counted from 1.")
    type_id: Key | None = Field(
        default=None, description="The type whose branch read it; absent for the default branch."
    )


class TraceFailure(WireModel):
    """A part that failed, or must not be asked, so that no answer of it differs from none to give.

    What it answered of the other texts stands in the blocks as ever.
    """

    role: FailureRole = Field(description="What part it had.")
    id: str = Field(description="Its public ID.")
    version: int | None = Field(default=None, ge=1, description="A chunker's version; no other role has one.")
    unit: Unit = Field(description="What it was asked about; a chunker: the document.")
    asked: Count = Field(description="How many of those it was to be asked about.")
    failed: Count = Field(description="How many of them it failed on, or was not asked about.")
    reason: str = Field(max_length=500, description="What stopped it on the first of them.")
    block_ids: tuple[str, ...] = Field(
        max_length=MAX_FAILED_BLOCKS,
        description=f"The blocks it failed on, in the order asked, the first {MAX_FAILED_BLOCKS} of them.",
    )


class Trace(WireModel):
    """The record of one execution. `failed` follows from an unsatisfied plan."""

    status: Literal["ok", "failed"] = Field(description="`failed` only where the plan was unsatisfied.")
    events: tuple[TraceEvent, ...] = Field(default=(), description="The attempts, in order.")
    components: tuple[Component, ...] = Field(default=(), description="Which distribution did what.")
    actuals: Actuals = Field(description="What it really cost, beside the plan's estimates.")
    branches: tuple[PageBranch, ...] | None = Field(
        default=None, description="The branch each page took, under a router."
    )
    failures: tuple[TraceFailure, ...] | None = Field(
        default=None,
        description="Chunkers, lanes, language detectors and embedders that failed on something, in the "
        "order asked; absent where none did.",
    )


class Usage(WireModel):
    """Totals of one request."""

    pages: Count = Field(description="Pages that were attempted.")
    chunks: Count = Field(description="Chunk blocks made.")
    vectors: Count = Field(description="Vectors made.")
    cost_usd: Cost = Field(description="US dollars.")
    latency_ms: Count = Field(description="Milliseconds, of the clock.")
