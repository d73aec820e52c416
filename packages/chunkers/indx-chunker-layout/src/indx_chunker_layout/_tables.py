"""Tables without rules: rows whose cells stand in the same columns, where that is certain.

The cells of a row are lines of their own, with places, or parts of one line between tabs, without. Where all
cells have places the columns are the stretches of the page between which hardly any cell reaches; otherwise
rows of as many cells, the first and the last at the same place, are taken for a table.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median_low
from typing import Final

from indx_chunker_layout._cells import Fragment, cells_of
from indx_chunker_layout._page import Page, Row, half_widths

__all__ = ["Grid", "GridCell", "find_tables"]

_FEWEST: Final = 3  # rows
_CONTINUES: Final = 0.75  # of the usual distance of rows: how near the second line of a cell is
_WORDY: Final = 40  # letters; most cells of a table are shorter
_HEADERS: Final = 3  # rows at the head of a table that may be unlike the others, or name them
_LONGEST: Final = 500  # rows that are looked at together
_MOST_ALONE: Final = 6  # rows of one cell between rows of several
_DEEPEST: Final = 6
_DIGIT: Final = re.compile(r"\d")
_LETTER: Final = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell: its column from 0, how many it covers, and its fragments."""

    column: int
    columns: int
    parts: tuple[Fragment, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: cells by row, how many columns it has, how many rows head the others."""

    rows: list[list[GridCell]]
    columns: int
    header_rows: int


def find_tables(page: Page, rows: Sequence[Row]) -> list[tuple[int, int, Grid]]:
    """Tables among `rows`: the first row of each, the one after its last, and its cells."""
    found: list[tuple[int, int, Grid]] = []
    first = 0
    while first < len(rows):
        cells = cells_of(page, rows[first])
        if len(cells) < 2:
            first += 1
            continue
        run = _run(page, rows, first)
        found += [(first + begin, first + end, grid) for begin, end, grid in _grids(page, run, 0)]
        first += len(run)
    return found


@dataclass(frozen=True, slots=True)
class _Line:
    """A row of a run: its fragments and its height on the page."""

    cells: list[Fragment]
    top: float
    bottom: float
    is_known: bool


def _run(page: Page, rows: Sequence[Row], first: int) -> list[_Line]:
    """Rows of several cells that follow each other; between them may stand the rest of a cell."""
    kind = page.kind(rows[first][0])
    run: list[_Line] = []
    wide = 0
    for at in range(first, min(len(rows), first + _LONGEST)):
        row = rows[at]
        top, bottom = min(page.top[line] for line in row), max(page.bottom[line] for line in row)
        gap = top - run[-1].bottom if run else 0.0
        if gap > 3 * page.height or any(line in page.tables or page.kind(line) != kind for line in row):
            break
        cells = cells_of(page, row)
        if len(cells) < 2 and (gap > 1.8 * page.height or len(run) - wide >= _MOST_ALONE):
            break
        run.append(_Line(cells, top, bottom, all(c.left <= c.right for c in cells)))
        if len(cells) > 1:
            wide = len(run)
    return run[: wide + 2]


def _grids(page: Page, run: Sequence[_Line], depth: int) -> list[tuple[int, int, Grid]]:
    """Tables in a run, parted where it is plainly two when it is none as a whole."""
    if sum(len(line.cells) > 1 for line in run) < _FEWEST:
        return []
    if not all(line.is_known for line in run):
        return _by_count(page, run)
    last_wide = max(at for at, line in enumerate(run) if len(line.cells) > 1)
    for head in range(_HEADERS + 1):
        for end in range(len(run), last_wide, -1):
            placed = _by_place(page, run[:end], head) if end - head >= _FEWEST else None
            if placed is not None:
                return [*_grids(page, run[: placed[0]], depth + 1), (placed[0], end, placed[1])]
    cut = _parting(run)
    if depth == _DEEPEST or cut is None:
        return []
    above, below = _grids(page, run[:cut], depth + 1), _grids(page, run[cut:], depth + 1)
    return above + [(cut + first, cut + end, grid) for first, end, grid in below]


def _parting(run: Sequence[_Line]) -> int | None:
    """Where a run is parted: at a row of one cell, else where rows are plainly further apart."""
    alone = [at for at, line in enumerate(run) if len(line.cells) == 1 and 0 < at < len(run) - 1]
    if alone:
        return min(alone, key=lambda at: abs(2 * at - len(run)))
    gaps = [after.top - before.bottom for before, after in pairwise(run)]
    widest = max(range(len(gaps)), key=gaps.__getitem__)
    return widest + 1 if gaps[widest] >= 1.3 * median_low(gaps) else None


# Cells with places


def _by_place(page: Page, run: Sequence[_Line], head: int) -> tuple[int, Grid] | None:
    """The table whose columns are those of a run without its first `head` rows, and its first row.

    Those rows are part of it where their cells stand over its columns.
    """
    columns = _columns(page, run[head:])
    if len(columns) < 2:
        return None
    rows = [_placed(page, line, columns) for line in run]
    body = [row for row in rows[head:] if row is not None]
    if len(body) < len(run) - head or len(body[0]) < 2 or 8 * sum(map(_is_crowded, body)) > len(body):
        return None
    first = head
    while first and rows[first - 1] is not None and not _is_crowded(rows[first - 1] or ()):
        first -= 1
    joined = _joined(run[head:], body)
    if joined is None or not _is_one(run[head:], body) or not _is_certain(page, joined, len(columns)):
        return None
    whole = [row for row in rows[first:head] if row is not None] + joined
    return first, Grid(whole, len(columns), _header_rows(page, whole, len(columns)))


def _columns(page: Page, run: Sequence[_Line]) -> list[tuple[float, float]]:
    """The stretches across the page that many rows fill, parted by such that hardly any does."""
    few = len(run) // 8
    edges = sorted(
        [(cell.left, 1) for line in run for cell in line.cells]
        + [(cell.right, -1) for line in run for cell in line.cells]
    )
    columns: list[tuple[float, float]] = []
    depth, begin = 0, 0.0
    for at, step in edges:
        if step > 0 and depth == few:
            begin = at
        depth += step
        if step < 0 and depth == few and at > begin:
            if columns and begin - columns[-1][1] < 0.5 * page.em:
                columns[-1] = (columns[-1][0], at)
            else:
                columns.append((begin, at))
    return columns


def _placed(page: Page, line: _Line, columns: Sequence[tuple[float, float]]) -> list[GridCell] | None:
    """The cells of a row in their columns; None when two overlap.

    A cell is of every column it reaches into, unless its neighbour is too: then of the one it fills most. A
    row of as many cells as there are columns has one in each, wherever in the columns they stand.
    """
    if len(line.cells) == len(columns):
        return [GridCell(column, 1, (part,)) for column, part in enumerate(line.cells)]
    slack = 0.3 * page.em
    lefts, rights = [begin for begin, _ in columns], [end for _, end in columns]
    reach: list[tuple[int, int]] = []
    for part in line.cells:
        first = bisect_right(rights, part.left + slack)
        last = bisect_left(lefts, part.right - slack) - 1
        if first > last:  # it stands between two columns: it is of the nearer one
            first = last = _nearer(part, columns, last, first)
        reach.append((first, last))
    for at, (before, after) in enumerate(pairwise(reach)):
        if before[1] >= after[0]:
            for one in (at, at + 1):
                best = _fullest(line.cells[one], columns, reach[one])
                reach[one] = best, best
    cells: list[GridCell] = []
    for part, (first, last) in zip(line.cells, reach, strict=True):
        taken = cells[-1].column + cells[-1].columns if cells else 0
        if first >= taken:
            cells.append(GridCell(first, last - first + 1, (part,)))
        elif first == last == cells[-1].column and cells[-1].columns == 1:
            cells[-1] = GridCell(first, 1, (*cells[-1].parts, part))
        else:
            return None
    return cells


def _fullest(part: Fragment, columns: Sequence[tuple[float, float]], reach: tuple[int, int]) -> int:
    """Of the columns a fragment reaches into, the one it covers most of itself."""

    def shared(column: int) -> float:
        begin, end = columns[column]
        return min(part.right, end) - max(part.left, begin)

    return max(range(reach[0], reach[1] + 1), key=shared)


def _nearer(part: Fragment, columns: Sequence[tuple[float, float]], before: int, after: int) -> int:
    if before < 0 or after >= len(columns):
        return max(before, 0)
    return before if part.left - columns[before][1] <= columns[after][0] - part.right else after


def _joined(run: Sequence[_Line], rows: list[list[GridCell]]) -> list[list[GridCell]] | None:
    """Rows with the further lines of their cells, which stand nearer than rows do.

    None when a row of one cell is neither such a line nor a row like the others.
    """
    steps = [after.top - before.top for before, after in pairwise(run)]
    usual = median_low(
        [step for step, row in zip(steps, rows[1:], strict=True) if row[0].column == 0] or steps
    )
    joined = [rows[0]]
    for step, row in zip(steps, rows[1:], strict=True):
        above = {cell.column: cell for cell in joined[-1]}
        fits = all(cell.column in above and above[cell.column].columns == cell.columns == 1 for cell in row)
        if row[0].column > 0 and fits and step < _CONTINUES * usual:
            for cell in row:
                above[cell.column] = GridCell(cell.column, 1, (*above[cell.column].parts, *cell.parts))
            joined[-1] = [above[column] for column in sorted(above)]
        elif len(row) == 1 and (row[0].columns > 1 or row is rows[-1]):
            return None
        else:
            joined.append(row)
    return joined


def _is_crowded(row: Sequence[GridCell]) -> bool:
    """Whether fragments that stand apart fell into one column."""
    return any(len(cell.parts) > 1 for cell in row)


def _is_one(run: Sequence[_Line], rows: Sequence[list[GridCell]]) -> bool:
    """Whether rows above and below the widest gap have columns in common, if it is far wider than others."""
    gaps = [after.top - before.bottom for before, after in pairwise(run)]
    widest = max(range(len(gaps)), key=gaps.__getitem__)
    if gaps[widest] < 2 * median_low(gaps):
        return True
    above = {cell.column for row in rows[: widest + 1] for cell in row}
    below = {cell.column for row in rows[widest + 1 :] for cell in row}
    return 2 * len(above & below) >= min(len(above), len(below))


def _is_certain(page: Page, rows: Sequence[list[GridCell]], columns: int) -> bool:
    """Whether rows are enough, every column has its own cells, and these are aligned and short."""
    if sum(len(row) > 1 for row in rows) < _FEWEST:
        return False
    own: list[list[GridCell]] = [[] for _ in range(columns)]
    for row in rows:
        for cell in row:
            if cell.columns == 1:
                own[cell.column].append(cell)
    if any(len(cells) < max(2, len(rows) / 4) for cells in own):
        return False
    if not all(_is_aligned(page, [cell.parts[0] for cell in cells]) for cells in own):
        return False
    said = [[_said(page, cell) for cell in cells] for cells in own]
    return _is_terse(said) and not (columns == 2 and _is_counted(said[0]))


def _is_counted(cells: Sequence[str]) -> bool:
    """Whether cells are numbers that count up by one, as the numbers of lines."""
    return all(cell.isdecimal() for cell in cells) and all(
        int(after) == int(before) + 1 for before, after in pairwise(cells)
    )


def _is_aligned(page: Page, parts: Sequence[Fragment]) -> bool:
    """Whether most fragments share their left side, their right side or their middle."""
    sides: tuple[Callable[[Fragment], float], ...] = (
        lambda part: part.left,
        lambda part: part.right,
        lambda part: (part.left + part.right) / 2,
    )
    for side in sides:
        at = sorted(map(side, parts))
        middle = at[len(at) // 2]
        if 3 * sum(abs(one - middle) <= page.em for one in at) >= 2 * len(at):
            return True
    return False


def _said(page: Page, cell: GridCell) -> str:
    return " ".join(page.text[part.start : part.end] for part in cell.parts)


def _is_terse(columns: Sequence[Sequence[str]]) -> bool:
    """Whether cells are short, as in a table, rather than parts of sentences."""
    usual = [median_low(map(half_widths, cells)) for cells in columns]
    return min(usual) <= _WORDY // 2 and 2 * sum(one > _WORDY for one in usual) <= len(usual)


def _header_rows(page: Page, rows: Sequence[list[GridCell]], columns: int) -> int:
    """How many rows name what stands below: they have no digit, and a column of as many or more rows has."""
    count = 0
    for row in rows[:_HEADERS]:
        if any(_DIGIT.search(_said(page, cell)) for cell in row):
            break
        count += 1
    body = rows[count:]
    if len(body) < max(2, count):
        return 0
    for column in range(columns):
        said = [_said(page, cell) for row in body for cell in row if cell.column == column]
        if 5 * sum(map(_is_number, said)) >= 3 * len(said) > 0:
            return count
    return 0


def _is_number(text: str) -> bool:
    """Whether at least half of its letters and digits are digits."""
    return 2 * len(_DIGIT.findall(text)) >= sum(map(str.isalnum, text)) > 0


# Cells without places


def _by_count(page: Page, run: Sequence[_Line]) -> list[tuple[int, int, Grid]]:
    """Rows of as many cells, of which the first and the last stand in columns."""
    found: list[tuple[int, int, Grid]] = []
    first = 0
    for end in range(1, len(run) + 1):
        if end < len(run) and _is_alike(page, run[end - 1], run[end]):
            continue
        lines = run[first:end]
        count = len(lines[0].cells)
        if len(lines) >= _FEWEST and count > 1:
            rows = [[GridCell(at, 1, (part,)) for at, part in enumerate(line.cells)] for line in lines]
            said = [[_said(page, row[at]) for row in rows] for at in range(count)]
            if (
                _is_terse(said)
                and not any(map(_is_mixed, said))
                and not (count == 2 and _is_counted(said[0]))
            ):
                found.append((first, end, Grid(rows, count, _header_rows(page, rows, count))))
        first = end
    return found


def _is_alike(page: Page, before: _Line, line: _Line) -> bool:
    """Whether a row has as many cells as the one before it, the first and the last at the same place.

    Cells may share either side. The side within the row is not known: it is told from how many letters
    there are.
    """
    if len(line.cells) != len(before.cells):
        return False
    starts, ends = (before.cells[0], line.cells[0]), (before.cells[-1], line.cells[-1])
    inner = (
        [part.left + _length(page, part) for part in starts],
        [part.right - _length(page, part) for part in ends],
    )
    outer = [part.left for part in starts], [part.right for part in ends]
    for parts, known, told in zip((starts, ends), outer, inner, strict=True):
        doubt = page.em + 0.15 * max(_length(page, part) for part in parts)
        if abs(known[0] - known[1]) > page.em and abs(told[0] - told[1]) > doubt:
            return False
    return True


def _length(page: Page, part: Fragment) -> float:
    return page.em * half_widths(page.text[part.start : part.end])


def _is_mixed(cells: Sequence[str]) -> bool:
    """Whether numbers and words stand among each other, as where cells of several columns do."""
    numbers = sum(not _LETTER.search(cell) for cell in cells[1:])
    return 0.25 < numbers / (len(cells) - 1) < 0.75
