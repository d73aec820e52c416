"""Version 1 of the slides chunker, frozen: the same slide gives the same chunks for ever.

The visible text of a slide whose place is known is one chunk with the box around it, as long as it fits;
past that it is cut between shapes. Tables, the speaker's notes, comments, what the slide hides and what has
no known place are chunks of their own, so that a box never claims what does not stand in it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Final

from indx_core.cutting import split, trim
from indx_core.hiding import parted
from indx_core.ports import Box, BoxReason, Cell, ChunkDraft, ChunkLayout, PageReading, RoleSpan, Span, Table

__all__ = ["CEILING", "TABLE_CEILING", "cut"]

CEILING: Final = 1500
"""The most characters of a chunk of text."""

TABLE_CEILING: Final = 4000
"""The most characters of a chunk of a table, a single row that is longer apart."""

_ASIDE: Final = frozenset(("notes", "comment"))


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that holds text: where it stands in the text, where on the slide, and which lines it joins.

    `kind` is `notes`, `comment`, `hidden`, `unresolved` or `placed`; lines of one kind share chunks.
    """

    start: int
    end: int
    box: Box | None
    kind: str


def cut(reading: PageReading) -> list[ChunkDraft]:
    """Cut one slide; every character that is not white space is in exactly one chunk."""
    section = _section(reading)
    kinds: dict[str, list[_Line]] = {}
    tables: dict[int, list[_Line]] = {}
    for line in _lines(reading):
        table = _table_at(reading.tables, line.start)
        if table is None:
            kinds.setdefault(line.kind, []).append(line)
        else:
            tables.setdefault(table, []).append(line)
    drafts = [draft for lines in kinds.values() for draft in _texts(reading, lines, section)]
    for number, lines in tables.items():
        drafts += _table(reading, reading.tables[number], lines, section)
    return parted(reading, sorted(drafts, key=lambda draft: draft.spans[0]), joiner="\n")


def _lines(reading: PageReading) -> Iterator[_Line]:
    asides = [role for role in reading.roles if role.role in _ASIDE]
    for number, (start, end) in enumerate(zip(reading.line_starts, reading.line_ends, strict=True)):
        if not reading.text[start:end].strip():
            continue
        box: Box | None = None
        if reading.boxes is not None:
            left, top, right, bottom = reading.boxes[4 * number : 4 * number + 4]
            box = None if isnan(left) else (left, top, right, bottom)
        yield _Line(start, end, box, _kind(reading, asides, start, end, box))


def _kind(reading: PageReading, asides: Sequence[RoleSpan], start: int, end: int, box: Box | None) -> str:
    at = bisect_right(asides, start, key=lambda role: role.start) - 1
    if at >= 0 and start < asides[at].end:
        return asides[at].role
    if _is_hidden(reading, start, end):
        return "hidden"
    return "unresolved" if box is None and reading.boxes is not None else "placed"


def _is_hidden(reading: PageReading, start: int, end: int) -> bool:
    at = bisect_right(reading.hidden, start, key=lambda hidden: hidden[0]) - 1
    return at >= 0 and end <= reading.hidden[at][1]


def _table_at(tables: Sequence[Table], position: int) -> int | None:
    at = bisect_right(tables, position, key=lambda table: table.start) - 1
    return at if at >= 0 and position < tables[at].end else None


def _texts(reading: PageReading, lines: Sequence[_Line], section: Sequence[str]) -> Iterator[ChunkDraft]:
    """Chunks of lines of one kind: whole shapes while they fit, then whole lines, then pieces of a line."""
    for group in _grouped(lines, CEILING):
        spans = _spans(reading.text, group)
        if len(group) > 1 or group[0].end - group[0].start <= CEILING:
            yield _draft(reading, group, spans, section)
            continue
        for piece in split(reading.text, *spans[0], limit=CEILING):
            span = trim(reading.text, *piece)
            if span is not None:
                yield _draft(reading, group, (span,), section)


def _grouped(lines: Sequence[_Line], ceiling: int) -> Iterator[list[_Line]]:
    """Lines in groups of at most so many characters, parted between shapes where that is possible."""
    group: list[_Line] = []
    length = 0
    for shape in _shapes(lines):
        size = sum(line.end - line.start + 1 for line in shape)
        if group and length + size > ceiling + 1:
            yield group
            group, length = [], 0
        for line in shape:
            if group and length + line.end - line.start > ceiling:
                yield group
                group, length = [], 0
            group.append(line)
            length += line.end - line.start + 1
    if group:
        yield group


def _shapes(lines: Sequence[_Line]) -> Iterator[list[_Line]]:
    """Lines that stand in the same place, together."""
    shape: list[_Line] = []
    for line in lines:
        if shape and shape[-1].box != line.box:
            yield shape
            shape = []
        shape.append(line)
    if shape:
        yield shape


def _spans(text: str, lines: Sequence[_Line]) -> tuple[Span, ...]:
    """The stretches that lines stand on; those that only a line break parts are one."""
    spans: list[Span] = []
    for line in lines:
        if spans and text[spans[-1][1] : line.start] == "\n":
            spans[-1] = spans[-1][0], line.end
        else:
            spans.append((line.start, line.end))
    return tuple(spans)


def _draft(
    reading: PageReading, lines: Sequence[_Line], spans: Sequence[Span], section: Sequence[str]
) -> ChunkDraft:
    text = "\n".join(reading.text[start:end] for start, end in spans)
    box, reason = _place(reading, lines, ())
    return ChunkDraft(text, spans=tuple(spans), box=box, box_reason=reason, section=section)


def _table(
    reading: PageReading, table: Table, lines: Sequence[_Line], section: Sequence[str]
) -> Iterator[ChunkDraft]:
    """The table as one chunk while it fits, else in runs of rows."""
    above = bisect_left(reading.line_starts, table.start) - 1
    by_row: dict[int, list[Cell]] = {}
    for cell in table.cells:
        by_row.setdefault(cell.row, []).append(cell)
    for group in _grouped(lines, TABLE_CEILING):
        start, end = group[0].start, group[-1].end
        first, last = (bisect_left(reading.line_starts, place) - above for place in (start, group[-1].start))
        cells = tuple(cell for row in range(first, last + 1) for cell in by_row.get(row, ()))
        box, reason = _place(reading, group, cells)
        layout = ChunkLayout("table", replace(table, cells=cells))
        text = reading.text[start:end]
        yield ChunkDraft(
            text, spans=((start, end),), box=box, box_reason=reason, layout=layout, section=section
        )


def _place(
    reading: PageReading, lines: Sequence[_Line], cells: Sequence[Cell]
) -> tuple[Box | None, BoxReason | None]:
    """The box around lines and cells, or why there is none."""
    if all(_is_hidden(reading, line.start, line.end) for line in lines):
        return None, "hidden"
    if reading.boxes is None or all(line.kind in _ASIDE for line in lines):
        return None, "no_geometry"
    if any(line.box is None for line in lines):
        return None, "unresolved"
    boxes = [line.box for line in lines if line.box is not None]
    boxes += [cell.box for cell in cells if cell.box is not None]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms)), None


def _section(reading: PageReading) -> tuple[str, ...]:
    """The slide's title."""
    titles = (" ".join(reading.text[heading.start : heading.end].split()) for heading in reading.headings)
    return tuple(title for title in titles if title)[:1]
