"""A page's lines as columns of numbers, turned so that its writing runs from left to right and down."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import isnan, nan
from typing import Final, TypeAlias

from indx_core.cutting import covering
from indx_core.ports import Box, BoxReason, PageReading, Span, Table
from indx_core.turning import quarters_of, runs_leftwards, turned_back

__all__ = ["Page", "Row", "half_widths"]

Row: TypeAlias = "list[int]"
"""Stretches beside each other, in the order they are read."""

_ASIDE: Final = frozenset({"comment", "text_box", "notes", "deleted", "attachment"})
_UPRIGHT: Final = 1.5  # times as high as wide, in shares of a page
_SAMPLE: Final = 48  # lines that the width of a letter is taken from
_WRITTEN_UPRIGHT: Final = re.compile("[\u3041-\u30ff\u4e00-\u9fff]")
_IDEOGRAPH: Final = "\u2e80"
_NOWHERE: Final = (nan, nan, nan, nan)


class Page:
    """The stretches of a page's text that are ordered and cut: its lines or their parts, and tables.

    They are numbered in the order of the text. `left`, `right`, `top` and `bottom` are those of the writing:
    a page displayed sideways or on its head is turned back, one of upright lines is turned, one of
    right-to-left script is mirrored.

    Attributes:
        text: The page's text.
        starts: Where each stretch starts in it.
        ends: Where each ends.
        boxes: Where each stands on the page as displayed, NaN where that is not known.
        line_of: The line each is part of.
        tables: Which stretches are tables that the reader found.
        flow: Stretches with a place in the flow of the page.
        aside: Stretches beside it: comments, hidden text, lines set across the others.
        unresolved: Stretches whose place is not known.
        left: The edge where each begins; `right`, `top` and `bottom` are the others.
        em: The width of a letter, the mean of many.
        height: The usual height of a line.
    """

    def __init__(self, reading: PageReading) -> None:
        """Look at the stretches of `reading`, which has boxes."""
        assert reading.boxes is not None
        self.reading = reading
        self.text = reading.text
        self.tables: dict[int, Table] = {}
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.boxes: list[Box] = []
        self.line_of: list[int] = []
        self._collect(reading.boxes.tolist())
        self._kinds = self._marks()
        self.unresolved = [line for line, box in enumerate(self.boxes) if isnan(sum(box))]
        quarters = quarters_of(reading)
        seen = list(map(turned_back(quarters), self.boxes)) if quarters else self.boxes
        self.flow, self.aside, is_upright = self._apart(seen)
        turn = self._turn(seen, is_upright=is_upright)
        columns: list[Sequence[float]] = list(zip(*(map(turn, seen) if turn else seen), strict=True))
        self.left, self.top, self.right, self.bottom = columns or [(), (), (), ()]
        self.height = self._median([(self.bottom[line] - self.top[line], line) for line in self.flow]) or 0.01
        self.em = self._letter() or 0.4 * self.height

    def _collect(self, numbers: list[float]) -> None:
        """Take lines that hold text or their parts, tables in place of theirs, and text outside of lines."""
        reading, text = self.reading, self.text
        tables = self._whole_tables()
        position = 0
        at = -4
        for start, end in zip(reading.line_starts, reading.line_ends, strict=True):
            at += 4
            while tables and tables[-1].start < end:
                table = tables.pop()
                self._outside(position, table.start)
                self.tables[len(self.starts)] = table
                self._add(table.start, table.end, self._around(table))
                position = table.end
            if start < position:
                continue  # it is part of a table
            if start - position > 1 or text[position:start] != "\n":
                self._outside(position, start)
            if not self._add_parts(start, end) and end > start and not text[start:end].isspace():
                self._add(start, end, (numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]))
            position = end
        self._outside(position, len(text))

    def _add(self, start: int, end: int, box: Box, line: int | None = None) -> None:
        self.starts.append(start)
        self.ends.append(end)
        self.boxes.append(box)
        self.line_of.append(len(self.line_of) if line is None else line)

    def _add_parts(self, start: int, end: int) -> bool:
        """Take the parts of a line, where it has any and they hold all that it says."""
        reading, text = self.reading, self.text
        first = bisect_left(reading.part_starts, start)
        last = bisect_left(reading.part_starts, end, first)
        ends = [start, *reading.part_ends[first:last]]
        if first == last or text[start : reading.part_starts[first]].strip():
            return False
        if any(
            text[a:b].strip()
            for a, b in zip(ends[1:], [*reading.part_starts[first + 1 : last], end], strict=True)
        ):
            return False
        line = len(self.line_of)
        for part in range(first, last):
            x0, y0, x1, y1 = reading.part_boxes[4 * part : 4 * part + 4]
            if text[reading.part_starts[part] : reading.part_ends[part]].strip():
                self._add(reading.part_starts[part], reading.part_ends[part], (x0, y0, x1, y1), line)
        return True

    def _outside(self, start: int, end: int) -> None:
        """Take what a reader put between lines; nothing says where it stands."""
        piece = self.text[start:end]
        body = piece.strip()
        if body:
            start += piece.index(body)
            self._add(start, start + len(body), _NOWHERE)

    def _whole_tables(self) -> list[Table]:
        """The reader's tables that are made of whole lines and lie apart, the last one first."""
        reading = self.reading
        kept: list[Table] = []
        position = 0
        for table in reading.tables:
            first, end = self._lines_of(table)
            if table.start < position or first >= end or not self.text[table.start : table.end].strip():
                continue
            if reading.line_starts[first] >= table.start and reading.line_ends[end - 1] <= table.end:
                kept.append(table)
                position = table.end
        return kept[::-1]

    def _lines_of(self, table: Table) -> Span:
        """The first line of a table, and the one after its last."""
        reading = self.reading
        return bisect_right(reading.line_ends, table.start), bisect_right(reading.line_starts, table.end - 1)

    def _around(self, table: Table) -> Box:
        reading = self.reading
        assert reading.boxes is not None
        boxes = [
            reading.boxes[4 * line : 4 * line + 4]
            for line in range(*self._lines_of(table))
            if self.text[reading.line_starts[line] : reading.line_ends[line]].strip()
        ]
        if not boxes or any(isnan(sum(box)) for box in boxes):
            return _NOWHERE
        x0, y0, x1, y1 = zip(*boxes, strict=True)
        return min(x0), min(y0), max(x1), max(y1)

    # What stretches are

    def kind(self, line: int) -> object:
        """What differs between stretches that no chunk holds together: heading, role, hiding."""
        return self._kinds[line] if self._kinds else None

    def _marks(self) -> list[tuple[int, int, int]]:
        """For each stretch the numbers of the heading, the role and the hidden span it is of."""
        reading = self.reading
        if not (reading.headings or reading.roles or reading.hidden):
            return []
        headings = covering(self.starts, self.ends, [(one.start, one.end) for one in reading.headings])
        roles = covering(self.starts, self.ends, [(one.start, one.end) for one in reading.roles])
        return list(zip(headings, roles, covering(self.starts, self.ends, reading.hidden), strict=True))

    def _apart(self, boxes: Sequence[Box]) -> tuple[list[int], list[int], bool]:
        """Stretches in the flow of the page, those beside it, and whether its lines are upright."""
        aside: set[int] = set()
        for line, (_, role, hidden) in enumerate(self._kinds):
            if hidden or (role and self.reading.roles[role - 1].role in _ASIDE):
                aside.add(line)
        aside.difference_update(self.unresolved)
        out = aside.union(self.unresolved)
        flow = [line for line in range(len(self.starts)) if line not in out]
        upright: list[int] = []
        level: list[int] = []
        for line in flow:
            x0, y0, x1, y1 = boxes[line]
            if self._size(line) > 2:  # letters and digits alone are higher than wide
                (upright if y1 - y0 > _UPRIGHT * (x1 - x0) else level).append(line)
        is_upright = bool(upright) and sum(map(self._size, upright)) > sum(map(self._size, level))
        across = level if is_upright else upright
        if across:
            aside.update(across)
            flow = [line for line in flow if line not in aside]
        return flow, sorted(aside), is_upright

    # How the page is written

    def _turn(self, boxes: Sequence[Box], *, is_upright: bool) -> Callable[[Box], Box] | None:
        """How a box is turned so that lines run to the right and follow each other down; None if they do."""
        if is_upright:
            steps = [boxes[b][0] - boxes[a][0] for a, b in pairwise(self.flow)]
            if _WRITTEN_UPRIGHT.search(self.text) or 2 * sum(step < 0 for step in steps) >= len(steps):
                return turned_back(1)
            return turned_back(3)
        if runs_leftwards(self.text):
            return lambda box: (1 - box[2], box[1], 1 - box[0], box[3])
        return None

    def _size(self, line: int) -> int:
        return self.ends[line] - self.starts[line]

    def _letter(self) -> float:
        lines = (
            [line for line in self.flow if "\t" not in self.said(line)] if "\t" in self.text else self.flow
        )
        sample = lines[:: max(1, len(lines) // _SAMPLE)]
        return self._median([(self.letter(line), line) for line in sample])

    def _median(self, values: list[tuple[float, int]]) -> float:
        """The middle of values above zero that belong to stretches, each as weighty as its text is long."""
        sound = sorted(value for value in values if value[0] > 0)
        half = sum(self._size(line) for _, line in sound) / 2
        for value, line in sound:
            half -= self._size(line)
            if half <= 0:
                return value
        return 0.0

    def letter(self, line: int) -> float:
        """The mean width of the letters of a stretch."""
        return (self.right[line] - self.left[line]) / half_widths(self.said(line))

    def said(self, line: int) -> str:
        """The text of a stretch."""
        return self.text[self.starts[line] : self.ends[line]]

    def place(self, lines: Sequence[int]) -> tuple[Box | None, BoxReason | None]:
        """The box around stretches as displayed, or why there is none."""
        if self._kinds and all(self._kinds[line][2] for line in lines):
            return None, "hidden"
        boxes = [self.boxes[line] for line in lines]
        if self.unresolved and any(isnan(sum(box)) for box in boxes):
            return None, "unresolved"
        x0, y0, x1, y1 = zip(*boxes, strict=True)
        return (min(x0), min(y0), max(x1), max(y1)), None


def half_widths(text: str) -> int:
    """The length of a text in letters of the Latin script; an ideograph is as wide as two."""
    return len(text) if text.isascii() else len(text) + sum(sign >= _IDEOGRAPH for sign in text)
