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
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, pairwise, repeat
from math import nan
from operator import add, itemgetter, sub
from typing import Final, TypeAlias

from indx_format_pdf._geometry import Frame, Sides
from indx_format_pdf._pdfium import fast
from indx_format_pdf._rooms import Room
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
_ROOM: Final = Room("d", (0.0,) * 4, 256)

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
    boxes, counts = _firsts(page, lines, frame)
    wholes: dict[int, Box] = {}
    parts: dict[int, list[Box]] = {}
    rows: dict[int, list[int]] = {}
    unions = _Unions(page.place, frame)
    for line in compress(range(len(counts)), map((1).__lt__, counts)):
        start, length = lines.starts[line], lines.lengths[line]
        count = fast.count_rects(page.place, start, length)
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
    (sx, _), (sy, _) = frame.across, frame.down
    widths = list(map(sub, x1, x0) if sx > 0 else map(sub, x0, x1))
    heights = list(map(sub, y1, y0) if sy > 0 else map(sub, y0, y1))
    if counts and min(min(widths), min(heights)) < _FLAT:
        for line, (width, height) in enumerate(zip(widths, heights, strict=True)):
            if width < _FLAT or height < _FLAT:
                found = _advance_box(page, lines.starts[line], lines.lengths[line], frame)
                x0[line], y0[line], x1[line], y1[line] = found
    return Places((x0, y0, x1, y1), parts, rows)


def _firsts(page: PageText, lines: Lines, frame: Frame) -> tuple[array[float], list[int]]:
    """The first rectangle of each line, and how many it has.

    A rectangle has to be asked for before those of the next line are counted. All of it runs in C: it is most
    of what places cost, and most lines have one.
    """
    left, bottom, right, top = frame.order
    places = _ROOM.places(left, top, right, bottom)
    boxes = array("d")
    counts: list[int] = []
    for first in range(0, len(lines.starts), _ROOM.count):
        starts, lengths = (column[first : first + _ROOM.count] for column in (lines.starts, lines.lengths))
        own = _ROOM.cleared(len(starts))
        counted = map(fast.count_rects, repeat(page.place), starts, lengths)
        found = map(fast.rect, repeat(page.place), repeat(0), *places)
        counts += map(itemgetter(0), zip(counted, found, strict=False))
        boxes += _ROOM.numbers[own]
    return boxes, counts


class _Unions:
    """The rectangles last counted, as one box."""

    def __init__(self, place: object, frame: Frame) -> None:
        left, bottom, right, top = frame.order
        self.places = _ROOM.places(left, top, right, bottom)
        self.place = place
        self.sign = frame.across[0]
        self.values: list[float] = []
        self.across = (min, max) if self.sign > 0 else (max, min)
        self.down = (min, max) if frame.down[0] > 0 else (max, min)

    def of(self, count: int) -> tuple[Box, list[Box], list[int]]:
        """The box around `count` rectangles, those of its parts where some stand far from the rest.

        Where they stand in several rows, which PDFium put into one line, also the row of each part.
        """
        values = _ROOM.told(fast.rect, self.place, things=range(count), places=self.places).tolist()
        self.values = values
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
        values = self.values
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
    place, at = page.place, ctypes.byref(values)
    ends = (start, start + length - 1)
    corners = [tuple(values) for character in ends if fast.loose_box(place, character, at)]
    if corners:
        lefts, tops, rights, bottoms = zip(*corners, strict=True)
        if max(rights) > min(lefts) and max(tops) > min(bottoms):
            return array("d", frame.ordered(min(lefts), min(bottoms), max(rights), max(tops)))
    return array("d", (nan, nan, nan, nan))


def character_boxes(page: PageText, characters: Sequence[int], frame: Frame) -> array[float]:
    """The boxes of some characters. Costs a call for each."""
    left, bottom, right, top = frame.order
    places = _ROOM.places(left, right, bottom, top)
    return _ROOM.told(fast.char_box, page.place, things=characters, places=places)
