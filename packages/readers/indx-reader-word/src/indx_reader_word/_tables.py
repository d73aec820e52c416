"""Tables of Word documents: merged cells once, each with what it spans; deleted rows left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from indx_core.errors import InputTooLarge
from indx_format_office import TextWriter
from indx_format_office.grid import Slot, write_table
from indx_format_office.names import W
from indx_format_office.values import switched_on, whole
from indx_reader_word._styles import is_on

if TYPE_CHECKING:
    from indx_format_office._xml import Element
    from indx_reader_word._story import Story

__all__ = ["read_table"]

_ROW, _CELL, _VALUE = W + "tr", W + "tc", W + "val"
_WRAPPERS: Final = frozenset(W + name for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo"))
_MAX_COLUMNS: Final = 256
"""Word itself stops at 63 columns; what states more is held here."""
MAX_CELLS: Final = 1_000_000
"""Cells of one document; each takes some 1,500 bytes while it is read, and a worker holds 2 GiB."""


def read_table(story: Story, table: Element, writer: TextWriter, caption: str) -> None:
    """Read `table` and write it; `caption` is the caption that stands right above it."""
    slots: list[Slot] = []
    above: dict[int, Slot] = {}
    rows = header_rows = 0
    for row in _inside(table, _ROW):
        properties = row.find(W + "trPr")
        if properties is not None and properties.find(W + "del") is not None:
            continue
        rows += 1
        if header_rows == rows - 1 and is_on(properties, W + "tblHeader"):
            header_rows = rows
        above = _read_row(story, row, properties, rows, above, slots)
    if not header_rows and rows > 1 and _styled_header(table):
        first = [slot.text.text().strip() for slot in slots if slot.row == 1]
        header_rows = int(len(first) > 1 and all(first))
    write_table(writer, slots, rows, header_rows=header_rows, caption=caption)


def _read_row(
    story: Story,
    row: Element,
    properties: Element | None,
    number: int,
    above: dict[int, Slot],
    slots: list[Slot],
) -> dict[int, Slot]:
    """Read one row into `slots`; the cells that reach into the next, by their column."""
    column = 1 + _count(properties, "gridBefore", 0)
    reaching: dict[int, Slot] = {}
    for cell in _inside(row, _CELL):
        properties = cell.find(W + "tcPr")
        span = max(1, _count(properties, "gridSpan", 1))
        merged = None if properties is None else properties.find(W + "vMerge")
        upper = above.get(column)
        continues = merged is not None and merged.get(_VALUE, "continue") != "restart"
        if continues and upper is not None and upper.column_span == span:
            upper.row_span += 1
            reaching[column] = upper
            column += span
            continue
        story.document.cells += 1
        if story.document.cells > MAX_CELLS:
            raise InputTooLarge(f"the tables have more than {MAX_CELLS:,} cells; split the document")
        text = TextWriter()
        story.blocks(cell, text)
        slot = Slot(number, column, text, column_span=span)
        slots.append(slot)
        if merged is not None:
            reaching[column] = slot
        column += span
        if column > _MAX_COLUMNS:
            break
    return reaching


def _inside(container: Element, tag: str) -> Iterator[Element]:
    """The rows or cells in `container`, content controls and the like looked through."""
    for element in container:
        if element.tag == tag:
            yield element
        elif element.tag in _WRAPPERS:
            yield from _inside(element, tag)


def _count(properties: Element | None, name: str, default: int) -> int:
    found = None if properties is None else properties.find(W + name)
    return default if found is None else whole(found.get(_VALUE), default, most=_MAX_COLUMNS)


def _styled_header(table: Element) -> bool:
    """Whether the table's look sets its first row apart."""
    properties = table.find(W + "tblPr")
    look = None if properties is None else properties.find(W + "tblLook")
    if look is None:
        return False
    first = look.get(W + "firstRow")
    if first is not None:
        return switched_on(first)
    try:
        return bool(int(look.get(_VALUE, "0"), 16) & 0x20)
    except ValueError:
        return False
