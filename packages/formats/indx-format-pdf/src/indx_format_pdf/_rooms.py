"""Room that PDFium writes numbers to, for many things at a time."""

from __future__ import annotations

import ctypes
from array import array
from collections import deque
from collections.abc import Callable, Sequence
from itertools import chain, repeat
from typing import Any, Final, TypeAlias

__all__ = ["Room"]

Places: TypeAlias = "tuple[Sequence[Any], ...]"

_TYPES: Final[dict[str, Any]] = {"d": ctypes.c_double, "f": ctypes.c_float, "I": ctypes.c_uint}


class Room:
    """Numbers that PDFium writes side by side, as many for each of the things that it is asked about.

    What tells a call where to write is made once: making it takes half as long as the call. There is one room
    for all pages, so whatever is written is read again while PDFium is held.

    Args:
        kind: The type of the numbers, as `array` names it.
        empty: The numbers of a thing of which PDFium tells none.
        count: For how many things there is room at a time.

    Attributes:
        numbers: The numbers.
        count: For how many things they are.
        at: For each of the numbers of a thing, what tells where it is, thing by thing.
    """

    def __init__(self, kind: str, empty: Sequence[float], count: int) -> None:
        """Make it."""
        self.numbers = array(kind, list(empty) * count)
        self.count = count
        self._each = len(empty)
        self._empty = self.numbers[:]
        whole = (_TYPES[kind] * len(self.numbers)).from_buffer(self.numbers)
        size = self.numbers.itemsize
        places = [ctypes.byref(whole, size * at) for at in range(len(self.numbers))]
        self.at: list[list[Any]] = [places[part :: self._each] for part in range(self._each)]

    def places(self, *order: int) -> Places:
        """What tells a call where to write: which of the numbers of a thing first, and so on."""
        return tuple(self.at[part] for part in order)

    def cleared(self, things: int) -> slice:
        """Which numbers are those of the first things, none of them told yet."""
        own = slice(0, self._each * things)
        self.numbers[own] = self._empty[own]
        return own

    def told(
        self, call: Callable[..., int], *arguments: object, things: Sequence[object], places: Places
    ) -> array[Any]:
        """What a call tells of some things, as many numbers for each.

        Args:
            call: The call.
            arguments: What it is told first.
            things: What it is told next, one after the other.
            places: Where it is told to write.
        """
        if len(things) > self.count:
            parts = (things[at : at + self.count] for at in range(0, len(things), self.count))
            told = (self.told(call, *arguments, things=part, places=places) for part in parts)
            return array(self.numbers.typecode, chain.from_iterable(told))
        if not things:
            return array(self.numbers.typecode)
        own = self.cleared(len(things))
        deque(map(call, *map(repeat, arguments), things, *places), maxlen=0)
        return self.numbers[own]
