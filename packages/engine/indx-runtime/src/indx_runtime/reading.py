"""Down the route, page by page: each page goes to the next rung until one reads it.

Pages that share their current rung are asked together, so that a reader opens things once; each answer is
handed over as soon as it is there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from indx_core.deadline import Deadline
from indx_core.discovery import State
from indx_core.errors import explain
from indx_core.lapses import lapse_of
from indx_runtime.checking import check_reading
from indx_runtime.progress import Attempt, Attempted, DocumentJob, Frame, InFlight, Progress
from indx_runtime.settings import WORKER_TIMEOUT

if TYPE_CHECKING:
    from indx_core.contracts import Plan, Route
    from indx_core.discovery import Provider, Registry
    from indx_core.ports import Capability, PageReading, Session

__all__ = ["explain", "read_pages", "routes_for", "routes_of", "unfinished"]

BELOW_FLOOR: Final = "below_minimum_confidence"
_MOST_ENDED: Final = 8
"""Workers that one capability may end on one document before it is asked for no further page of it."""


def routes_of(plan: Plan, page_count: int) -> Mapping[int, tuple[str, ...]]:
    """The rungs of each page of a ready plan, the selected capability first."""
    assert plan.default is not None, "an unsatisfied plan is not executed"
    common = _rungs(plan.default)
    overrides = {entry.page: _rungs(entry.route) for entry in plan.pages}
    return {page: overrides.get(page, common) for page in range(1, page_count + 1)}


def _rungs(route: Route) -> tuple[str, ...]:
    return (route.capability_id, *route.fallbacks)


def read_pages(
    session: Session,
    job: DocumentJob,
    progress: Progress,
    registry: Registry,
    *,
    deadline: Deadline,
    before: Callable[[], object] = lambda: None,
) -> Iterator[Frame]:
    """Attempt pages until each is read or its route is used up.

    Args:
        session: The open document.
        job: What to do; its floor is the confidence below which a page counts as unread.
        progress: A ready plan and what has been attempted so far; the caller applies every frame to it
            before the next.
        registry: Where the capabilities are.
        deadline: The request's; checked between attempts.
        before: What is done before each attempt.

    Raises:
        TimedOut: The deadline passed.
    """
    assert progress.plan is not None
    routes = routes_for(job, progress)
    while groups := _groups(progress, routes):
        for capability_id, pages in groups.items():
            deadline.check()
            provider = registry.find("indx.capabilities", capability_id)
            if provider is not None and provider.item.declaration.kind == "manual":
                for page in pages:
                    yield Attempted(Attempt(capability_id, page, "manual", None, None, 0.0, 0.0))
            elif reason := _cannot(provider, capability_id, job.content.media_type, progress):
                yield from _failed(capability_id, dict.fromkeys(pages, reason))
            else:
                assert provider is not None
                if provider.item.declaration.kind == "native":  # it reads what looking finds
                    lost = {page: progress.lost[page] for page in pages if page in progress.lost}
                    yield from _failed(capability_id, lost)
                    pages = [page for page in pages if page not in lost]
                yield from _attempt(provider.item, session, pages, job.floor, deadline, before)


def unfinished(job: DocumentJob, progress: Progress) -> str:
    """How it shows that a document is not done, whatever a worker says; empty where it may be."""
    flight, plan = progress.in_flight, progress.plan
    if plan is None:
        return "" if job.picture else "done without a plan"
    if flight is not None and flight.step == "read":  # an attempt always has an outcome
        return f"done while {flight.who} reads"
    unread = job.execute and plan.status == "ready" and _groups(progress, routes_for(job, progress))
    return "done with pages left to read" if unread else ""


def routes_for(job: DocumentJob, progress: Progress) -> Mapping[int, Sequence[str]]:
    """The route of each page: that of the plan, or of the job where it is read again."""
    assert progress.plan is not None
    return {**routes_of(progress.plan, progress.page_count), **job.again}


def _failed(capability_id: str, reasons: Mapping[int, str]) -> Iterator[Attempted]:
    """What is recorded of pages that a capability is not asked for."""
    for page, reason in reasons.items():
        yield Attempted(Attempt(capability_id, page, "failed", reason, None, 0.0, 0.0))


def _cannot(provider: Provider | None, capability_id: str, media_type: str, progress: Progress) -> str | None:
    """Why a capability is not even asked; a plan made by planning names none of which that is so."""
    if provider is None:
        return f"{capability_id} is not installed"
    if provider.state is not State.AVAILABLE:
        return provider.reason
    if media_type not in provider.item.declaration.media_types:
        return f"{capability_id} does not read {media_type}"
    if (ended := progress.ended.get(capability_id, 0)) >= _MOST_ENDED:
        return f"not asked again: {capability_id} ended {ended} workers on this document"
    return None


def _groups(progress: Progress, routes: Mapping[int, Sequence[str]]) -> dict[str, list[int]]:
    """Pages still to attempt, under the capability that is next for them."""
    groups: dict[str, list[int]] = {}
    for page, route in routes.items():
        rung = progress.tries(page)
        wanted = page not in progress.readings or page in progress.second
        if wanted and rung < len(route):
            groups.setdefault(route[rung], []).append(page)
    return groups


def _attempt(
    capability: Capability,
    session: Session,
    pages: Sequence[int],
    floor: float,
    deadline: Deadline,
    before: Callable[[], object],
) -> Iterator[Frame]:
    """One capability over pages; a page that raises fails alone and the rest are asked for again."""
    name = capability.declaration.id
    rest = list(reversed(pages))
    while rest:
        before()
        yield InFlight("read", name, rest[-1])
        started = time.perf_counter()
        reason = lapse = None
        try:
            own = Deadline(WORKER_TIMEOUT.get())
            for answer in capability.read(session, tuple(reversed(rest)), deadline=own):
                reading = check_reading(answer, rest[-1])
                yield _outcome(name, reading, _milliseconds(started), floor)
                rest.pop()
                if not rest or deadline.passed:
                    break
                before()
                yield InFlight("read", name, rest[-1])
                started = time.perf_counter()
                own.restart()
            else:
                reason = "no answer for the page"
        except (Exception, SystemExit) as error:  # a reader may fail in any way; only its page suffers
            reason, lapse = explain(error), lapse_of(error)
        if reason is not None:
            took = _milliseconds(started)
            yield Attempted(Attempt(name, rest.pop(), "failed", reason, None, took, 0.0, lapse))
        if rest:
            deadline.check()


def _milliseconds(started: float) -> float:
    return (time.perf_counter() - started) * 1000


def _outcome(name: str, reading: PageReading, elapsed: float, floor: float) -> Attempted:
    quality = reading.confidence
    if reading.reason is not None:
        attempt = Attempt(name, reading.page, "unread", reading.reason, quality, elapsed, reading.cost_usd)
        return Attempted(attempt)
    if quality is not None and quality < floor:
        attempt = Attempt(name, reading.page, "unread", BELOW_FLOOR, quality, elapsed, reading.cost_usd)
        return Attempted(attempt)
    attempt = Attempt(name, reading.page, "read", None, quality, elapsed, reading.cost_usd)
    return Attempted(attempt, reading)
