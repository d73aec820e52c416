"""A bounded line of requests before a fixed number of threads.

Work runs off the event loop. A request that finds the line full is refused at once; one whose time is up or
whose caller left is taken out of the line, or stops by itself between attempts, and its place is free.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any, Final, TypeVar

from indx_core.deadline import Deadline
from indx_core.errors import TimedOut, Unavailable

__all__ = ["Busy", "Gate"]

T = TypeVar("T")

_LONGEST_RETRY: Final = 60


_FULL: Final = "every worker is busy and the line is full (INDX_MAX_QUEUE); try again later"
_ENDING: Final = "the server is being stopped; try again later"


class Busy(Unavailable):
    """No room in the line; `retry_after` is how many seconds one place may take to become free."""

    def __init__(self, retry_after: int, message: str = _FULL) -> None:
        """Say what would help."""
        super().__init__(message, code="busy")
        self.retry_after = retry_after


class Gate:
    """Threads for one kind of work, and the line before them. Used from one event loop.

    Args:
        name: What the threads are called.
        slots: How many requests are worked on at once.
        queue: How many may wait.
        told: Is told the name, how many are at work and how many wait, whenever that changes.
    """

    def __init__(
        self, name: str, *, slots: int, queue: int, told: Callable[[str, int, int], None] | None = None
    ) -> None:
        """Start no thread yet."""
        self.name, self.slots, self.queue = name, slots, queue
        self.admitted = 0
        self._told = told
        self._threads = ThreadPoolExecutor(slots, thread_name_prefix=name)
        self._usual = 0.0  # seconds a piece of work takes, the latest counting most

    @contextmanager
    def place(self) -> Iterator[None]:
        """A place in the line, or at work, for as long as the block lasts.

        Raises:
            Busy: There is none.
        """
        if self.admitted >= self.slots + self.queue:
            wait = self._usual * (self.admitted + 1) / self.slots
            raise Busy(max(1, min(_LONGEST_RETRY, math.ceil(wait))))
        self._admit(1)
        try:
            yield
        finally:
            self._admit(-1)

    def _admit(self, more: int) -> None:
        self.admitted += more
        if self._told is not None:
            self._told(self.name, min(self.admitted, self.slots), max(0, self.admitted - self.slots))

    async def run(
        self, work: Callable[[], T], deadline: Deadline, gone: Callable[[], Coroutine[Any, Any, None]]
    ) -> T:
        """Do `work` in a thread, in the caller's context.

        Args:
            work: What to do; it heeds `deadline` itself once it has begun.
            deadline: The request's; cancelled here when the caller leaves.
            gone: Waits until the caller has left.

        Raises:
            TimedOut: The time was up, or the caller gone, before the work began.
            Busy: The server is being stopped, and its patience is over.
            BaseException: Whatever the work raises.
        """
        begun = self._threads.submit(copy_context().run, self._timed, work, deadline)
        done, watch = asyncio.wrap_future(begun), asyncio.ensure_future(gone())
        done.add_done_callback(_looked_at)
        try:
            if not await _first(done, watch, deadline.remaining()):
                if watch.done():
                    deadline.cancel()
                if begun.cancel():
                    raise _over(deadline)
                if not await _first(done, watch, None):  # at work, and late or alone: it stops by itself
                    deadline.cancel()
            return await done
        except asyncio.CancelledError:
            deadline.cancel()
            begun.cancel()
            raise Busy(_LONGEST_RETRY, _ENDING) from None
        finally:
            watch.cancel()

    def _timed(self, work: Callable[[], T], deadline: Deadline) -> T:
        deadline.check()
        began = time.monotonic()
        try:
            return work()
        finally:
            self._usual += 0.2 * (time.monotonic() - began - self._usual)

    def close(self) -> None:
        """Take nothing more out of the line, and wait for what is at work."""
        self._threads.shutdown(wait=True, cancel_futures=True)


def _looked_at(done: asyncio.Future[Any]) -> None:
    """Take note of how work ended that nobody waits for any longer."""
    if not done.cancelled():
        done.exception()


async def _first(done: asyncio.Future[Any], watch: asyncio.Future[None], seconds: float | None) -> bool:
    """Wait for the work or for the caller to leave; whether the work is done."""
    await asyncio.wait({done, watch}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    return done.done()


def _over(deadline: Deadline) -> TimedOut:
    try:
        deadline.check()
    except TimedOut as error:
        return error
    return TimedOut("past the deadline before a worker was free; try again later")
