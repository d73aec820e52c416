"""Which text of a page its links stand on."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from operator import itemgetter, sub
from typing import Final

from indx_core.ports import Link
from indx_format_pdf._annotations import Box, Mark
from indx_format_pdf._assemble import Assembled
from indx_format_pdf._draft import Draft
from indx_format_pdf._places import character_boxes
from indx_format_pdf._text import clean

__all__ = ["link_spans"]

_NEXT: Final = 2  # characters between two parts of one link: a line break, or a break and a hyphen
_MOST_WORK: Final = 4_000_000  # stretches and characters that are held against the links of a page
_SPAN: Final = 16  # characters that are compared in the time in which a span is made


def link_spans(marks: Sequence[Mark], draft: Draft, done: Assembled) -> tuple[Link, ...]:
    """The links among `marks`, with the text they stand on, in order of their start.

    A link over a picture stands on no text: its span is empty, where the line at its height begins. So it is
    for the links that are left when those of a page were held against more text than all of `_MOST_WORK`: as
    many as thousands of links over the whole of a page, which no reader could follow.
    """
    stretches = _Stretches(draft, done)
    links: list[Link] = []
    for mark in marks:
        if mark.kind != "link":
            continue
        spans = sorted(span for box in dict.fromkeys(mark.boxes) for span in stretches.under(box))
        if stretches.left < 0:
            spans = []
        merged: list[tuple[int, int]] = []
        for start, end in spans:
            if merged and start - merged[-1][1] <= _NEXT:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            else:
                merged.append((start, end))
        if not merged:
            at = stretches.beside(mark.boxes[0]) if mark.boxes else 0
            merged.append((at, at))
        links += [Link(start, end, mark.text) for start, end in merged]
    return tuple(sorted(links, key=lambda link: (link.start, link.end)))


class _Stretches:
    """Where stretches of text stand, and their characters when a link asks."""

    def __init__(self, draft: Draft, done: Assembled) -> None:
        self.draft = draft
        self.done = done
        self.left = _MOST_WORK
        (across, _), (down, _) = draft.frame.across, draft.frame.down
        x0, y0, x1, y1 = draft.sides
        left, right = (x0, x1) if across > 0 else (x1, x0)
        top, bottom = (y0, y1) if down > 0 else (y1, y0)
        lines = zip(top, bottom, left, right, range(len(draft.lines.starts)), strict=False)
        # Copies stand nowhere in the text.
        self._boxes = sorted(
            line
            for line, base in zip(lines, done.bases, strict=False)
            if base >= 0 and line[0] == line[0] and line[2] == line[2]
        )
        self._tops = list(map(itemgetter(0), self._boxes))
        self._tallest = max(map(sub, map(itemgetter(1), self._boxes), self._tops), default=0.0)
        self._middles: dict[int, tuple[list[tuple[float, float]], Box]] = {}
        self._spans: dict[tuple[int, int, int], tuple[int, int]] = {}

    @cached_property
    def _heights(self) -> list[tuple[float, int]]:
        return sorted((top + bottom, index) for top, bottom, *_, index in self._boxes)

    def under(self, box: Box) -> list[tuple[int, int]]:
        """Spans of the finished text whose characters have their middle in `box`, as far as there is time."""
        x0, y0, x1, y1 = self._region(box)
        spans: list[tuple[int, int]] = []
        first, end = bisect_left(self._tops, y0 - self._tallest - 1), bisect_left(self._tops, y1)
        for top, bottom, left, right, index in self._boxes[first:end]:
            self.left -= 1
            if self.left < 0:
                break
            if not (top < y1 and bottom > y0 and left < x1 and right > x0):
                continue
            inside = self._inside(index, (left, top, right, bottom), (x0, y0, x1, y1))
            if inside:
                spans.append(self._span(index, inside[0], inside[-1] + 1))
        return spans

    def _inside(self, index: int, sides: Box, box: Box) -> Sequence[int]:
        """The characters of a stretch that have their middle in a box."""
        self.left -= _SPAN
        if _is_within(sides, box):
            return range(self.draft.lines.lengths[index])
        characters, around = self._characters(index)
        if _is_within(around, box):
            return range(len(characters))
        self.left -= len(characters)
        x0, y0, x1, y1 = box
        return [n for n, (x, y) in enumerate(characters) if x0 <= x <= x1 and y0 <= y <= y1]

    def _region(self, box: Box) -> tuple[float, float, float, float]:
        """A box across and down in the page's own coordinates, the smaller numbers first."""
        x0, y0, x1, y1 = self.draft.frame.ordered(*box)
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)

    def _characters(self, index: int) -> tuple[list[tuple[float, float]], Box]:
        """The middles of the characters of a stretch, and the box around them."""
        if index not in self._middles:
            lines = self.draft.lines
            characters = range(lines.starts[index], lines.starts[index] + lines.lengths[index])
            boxes = character_boxes(self.draft.page, characters, self.draft.frame)
            across = [(x0 + x1) / 2 for x0, x1 in zip(boxes[0::4], boxes[2::4], strict=True)]
            down = [(y0 + y1) / 2 for y0, y1 in zip(boxes[1::4], boxes[3::4], strict=True)]
            around = (min(across), min(down), max(across), max(down)) if across else (0.0,) * 4
            self._middles[index] = list(zip(across, down, strict=True)), around
        return self._middles[index]

    def _span(self, index: int, first: int, last: int) -> tuple[int, int]:
        """The finished offsets of characters `[first, last)` of a stretch."""
        stretch = index, first, last
        if stretch not in self._spans:
            self._spans[stretch] = self._finished(*stretch)
        return self._spans[stretch]

    def _finished(self, index: int, first: int, last: int) -> tuple[int, int]:
        lines, text, page = self.draft.lines, self.done.text, self.draft.page
        # The characters of a page are numbered otherwise than its text where some stand in none.
        begin = lines.starts[index]
        place = page.unit(begin)
        whole, up_to = (
            page.shown(place, page.unit(begin + end - 1) + 1) for end in (lines.lengths[index], last)
        )
        before = page.shown(place, page.unit(begin + first))
        if page.odd:
            whole, up_to, before = map(clean, (whole, up_to, before))
        base = self.done.bases[index] - (len(whole) - len(whole.lstrip()))
        start = min(max(self.done.bases[index], base + len(before)), len(text))
        end = min(max(start, base + len(up_to)), len(text))
        shown = text[start:end]
        if not shown.strip():
            return start, start
        return start + len(shown) - len(shown.lstrip()), start + len(shown.rstrip())

    def beside(self, box: Box) -> int:
        """The start of the stretch whose height is nearest, the first of several."""
        _, y0, _, y1 = self._region(box)
        heights = self._heights
        if not heights:
            return 0
        above = bisect_left(heights, (y0 + y1,))
        near = [
            heights[bisect_left(heights, (height,))] for height, _ in heights[max(0, above - 1) : above + 1]
        ]
        _, nearest = min((abs(height - y0 - y1), index) for height, index in near)
        return min(self.done.bases[nearest], len(self.done.text))


def _is_within(inner: Box, outer: Box) -> bool:
    return outer[0] <= inner[0] and inner[2] <= outer[2] and outer[1] <= inner[1] and inner[3] <= outer[3]
