"""Which text of a page its links stand on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from indx_core.ports import Link
from indx_format_pdf._annotations import Box, Mark
from indx_format_pdf._assemble import Assembled
from indx_format_pdf._draft import Draft
from indx_format_pdf._places import character_boxes
from indx_format_pdf._text import clean

__all__ = ["link_spans"]

_NEXT: Final = 2  # characters between two parts of one link: a line break, or a break and a hyphen


def link_spans(marks: Sequence[Mark], draft: Draft, done: Assembled) -> tuple[Link, ...]:
    """The links among `marks`, with the text they stand on, in order of their start.

    A link over a picture stands on no text: its span is empty, where the line at its height begins.
    """
    stretches = _Stretches(draft, done)
    links: list[Link] = []
    for mark in marks:
        if mark.kind != "link":
            continue
        spans = sorted(span for box in mark.boxes for span in stretches.under(box))
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
        # Copies stand nowhere in the text. A turned page counts from the other side.
        self.boxes = [
            (index, min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
            for index, x0, y0, x1, y1 in zip(range(len(draft.lines.starts)), *draft.sides, strict=False)
            if done.bases[index] >= 0
        ]
        self._middles: dict[int, list[tuple[float, float]]] = {}

    def under(self, box: Box) -> list[tuple[int, int]]:
        """Spans of the finished text whose characters have their middle in `box`."""
        x0, y0, x1, y1 = self._region(box)
        spans: list[tuple[int, int]] = []
        for index, left, top, right, bottom in self.boxes:
            if not (top < y1 and bottom > y0 and left < x1 and right > x0):
                continue
            inside = [
                number
                for number, (x, y) in enumerate(self._characters(index))
                if x0 <= x <= x1 and y0 <= y <= y1
            ]
            if inside:
                spans.append(self._span(index, inside[0], inside[-1] + 1))
        return spans

    def _region(self, box: Box) -> tuple[float, float, float, float]:
        """A box across and down in the page's own coordinates, the smaller numbers first."""
        x0, y0, x1, y1 = self.draft.frame.ordered(*box)
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)

    def _characters(self, index: int) -> list[tuple[float, float]]:
        if index not in self._middles:
            lines = self.draft.lines
            characters = range(lines.starts[index], lines.starts[index] + lines.lengths[index])
            boxes = character_boxes(self.draft.page, characters, self.draft.frame)
            across = zip(boxes[0::4], boxes[2::4], strict=True)
            down = zip(boxes[1::4], boxes[3::4], strict=True)
            self._middles[index] = [
                ((x0 + x1) / 2, (y0 + y1) / 2) for (x0, x1), (y0, y1) in zip(across, down, strict=True)
            ]
        return self._middles[index]

    def _span(self, index: int, first: int, last: int) -> tuple[int, int]:
        """The finished offsets of characters `[first, last)` of a stretch."""
        lines, text = self.draft.lines, self.done.text
        raw = self.draft.page.units[lines.starts[index] : lines.starts[index] + lines.lengths[index]]
        blank = len(clean(raw)) - len(clean(raw).lstrip())
        base = self.done.bases[index]
        start = min(max(base, base + len(clean(raw[:first])) - blank), len(text))
        end = min(max(start, base + len(clean(raw[:last])) - blank), len(text))
        shown = text[start:end]
        return start + len(shown) - len(shown.lstrip()), start + len(shown.rstrip())

    def beside(self, box: Box) -> int:
        """The start of the stretch whose height is nearest."""
        _, y0, _, y1 = self._region(box)
        nearest = min(self.boxes, key=lambda one: abs(one[2] + one[4] - y0 - y1), default=None)
        return 0 if nearest is None else min(self.done.bases[nearest[0]], len(self.done.text))
