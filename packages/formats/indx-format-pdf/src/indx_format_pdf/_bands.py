"""From the cells of a drawn grid and the text in them to rows. Pure functions over points.

Not every row of a table has a rule below it. Where the lines of several cells beside each other stand at the
same heights, and a column of them is numbers or none of them is long, each height is a row of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise, takewhile
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from indx_format_pdf._cuts import Stretch
from indx_format_pdf._lattice import Field, Lattice

__all__ = ["GridCell", "Sheet", "sheet_of"]

_LONGEST: Final = 200  # characters of a cell in the mean; longer ones are the text of a form or of a page
_MOST_LINES: Final = 20  # of a cell that holds a good part of the text; more are those of a framed page
_GOOD_PART: Final = 0.4
_FILLED: Final = 0.25  # of the cells hold text, at least
_SHORT: Final = 30  # characters
_HEADERS: Final = 3
_NARROW: Final = (
    8.0  # points; a column without text that is not wider stands between the lines of a double rule
)
_DIGIT: Final = re.compile(r"\d")
_LETTER: Final = re.compile(r"[^\W\d_]")


_Line: TypeAlias = "list[Stretch]"
_Cells: TypeAlias = "Mapping[Field, list[_Line]]"


class GridCell(NamedTuple):
    """A cell that holds text: its first row and column from 0, how many it takes, what stands in it."""

    row: int
    column: int
    rows: int
    columns: int
    held: list[Stretch]

    @property
    def text(self) -> str:
        """What it says."""
        return self.held[0].text if len(self.held) == 1 else " ".join([one.text for one in self.held])


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: its size, how many rows head the others, its cells by row and column."""

    rows: int
    columns: int
    header_rows: int
    cells: list[GridCell]


def sheet_of(
    lattice: Lattice,
    held: Mapping[Field, list[Stretch]],
    *,
    filled: AbstractSet[Field] = frozenset(),
    is_sure: bool = False,
) -> Sheet | None:
    """The table of a grid and the text in its cells; None when it looks like none.

    Args:
        lattice: The grid.
        held: The text in its cells.
        filled: Cells that hold something else, of which the table may be made too.
        is_sure: Whether it is known to be a table.
    """
    if not held:
        return None
    if not is_sure:
        size = sum([len(one.text) for own in held.values() for one in own])
        every = len(set(chain.from_iterable(lattice.fields)))
        if size > _LONGEST * len(held) or len(held.keys() | filled) < _FILLED * every:
            return None
        if _is_frame(held, size):
            return None
    lines = {field: [own] if len(own) == 1 else _lines(own) for field, own in held.items()}
    placed, rows = _rows(len(lattice.fields), lines)
    taken = {*filled, *(field for field, _ in placed)}
    if not is_sure and any(len({field[axis] for field in taken}) < 2 for axis in (0, 1)):
        return None  # one row, or one column
    grid = _compact(placed, rows, _kept_columns(lattice, placed))
    return Sheet(*grid[:2], _header_rows(grid[0], grid[2]), grid[2])


def _is_frame(held: Mapping[Field, list[Stretch]], size: int) -> bool:
    """Whether a cell is the page that others frame: many lines, and a row in which nothing is beside it."""
    field, longest = max(held.items(), key=lambda one: len(one[1]))
    if len(longest) <= _MOST_LINES:
        return False
    beside = {row for one in held if one != field for row in range(one.row, one.row + one.rows)}
    if beside.issuperset(range(field.row, field.row + field.rows)):
        return False
    said = sum([len(one.text) for one in longest])
    return said > _GOOD_PART * size and len(_lines(longest)) > _MOST_LINES


def _lines(own: list[Stretch]) -> list[_Line]:
    """The stretches of a cell as lines from the top, each from the left."""
    lines: list[_Line] = []
    for one in sorted(own, key=lambda one: (one.middle, one.box[0])):
        before = lines[-1][0] if lines else one
        height = max(one.box[3] - one.box[1], before.box[3] - before.box[1])
        if lines and one.middle - before.middle < 0.5 * height:
            lines[-1].append(one)
        else:
            lines.append([one])
    return [line if len(line) == 1 else sorted(line, key=lambda one: one.box[0]) for line in lines]


def _rows(count: int, cells: _Cells) -> tuple[list[tuple[Field, list[_Line]]], int]:
    """Cells with the rows they have once rows that hold several are parted, and how many rows there are."""
    bands: dict[int, dict[Field, list[_Line]]] = {
        field.row: {} for field, lines in cells.items() if len(lines) > 1 and field.rows == 1
    }
    for field, lines in cells.items():
        if field.rows == 1 and field.row in bands:
            bands[field.row][field] = lines
    heights = {row: own for row, band in bands.items() if (own := _heights(band))}
    if not heights:
        return list(cells.items()), count
    first = list(accumulate([len(heights[row]) if row in heights else 1 for row in range(count)], initial=0))
    placed: list[tuple[Field, list[_Line]]] = []
    for field, lines in cells.items():
        row, rows = first[field.row], first[field.row + field.rows] - first[field.row]
        own = heights.get(field.row, []) if field.rows == 1 else []
        at = [_nearest(own, line) for line in lines] if own else []
        if not own or (len(lines) == 1 and at[0] is None):
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
    said = [[" ".join(one.text for one in line) for line in lines] for lines in full]
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
    cells: list[GridCell] = []
    for (row, column, high, wide), lines in placed:
        top, left = down[row], across[column]
        # What a cell takes more than one of shrinks by the rows and columns that are left out.
        rows_of = max(1, down[min(row + high, rows)] - top) if high > 1 else 1
        columns_of = max(1, across[min(column + wide, len(across) - 1)] - left) if wide > 1 else 1
        held = lines[0] if len(lines) == 1 else list(chain.from_iterable(lines))
        cells.append(GridCell(top, left, rows_of, columns_of, held))
    cells.sort(key=itemgetter(0, 1))
    return len(kept), len(columns), cells


def _numbers(kept: Sequence[int], size: int) -> list[int]:
    """For each of `size` places, how many kept ones are before it."""
    wanted = set(kept)
    numbers, count = [], 0
    for at in range(size):
        numbers.append(count)
        count += at in wanted
    return numbers


def _header_rows(rows: int, cells: Sequence[GridCell]) -> int:
    """How many rows name what stands below: no digit in them, and some column of numbers under them."""
    # The cells come by row: the first with a digit ends what may be a header.
    upper = takewhile(lambda cell: cell.row < _HEADERS, cells)
    count = next((cell.row for cell in upper if _DIGIT.search(cell.text)), min(_HEADERS, rows))
    if not count or rows - count < max(2, count):
        return 0
    bodies: dict[int, list[str]] = {}
    for cell in cells:
        if cell.row >= count:
            bodies.setdefault(cell.column, []).append(cell.text)
    counted = any(5 * sum(map(_is_number, body)) >= 3 * len(body) for body in bodies.values())
    return count if counted else 0
