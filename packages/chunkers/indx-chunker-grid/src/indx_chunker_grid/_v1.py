"""Version 1 of the grid chunker, frozen: the same page gives the same chunks for ever.

A chunk of a table carries whole rows: at most so many body rows, and at most `CEILING` characters. The
header's rows stand in the first chunk and are repeated at the head of the others, unless they alone take
more than a third of the ceiling: then repeating them would leave little but headers. A row that is longer
than the ceiling is a chunk of its own. Cells keep the rows and columns they have in the whole table.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isnan
from typing import Final, NamedTuple

from indx_core.cutting import header_cells, split, trim
from indx_core.hiding import parted
from indx_core.ports import (
    Box,
    BoxReason,
    Cell,
    ChunkDraft,
    ChunkLayout,
    PageReading,
    RoleSpan,
    Span,
    Table,
)

__all__ = ["CEILING", "cut", "is_grid"]

CEILING: Final = 2000
"""The most characters of a chunk, a single row that is longer apart."""

_HEADER_SHARE: Final = 3
_MOST_BESIDE: Final = 0.1


class _Row(NamedTuple):
    """A row that holds text: its number from 1, and the stretch of the page's text it stands on."""

    number: int
    start: int
    end: int


def is_grid(reading: PageReading) -> bool:
    """Whether tables are nearly all that the page says, headings, captions, comments and the like apart."""
    if reading.reason is not None or not reading.tables:
        return False
    inside = sum(_weight(reading.text[table.start : table.end]) for table in reading.tables)
    beside = sum(_weight(reading.text[start:end]) for start, end in _plain(reading))
    return inside > 0 and beside <= _MOST_BESIDE * (inside + beside)


def _plain(reading: PageReading) -> Iterator[Span]:
    """The stretches outside of tables, headings and whatever has a role."""
    marks = [(table.start, table.end) for table in reading.tables]
    marks += [(role.start, role.end) for role in reading.roles]
    marks += [(heading.start, heading.end) for heading in reading.headings]
    position = 0
    for start, end in sorted(marks):
        if start > position:
            yield position, start
        position = max(position, end)
    yield position, len(reading.text)


def _weight(text: str) -> int:
    return sum(map(len, text.split()))


def cut(reading: PageReading, max_rows: int) -> list[ChunkDraft]:
    """Cut a page into runs of rows, and what stands beside its tables into chunks of its own."""
    drafts = [draft for gap in _gaps(reading) for draft in _beside(reading, gap)]
    for table in reading.tables:
        drafts += _runs(reading, table, max_rows)
    return parted(reading, sorted(drafts, key=lambda draft: draft.spans[0]))


def _gaps(reading: PageReading) -> Iterator[Span]:
    """The stretches of the page's text outside its tables."""
    position = 0
    for table in reading.tables:
        yield position, table.start
        position = table.end
    yield position, len(reading.text)


def _runs(reading: PageReading, table: Table, max_rows: int) -> Iterator[ChunkDraft]:
    rows = list(_rows(reading.text, table))
    header = [row for row in rows if row.number <= table.header_rows]
    body = rows[len(header) :]
    by_row: dict[int, list[Cell]] = {}
    for cell in table.cells:
        by_row.setdefault(cell.row, []).append(cell)
    head = (header[0].start, header[-1].end) if header else (table.start, table.start)
    height = head[1] - head[0]
    repeats = 0 < height * _HEADER_SHARE <= CEILING
    again = header_cells(table) if repeats else []
    section = _section(reading, table.start)
    for number, run in enumerate(_grouped(body, height, repeats=repeats, max_rows=max_rows)):
        first = number == 0 and bool(header)
        repeated = not first and repeats and bool(run)
        carried = [*header, *run] if first else run
        start, end = carried[0].start, carried[-1].end
        text = reading.text[start:end]
        cells = [cell for row in carried for cell in by_row.get(row.number, ())]
        if repeated:
            text = f"{reading.text[head[0] : head[1]]}\n{text}"
            cells = [*again, *cells]
        box, reason = _place(reading, (start, end), cells)
        layout = ChunkLayout(
            "table", replace(table, cells=tuple(cells)), table.header_rows if repeated else 0
        )
        yield ChunkDraft(
            text, spans=((start, end),), box=box, box_reason=reason, layout=layout, section=section
        )


def _rows(text: str, table: Table) -> Iterator[_Row]:
    """The rows of a table that hold text; each is a line."""
    start = table.start
    for number, line in enumerate(text[table.start : table.end].split("\n"), start=1):
        if line.strip():
            yield _Row(number, start, start + len(line))
        start += len(line) + 1


def _grouped(body: Sequence[_Row], height: int, *, repeats: bool, max_rows: int) -> Iterator[list[_Row]]:
    """The body's rows in runs; the first, which the header leads, is empty where no row fits beside it."""
    run: list[_Row] = []
    room = CEILING - (height + 1 if height else 0)
    fresh = CEILING - (height + 1 if repeats else 0)
    if height and body and body[0].end - body[0].start > room:
        yield []
        room = fresh
    for row in body:
        if run and (len(run) == max_rows or row.end - run[0].start > room):
            yield run
            run, room = [], fresh
        run.append(row)
    if run or (height and not body):
        yield run


def _beside(reading: PageReading, gap: Span) -> Iterator[ChunkDraft]:
    """Chunks of what stands outside the tables: one role at a time, cut where it is too long."""
    for start, end in _role_runs(reading, gap):
        for piece in split(reading.text, start, end, limit=CEILING):
            span = trim(reading.text, *piece)
            if span is not None:
                box, reason = _place(reading, span, ())
                text = reading.text[span[0] : span[1]]
                yield ChunkDraft(
                    text, spans=(span,), box=box, box_reason=reason, section=_section(reading, span[0])
                )


def _role_runs(reading: PageReading, gap: Span) -> Iterator[Span]:
    """`gap` in stretches of whole lines that have one role."""
    begin = position = gap[0]
    role: str | None = None
    for line in reading.text[gap[0] : gap[1]].split("\n"):
        if line.strip():
            here = _role_at(reading.roles, position + len(line) - len(line.lstrip()))
            if here != role and reading.text[begin:position].strip():
                yield begin, position
                begin = position
            role = here
        position += len(line) + 1
    yield begin, gap[1]


def _role_at(roles: Sequence[RoleSpan], position: int) -> str | None:
    at = bisect_left(roles, position + 1, key=lambda role: role.start) - 1
    return roles[at].role if at >= 0 and position < roles[at].end else None


def _section(reading: PageReading, position: int) -> tuple[str, ...]:
    """The headings above `position`, and what the table there, or else the last before it, is called."""
    path = _path(reading, position)
    at = bisect_left(reading.tables, position + 1, key=lambda table: table.start) - 1
    caption = (reading.tables[at].caption or "").strip() if at >= 0 else ""
    return (*path, caption) if caption and caption not in path else path


def _path(reading: PageReading, position: int) -> tuple[str, ...]:
    """The headings above `position`, outermost first."""
    path: list[tuple[int, str]] = []
    for heading in reading.headings:
        if heading.start >= position:
            break
        while path and path[-1][0] >= heading.level:
            path.pop()
        path.append((heading.level, " ".join(reading.text[heading.start : heading.end].split())))
    return tuple(name for _, name in path if name)


def _place(reading: PageReading, span: Span, cells: Sequence[Cell]) -> tuple[Box | None, BoxReason | None]:
    """The box around the lines, or else the cells, of a stretch, or why there is none."""
    at = bisect_left(reading.hidden, span[0] + 1, key=lambda hidden: hidden[0]) - 1
    if at >= 0 and span[1] <= reading.hidden[at][1]:
        return None, "hidden"
    boxes = [cell.box for cell in cells if cell.box is not None]
    if reading.boxes is not None:
        first = bisect_left(reading.line_starts, span[0])
        last = bisect_left(reading.line_starts, span[1])
        for line in range(first, last):
            left, top, right, bottom = reading.boxes[4 * line : 4 * line + 4]
            if isnan(left):
                return None, "unresolved"
            boxes.append((left, top, right, bottom))
    if not boxes:
        return None, "no_geometry"
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms)), None
