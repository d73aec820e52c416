"""What is known of one document while it is worked on: made step by step, replayed after a crash.

Work on a document is a stream of frames. Whoever receives them applies each to a `Progress`; a worker that
takes over after a crash starts from the same `Progress` and goes on with the next step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from indx_core.ports import ChunkDraft, Member, PageReading, SourceContent

if TYPE_CHECKING:
    from indx_core.contracts import ChunkerRef, Plan, PlanRequestPart, Snapshot
    from indx_routing import Economics

__all__ = [
    "Attempt",
    "Attempted",
    "Cut",
    "DocumentJob",
    "Frame",
    "InFlight",
    "LeftOut",
    "MemberFound",
    "Opened",
    "Planned",
    "Progress",
]

Outcome: TypeAlias = Literal["read", "unread", "failed", "manual"]


@dataclass(frozen=True, slots=True)
class DocumentJob:
    """Everything needed to work on one document, in this process or another.

    Attributes:
        content: The bytes, under their media type.
        request: What was asked, for planning.
        snapshot: What is installed, as planned against.
        economics: What a page costs.
        plan: A plan made earlier; the document is then not observed.
        execute: Whether to read after planning.
        chunkers: Named chunkers, asked first; None when no chunks are wanted.
        render: Whether chunkers may render pages.
        members: Whether the documents inside are wanted.
        floor: The confidence below which a page counts as unread.
        page_limit: The most pages the document may have.
    """

    content: SourceContent
    request: PlanRequestPart
    snapshot: Snapshot
    economics: Economics
    plan: Plan | None = None
    execute: bool = True
    chunkers: Sequence[ChunkerRef] | None = None
    render: bool = True
    members: bool = False
    floor: float = 0.0
    page_limit: int = 20_000


@dataclass(frozen=True, slots=True)
class Attempt:
    """One capability on one page."""

    capability_id: str
    page: int
    outcome: Outcome
    reason: str | None
    quality: float | None
    latency_ms: float
    cost_usd: float


@dataclass(frozen=True, slots=True)
class InFlight:
    """A step is about to start; if nothing follows, it is what stopped the worker."""

    step: Literal["open", "plan", "read", "chunk", "members"]
    who: str = ""
    page: int = 0


@dataclass(frozen=True, slots=True)
class Opened:
    """The document is open."""

    page_count: int
    observer: str


@dataclass(frozen=True, slots=True)
class Planned:
    """The plan is made."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class Attempted:
    """An attempt on a page ended; `reading` is there when the page is read."""

    attempt: Attempt
    reading: PageReading | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """A chunker answered pages."""

    distribution: str
    id: str
    version: int
    drafts: Mapping[int, Sequence[ChunkDraft]]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A chunker raised or ended its worker; it takes no part in this document."""

    chunker: str
    reason: str


@dataclass(frozen=True, slots=True)
class MemberFound:
    """A document inside the document."""

    member: Member


Frame: TypeAlias = "InFlight | Opened | Planned | Attempted | Cut | LeftOut | MemberFound"


@dataclass(slots=True)
class Progress:
    """What the frames so far add up to."""

    page_count: int = 0
    observer: str | None = None
    plan: Plan | None = None
    attempts: list[Attempt] = field(default_factory=list)
    readings: dict[int, PageReading] = field(default_factory=dict)
    read_by: dict[int, str] = field(default_factory=dict)
    cuts: list[Cut] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    in_flight: InFlight | None = None
    _tries: dict[int, int] = field(default_factory=dict)

    def apply(self, frame: Frame) -> None:
        """Take one frame in."""
        self.in_flight = frame if isinstance(frame, InFlight) else None
        match frame:
            case Opened():
                self.page_count, self.observer = frame.page_count, frame.observer
            case Planned():
                self.plan = frame.plan
            case Attempted():
                self._attempted(frame)
            case Cut():
                self.cuts.append(frame)
            case LeftOut():
                self.left_out.append(frame)
            case MemberFound():
                self.members.append(frame.member)
            case InFlight():
                pass

    def _attempted(self, frame: Attempted) -> None:
        attempt = frame.attempt
        self.attempts.append(attempt)
        self._tries[attempt.page] = self._tries.get(attempt.page, 0) + 1
        if frame.reading is not None:
            self.readings[attempt.page] = frame.reading
            self.read_by[attempt.page] = attempt.capability_id

    def tries(self, page: int) -> int:
        """How many rungs of its route a page has used."""
        return self._tries.get(page, 0)

    def document_pages(self) -> dict[int, PageReading]:
        """Every page in order: its reading, or an unread one with the reason of its last real attempt."""
        pages = {}
        reasons = {a.page: a.reason for a in self.attempts if a.outcome in ("unread", "failed")}
        for page in range(1, self.page_count + 1):
            unread = PageReading(page, reason=reasons.get(page) or "unread")
            pages[page] = self.readings.get(page, unread)
        return pages

    def drafts(self) -> dict[int, Sequence[ChunkDraft]]:
        """Chunk drafts by page, in page order."""
        merged = {page: drafts for cut in self.cuts for page, drafts in cut.drafts.items()}
        return dict(sorted(merged.items()))
