"""From a page as read to its chunks. Version 2 of the PDF chunker: frozen behaviour."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from indx_chunker_layout._grids import Sheet, of_grid, of_table, pieces
from indx_chunker_layout._order import regions
from indx_chunker_layout._page import Page
from indx_chunker_layout._paragraphs import paragraphs
from indx_chunker_layout._tables import find_tables
from indx_core.headings import Section, titles_of
from indx_core.hiding import parted
from indx_core.ports import ChunkDraft, ChunkLayout, PageReading, Span

__all__ = ["cut"]


@dataclass(frozen=True, slots=True)
class _Unit:
    """What stays together: lines in the order of the text, and the table they make if they do."""

    lines: list[int]
    sheet: Sheet | None = None
    is_placed: bool = True


def cut(reading: PageReading, section: Section, max_chars: int) -> list[ChunkDraft]:
    """The chunks of a page that was read, its lines having places.

    Args:
        reading: The page.
        section: The headings in force where it begins.
        max_chars: The most a chunk may have, one line or row that is longer apart.
    """
    page = Page(reading)
    units = [unit for rows in regions(page) for unit in _units(page, rows, max_chars)]
    units += _unordered(page, page.aside, max_chars)
    titles = _Titles(reading, section)
    drafts = [
        draft
        for unit in _inserted(units, _unordered(page, page.unresolved, max_chars))
        for draft in _drafts(page, unit, titles, max_chars)
    ]
    return parted(reading, drafts, joiner="\n")


def _units(page: Page, rows: Sequence[list[int]], max_chars: int) -> Iterator[_Unit]:
    """Paragraphs and tables of a region."""
    position = 0
    found = [(at, at + 1, None) for at, row in enumerate(rows) if row[0] in page.tables]
    grids = find_tables(page, rows)
    for first, end, grid in sorted([*found, *grids], key=lambda one: one[:2]):
        yield from (_Unit(lines) for lines in paragraphs(page, rows[position:first], max_chars))
        lines = sorted(line for row in rows[first:end] for line in row)
        yield _Unit(lines, of_table(page, lines[0]) if grid is None else of_grid(page, grid))
        position = end
    yield from (_Unit(lines) for lines in paragraphs(page, rows[position:], max_chars))


def _unordered(page: Page, lines: Sequence[int], max_chars: int) -> list[_Unit]:
    """Lines that have no place in the flow, in the order of the text: neighbours of one kind together."""
    units: list[_Unit] = []
    size = 0
    for line in lines:
        if line in page.tables:
            units.append(_Unit([line], of_table(page, line), is_placed=False))
            continue
        long = page.ends[line] - page.starts[line] + 1
        last = units[-1] if units else None
        joins = last is not None and last.sheet is None and last.lines[-1] == line - 1
        if (
            last is not None
            and joins
            and page.kind(line) == page.kind(line - 1)
            and size + long - 1 <= max_chars
        ):
            last.lines.append(line)
            size += long
        else:
            units.append(_Unit([line], is_placed=False))
            size = long
    return units


def _inserted(units: list[_Unit], more: Sequence[_Unit]) -> list[_Unit]:
    """`units`, and each of `more` after the one that carries the line before it in the text."""
    if not more:
        return units
    owner = {line: number for number, unit in enumerate(units) for line in unit.lines}
    after: dict[int, list[_Unit]] = {}
    for unit in more:
        before = unit.lines[0] - 1
        while before >= 0 and before not in owner:
            before -= 1
        number = owner.get(before, -1)
        after.setdefault(number, []).append(unit)
        for line in unit.lines:
            owner[line] = number
    result = after.get(-1, [])
    for number, unit in enumerate(units):
        result += [unit, *after.get(number, ())]
    return result


class _Titles:
    """The headings in force at any place of a page."""

    def __init__(self, reading: PageReading, section: Section) -> None:
        self.starts = [heading.start for heading in reading.headings]
        self.titles = titles_of(reading, section)

    def before(self, end: int) -> tuple[str, ...]:
        """The headings that begin before `end`."""
        return self.titles[bisect_right(self.starts, end - 1)]


def _drafts(page: Page, unit: _Unit, titles: _Titles, max_chars: int) -> Iterator[ChunkDraft]:
    reading = page.reading
    if unit.sheet is not None:
        for piece in pieces(unit.sheet, max_chars):
            yield ChunkDraft(
                piece.text,
                spans=piece.spans,
                box=piece.box,
                box_reason=piece.box_reason,
                layout=ChunkLayout("table", piece.table, piece.repeated),
                section=titles.before(piece.spans[-1][1]),
            )
        return
    spans = _spans(page, unit.lines)
    box, reason = page.place(unit.lines)
    yield ChunkDraft(
        "\n".join([reading.text[start:end] for start, end in spans]),
        spans=spans,
        box=box,
        box_reason=reason,
        layout=None if reason == "unresolved" else ChunkLayout("paragraph"),
        section=titles.before(spans[-1][1]),
    )


def _spans(page: Page, lines: Sequence[int]) -> tuple[Span, ...]:
    """The stretches of the text that `lines`, in its order, take up; those that follow each other are one."""
    runs = groupby(enumerate(lines), key=lambda one: one[1] - one[0])
    spans: list[Span] = []
    for _, run in runs:
        held = [line for _, line in run]
        spans.append((page.starts[held[0]], page.ends[held[-1]]))
    return tuple(spans)
