"""What is known of one document while it is worked on: made step by step, replayed after a crash.

Work on a document is a stream of frames. Whoever receives them applies each to a `Progress`; a worker that
takes over after a crash starts from the same `Progress` and goes on with the next step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from indx_core.lapses import Lapse, heavier
from indx_core.ports import ChunkDraft, Member, PageReading, Raster, SourceContent

if TYPE_CHECKING:
    from indx_core.contracts import ChunkerRef, Plan, PlanRequestPart, ResolvedRouter, Snapshot
    from indx_routing import Economics

__all__ = [
    "Attempt",
    "Attempted",
    "Cut",
    "DocumentJob",
    "Found",
    "Frame",
    "InFlight",
    "LeftOut",
    "MemberFound",
    "Opened",
    "Outcome",
    "ParserFailed",
    "Pictured",
    "Planned",
    "Progress",
    "Step",
]

Outcome: TypeAlias = Literal["read", "unread", "failed", "manual"]
Step: TypeAlias = Literal["open", "look", "plan", "recognise", "render", "read", "chunk", "members"]

_MOST_ENDED: Final = 8
"""Workers that looking at one document may end before no further page of it is looked at."""


@dataclass(frozen=True, slots=True)
class DocumentJob:
    """Everything needed to work on one document, in this process or another.

    Attributes:
        content: The bytes, under their media type.
        request: What was asked, for planning.
        snapshot: What is installed, as planned against.
        economics: What a page costs.
        facts: What is known of the document before it is opened: codes and messages of reasons of the plan.
        plan: A plan made earlier; the document is then not observed.
        execute: Whether to read after planning.
        picture: Whether the first page's picture is all that is wanted.
        chunkers: Named chunkers, asked first; None when no chunks are wanted.
        render: Whether chunkers may render pages.
        pixels: Whether the pixels of image chunks are wanted; without, their size is all that travels.
        members: Whether the documents inside are wanted.
        floor: The confidence below which a page counts as unread.
        page_limit: The most pages the document may have.
        routing: The router to plan by.
        recognised: The type that was recognised on pages once they were read; their branch cuts them.
        again: Who is still to try pages that were read before they were recognised.
        helps: Whether all that is wanted is what the pages hold that are asked for one by one, for the
            worker that has the document in hand.
    """

    content: SourceContent
    request: PlanRequestPart
    snapshot: Snapshot
    economics: Economics
    facts: Mapping[str, str] = field(default_factory=dict)
    plan: Plan | None = None
    execute: bool = True
    picture: bool = False
    chunkers: Sequence[ChunkerRef] | None = None
    render: bool = True
    pixels: bool = True
    members: bool = False
    floor: float = 0.0
    page_limit: int = 20_000
    routing: ResolvedRouter | None = None
    recognised: Mapping[int, str] = field(default_factory=dict)
    again: Mapping[int, Sequence[str]] = field(default_factory=dict)
    helps: bool = False


@dataclass(frozen=True, slots=True)
class Attempt:
    """One capability on one page; `lapse` is what a failure owes to the moment."""

    capability_id: str
    page: int
    outcome: Outcome
    reason: str | None
    quality: float | None
    latency_ms: float
    cost_usd: float
    lapse: Lapse | None = None


@dataclass(frozen=True, slots=True)
class InFlight:
    """A step is about to start; if nothing follows, it is what stopped the worker."""

    step: Step
    who: str = ""
    page: int = 0


@dataclass(frozen=True, slots=True)
class Opened:
    """The document is open.

    Attributes:
        page_count: Pages of it.
        observer: Who opened it.
        shared: Whether others may look at pages of it.
        lapse: What it owes to the moment that no observer before that one opened it.
    """

    page_count: int
    observer: str
    shared: bool = False
    lapse: Lapse | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a page holds, packed for another worker; empty when that cannot be told here."""

    page: int
    packed: bytes


@dataclass(frozen=True, slots=True)
class Planned:
    """The plan is made."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class ParserFailed:
    """A parser raised or ended its worker while asked whether it knows the document; it nominates nothing.

    `lapse` is what that owes to the moment.
    """

    parser: str
    reason: str
    lapse: Lapse | None = None


@dataclass(frozen=True, slots=True)
class Pictured:
    """The first page's picture; None where the format draws nothing."""

    raster: Raster | None


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
    """A chunker raised or ended its worker; it takes no part in this document.

    `lapse` is what that owes to the moment.
    """

    chunker: str
    reason: str
    lapse: Lapse | None = None


@dataclass(frozen=True, slots=True)
class MemberFound:
    """A document inside the document, or why there is none; `lapse` is what that owes to the moment."""

    member: Member
    lapse: Lapse | None = None


Frame: TypeAlias = (
    "InFlight | Opened | Found | ParserFailed | Planned | Pictured | Attempted | Cut | LeftOut | MemberFound"
)


@dataclass(slots=True)
class Progress:
    """What the frames so far add up to.

    Attributes:
        page_count: Pages of the document.
        observer: The distribution that opened it; None until it is open.
        plan: The plan, made or given.
        picture: The first page's picture, where that was wanted.
        attempts: Every attempt, in order.
        readings: The reading of each page that is read.
        read_by: The capability that read each of them.
        cuts: What chunkers answered, in order.
        left_out: Chunkers that failed.
        failed_parsers: Why parsers that failed were not asked on.
        members: The documents inside.
        in_flight: The step under way.
        ended: How many workers each capability ended.
        second: Pages to be read again; until another reading is there, the first one stands.
        tells: Whether word is given of each page before it is looked at: a worker ended while it looked.
        lost: Pages that nobody is to look at, and why: they ended the worker that did, or others before them
            ended too many.
        lapse: What the outcome owes to the moment, so that another time it may be another.
    """

    page_count: int = 0
    observer: str | None = None
    plan: Plan | None = None
    picture: Raster | None = None
    attempts: list[Attempt] = field(default_factory=list)
    readings: dict[int, PageReading] = field(default_factory=dict)
    read_by: dict[int, str] = field(default_factory=dict)
    cuts: list[Cut] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    failed_parsers: dict[str, str] = field(default_factory=dict)
    members: list[Member] = field(default_factory=list)
    in_flight: InFlight | None = None
    ended: dict[str, int] = field(default_factory=dict)
    second: set[int] = field(default_factory=set)
    tells: bool = False
    lost: dict[int, str] = field(default_factory=dict)
    lapse: Lapse | None = None
    _ended_looking: int = 0
    _tries: dict[int, int] = field(default_factory=dict)

    def apply(self, frame: Frame) -> None:
        """Take one frame in."""
        self.in_flight = frame if isinstance(frame, InFlight) else None
        match frame:
            case Opened():
                self.page_count, self.observer = frame.page_count, frame.observer
                self.note(frame.lapse)
            case ParserFailed():
                self.failed_parsers[frame.parser] = frame.reason
                self.note(frame.lapse)
            case Planned():
                self.plan = frame.plan
            case Pictured():
                self.picture = frame.raster
            case Attempted():
                self._attempted(frame)
            case Cut():
                self.cuts.append(frame)
            case LeftOut():
                self.left_out.append(frame)
                self.note(frame.lapse)
            case MemberFound():
                self.members.append(frame.member)
                self.note(frame.lapse)
            case InFlight() | Found():
                pass

    def note(self, lapse: Lapse | None) -> None:
        """Take in what a part of the outcome owes to the moment."""
        self.lapse = heavier(self.lapse, lapse)

    def _attempted(self, frame: Attempted) -> None:
        attempt = frame.attempt
        self.note(attempt.lapse)
        self.attempts.append(attempt)
        self._tries[attempt.page] = self._tries.get(attempt.page, 0) + 1
        if frame.reading is not None:
            self.second.discard(attempt.page)
            self.readings[attempt.page] = frame.reading
            self.read_by[attempt.page] = attempt.capability_id

    def lose(self, page: int, reason: str) -> bool:
        """Go around a page that ended the worker that looked at it; 0 where it is not known which it was.

        Word of each page costs, so it is given only once a worker was lost without it.

        Returns:
            Whether another worker is to look.
        """
        if not page:
            known, self.tells = self.tells, True
            return not known
        self.lost[page] = reason
        self._ended_looking += 1
        if self._ended_looking == _MOST_ENDED:
            reason = f"not looked at: looking ended {_MOST_ENDED} workers on this document"
            self.lost.update(dict.fromkeys(range(page + 1, self.page_count + 1), reason))
        return self._ended_looking <= _MOST_ENDED

    def tries(self, page: int) -> int:
        """How many rungs of its route a page has used."""
        return self._tries.get(page, 0)

    def read_again(self, pages: Iterable[int]) -> None:
        """Start pages on another route."""
        for page in pages:
            self.second.add(page)
            self._tries[page] = 0

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
