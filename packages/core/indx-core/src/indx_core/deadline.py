"""A moment by which work must be done, measured on the monotonic clock."""

from __future__ import annotations

import time
from collections.abc import Callable

from indx_core.errors import TimedOut

__all__ = ["Deadline"]


class Deadline:
    """Seconds from now, or never; or until whoever asked leaves.

    Args:
        seconds: How long from now; None or 0 is unbounded.
        clock: The monotonic clock, for tests.
    """

    __slots__ = ("_clock", "_end", "_seconds", "cancelled")

    def __init__(self, seconds: float | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Start counting now."""
        self._clock = clock
        self._seconds = seconds
        self.cancelled = False
        self.restart()

    def restart(self) -> None:
        """Start counting anew."""
        self._end = self._clock() + self._seconds if self._seconds else None

    def cancel(self) -> None:
        """Say that nobody waits any longer: the work ends where it would end for lack of time."""
        self.cancelled = True

    def remaining(self) -> float | None:
        """Seconds left, never below 0; None when unbounded."""
        if self.cancelled:
            return 0.0
        return None if self._end is None else max(0.0, self._end - self._clock())

    @property
    def passed(self) -> bool:
        """Whether the time is up, or nobody waits any longer."""
        return self.cancelled or (self._end is not None and self._clock() >= self._end)

    def check(self) -> None:
        """Raise `TimedOut`: `deadline_exceeded` when the time is up, `client_disconnected` when cancelled."""
        if self.cancelled:
            raise TimedOut("the caller left before the work was done", code="client_disconnected")
        if self.passed:
            raise TimedOut("past the deadline; raise INDX_REQUEST_TIMEOUT_SECONDS or send less")
