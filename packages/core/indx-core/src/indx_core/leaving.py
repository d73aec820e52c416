"""Work that may be left behind: for libraries that keep to no time of ours, whatever they are told."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Final, TypeVar

from indx_core.deadline import Deadline

__all__ = ["done_within"]

T = TypeVar("T")

_LOOK: Final = 0.2
"""How often it is looked whether the caller still waits, in seconds."""


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
