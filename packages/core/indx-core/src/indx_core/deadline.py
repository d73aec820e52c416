"""A moment by which work must be done, measured on the monotonic clock."""

from __future__ import annotations

import time
from collections.abc import Callable

from indx_core.errors import TimedOut

__all__ = ["Deadline"]


class Deadline:
    """Seconds from now, or never.

    Args:
        seconds: How long from now; None or 0 is unbounded.
        clock: The monotonic clock, for tests.
    """

    __slots__ = ("_clock", "_end", "_seconds")

    def __init__(self, seconds: float | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Start counting now."""
        self._clock = clock
        self._seconds = seconds
        self.restart()

    def restart(self) -> None:
        """Start counting anew."""
        self._end = self._clock() + self._seconds if self._seconds else None

    def remaining(self) -> float | None:
        """Seconds left, never below 0; None when unbounded."""
        return None if self._end is None else max(0.0, self._end - self._clock())

    @property
    def passed(self) -> bool:
        """Whether the time is up."""
        return self._end is not None and self._clock() >= self._end

    def check(self) -> None:
        """Raise `TimedOut` (`deadline_exceeded`) when the time is up."""
        if self.passed:
            raise TimedOut("past the deadline; raise INDX_REQUEST_TIMEOUT_SECONDS or send less")
