"""Down the route, page by page: each page goes to the next rung until one reads it.

Pages that share their current rung are asked together, so that a reader opens things once; each answer is
handed over as soon as it is there.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from indx_core.deadline import Deadline
from indx_core.errors import IndxError
from indx_runtime.progress import Attempt, Attempted, Frame, InFlight, Progress
from indx_runtime.settings import WORKER_TIMEOUT

if TYPE_CHECKING:
    from indx_core.contracts import Plan
    from indx_core.discovery import Registry
    from indx_core.ports import Capability, PageReading, Session

__all__ = ["explain", "read_pages", "route_of"]

BELOW_FLOOR = "below_minimum_confidence"


def route_of(plan: Plan, page: int) -> tuple[str, ...]:
    """The rungs of a page, the selected capability first."""
    route = next((p.route for p in plan.pages if p.page == page), plan.default)
    assert route is not None, "an unsatisfied plan is not executed"
    return (route.capability_id, *route.fallbacks)


def read_pages(
    session: Session, plan: Plan, progress: Progress, registry: Registry, *, floor: float, deadline: Deadline
) -> Iterator[Frame]:
    """Attempt pages until each is read or its route is used up.

    Args:
        session: The open document.
        plan: A ready plan.
        progress: What has been attempted so far; the caller applies every frame to it before the next.
        registry: Where the capabilities are.
        floor: The confidence below which a page counts as unread.
        deadline: The request's; checked between attempts.

    Raises:
        TimedOut: The deadline passed.
    """
    overrides = {p.page: (p.route.capability_id, *p.route.fallbacks) for p in plan.pages}
    assert plan.default is not None
    common = (plan.default.capability_id, *plan.default.fallbacks)
    while groups := _groups(progress, overrides, common):
        for capability_id, pages in groups.items():
            deadline.check()
            provider = registry.find("indx.capabilities", capability_id)
            if provider is None:
                for page in pages:
                    gone = f"{capability_id} is not installed"
                    yield Attempted(Attempt(capability_id, page, "failed", gone, None, 0.0, 0.0))
            elif provider.item.declaration.kind == "manual":
                for page in pages:
                    yield Attempted(Attempt(capability_id, page, "manual", None, None, 0.0, 0.0))
            else:
                yield from _attempt(provider.item, session, pages, floor)


def _groups(
    progress: Progress, overrides: dict[int, tuple[str, ...]], common: tuple[str, ...]
) -> dict[str, list[int]]:
    """Pages still to attempt, under the capability that is next for them."""
    groups: dict[str, list[int]] = {}
    for page in range(1, progress.page_count + 1):
        route = overrides.get(page, common)
        rung = progress.tries(page)
        if page not in progress.readings and rung < len(route):
            groups.setdefault(route[rung], []).append(page)
    return groups


def _attempt(capability: Capability, session: Session, pages: Sequence[int], floor: float) -> Iterator[Frame]:
    """One capability over pages; a page that raises fails alone and the rest are asked for again."""
    name = capability.declaration.id
    rest = list(pages)
    while rest:
        yield InFlight("read", name, rest[0])
        started = time.perf_counter()
        try:
            for reading in capability.read(session, tuple(rest), deadline=Deadline(WORKER_TIMEOUT.get())):
                if reading.page != rest[0]:
                    raise RuntimeError(f"answered page {reading.page} when page {rest[0]} was due")
                elapsed = (time.perf_counter() - started) * 1000
                yield _outcome(name, reading, elapsed, floor)
                del rest[0]
                if not rest:
                    return
                yield InFlight("read", name, rest[0])
                started = time.perf_counter()
            raise RuntimeError("no answer for the page")
        except Exception as error:  # a reader may fail in any way; only its page suffers
            elapsed = (time.perf_counter() - started) * 1000
            yield Attempted(Attempt(name, rest.pop(0), "failed", explain(error), None, elapsed, 0.0))


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


def explain(error: BaseException) -> str:
    """What stopped something, in one line for the trace."""
    if isinstance(error, IndxError):
        return error.message
    if isinstance(error, MemoryError):
        return "out of memory"
    line = str(error).strip().split("\n")[0][:200]
    return f"{type(error).__name__}: {line}" if line else type(error).__name__
