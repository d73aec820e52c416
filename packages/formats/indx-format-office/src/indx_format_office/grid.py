"""Tables as page text: a row a line, a tab between cells, and a cell where its text stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from indx_core.canonical import clean_text
from indx_core.ports import Box, Cell, Table

if TYPE_CHECKING:
    from indx_format_office.writer import TextWriter

__all__ = ["Slot", "write_table"]

_FILL_PER_CELL, _FILL_FREE = 8, 1_000


@dataclass(slots=True)
class Slot:
    """A cell to be written: its place from 1, how far it reaches, and a writer that holds its text."""

    row: int
    column: int
    text: TextWriter
    row_span: int = 1
    column_span: int = 1
    box: Box | None = None


def write_table(
    writer: TextWriter,
    slots: Sequence[Slot],
    rows: int,
    *,
    header_rows: int = 0,
    caption: str | None = None,
    begin_row: Callable[[int], None] | None = None,
) -> None:
    """Write a table of `rows` rows on lines of its own; one without any text is left out.

    Args:
        writer: Where to write.
        slots: The cells, of which no two overlap, in the order of their rows.
        rows: How many rows there are.
        header_rows: How many of them head the others.
        caption: What the table is called.
        begin_row: Told each row's number before its line is written.
    """
    if not any(slot.text.length for slot in slots):
        return
    columns = max(slot.column + slot.column_span for slot in slots) - 1
    by_row: list[list[Slot]] = [[] for _ in range(rows)]
    for slot in slots:
        by_row[slot.row - 1].append(slot)
    # Rows end with their last cell where filling them up would cost far more than the cells themselves.
    width = columns if rows * columns <= _FILL_PER_CELL * len(slots) + _FILL_FREE else 0
    cells: list[Cell] = []
    start = writer.start_line()
    for number, row in enumerate(by_row, start=1):
        if number > 1:
            writer.write("\n")
        if begin_row is not None:
            begin_row(number)
        _write_row(writer, sorted(row, key=lambda slot: slot.column), width, cells)
    writer.table(
        Table(start, writer.length, rows, columns, min(header_rows, rows), tuple(cells), caption or None)
    )


def _write_row(writer: TextWriter, row: list[Slot], width: int, cells: list[Cell]) -> None:
    column = 1
    for slot in row:
        writer.write("\t" * (slot.column - column))
        column = slot.column
        start = writer.length
        writer.take(slot.text)
        text = clean_text(slot.text.text()).replace("\r", " ")  # as the page's
        cells.append(
            Cell(slot.row, column, slot.row_span, slot.column_span, text, start, writer.length, slot.box)
        )
    writer.write("\t" * (width - column))
