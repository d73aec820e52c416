"""From the cells of a drawn grid and the text in them to rows. Pure functions over points.

Not every row of a table has a rule below it. Where the lines of several cells beside each other stand at the
same heights, and a column of them is numbers or none of them is long, each height is a row of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from indx_format_pdf._lattice import Field, Lattice

__all__ = ["GridCell", "Piece", "Sheet", "sheet_of"]

_LONGEST: Final = 200  # characters of a cell in the mean; longer ones are the text of a form or of a page
_FILLED: Final = 0.25  # of the cells hold text, at least
_SHORT: Final = 30  # characters
_HEADERS: Final = 3
_NARROW: Final = (
    8.0  # points; a column without text that is not wider stands between the lines of a double rule
)
_DIGIT: Final = re.compile(r"\d")
_LETTER: Final = re.compile(r"[^\W\d_]")


class Piece(NamedTuple):
    """A stretch of text in a cell: its number, what it says, its box in points."""

    number: int
    text: str
    box: tuple[float, float, float, float]

    @property
    def middle(self) -> float:
        """Its height on the page."""
        return (self.box[1] + self.box[3]) / 2


_Line: TypeAlias = "list[Piece]"


class GridCell(NamedTuple):
    """A cell that holds text: its first row and column from 0, how many it takes, its lines of stretches."""

    row: int
    column: int
    rows: int
    columns: int
    lines: list[list[int]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: its size, how many rows head the others, its cells by row and column."""

    rows: int
    columns: int
    header_rows: int
    cells: list[GridCell]

    def renumbered(self, numbers: Mapping[int, int]) -> Sheet:
        """The same of stretches that have other numbers."""
        cells = [
            GridCell(*cell[:4], [[numbers[one] for one in line] for line in cell.lines])
            for cell in self.cells
        ]
        return replace(self, cells=cells)


def sheet_of(
    lattice: Lattice, held: Mapping[Field, Sequence[Piece]], *, is_sure: bool = False
) -> Sheet | None:
    """The table of a grid and the text in its cells; None when it looks like none, unless that `is_sure`."""
    cells = {field: _lines(pieces) for field, pieces in held.items() if pieces}
    every = {field for row in lattice.fields for field in row}
    size = sum(len(piece.text) for lines in cells.values() for line in lines for piece in line)
    if not cells:
        return None
    if not is_sure and (size > _LONGEST * len(cells) or len(cells) < _FILLED * len(every)):
        return None
    placed, rows = _rows(len(lattice.fields), cells)
    if not is_sure and any(len({field[axis] for field, _ in placed}) < 2 for axis in (0, 1)):
        return None  # one row, or one column
    grid = _compact(placed, rows, _kept_columns(lattice, placed))
    return Sheet(*grid[:2], _header_rows(grid[0], grid[2], _said(held)), grid[2])


def _said(held: Mapping[Field, Sequence[Piece]]) -> dict[int, str]:
    """What each stretch says."""
    return {piece.number: piece.text for pieces in held.values() for piece in pieces}


def _lines(pieces: Sequence[Piece]) -> list[_Line]:
    """The stretches of a cell as lines from the top, each from the left."""
    if len(pieces) == 1:
        return [list(pieces)]
    lines: list[_Line] = []
    for piece in sorted(pieces, key=lambda one: (one.middle, one.box[0])):
        before = lines[-1][0] if lines else piece
        height = max(piece.box[3] - piece.box[1], before.box[3] - before.box[1])
        if lines and piece.middle - before.middle < 0.5 * height:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return [sorted(line, key=lambda one: one.box[0]) for line in lines]


def _rows(count: int, cells: Mapping[Field, list[_Line]]) -> tuple[list[tuple[Field, list[_Line]]], int]:
    """Cells with the rows they have once rows that hold several are parted, and how many rows there are."""
    bands: list[list[Field]] = [[] for _ in range(count)]
    for field in cells:
        if field.rows == 1:
            bands[field.row].append(field)
    heights = [_heights({field: cells[field] for field in band}) for band in bands]
    first = [0]
    for own in heights:
        first.append(first[-1] + max(1, len(own)))
    placed: list[tuple[Field, list[_Line]]] = []
    for field, lines in cells.items():
        row, rows = first[field.row], first[field.row + field.rows] - first[field.row]
        own = heights[field.row] if field.rows == 1 else []
        if not own:
            placed.append((Field(row, field.column, rows, field.columns), lines))
            continue
        at = [_nearest(own, line) for line in lines]
        if len(lines) == 1 and at[0] is None:
            placed.append((Field(row, field.column, rows, field.columns), lines))
            continue
        parts: dict[int, list[_Line]] = {}
        for line, number in zip(lines, at, strict=True):
            parts.setdefault(_closest(own, line) if number is None else number, []).append(line)
        placed += [
            (Field(row + number, field.column, 1, field.columns), part) for number, part in parts.items()
        ]
    return placed, first[-1]


def _heights(band: Mapping[Field, list[_Line]]) -> list[float]:
    """The heights of the rows that stand between two rules; none where that is one row."""
    most = max((len(lines) for lines in band.values()), default=0)
    if most < 2 or len(band) < 2:
        return []
    full = [lines for lines in band.values() if len(lines) == most]
    heights = [line[0].middle for line in full[0]]
    if len(full) < 2 or not all(_agree(heights, lines) for lines in full[1:]):
        return []
    said = [[" ".join(piece.text for piece in line) for line in lines] for lines in full]
    counted = any(all(map(_is_number, column)) for column in said)
    several = most > 2 and 2 * len(full) > len(band)
    short = all(len(text) <= _SHORT for column in said for text in column)
    others = (line for lines in band.values() if 1 < len(lines) < most for line in lines)
    if not all(_nearest(heights, line) is not None for line in others):
        return []
    return heights if counted or (several and short) else []


def _agree(heights: Sequence[float], lines: Sequence[_Line]) -> bool:
    return all(_nearest(heights[at : at + 1], line) is not None for at, line in enumerate(lines))


def _nearest(heights: Sequence[float], line: _Line) -> int | None:
    """The row a line stands in; None when it stands between two."""
    closest = _closest(heights, line)
    height = line[0].box[3] - line[0].box[1]
    return closest if abs(heights[closest] - line[0].middle) < 0.35 * height else None


def _closest(heights: Sequence[float], line: _Line) -> int:
    middle = line[0].middle
    at = bisect_left(heights, middle)
    near = range(max(0, at - 1), min(at + 1, len(heights)))
    return min(near, key=lambda at: abs(heights[at] - middle))


def _is_number(text: str) -> bool:
    return bool(_DIGIT.search(text)) and not _LETTER.search(text)


def _kept_columns(lattice: Lattice, placed: Iterable[tuple[Field, list[_Line]]]) -> list[int]:
    """Columns that hold text or are wide enough to be meant."""
    filled = {field.column for field, _ in placed}
    wide = [after - before > _NARROW for before, after in pairwise(lattice.xs)]
    return [column for column, is_wide in enumerate(wide) if is_wide or column in filled]


def _compact(
    placed: Sequence[tuple[Field, list[_Line]]], rows: int, columns: Sequence[int]
) -> tuple[int, int, list[GridCell]]:
    """The grid without rows and columns that hold nothing."""
    kept = sorted({field.row for field, _ in placed})
    across = _numbers(columns, max(columns) + 2)
    down = _numbers(kept, rows + 1)
    cells = [
        GridCell(
            down[field.row],
            across[field.column],
            max(1, down[min(field.row + field.rows, rows)] - down[field.row]),
            max(1, across[min(field.column + field.columns, len(across) - 1)] - across[field.column]),
            [[piece.number for piece in line] for line in lines],
        )
        for field, lines in placed
    ]
    cells.sort(key=lambda cell: (cell.row, cell.column))
    return len(kept), len(columns), cells


def _numbers(kept: Sequence[int], size: int) -> list[int]:
    """For each of `size` places, how many kept ones are before it."""
    wanted = set(kept)
    numbers, count = [], 0
    for at in range(size):
        numbers.append(count)
        count += at in wanted
    return numbers


def _header_rows(rows: int, cells: Sequence[GridCell], said: Mapping[int, str]) -> int:
    """How many rows name what stands below: no digit in them, and some column of numbers under them."""

    def text(cell: GridCell) -> str:
        return " ".join([said[number] for line in cell.lines for number in line])

    named = {cell.row for cell in cells if cell.row < _HEADERS and _DIGIT.search(text(cell))}
    count = min(named, default=min(_HEADERS, rows))
    if not count or rows - count < max(2, count):
        return 0
    bodies: dict[int, list[str]] = {}
    for cell in cells:
        if cell.row >= count:
            bodies.setdefault(cell.column, []).append(text(cell))
    counted = any(5 * sum(map(_is_number, body)) >= 3 * len(body) for body in bodies.values())
    return count if counted else 0
