"""What becomes of a document that ended its worker: what is known of it stands, the rest has its reason."""

from __future__ import annotations

import logging

from indx_core.errors import SourceError
from indx_core.ports import Member
from indx_runtime.failures import could_not
from indx_runtime.progress import Attempt, Attempted, DocumentJob, LeftOut, ParserFailed, Progress, Step
from indx_runtime.reading import routes_for

__all__ = ["WorkerLost", "after_crash", "give_up"]

_log = logging.getLogger("indx.workers")


class WorkerLost(SourceError):
    """A document ended the worker that had it, or asked it for more memory than it has."""


def after_crash(progress: Progress, reason: str) -> bool:
    """Record what was in flight as failed, so that the next worker goes on behind it.

    Returns:
        Whether nothing more can be learned of the document, and what there is stands.

    Raises:
        WorkerLost: Nothing was learned that could stand.
    """
    flight, progress.in_flight = progress.in_flight, None
    assert flight is not None
    if flight.step != "look" or flight.page:  # else the next one looks at all of it once more
        progress.note("ended")
    _log.warning("a worker ended during %s %s: %s", flight.step, flight.who or flight.page, reason)
    if flight.step == "read":
        progress.ended[flight.who] = progress.ended.get(flight.who, 0) + 1
        progress.apply(_failed(flight.who, flight.page, reason))
    elif flight.step == "look" and progress.lose(flight.page, reason):
        return False
    elif flight.step == "recognise":
        progress.apply(ParserFailed(flight.who, reason))
    elif flight.step == "chunk":
        progress.apply(LeftOut(flight.who, reason))
    elif flight.step == "members":
        progress.members.append(_unlisted(flight.step, reason))
        return True
    else:
        raise WorkerLost(could_not(flight.step, reason), lapse="ended")
    return False


def give_up(job: DocumentJob, progress: Progress, reason: str) -> None:
    """Record what is left to do with a document as failed: what was read of it stands.

    Raises:
        WorkerLost: Nothing of it was read.
    """
    progress.note("ended")
    if progress.plan is None or not progress.readings:
        raise WorkerLost(could_not(None, reason), lapse=progress.lapse)
    _log.warning("the work on a document is given up: %s", reason)
    for page, route in routes_for(job, progress).items():
        rest = route[progress.tries(page) :]
        if rest and (page not in progress.readings or page in progress.second):
            progress.apply(_failed(rest[0], page, progress.lost.get(page, reason)))
    if job.chunkers is not None and len(progress.drafts()) < progress.page_count:
        progress.apply(LeftOut("", could_not(None, reason)))
    if job.members:
        progress.members.append(_unlisted(None, reason))


def _failed(who: str, page: int, reason: str) -> Attempted:
    return Attempted(Attempt(who, page, "failed", reason, None, 0.0, 0.0))


def _unlisted(step: Step | None, reason: str) -> Member:
    """Stands for the documents inside that nobody could list."""
    return Member("", None, b"", reason=could_not(step, reason))
