"""Lays the filled cells of a worksheet out as one table of the page's text.

The table begins at the first filled row and the first filled column, and its rows and columns count from
there. Rows and columns between filled ones are kept while that costs little: a sheet with two cells in far
corners must not become a million lines. Past that, those without any filled cell are left out; and where
cells are scattered so widely that even this would cost far more than they hold, the cells of each row stand
side by side.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from indx_core.ports import Cell, Table
from indx_format_office.cells import Row, Sheet, column_name
from indx_format_office.merges import merge
from indx_format_office.writer import TextWriter, flat

__all__ = ["Layout", "described", "write_sheet"]

_KEEP_PER_CELL, _KEEP_FREE = 4, 1_000
"""How many rows and separators a filled cell may cost before empty rows and columns are left out."""
_TRIM_PER_CELL, _TRIM_FREE = 16, 10_000
"""The same, before cells are put side by side."""
_MAX_HEADER_ROWS: Final = 5

Layout = Literal["full", "trimmed", "packed"]

_Reaches = dict[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Axis:
    """Where the filled rows, or columns, of the sheet stand in the table."""

    filled: Sequence[int]
    kept: bool
    last: int

    @property
    def size(self) -> int:
        return self.last - self.filled[0] + 1 if self.kept else len(self.filled)

    def place(self, number: int) -> int:
        return number - self.filled[0] + 1 if self.kept else bisect_left(self.filled, number) + 1

    def span(self, first: int, last: int) -> int:
        if self.kept:
            return min(last, self.last) - first + 1
        return bisect_right(self.filled, last) - bisect_left(self.filled, first)


@dataclass(frozen=True, slots=True)
class _Grid:
    layout: Layout
    rows: _Axis
    columns: _Axis
    places: dict[int, int]
    width: int
    padded: bool


def write_sheet(
    sheet: Sheet, writer: TextWriter, *, caption: str, heads: Sequence[tuple[int, int]]
) -> Layout | None:
    """Write the cells of `sheet` as one table.

    Args:
        sheet: The filled cells; those that a merged one covers are dropped from it.
        writer: Where to write.
        caption: What the table is called.
        heads: Headers of tables and filters: the row where one begins, and how many rows it has.

    Returns:
        How the cells were laid out; None when there are none.
    """
    reaches = merge(sheet)
    if not sheet.rows:
        return None
    grid = _grid(sheet.rows, reaches)
    start = writer.start_line()
    lines = _Lines(sheet, grid, reaches, writer)
    lines.write()
    for base, reading in sheet.ruby:
        writer.ruby(base, reading)
    header_rows = _header_rows(sheet.rows, grid, heads)
    writer.table(Table(start, writer.length, grid.rows.size, grid.width, header_rows, lines.cells, caption))
    return grid.layout


def _grid(rows: Sequence[Row], reaches: _Reaches) -> _Grid:
    """Choose how to lay out the rows."""
    used = sorted(set().union(*(row.columns for row in rows)))
    numbers = [row.number for row in rows]
    filled = sum(len(row.columns) for row in rows)
    covered = sum((last - row + 1) * (right - column + 1) for (row, column), (last, right) in reaches.items())
    allowed = _KEEP_PER_CELL * filled + _KEEP_FREE
    separators = sum(row.columns[-1] - used[0] for row in rows)
    # Merged cells may reach past the last filled one; if that would be far, they end with it.
    for reached in ([*reaches.values()], []):
        kept_rows = _Axis(numbers, True, max([numbers[-1], *(last for last, _ in reached)]))
        kept_columns = _Axis(used, True, max([used[-1], *(last for _, last in reached)]))
        if kept_rows.size + separators <= allowed:
            padded = kept_rows.size * kept_columns.size <= allowed + _KEEP_PER_CELL * covered
            places = {column: kept_columns.place(column) for column in used}
            return _Grid("full", kept_rows, kept_columns, places, kept_columns.size, padded)
    trimmed_rows, trimmed_columns = _Axis(numbers, False, 0), _Axis(used, False, 0)
    places = {column: place for place, column in enumerate(used, start=1)}
    if sum(places[row.columns[-1]] for row in rows) <= _TRIM_PER_CELL * filled + _TRIM_FREE:
        return _Grid("trimmed", trimmed_rows, trimmed_columns, places, len(used), False)
    widest = max(len(row.columns) for row in rows)
    return _Grid("packed", trimmed_rows, trimmed_columns, {}, widest, False)


class _Lines:
    """Writes the rows of a table, with the marks of its cells.

    Attributes:
        cells: The table's cells, as they were written.
    """

    def __init__(self, sheet: Sheet, grid: _Grid, reaches: _Reaches, writer: TextWriter) -> None:
        self.cells: list[Cell] = []
        self._sheet = sheet
        self._grid = grid
        self._reaches = reaches
        self._writer = writer
        self._hidden = frozenset(
            column for column in grid.columns.filled if _within(sheet.hidden_columns, column)
        )

    def write(self) -> None:
        """Write all rows."""
        parts: list[str] = []
        position = self._writer.length
        empty = "\n" + "\t" * (self._grid.width - 1) if self._grid.padded else "\n"
        line = 1
        for at, row in enumerate(self._sheet.rows, start=1):
            place = self._grid.rows.place(row.number) if self._grid.layout == "full" else at
            if place > line:
                between = empty * (place - line - 1) + "\n"
                parts.append(between)
                position += len(between)
                line = place
            begin = position
            position = self._write_row(row, place, position, parts)
            if row.hidden:
                self._writer.hide(begin, end=position)
        parts.append(empty * (self._grid.rows.size - line))
        self._writer.write("".join(parts))

    def _write_row(self, row: Row, place: int, position: int, parts: list[str]) -> int:
        """Put the text of one row in `parts`; where it ends, of one that starts at `position`."""
        places, cells, merged = self._grid.places, self.cells, bool(self._reaches)
        marked = bool(self._hidden or row.formulas or self._sheet.links)
        column = 1
        for at, (number, text) in enumerate(zip(row.columns, row.texts, strict=True), start=1):
            target = places[number] if places else at
            if target != column:
                parts.append("\t" * (target - column))
                position += target - column
                column = target
            parts.append(text if text.isprintable() else flat(text))
            end = position + len(text)
            rows, columns = self._span(row.number, number) if merged else (1, 1)
            cells.append(Cell(place, column, rows, columns, text, position, end))
            if marked:
                self._mark(row, number, position, end)
            position = end
        if self._grid.padded:
            parts.append("\t" * (self._grid.width - column))
            position += self._grid.width - column
        return position

    def _span(self, row: int, column: int) -> tuple[int, int]:
        reach = self._reaches.get((row, column))
        if reach is None or self._grid.layout == "packed":
            return 1, 1
        return self._grid.rows.span(row, reach[0]), self._grid.columns.span(column, reach[1])

    def _mark(self, row: Row, column: int, start: int, end: int) -> None:
        if column in row.formulas:
            self._writer.role(start, "formula", end=end)
        if column in self._hidden:
            self._writer.hide(start, end=end)
        self._writer.link(start, self._sheet.links.get((row.number, column), ""), end=end)


def _within(ranges: Sequence[tuple[int, int]], number: int) -> bool:
    at = bisect_right(ranges, number, key=lambda each: each[0]) - 1
    return at >= 0 and number <= ranges[at][1]


def _header_rows(rows: Sequence[Row], grid: _Grid, heads: Sequence[tuple[int, int]]) -> int:
    """How many rows head the others: as tables and filters say, else by what the first row looks like."""
    for number, count in sorted(heads):
        at = bisect_left(grid.rows.filled, number)
        if at < len(rows) and rows[at].number == number:
            place = grid.rows.place(number) + count - 1
            return place if place <= min(_MAX_HEADER_ROWS, grid.rows.size) else 0
    first = rows[0]
    named = not first.values and not first.formulas and 2 * len(first.columns) > len(grid.columns.filled)
    return int(named and any(row.values for row in rows[1:]))


def described(sheet: Sheet, layout: Layout | None) -> dict[str, Any]:
    """What tells where the table's cells stand in the sheet, and how much of them it hides."""
    if layout is None:
        return {}
    first, last = sheet.rows[0].number, sheet.rows[-1].number
    left = min(row.columns[0] for row in sheet.rows)
    right = max(row.columns[-1] for row in sheet.rows)
    described: dict[str, Any] = {"range": f"{column_name(left)}{first}:{column_name(right)}{last}"}
    if layout != "full":
        described["layout"] = layout
    hidden_rows = sum(row.hidden for row in sheet.rows)
    if hidden_rows:
        described["hidden_rows"] = hidden_rows
    if any(min(last, right) >= max(first, left) for first, last in sheet.hidden_columns):
        described["hidden_columns"] = [
            f"{column_name(max(first, left))}:{column_name(min(last, right))}"
            for first, last in sheet.hidden_columns
            if min(last, right) >= max(first, left)
        ]
    return described
