"""Frames as they come from a worker, held to the rules of their ports before a document is built of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, get_args

from indx_runtime.checking import check_drafts, check_member, check_raster, check_reading
from indx_runtime.progress import (
    Attempt,
    Attempted,
    Cut,
    InFlight,
    LeftOut,
    MemberFound,
    Opened,
    Outcome,
    ParserFailed,
    Pictured,
    Planned,
    Step,
)
from indx_runtime.values import check_cost, check_lapse, check_unit, one_line

if TYPE_CHECKING:
    from indx_runtime.progress import DocumentJob, Frame, Progress

__all__ = ["accept"]

_STEPS: Final = frozenset(get_args(Step))
_OUTCOMES: Final = frozenset(get_args(Outcome))


def accept(frame: Any, job: DocumentJob, progress: Progress) -> Frame:
    """A frame that fits the job and what is known so far.

    Raises:
        ValueError: It does not, and why; a frame made of the wrong things may raise anything.
    """
    match frame:
        case InFlight():
            return _in_flight(frame, progress)
        case Opened():
            return _opened(frame, job)
        case ParserFailed():
            parser, reason = one_line(frame.parser, "a parser"), one_line(frame.reason, "a reason")
            return ParserFailed(parser, reason, check_lapse(frame.lapse))
        case Planned():
            return _planned(frame, job)
        case Pictured():
            return Pictured(None if frame.raster is None else check_raster(frame.raster))
        case Attempted():
            return _attempted(frame, progress)
        case Cut():
            return _cut(frame, progress)
        case LeftOut():
            chunker, reason = one_line(frame.chunker, "a chunker"), one_line(frame.reason, "a reason")
            return LeftOut(chunker, reason, check_lapse(frame.lapse))
        case MemberFound():
            return MemberFound(check_member(frame.member), check_lapse(frame.lapse))
    raise ValueError(f"a {type(frame).__name__} is no frame")


def _in_flight(frame: InFlight, progress: Progress) -> Frame:
    if frame.step not in _STEPS:
        raise ValueError("no such step")
    return InFlight(frame.step, one_line(frame.who, "who"), _page(frame.page, progress, low=0))


def _opened(frame: Opened, job: DocumentJob) -> Frame:
    if type(frame.page_count) is not int or not 0 <= frame.page_count <= job.page_limit:
        raise ValueError("no such number of pages")
    lapse = check_lapse(frame.lapse)
    return Opened(frame.page_count, one_line(frame.observer, "an observer"), frame.shared is True, lapse)


def _planned(frame: Planned, job: DocumentJob) -> Frame:
    plan = frame.plan
    bound = (plan.source_digest, plan.media_type, plan.snapshot_id, plan.plan_id)
    due = (job.content.digest, job.content.media_type, job.snapshot.snapshot_id, plan.content_id())
    if bound != due or (job.plan is not None and plan != job.plan):
        raise ValueError("a plan for something else")
    return Planned(plan)


def _attempted(frame: Attempted, progress: Progress) -> Frame:
    told = frame.attempt
    if told.outcome not in _OUTCOMES or (frame.reading is None) != (told.outcome != "read"):
        raise ValueError("an outcome that does not fit")
    attempt = Attempt(
        one_line(told.capability_id, "a capability"),
        _page(told.page, progress),
        told.outcome,
        None if told.reason is None else one_line(told.reason, "a reason"),
        None if told.quality is None else check_unit(told.quality, "quality"),
        check_cost(told.latency_ms, "latency_ms"),
        check_cost(told.cost_usd, "cost_usd"),
        check_lapse(told.lapse),
    )
    reading = None if frame.reading is None else check_reading(frame.reading, attempt.page)
    return Attempted(attempt, reading)


def _cut(frame: Cut, progress: Progress) -> Frame:
    if type(frame.version) is not int or frame.version < 1:
        raise ValueError("no such version of a chunker")
    return Cut(
        one_line(frame.distribution, "a distribution"),
        one_line(frame.id, "a chunker"),
        frame.version,
        check_drafts(frame.drafts, range(1, progress.page_count + 1), progress.document_pages()),
    )


def _page(page: Any, progress: Progress, low: int = 1) -> int:
    if type(page) is not int or not low <= page <= progress.page_count:
        raise ValueError("no such page")
    return page
