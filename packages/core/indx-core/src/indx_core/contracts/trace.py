"""What happened while a plan was executed: every attempt, every part, and what it took."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from indx_core.contracts._base import Cost, Count, Fraction, Key, PageNumber, Scope, WireModel
from indx_core.contracts.plan import Component


class TraceEvent(WireModel):
    """One attempt of one capability on some pages."""

    NULLABLE: ClassVar[frozenset[str]] = frozenset({"quality"})

    capability_id: str
    scope: Scope
    pages: tuple[PageNumber, ...]
    outcome: Literal["read", "unread", "failed", "manual"]
    reason: str | None = Field(default=None, description="What stopped it.")
    quality: Fraction | None = Field(default=None, description="What the capability claims; null: nothing.")
    latency_ms: Count
    cost_usd: Cost = 0.0


class Actuals(WireModel):
    """What the execution reported: self-reports, not measurements against a truth."""

    NULLABLE: ClassVar[frozenset[str]] = frozenset({"quality"})

    quality: Fraction | None = Field(default=None, description="The mean over the document's pages.")
    cost_usd: Cost
    latency_ms: Count


class PageBranch(WireModel):
    """The router branch a page took; without `type_id`, the default branch."""

    page: PageNumber
    type_id: Key | None = None


class Trace(WireModel):
    """The record of one execution. `failed` follows from an unsatisfied plan."""

    status: Literal["ok", "failed"]
    events: tuple[TraceEvent, ...] = ()
    components: tuple[Component, ...] = ()
    actuals: Actuals
    branches: tuple[PageBranch, ...] | None = None


class Usage(WireModel):
    """Totals of one request."""

    pages: Count
    chunks: Count
    vectors: Count
    cost_usd: Cost
    latency_ms: Count
