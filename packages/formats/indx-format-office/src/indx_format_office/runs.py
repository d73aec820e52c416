"""Rich texts as binary workbooks keep them: units of UTF-16, and where the text goes on in another font."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

__all__ = ["AROUND", "pieces"]

AROUND: Final = -1
"""In place of the number of a font: that of the cell."""


def pieces(units: bytes, runs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, str]]:
    """The pieces of a text, each with the number of its font.

    Args:
        units: The text in UTF-16 with its lower bytes first; half a unit at its end is shown to be damaged.
        runs: Where each run begins, in units, and the number of its font. One that begins inside a character
            begins with it; what stands before all of them is in the font of the cell.
    """
    text, end = units.decode("utf-16-le", "replace"), (len(units) + 1) // 2
    plain = len(text) == end  # each character is one unit
    starts = sorted(runs if plain else ((_start(units, at), number) for at, number in runs))
    for (start, number), (stop, _) in pairwise([(0, AROUND), *starts, (end, AROUND)]):
        if start < stop:
            piece = text[start:stop] if plain else units[2 * start : 2 * stop].decode("utf-16-le", "replace")
            yield number, piece


def _start(units: bytes, at: int) -> int:
    """`at`, or the unit before where that and the one at `at` are two halves of one character."""
    halves = units[2 * at - 1 : 2 * at + 2 : 2] if at else b""
    return at - (len(halves) == 2 and halves[0] & 0xFC == 0xD8 and halves[1] & 0xFC == 0xDC)
