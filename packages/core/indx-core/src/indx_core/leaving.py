"""Work that may be left behind: for libraries that keep to no time of ours, whatever they are told."""

from __future__ import annotations

import copy
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait
from typing import Final, Generic, TypeVar

from indx_core.deadline import Deadline

__all__ = ["HOLD_SECONDS", "MadeOnce", "done_within"]

T = TypeVar("T")

_LOOK: Final = 0.2
"""How often it is looked whether the caller still waits, in seconds."""

HOLD_SECONDS: Final = 60.0
"""How long what could not be made is not tried again: many callers in a row shall not each wait for it."""


def done_within(
    seconds: float,
    work: Callable[[Deadline], T],
    *,
    deadline: Deadline,
    late: Callable[[], Exception],
    name: str,
) -> T:
    """What `work` comes to, in a thread of its own that is left to end by itself once its time is up.

    Args:
        seconds: The time it has.
        work: Is told its time, which passes too when nobody waits any longer, and should end then.
        deadline: The caller's.
        late: What to raise when the time is up.
        name: What the thread is called.

    Raises:
        TimedOut: The caller's deadline passed, or nobody waits any longer.
        BaseException: What `late` makes, or whatever the work raises.
    """
    deadline.check()
    own = Deadline(seconds)
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work(own))
        except BaseException as error:  # it is raised where it is waited for
            future.set_exception(error)

    threading.Thread(target=run, daemon=True, name=name).start()
    while not wait([future], min(_LOOK, own.remaining() or 0)).done:
        if deadline.passed:
            own.cancel()
            deadline.check()
        if own.passed:
            raise late()
    return future.result()


class MadeOnce(Generic[T]):
    """Things that take long to make, such as a model that is fetched: one caller makes, the others wait.

    A caller whose deadline passes leaves; the making goes on, for whoever asks next.

    Args:
        name: What its threads are called.
        clock: The monotonic clock, for tests.
    """

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._name = name
        self._clock = clock
        self._lock = threading.Lock()
        self._turns: dict[Hashable, threading.Lock] = {}
        self._failed: dict[Hashable, tuple[float, Exception]] = {}

    def get(
        self,
        key: Hashable,
        *,
        kept: Callable[[], T | None],
        make: Callable[[Deadline], T],
        seconds: float,
        deadline: Deadline,
        late: Callable[[], Exception],
    ) -> T:
        """What `make` makes, or what was made before.

        Args:
            key: Which thing; two with different keys are made beside each other.
            kept: What is there already.
            make: Is told its time; keeps what it makes, so that `kept` finds it.
            seconds: The time for making, and for waiting until somebody else has made it.
            deadline: The caller's.
            late: What to raise when the time is up.

        Raises:
            TimedOut: The caller's deadline passed, or nobody waits any longer.
            Exception: What `make` raised, or what `late` makes; for a minute after, again without trying.
        """
        there = self._there(key, kept)
        if there is not None:
            return there
        return done_within(
            seconds,
            lambda _: self._made(key, kept, make, Deadline(seconds), late),
            deadline=deadline,
            late=lambda: self._hold(key, late()),
            name=self._name,
        )

    def _there(self, key: Hashable, kept: Callable[[], T | None]) -> T | None:
        there = kept()
        if there is None:
            with self._lock:
                until, error = self._failed.get(key, (0.0, None))
            if error is not None and self._clock() < until:
                raise copy.copy(error)
        return there

    def _made(
        self,
        key: Hashable,
        kept: Callable[[], T | None],
        make: Callable[[Deadline], T],
        own: Deadline,
        late: Callable[[], Exception],
    ) -> T:
        with self._lock:
            turn = self._turns.setdefault(key, threading.Lock())
        if not turn.acquire(timeout=own.remaining() or 0):
            raise late()
        try:
            there = self._there(key, kept)
            if there is not None:
                return there
            try:
                made = make(own)
            except Exception as error:
                self._hold(key, error)
                raise
            with self._lock:
                self._failed.pop(key, None)
            return made
        finally:
            turn.release()

    def _hold(self, key: Hashable, error: Exception) -> Exception:
        with self._lock:
            self._failed[key] = (self._clock() + HOLD_SECONDS, copy.copy(error))
        return error
