"""Tables: merged cells once, each with what it spans; repeated cells as often as they say something."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from indx_format_office import TextWriter
from indx_format_office.grid import Slot, write_table
from indx_format_office.values import whole
from indx_reader_opendocument._names import TABLE

if TYPE_CHECKING:
    from indx_format_office.container import Element
    from indx_reader_opendocument._story import Story

__all__ = ["MOST_REPEATED", "read_table", "rows_in"]

MOST_REPEATED: Final = 1024
"""How often a row or a cell of a text's table may repeat."""
_MAX_COLUMNS: Final = 1024
_ROW_HOLDERS: Final = frozenset(
    TABLE + name for name in ("table-rows", "table-row-group", "table-header-rows")
)


def rows_in(
    table: Element, *, head: bool = False, hidden: bool = False
) -> Iterator[tuple[Element, bool, bool]]:
    """The rows of a table, through their groups: each, whether it heads the others, whether it is hidden."""
    for element in table:
        if element.tag == TABLE + "table-row":
            shown = element.get(TABLE + "visibility", "visible") == "visible"
            yield element, head, hidden or not shown
        elif element.tag in _ROW_HOLDERS:
            yield from rows_in(
                element,
                head=head or element.tag == TABLE + "table-header-rows",
                hidden=hidden or element.get(TABLE + "display") == "false",
            )


def read_table(story: Story, table: Element, writer: TextWriter) -> None:
    """Read `table` and write it."""
    slots: list[Slot] = []
    number = header_rows = 0
    hidden_rows: set[int] = set()
    for row, head, hidden in rows_in(table):
        cells = list(_cells(row))
        times = whole(row.get(TABLE + "number-rows-repeated"), 1, least=1, most=MOST_REPEATED)
        story.document.count_cells(len(cells) * times)
        texts = _texts(story, cells)
        for _ in range(times if cells else 1):
            number += 1
            header_rows += head and header_rows == number - 1
            if hidden:
                hidden_rows.add(number)
            slots += [_slot(cell, texts[column], number, column) for column, cell in cells]
    begin: list[tuple[int, int]] = []
    write_table(
        writer,
        _apart(story, slots, number),
        number,
        header_rows=header_rows,
        begin_row=lambda row: begin.append((row, writer.length)),
    )
    begin.append((number + 1, writer.length))  # alone where nothing was written: no cell holds text
    for (line, start), (_, end) in pairwise(begin):
        if line in hidden_rows:
            writer.hide(start, end=end)


def _cells(row: Element) -> Iterator[tuple[int, Element]]:
    """The cells of a row that hold something, by their column."""
    column = 1
    for cell in row:
        if cell.tag not in (TABLE + "table-cell", TABLE + "covered-table-cell"):
            continue
        times = whole(cell.get(TABLE + "number-columns-repeated"), 1, least=1, most=_MAX_COLUMNS)
        if cell.tag == TABLE + "table-cell" and len(cell):
            for place in range(column, min(column + times, _MAX_COLUMNS)):
                yield place, cell
        column += times
        if column > _MAX_COLUMNS:
            return


def _texts(story: Story, cells: list[tuple[int, Element]]) -> dict[int, TextWriter]:
    """The text of each column's cell; a cell that repeats is read once."""
    texts: dict[int, TextWriter] = {}
    before: Element | None = None
    text = TextWriter()
    for column, cell in cells:
        if cell is not before:
            text, before = TextWriter(), cell
            story.inner().blocks(cell, text)
        texts[column] = text
    return texts


def _slot(cell: Element, text: TextWriter, row: int, column: int) -> Slot:
    spans = (
        whole(cell.get(TABLE + f"number-{axis}-spanned"), 1, least=1, most=_MAX_COLUMNS)
        for axis in ("rows", "columns")
    )
    row_span, column_span = spans
    return Slot(row, column, text, row_span, column_span)


def _apart(story: Story, slots: list[Slot], rows: int) -> list[Slot]:
    """The cells, their spans cut where they would meet another or leave the table."""
    taken = {(slot.row, slot.column) for slot in slots}
    for slot in slots:
        slot.row_span = min(slot.row_span, rows - slot.row + 1)
        story.document.count_cells(slot.row_span * slot.column_span - 1)
        covered = list(_covered(slot))
        if taken.isdisjoint(covered):
            taken.update(covered)
        else:
            slot.row_span = slot.column_span = 1
    return slots


def _covered(slot: Slot) -> Iterator[tuple[int, int]]:
    for row in range(slot.row, slot.row + slot.row_span):
        for column in range(slot.column, slot.column + slot.column_span):
            if (row, column) != (slot.row, slot.column):
                yield row, column
