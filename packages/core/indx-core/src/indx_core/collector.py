"""Looking for garbage cycles seldom, while much is made that stays.

The collector looks whenever so many more objects were made than let go, and through all there are whenever
these have grown by a quarter. A table of forty thousand cells takes twice as long to make that way, though
none of it is garbage.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Final

__all__ = ["collecting_seldom"]


class _Thresholds:
    """Those of the process, and what the blocks that are being run ask for."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.before = self.set = gc.get_threshold()
        self._lock = RLock()  # the collector may run while it is held, and end a block

    def ask(self, objects: int) -> None:
        with self._lock:
            if not self.asked:
                self.before = self.set = gc.get_threshold()
            self.asked.append(objects)
            self._agree()

    def done(self, objects: int) -> None:
        with self._lock:
            if objects in self.asked:  # else this process was forked inside the block
                self.asked.remove(objects)
                self._agree()

    def forget(self) -> None:
        """Of a process that was forked: the blocks are those of threads that it does not have."""
        self._lock = RLock()
        self.asked.clear()
        self._agree()

    def _agree(self) -> None:
        """Collect as seldom as whoever asks for the most wants; as before once nobody asks."""
        if self.before[0] == 0 or gc.get_threshold() != self.set:
            return  # the program never collects, or has changed its mind since
        gc.set_threshold(max([self.before[0], *self.asked]), *self.before[1:])
        self.set = gc.get_threshold()


_THRESHOLDS: Final = _Thresholds()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_THRESHOLDS.forget)


@contextmanager
def collecting_seldom(objects: int) -> Iterator[None]:
    """Look for garbage cycles only after so many new objects inside the block, in the whole process.

    Blocks may overlap in several threads; what the program itself set is there again after the last of them.

    Args:
        objects: How many objects may be made, beyond those let go, before the collector looks.
    """
    _THRESHOLDS.ask(objects)
    try:
        yield
    finally:
        _THRESHOLDS.done(objects)
