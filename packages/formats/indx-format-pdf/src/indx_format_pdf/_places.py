"""Where lines stand: one box a line, from the few rectangles PDFium keeps for it.

PDFium joins the glyphs of one text operation into one rectangle, so a line costs a call or two however
long it is, where asking character by character costs as many calls as it has characters.

Boxes are columns of numbers in the page's own coordinates, each box ordered as displayed: first across,
first down, last across, last down. `Frame` turns them into points or shares of the displayed page.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from math import nan
from operator import sub
from typing import Final, TypeAlias

from indx_format_pdf._geometry import Frame
from indx_format_pdf._pdfium import fast, room_for
from indx_format_pdf._text import Lines, PageText

__all__ = ["Box", "Places", "character_boxes", "left_edges", "measure"]

_FLAT: Final = 0.5  # points; a line that is thinner than this has no outlines
_WIDE_GAP: Final = 1.8  # times the height of a line: more than any space within a sentence
_SCRATCH: Final = 64


Box: TypeAlias = "tuple[float, ...]"


@dataclass(slots=True)
class Places:
    """Where lines stand.

    Attributes:
        boxes: Four numbers a line, NaN where unknown.
        parts: For lines whose parts stand far apart, the box of each part.
    """

    boxes: array[float]
    parts: dict[int, list[Box]]


def measure(page: PageText, lines: Lines, frame: Frame) -> Places:
    """Ask where each of `lines` stands."""
    boxes, base = room_for(4 * len(lines.starts))
    left, bottom, right, top = (base + 8 * side for side in frame.order)
    count_rects, rect, place = fast.count_rects, fast.rect, page.place
    parts: dict[int, list[Box]] = {}
    unions = _Unions(place, frame)
    for start, length in zip(lines.starts, lines.lengths, strict=True):
        count = count_rects(place, start, length)
        if count == 1:
            rect(place, 0, left, top, right, bottom)
        elif count > 1:
            line = (min(left, bottom, right, top) - base) >> 5
            boxes[4 * line : 4 * line + 4], several = unions.of(count)
            if several:
                parts[line] = several
        left += 32
        bottom += 32
        right += 32
        top += 32
    widths = list(map(abs, map(sub, boxes[2::4], boxes[0::4])))
    heights = list(map(abs, map(sub, boxes[3::4], boxes[1::4])))
    if widths and min(min(widths), min(heights)) < _FLAT:
        for line, (width, height) in enumerate(zip(widths, heights, strict=True)):
            if width < _FLAT or height < _FLAT:
                found = _advance_box(page, lines.starts[line], lines.lengths[line], frame)
                boxes[4 * line : 4 * line + 4] = found
    return Places(boxes, parts)


class _Unions:
    """The rectangles last counted, as one box."""

    def __init__(self, place: int, frame: Frame) -> None:
        self.place = place
        self.order = frame.order
        self.room, self.base = room_for(4 * _SCRATCH)
        self.sign = frame.across[0]
        self.across = (min, max) if self.sign > 0 else (max, min)
        self.down = (min, max) if frame.down[0] > 0 else (max, min)

    def of(self, count: int) -> tuple[array[float], list[Box]]:
        """The box around `count` rectangles, and those of its parts where some stand far from the rest."""
        if 4 * count > len(self.room):
            self.room, self.base = room_for(4 * count)
        left, bottom, right, top = (self.base + 8 * side for side in self.order)
        rect, place = fast.rect, self.place
        for number in range(count):
            rect(place, number, left, top, right, bottom)
            left += 32
            bottom += 32
            right += 32
            top += 32
        box = self._around(0, count)
        wide = _WIDE_GAP * abs(box[3] - box[1])
        if abs(box[2] - box[0]) < wide:
            return box, []
        room, sign = self.room, self.sign
        cuts = [at for at in range(1, count) if (room[4 * at] - room[4 * at - 2]) * sign > wide]
        if not cuts:
            return box, []
        return box, [tuple(self._around(*pair)) for pair in zip([0, *cuts], [*cuts, count], strict=True)]

    def _around(self, first: int, last: int) -> array[float]:
        room, start, end = self.room, 4 * first, 4 * last
        if last - first == 1:
            return room[start:end]
        (low, high), (above, below) = self.across, self.down
        return array(
            "d",
            (
                low(room[start:end:4]),
                above(room[start + 1 : end : 4]),
                high(room[start + 2 : end : 4]),
                below(room[start + 3 : end : 4]),
            ),
        )


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


def left_edges(page: PageText, characters: Iterable[int], frame: Frame) -> list[float]:
    """Where each of some characters begins across the page."""
    room, base = room_for(4)
    left, bottom, right, top = (base + 8 * side for side in frame.order)
    box, place = fast.char_box, page.place
    edges: list[float] = []
    for character in characters:
        box(place, character, left, right, bottom, top)
        edges.append(room[0])
    return edges


def character_boxes(page: PageText, start: int, length: int, frame: Frame) -> array[float]:
    """The boxes of `length` characters. Costs a call for each."""
    boxes, base = room_for(4 * length)
    left, bottom, right, top = (base + 8 * side for side in frame.order)
    box, place = fast.char_box, page.place
    for number in range(start, start + length):
        box(place, number, left, right, bottom, top)
        left += 32
        bottom += 32
        right += 32
        top += 32
    return boxes
