"""What happened while a plan was executed: every attempt, every part, and what it took."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from indx_core.contracts._base import Cost, Count, Fraction, Key, PageNumber, Scope, WireModel
from indx_core.contracts.plan import Component


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


class Trace(WireModel):
    """The record of one execution. `failed` follows from an unsatisfied plan."""

    status: Literal["ok", "failed"] = Field(description="`failed` only where the plan was unsatisfied.")
    events: tuple[TraceEvent, ...] = Field(default=(), description="The attempts, in order.")
    components: tuple[Component, ...] = Field(default=(), description="Which distribution did what.")
    actuals: Actuals = Field(description="What it really cost, beside the plan's estimates.")
    branches: tuple[PageBranch, ...] | None = Field(
        default=None, description="The branch each page took, under a router."
    )


class Usage(WireModel):
    """Totals of one request."""

    pages: Count = Field(description="Pages that were attempted.")
    chunks: Count = Field(description="Chunk blocks made.")
    vectors: Count = Field(description="Vectors made.")
    cost_usd: Cost = Field(description="US dollars.")
    latency_ms: Count = Field(description="Milliseconds, of the clock.")
