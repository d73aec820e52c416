"""Which characters of a text are taken, so that what is found later overlaps nothing found before."""

from __future__ import annotations

__all__ = ["Places"]


class Places:
    """The characters of one text, each free or taken.

    Args:
        length: How many there are.
    """

    def __init__(self, length: int) -> None:
        self._taken = bytearray(length)

    def take(self, start: int, end: int) -> bool:
        """Take `[start, end)` if all of it is free, and say whether it was."""
        if self._taken.find(1, start, end) >= 0:
            return False
        self._taken[start:end] = b"\1" * (end - start)
        return True
