"""Tables become chunks of rows, their header repeated, every row whole where it fits."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from indx_core.cutting import header_cells, place, split, trim
from indx_core.ports import Cell, ChunkDraft, ChunkLayout, PageReading, Span, Table

__all__ = ["table_drafts"]


def table_drafts(page: PageReading, table: Table, limit: int, path: tuple[str, ...]) -> Iterator[ChunkDraft]:
    """The chunks of `table`, none of more than `limit` characters.

    A header that would take more than half of a chunk is not repeated. A row longer than a chunk is cut
    like text and its pieces are not called a table.
    """
    if table.end - table.start <= limit:
        yield from _draft(page, table, table.cells, (table.start, table.end), path, header=None)
        return
    rows = _rows(page.text, table)
    heads = min(table.header_rows, len(rows))
    header = (rows[0][0], rows[heads - 1][1]) if heads else (0, 0)
    room = limit - (header[1] - header[0]) - 1
    repeats = heads > 0 and room * 2 >= limit
    cells = sorted(table.cells, key=lambda cell: (cell.row, cell.column))
    numbers = [cell.row for cell in cells]
    head_again = header_cells(table) if repeats else []

    def of_rows(first: int, last: int) -> list[Cell]:
        return cells[bisect_left(numbers, first + 1) : bisect_left(numbers, last + 1)]

    for first, last in _runs(rows, heads if repeats else 0, limit, room):
        span = (rows[first][0], rows[last - 1][1])
        again = repeats and first >= heads
        if span[1] - span[0] > (room if again else limit):
            yield from _pieces(page, span, limit, path)
            continue
        carried = [*(head_again if again else ()), *of_rows(first, last)]
        yield from _draft(page, table, carried, span, path, header=header if again else None, heads=heads)


def _rows(text: str, table: Table) -> list[Span]:
    rows = []
    start = table.start
    for line in text[table.start : table.end].split("\n"):
        rows.append((start, start + len(line)))
        start += len(line) + 1
    return rows


def _runs(rows: Sequence[Span], heads: int, limit: int, room: int) -> Iterator[tuple[int, int]]:
    """Runs of rows, as numbers from 0, that fit together; the first has the header and more space."""
    first = 0
    for number in range(1, len(rows)):
        space = room if heads and first >= heads else limit
        if number > heads - (first == 0) and rows[number][1] - rows[first][0] > space:
            yield first, number
            first = number
    yield first, len(rows)


def _draft(
    page: PageReading,
    table: Table,
    cells: Sequence[Cell],
    span: Span,
    path: tuple[str, ...],
    *,
    header: Span | None,
    heads: int = 0,
) -> Iterator[ChunkDraft]:
    """A chunk of whole rows, under the header once more where one is given; none for blank rows."""
    body = page.text[slice(*span)]
    if not body.strip():
        return
    text = f"{page.text[slice(*header)]}\n{body}" if header else body
    box, reason = place(page, [span])
    part = replace(table, start=span[0], end=span[1], cells=tuple(cells))
    layout = ChunkLayout("table", part, repeated=heads if header else 0)
    yield ChunkDraft(text, spans=(span,), box=box, box_reason=reason, layout=layout, section=path)


def _pieces(page: PageReading, span: Span, limit: int, path: tuple[str, ...]) -> Iterator[ChunkDraft]:
    for piece in split(page.text, *span, limit=limit):
        if body := trim(page.text, *piece):
            box, reason = place(page, [body])
            yield ChunkDraft(page.text[slice(*body)], spans=(body,), box=box, box_reason=reason, section=path)
