"""Where lines stand: one box a line, from the few rectangles PDFium keeps for it.

PDFium joins the glyphs of one text operation into one rectangle, so a line costs a call or two however
long it is, where asking character by character costs as many calls as it has characters.

Boxes are columns of numbers in the page's own coordinates, their sides ordered as displayed. `Frame` turns
them into points or shares of the displayed page.
"""

from __future__ import annotations

import ctypes
import re
from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise, starmap
from math import nan
from operator import add, sub
from typing import Final, TypeAlias

from indx_format_pdf._geometry import ORDERS, Frame, Order, Sides
from indx_format_pdf._pdfium import fast, room_for
from indx_format_pdf._text import Lines, PageText
from indx_format_pdf._upright import quarters_at

__all__ = ["WORD", "Box", "Places", "character_boxes", "measure"]

WORD: Final = re.compile(r"[^\s\xad]+")
"""What stands together between white space."""

_FLAT: Final = 0.5  # points; a line that is thinner than this has no outlines
_SEVERAL: Final = 1.9  # times as high as what is in it: a line that is several rows
_ROW: Final = 0.8  # of the highest letter of several rows: their middles are further apart
_WIDE_GAP: Final = 1.8  # times the height of a line: more than any space within a sentence
_UPRIGHT_GAP: Final = 1.4  # of a font's height: the same in upright lines
_NARROW: Final = 0.15  # of a line's height: the letters of a line are wider
_MANY: Final = 64  # rectangles of a line; more are rare


Box: TypeAlias = "tuple[float, ...]"


@dataclass(slots=True)
class Places:
    """Where lines stand.

    Attributes:
        sides: Their boxes, not numbers where unknown.
        parts: For lines whose parts stand far apart, the box of each part.
        rows: For those that are several rows of the page, the row of each part, from 0.
    """

    sides: Sides
    parts: dict[int, list[Box]]
    rows: dict[int, list[int]]


def measure(page: PageText, lines: Lines, frame: Frame) -> Places:
    """Ask where each of `lines` stands."""
    size = len(lines.starts)
    boxes, base = room_for(4 * size)
    targets = (range(base + 8 * side, base + 32 * size, 32) for side in frame.order)
    count_rects, rect, place = fast.count_rects, fast.rect, page.place
    wholes: dict[int, Box] = {}
    parts: dict[int, list[Box]] = {}
    rows: dict[int, list[int]] = {}
    unions = _Unions(place, frame)
    for start, length, left, bottom, right, top in zip(lines.starts, lines.lengths, *targets, strict=False):
        count = count_rects(place, start, length)
        if count == 1:
            rect(place, 0, left, top, right, bottom)
        elif count > 1:
            line = (min(left, bottom, right, top) - base) >> 5
            wholes[line], several, levels = unions.of(count)
            if levels and quarters_at(page, [start], frame.turns)[0] % 2:
                letter = _advance_box(page, start, 1, frame)
                several, levels = unions.upright(count, length, letter) or (several, levels)
            if several:
                parts[line] = several
            if levels:
                rows[line] = levels
    x0, y0, x1, y1 = (boxes[side::4].tolist() for side in range(4))
    for line, whole in wholes.items():
        x0[line], y0[line], x1[line], y1[line] = whole
    widths, heights = list(map(abs, map(sub, x1, x0))), list(map(abs, map(sub, y1, y0)))
    if widths and min(min(widths), min(heights)) < _FLAT:
        for line, (width, height) in enumerate(zip(widths, heights, strict=True)):
            if width < _FLAT or height < _FLAT:
                found = _advance_box(page, lines.starts[line], lines.lengths[line], frame)
                x0[line], y0[line], x1[line], y1[line] = found
    return Places((x0, y0, x1, y1), parts, rows)


_Target: TypeAlias = "tuple[int, int, int, int, int]"


def _make_room(order: Order, count: int) -> tuple[array[float], list[_Target]]:
    """Room for rectangles, and for each its number and the addresses of its sides."""
    room, base = room_for(4 * count)
    left, bottom, right, top = (range(base + 8 * side, base + 32 * count, 32) for side in order)
    return room, list(zip(range(count), left, top, right, bottom, strict=False))


_SCRATCH: Final = {frame: _make_room(frame, _MANY) for frame in ORDERS}
"""What is written and read again under PDFium's lock."""


class _Unions:
    """The rectangles last counted, as one box."""

    def __init__(self, place: ctypes.c_void_p, frame: Frame) -> None:
        self.rect = partial(fast.rect, place)
        self.order = frame.order
        self.sign = frame.across[0]
        self.across = (min, max) if self.sign > 0 else (max, min)
        self.down = (min, max) if frame.down[0] > 0 else (max, min)
        self.room, self.targets = _SCRATCH[self.order]

    def of(self, count: int) -> tuple[Box, list[Box], list[int]]:
        """The box around `count` rectangles, those of its parts where some stand far from the rest.

        Where they stand in several rows, which PDFium put into one line, also the row of each part.
        """
        if count > len(self.targets):
            self.room, self.targets = _make_room(self.order, count)
        # The loop over the rectangles runs in C: it is most of what places cost.
        deque(starmap(self.rect, islice(self.targets, count)), maxlen=0)
        values = self.room[: 4 * count].tolist()
        sides = values[0::4], values[1::4], values[2::4], values[3::4]
        box = x0, y0, x1, y1 = self._around(sides)
        height = abs(y1 - y0)
        steps: list[int] = []
        if height > _SEVERAL * abs(values[3] - values[1]):
            highest = max(map(abs, map(sub, sides[3], sides[1])))
            if height > _SEVERAL * highest:
                height = highest
                steps = self._steps(sides, 2 * highest)
        wide = _WIDE_GAP * height
        if abs(x1 - x0) < wide and not steps:
            return box, [], []
        gaps = list(map(sub, sides[0][1:], sides[2]))
        widest = max(gaps) if self.sign > 0 else -min(gaps)
        if widest <= wide and not steps:
            return box, [], []
        apart = (at for at, gap in enumerate(gaps, start=1) if gap * self.sign > wide)
        cuts = sorted({*steps, *apart})
        if not cuts:
            return box, [], []
        ends = pairwise([0, *cuts, count])
        parts = [self._around([side[first:last] for side in sides]) for first, last in ends]
        return box, parts, [bisect_right(steps, at) for at in (0, *cuts)] if steps else []

    def _steps(self, sides: Sequence[list[float]], far: float) -> list[int]:
        """Where the next row begins: so far below or above what comes before, as a sum of its two edges.

        Less will do back at the side where lines begin: rows of high fonts stand close to each other.
        """
        middles = list(map(add, sides[1], sides[3]))
        moves = zip(pairwise(middles), pairwise(sides[0]), strict=True)
        return [
            at
            for at, ((before, after), (left, begin)) in enumerate(moves, start=1)
            if abs(after - before) > (_ROW * far if (begin - left) * self.sign < 0 else far)
        ]

    def upright(self, count: int, length: int, letter: Sequence[float]) -> tuple[list[Box], list[int]] | None:
        """The parts of a line set upright and the row of each: lines behind each other, a wide gap apart.

        None where its letters run level, as those of vertical writing do on a page that is turned.
        `letter` is the box of one by its font, whose height those of what is drawn tell less well.
        """
        values = self.room[: 4 * count].tolist()
        sides = values[0::4], values[1::4], values[2::4], values[3::4]
        lows, highs = list(map(min, sides[1], sides[3])), list(map(max, sides[1], sides[3]))
        widest = max(map(abs, map(sub, sides[2], sides[0])))
        if sum(map(sub, highs, lows)) < _NARROW * length * widest:
            return None
        gaps = map(max, map(sub, lows[1:], highs), map(sub, lows, highs[1:]))
        wide = _UPRIGHT_GAP * abs(letter[2] - letter[0])
        cuts = [at for at, gap in enumerate(gaps, start=1) if gap > wide]
        ends = pairwise([0, *cuts, count] if cuts else [])
        parts = [self._around([side[first:last] for side in sides]) for first, last in ends]
        return parts, list(range(len(parts)))

    def _around(self, sides: Sequence[list[float]]) -> Box:
        x0, y0, x1, y1 = sides
        (low, high), (above, below) = self.across, self.down
        return low(x0), above(y0), high(x1), below(y1)


def _advance_box(page: PageText, start: int, length: int, frame: Frame) -> array[float]:
    """The box from the first to the last character by their advance."""
    values = (ctypes.c_float * 4)()
    place, at = page.place, ctypes.addressof(values)
    ends = (start, start + length - 1)
    corners = [tuple(values) for character in ends if fast.loose_box(place, character, at)]
    if corners:
        lefts, tops, rights, bottoms = zip(*corners, strict=True)
        if max(rights) > min(lefts) and max(tops) > min(bottoms):
            return array("d", frame.ordered(min(lefts), min(bottoms), max(rights), max(tops)))
    return array("d", (nan, nan, nan, nan))


def character_boxes(page: PageText, characters: Sequence[int], frame: Frame) -> array[float]:
    """The boxes of some characters. Costs a call for each."""
    boxes, base = room_for(4 * len(characters))
    end = base + 32 * len(characters)
    left, bottom, right, top = (range(base + 8 * side, end, 32) for side in frame.order)
    calls = zip(characters, left, right, bottom, top, strict=False)
    deque(starmap(partial(fast.char_box, page.place), calls), maxlen=0)
    return boxes
