"""Tables of lightweight markup: a line a row with tabs between cells, and how offsets move by it."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from indx_core.ports import Span, Table
from indx_reader_text._csv import CellGrid, refuse_more_cells
from indx_reader_text._grids import Grid

__all__ = ["FoundTable", "Merged", "Shift", "with_tables"]


Merged: TypeAlias = "tuple[str, int, int]"
"""A cell's text, and how many rows and columns it covers."""


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table as found in a source.

    Attributes:
        start: Where it starts there.
        end: Where it ends.
        rows: The texts of its cells, which are gone over once.
        header_rows: How many rows head the others.
        merged: The cells of a table that has merged ones, in place of `rows`.
    """

    start: int
    end: int
    rows: Iterable[Sequence[str]]
    header_rows: int = 1
    merged: Sequence[Sequence[Merged]] = ()


class Shift:
    """How far offsets moved: behind `places[i]` of the source by `amounts[i]`."""

    def __init__(self) -> None:
        """Begin where nothing has moved."""
        self.places: list[int] = []
        self.amounts: list[int] = []

    def span(self, start: int, end: int, base: int) -> Span:
        """`[start, end)` moved, and by `base` more; no table lies inside it."""
        index = bisect_right(self.places, start)
        amount = base + (self.amounts[index - 1] if index else 0)
        return start + amount, end + amount

    def spans(self, spans: Sequence[Span], base: int = 0) -> list[Span]:
        """Each of `spans` moved."""
        return [self.span(start, end, base) for start, end in spans]


def with_tables(source: str, found: Sequence[FoundTable], base: int) -> tuple[str, list[Table], Shift]:
    """The source with its tables written as rows of tabs, the tables, and how offsets moved.

    Raises:
        InputTooLarge: The tables have more cells than are read.
    """
    shift = Shift()
    if not found:
        return source, [], shift
    parts: list[str] = []
    tables: list[Table] = []
    position = length = cells = 0
    for one in found:
        parts.append(source[position : one.start])
        length += one.start - position
        table, text = _table(one, base + length, len(tables), cells)
        tables.append(table)
        cells += len(table.cells)
        parts.append(text)
        length += len(text)
        position = one.end
        shift.places.append(one.end)
        shift.amounts.append(length - one.end)
    parts.append(source[position:])
    return "".join(parts), tables, shift


def _table(found: FoundTable, start: int, number: int, before: int) -> tuple[Table, str]:
    if found.merged:
        grid = Grid(start, number)
        for number, merged in enumerate(found.merged):
            cells = [(text, str(down), str(across)) for text, down, across in merged]
            grid.row(cells, head=number < found.header_rows)
        made, text = grid.table()
        if made is not None:
            return made, text
    starts, rows, exact = array("q"), array("q"), dict[int, str]()
    lines: list[str] = []
    position = columns = 0
    for row in found.rows:
        rows.append(len(starts))
        for text in row:
            if "\t" in text:
                exact[len(starts)] = text
            starts.append(position)
            position += len(text) + 1
        refuse_more_cells(before + len(starts))
        lines.append("\t".join([cell.replace("\t", " ") for cell in row]))
        columns = max(columns, len(row))
    text = "\n".join(lines)
    heads = min(found.header_rows, len(lines))
    held = CellGrid(text, len(text), starts, rows, exact, start)
    return Table(start, start + len(text), len(lines), columns, heads, held), text
