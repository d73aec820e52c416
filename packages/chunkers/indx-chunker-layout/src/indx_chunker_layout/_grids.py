"""Tables as chunks: rows on lines, cells parted by tabs, the header repeated where a table goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from indx_chunker_layout._cells import Fragment
from indx_chunker_layout._page import Page
from indx_chunker_layout._tables import Grid, GridCell
from indx_core.cutting import header_cells, place
from indx_core.ports import Box, BoxReason, Cell, Span, Table

__all__ = ["Piece", "Sheet", "of_grid", "of_table", "pieces"]

_HEADER_SHARE: Final = 3  # a header that takes more than this part of a chunk is not repeated


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row: its number from 1, its text, the stretches it was made from, and their place."""

    number: int
    text: str
    spans: tuple[Span, ...]
    box: Box | None
    reason: BoxReason | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table and those of its rows that hold text."""

    table: Table
    rows: list[SheetRow]


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of rows of a table."""

    text: str
    spans: tuple[Span, ...]
    box: Box | None
    box_reason: BoxReason | None
    table: Table
    repeated: int


def of_table(page: Page, line: int) -> Sheet:
    """A table that the reader found."""
    table = page.tables[line]
    rows: list[SheetRow] = []
    start = table.start
    for number, text in enumerate(page.text[table.start : table.end].split("\n"), start=1):
        end = start + len(text)
        if text.strip():
            rows.append(SheetRow(number, text, ((start, end),), *place(page.reading, [(start, end)])))
        start = end + 1
    return Sheet(table, rows)


def of_grid(page: Page, grid: Grid) -> Sheet:
    """A table found on the page."""
    rows: list[SheetRow] = []
    cells: list[Cell] = []
    for number, row in enumerate(grid.rows, start=1):
        made = [_cell(page, cell, number) for cell in row]
        texts = [""] * grid.columns
        for cell in made:
            texts[cell.column - 1] = cell.text
        spans = _together(page.text, [(part.start, part.end) for cell in row for part in cell.parts])
        lines = [line for cell in row for part in cell.parts for line in part.lines]
        rows.append(SheetRow(number, "\t".join(texts), spans, *page.place(lines)))
        cells += made
    bounds = [bound for row in rows for span in row.spans for bound in span]
    table = Table(min(bounds), max(bounds), len(rows), grid.columns, grid.header_rows, tuple(cells))
    return Sheet(table, rows)


def _cell(page: Page, cell: GridCell, row: int) -> Cell:
    parts = sorted(cell.parts, key=lambda part: part.start)
    text = " ".join(" ".join(page.text[part.start : part.end] for part in cell.parts).split())
    start, end = parts[0].start, parts[-1].end
    return Cell(row, cell.column + 1, 1, cell.columns, text, start, end, _around(page, parts))


def _around(page: Page, parts: Sequence[Fragment]) -> Box | None:
    """The box around the parts of a cell; None where one is a part of a line, whose place is not known."""
    if any(not part.left <= part.right for part in parts):
        return None
    return page.place([line for part in parts for line in part.lines])[0]


def _together(text: str, spans: list[Span]) -> tuple[Span, ...]:
    """Stretches in the order of the text, those with nothing but white space between them made one."""
    spans.sort()
    merged = [spans[0]]
    for (_, before), (start, end) in pairwise(spans):
        if text[before:start].strip():
            merged.append((start, end))
        else:
            merged[-1] = (merged[-1][0], end)
    return tuple(merged)


def pieces(sheet: Sheet, max_chars: int) -> Iterator[Piece]:
    """Runs of whole rows of at most `max_chars`; a row that is longer is one of its own.

    The header's rows are repeated at the head of later runs, unless they take a third of what fits.
    """
    table = sheet.table
    header = [row for row in sheet.rows if row.number <= table.header_rows]
    size = sum(len(row.text) + 1 for row in header)
    repeats = 0 < size * _HEADER_SHARE <= max_chars
    again = header_cells(table) if repeats else []
    cells: dict[int, list[Cell]] = {}
    for cell in table.cells:
        cells.setdefault(cell.row, []).append(cell)
    for number, run in enumerate(_runs(sheet.rows, size if repeats else 0, max_chars)):
        repeated = header if number and repeats and run[0].number > table.header_rows else []
        carried = [*again] if repeated else []
        carried += [cell for row in run for cell in cells.get(row.number, ())]
        yield Piece(
            "\n".join(row.text for row in [*repeated, *run]),
            tuple(sorted(span for row in run for span in row.spans)),
            *_union(run),
            replace(table, cells=tuple(carried)),
            len(repeated),
        )


def _runs(rows: Sequence[SheetRow], header: int, max_chars: int) -> Iterator[list[SheetRow]]:
    run: list[SheetRow] = []
    size = 0
    for row in rows:
        long = len(row.text) + 1
        if run and size + long - 1 > max_chars:
            yield run
            run, size = [], header
        run.append(row)
        size += long
    yield run


def _union(rows: Sequence[SheetRow]) -> tuple[Box | None, BoxReason | None]:
    """The box around rows; the reason of one that has none, if its lines are not just hidden."""
    boxes = [row.box for row in rows if row.box is not None]
    reasons = [row.reason for row in rows if row.reason is not None]
    if not boxes or "unresolved" in reasons:
        return None, "unresolved" if "unresolved" in reasons else "hidden"
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return (min(x0), min(y0), max(x1), max(y1)), None
