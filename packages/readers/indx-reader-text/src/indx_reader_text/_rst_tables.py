"""Tables that reStructuredText draws: grids, and simple ones between rules, with their merged cells."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from indx_core.ports import Span
from indx_reader_text._scan import one_line
from indx_reader_text._tables import FoundTable, Merged

__all__ = ["columns", "grid_table", "simple_table"]

_SEGMENT: Final = re.compile(r"[=-]+")
_UNDERLINE: Final = re.compile(r"[ \t]*(?:-+(?:[ \t]+-+)*|=+(?:[ \t]+=+)*)[ \t]*")
_BORDER: Final = re.compile(r"\+(?:[-=]+\+)+")
_MOST_FIELDS: Final = 50_000
"""Of a simple table, which need not write what it leaves empty; one of more is left as text."""
_STEPS: Final = 20
"""How often, on average, each sign of a grid with merged cells may be looked at."""
_MOST_STEPS: Final = 10_000_000


def grid_table(written: Sequence[str], span: Span) -> FoundTable | None:
    """A table drawn with `+`, `-` and `|`; None where its lines do not close."""
    lines = [_wide(line.strip()) for line in written]
    rows, heads = _boxed(lines)
    if rows:
        return FoundTable(*span, rows, heads)
    while lines and not lines[-1].startswith("+"):
        lines.pop()
    merged, heads = _Tracer(lines).table() if lines else ([], 0)
    return FoundTable(*span, (), heads, merged) if merged else None


def columns(text: str) -> int:
    """How many columns of a screen `text` takes."""
    return len(_wide(text))


def _wide(line: str) -> str:
    """A line as wide as it is shown: a character that takes two columns is followed by a mark."""
    if line.isascii():
        return line
    return "".join(sign + "\0" if unicodedata.east_asian_width(sign) in "WF" else sign for sign in line)


def _narrow(cell: str) -> str:
    return cell.replace("\0", "").strip()


def _shown(cell: str) -> str:
    """A cell's text; signs that stand where one is empty say nothing."""
    return "" if cell in ("..", "\\") else cell


def _cell(parts: Sequence[str]) -> str:
    """A cell's text in one line; of a table drawn in it the rows, without their borders."""
    if not any(map(_BORDER.fullmatch, parts)):
        return _shown(one_line(" ".join(parts)))
    parts = [";" if _BORDER.fullmatch(part) else part.strip("| ") for part in parts]
    rows = [one_line(row) for row in " ".join(parts).split(";")]
    return "; ".join(filter(None, rows))


def _boxed(lines: list[str]) -> tuple[list[list[str]], int]:
    """The rows of a grid table and how many head the others; none where cells are merged."""
    corners = [place for place, sign in enumerate(lines[0]) if sign == "+"]
    rows: list[list[str]] = []
    parts: list[list[str]] = []
    heads = 0
    for line in lines[1:]:
        signs = "+|" if line[0] == "+" else "|"  # a border that begins further in goes round merged cells
        if len(line) != len(lines[0]) or any(line[place] not in signs for place in corners):
            return [], 0
        if line[0] == "+":
            if any(sign not in "+-=" for sign in line):
                return [], 0
            if parts:
                rows.append([_cell(cell) for cell in zip(*parts, strict=True)])
            parts = []
            heads = len(rows) if "=" in line else heads
        else:
            parts.append([_narrow(line[a + 1 : b]) for a, b in pairwise(corners)])
    return (rows, heads) if not parts else ([], 0)


class _Tracer:
    """Follows the borders of each cell of a grid from its top left corner round to it again."""

    def __init__(self, lines: list[str]) -> None:
        rules = [number for number, line in enumerate(lines) if re.fullmatch(r"\+[=+]+\+", line)]
        self._head = rules[0] if rules else 0
        self._lines = lines
        if rules:
            self._lines[self._head] = lines[self._head].replace("=", "-")
        self._bottom, self._right = len(lines) - 1, len(lines[0]) - 1
        self._left = min(_STEPS * len(lines) * len(lines[0]), _MOST_STEPS)
        self._across: set[int] = {0}
        self._down: set[int] = {0}

    def table(self) -> tuple[list[list[Merged]], int]:
        """The rows and how many head the others; none where the borders do not cover the whole."""
        if any(len(line) != self._right + 1 for line in self._lines):
            return [], 0
        cells = self._cells()
        tops, lefts = sorted(self._down), sorted(self._across)
        row_of = {place: number for number, place in enumerate(tops)}
        column_of = {place: number for number, place in enumerate(lefts)}
        rows: list[list[Merged]] = [[] for _ in tops[1:]]
        for top, left, bottom, right in cells:
            parts = [_narrow(line[left + 1 : right]) for line in self._lines[top + 1 : bottom]]
            rows[row_of[top]].append(
                (
                    _cell(parts),
                    row_of[bottom] - row_of[top],
                    column_of[right] - column_of[left],
                )
            )
        return (rows, row_of.get(self._head, 0)) if cells else ([], 0)

    def _cells(self) -> list[tuple[int, int, int, int]]:
        """Top, left, bottom and right of each cell, from left to right in each row of them."""
        covered = [0] * self._right  # of each column of signs, down to which line cells cover it
        found: list[tuple[int, int, int, int]] = []
        for top in range(self._bottom):
            left = 0
            while left < self._right:
                if covered[left] != top:
                    left += 1
                    continue
                bottom, right = self._cell(top, left)
                if not bottom or any(done != top for done in covered[left:right]):
                    return []
                covered[left:right] = [bottom] * (right - left)
                found.append((top, left, bottom, right))
                self._down.add(bottom)
                self._across.add(right)
                left = right
        return found if all(done == self._bottom for done in covered) else []

    def _cell(self, top: int, left: int) -> tuple[int, int]:
        """Bottom and right of the smallest cell whose top left corner this is; zeros where there is none."""
        line = self._lines[top]
        for right in range(left + 1, self._right + 1):
            self._left -= 1
            if line[right] == "+":
                bottom = self._below(top, left, right)
                if bottom:
                    return bottom, right
            elif line[right] != "-":
                break
            if self._left < 0:
                break
        return 0, 0

    def _below(self, top: int, left: int, right: int) -> int:
        """The bottom of the cell between two columns of signs; 0 where there is none."""
        for bottom in range(top + 1, self._bottom + 1):
            self._left -= 1
            sign, other = self._lines[bottom][right], self._lines[bottom][left]
            if sign not in "+|" or other not in "+|" or self._left < 0:
                break
            if sign == other == "+":
                self._left -= right - left
                if not self._lines[bottom][left + 1 : right].strip("+-"):
                    return bottom
        return 0


def simple_table(lines: list[str], rules: Sequence[int], span: Span) -> FoundTable | None:
    """A table whose first line, and others as `rules` counts them, are rules of `=`.

    Cells with a line under them cover the columns that it covers. None where words stand between columns
    otherwise.
    """
    columns = [found.span() for found in _SEGMENT.finditer(_wide(lines[0]))]
    if len(columns) * len(lines) > _MOST_FIELDS:
        return None
    rows: list[tuple[list[str], list[Span]]] = []
    heads = 0
    for number in range(1, rules[-1] + 1):
        line = lines[number]
        if under := _under(line, columns):
            if rows and rows[-1][1] == columns:
                rows[-1] = (rows[-1][0], under)
            heads = len(rows) if number in rules[:-1] else heads
        elif line.strip():
            line = _wide(line)
            if rows and not line[: columns[0][1]].strip():
                rows[-1][0].append(line)
            else:
                rows.append(([line], columns))
    cells = [_across(written, under, columns) for written, under in rows]
    if not cells or not all(cells):
        return None
    if all(across == 1 for row in cells for _, _, across in row):
        return FoundTable(*span, [[text for text, _, _ in row] for row in cells], heads)
    return FoundTable(*span, (), heads, cells)


def _under(line: str, columns: Sequence[Span]) -> list[Span]:
    """The stretches of a line under cells of one or several columns; none where it is no such line."""
    if not _UNDERLINE.fullmatch(line):
        return []
    found = [segment.span() for segment in _SEGMENT.finditer(line)]
    starts, ends = {start for start, _ in columns}, {end for _, end in columns}
    covered = sum(start >= a and end <= b for start, end in columns for a, b in found)
    exact = all(start in starts and end in ends for start, end in found)
    return found if exact and covered == len(columns) else []


def _across(written: Sequence[str], under: Sequence[Span], columns: Sequence[Span]) -> list[Merged]:
    """The cells of a row and how many columns each covers; none where words stand between them."""
    ends = [*(start for start, _ in under[1:]), max(map(len, written), default=0)]
    cells: list[Merged] = []
    for (start, end), following in zip(under, ends, strict=True):
        last = start == under[-1][0]
        if not last and any(line[end:following].strip() for line in written):
            return []
        text = _shown(one_line(" ".join([_narrow(line[start:following]) for line in written])))
        cells.append((text, 1, sum(start <= place < end for place, _ in columns)))
    return cells
