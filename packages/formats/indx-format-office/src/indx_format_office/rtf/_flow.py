"""One flow of text in the making: the body, a note, a text box; its paragraphs and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from indx_core.ports import Role
from indx_format_office.grid import Slot, write_table
from indx_format_office.writer import Mark, TextWriter

__all__ = ["Flow", "Paragraph", "RowCell"]

MAX_COLUMNS: Final = 256
_NEAR: Final = 30
"""Twips by which the edges of cells in different rows may differ and be one."""


@dataclass(slots=True)
class Paragraph:
    """What is known of a paragraph when it ends."""

    level: int = 0
    role: Role | None = None


@dataclass(slots=True)
class RowCell:
    """A cell as its row defines it: where it ends, and how it is merged with others."""

    edge: int
    continues_left: bool = False
    continues_up: bool = False


@dataclass(slots=True)
class _Row:
    cells: list[TextWriter]
    defined: list[RowCell]
    head: bool


@dataclass(slots=True)
class Flow:
    """Text and the table that is open in it.

    Attributes:
        body: Where finished text stands.
        defined: The cells that the next row has.
        head: Whether the next row repeats on every page.
        waiting: What stands on lines of its own after the paragraph: its role, its text.
        label: What the list puts before the paragraph, until its text begins.
    """

    body: TextWriter = field(default_factory=TextWriter)
    defined: list[RowCell] = field(default_factory=list)
    head: bool = False
    waiting: list[tuple[Role, TextWriter]] = field(default_factory=list)
    label: str = ""
    _cell: TextWriter | None = None
    _cells: list[TextWriter] = field(default_factory=list)
    _rows: list[_Row] = field(default_factory=list)
    _start: int | None = None
    _mark: Mark = (0, 0)
    _begun: Mark = (0, 0)

    def writer(self, *, in_table: bool) -> TextWriter:
        """Where text goes now; text outside a table ends the one before it."""
        if in_table:
            if self._cell is None:
                self._cell = TextWriter()
                self._start = None
            return self._cell
        self.end_table()
        return self.body

    def begins(self) -> bool:
        """Whether something stands before the text that is next: a paragraph begins, or a label waits."""
        return self._start is None or bool(self.label)

    def begin(self, writer: TextWriter, indent: str = "") -> None:
        """Begin a paragraph, unless one has begun, and write the label that waits, set in by `indent`."""
        new = self._start is None
        if new:
            self._mark = writer.mark()
            self._start = writer.start_line()
        if lead := indent + self.label:
            writer.write(lead)
            self.label = ""
        if new:
            self._begun = writer.mark()

    def end_paragraph(self, paragraph: Paragraph, *, in_table: bool) -> None:
        """End the paragraph and write what waited for that."""
        writer = self.writer(in_table=in_table)
        start, self._start, self.label = self._start, None, ""
        if start is None:
            writer.gap()
        elif not writer.since(self._begun).strip():
            writer.discard(self._mark)
            writer.gap()
        else:
            if paragraph.level and not in_table:
                writer.heading(start, paragraph.level)
            if paragraph.role is not None:
                writer.role(start, paragraph.role)
        waiting, self.waiting = self.waiting, []
        for role, text in waiting:
            begin = writer.start_line()
            writer.append(text)
            writer.role(begin, role)

    def end_cell(self) -> None:
        """End a cell of the row."""
        self.end_paragraph(Paragraph(), in_table=True)
        if len(self._cells) < MAX_COLUMNS:
            self._cells.append(self._cell or TextWriter())
        self._cell = None

    def end_row(self) -> None:
        """End a row."""
        if self._cell is not None and self._cell.length:
            self.end_cell()
        if self._cells:
            self._rows.append(_Row(self._cells, list(self.defined), self.head))
        self._cells, self._cell, self._start = [], None, None

    def end_table(self) -> None:
        """Write the table that is open, if any; cells without the end of their row are a row."""
        if self._cell is not None or self._cells:
            self.end_row()
        if not self._rows:
            return
        rows, self._rows = self._rows, []
        slots = _slots(rows)
        heads = 0
        while heads < len(rows) and rows[heads].head:
            heads += 1
        write_table(self.body, slots, len(rows), header_rows=heads if heads < len(rows) else 0)

    def finish(self) -> TextWriter:
        """The whole text."""
        self.end_table()
        if self._start is not None or self.waiting:
            self.end_paragraph(Paragraph(), in_table=False)
        return self.body


def _slots(rows: Sequence[_Row]) -> list[Slot]:
    """The cells in one grid: their edges over all rows are its columns."""
    edges = _edges(rows)
    slots: list[Slot] = []
    above: dict[int, Slot] = {}
    for number, row in enumerate(rows, start=1):
        reaching: dict[int, Slot] = {}
        column = 1
        last: Slot | None = None
        for place, text in enumerate(row.cells):
            defined = row.defined[place] if place < len(row.defined) else None
            end = column + 1
            if edges and defined is not None:
                end = max(column + 1, edges.get(defined.edge, column) + 1)
            upper = above.get(column)
            if defined is not None and defined.continues_left and last is not None and not text.length:
                last.column_span = end - last.column
            elif (
                defined is not None
                and defined.continues_up
                and upper is not None
                and upper.column_span == end - column
                and not text.length
            ):
                upper.row_span += 1
                reaching[column] = upper
                last = None
            else:
                last = Slot(number, column, text, column_span=end - column)
                slots.append(last)
                reaching[column] = last
            column = end
        above = reaching
    return slots


def _edges(rows: Sequence[_Row]) -> dict[int, int]:
    """The column that each edge ends; none when there are more than a table may have."""
    stated = sorted({cell.edge for row in rows for cell in row.defined[: len(row.cells)]})
    columns: dict[int, int] = {}
    before: int | None = None
    column = 0
    for edge in stated:
        if before is None or edge - before > _NEAR:
            column += 1
            before = edge
        columns[edge] = column
    return columns if column <= MAX_COLUMNS else {}
