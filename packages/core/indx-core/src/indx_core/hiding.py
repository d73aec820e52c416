"""Parting what a document hides from what it shows, so that no chunk passes the one off as the other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from indx_core.cutting import place
from indx_core.text import grapheme_floor

if TYPE_CHECKING:
    from indx_core.ports import Box, BoxReason, Cell, ChunkDraft, PageReading, Span, Table

__all__ = ["apart", "parted"]


def parted(page: PageReading, drafts: Iterable[ChunkDraft], *, joiner: str = "") -> list[ChunkDraft]:
    """`drafts` of `page`, each that carries shown and hidden text in place of it as several that do not.

    Of a table with hidden rows, columns or cells one draft has the shown cells, another the hidden ones.

    Args:
        page: The page that was cut.
        drafts: What it was cut into.
        joiner: What stands between the spans of a chunk in its text.
    """
    if not page.hidden:
        return list(drafts)
    return [part for draft in drafts for part in _parts(page, draft, joiner)]


def apart(text: str, spans: Sequence[Span], hidden: Sequence[Span]) -> tuple[list[Span], list[list[Span]]]:
    """The stretches of `spans` that are shown, and runs of those that are `hidden`.

    The shown keep their line breaks. The hidden are one run as long as white space parts them.
    """
    shown: list[Span] = []
    runs: list[list[Span]] = []
    for start, end in spans:
        position = start
        for first, last in _within(text, start, end, hidden):
            before, behind = text[position:first].rstrip(), text[last:end].lstrip()
            lead, tail = text[position + len(before) : first], text[last : end - len(behind)]
            if before and "\n" in tail and "\n" not in lead:
                first -= len(lead) if runs else 0  # a line ends here that is shown but for this
            else:
                last += len(tail)
            if text[position:first].strip():
                shown.append((position, first))
            if runs and (text[first].isspace() or text[runs[-1][-1][1] - 1].isspace()):
                runs[-1].append((first, last))
            else:
                runs.append([(first, last)])
            position = last
        if text[position:end].strip():
            shown.append((position, end))
    return shown, runs


def _within(text: str, start: int, end: int, hidden: Sequence[Span]) -> list[Span]:
    """The hidden words of `text[start:end]`, those that at most white space parts as one."""
    found: list[Span] = []
    for number in range(bisect_right(hidden, start, key=itemgetter(1)), len(hidden)):
        first, last = hidden[number]
        if first >= end:
            break
        first, last = (grapheme_floor(text, place) for place in (max(first, start), min(last, end)))
        if body := text[first:last].strip():
            first = text.index(body, first)
            last = first + len(body)
            joins = found and not text[found[-1][1] : first].strip()
            found.append((found.pop()[0] if joins else first, last))
    return found


def _parts(page: PageReading, draft: ChunkDraft, joiner: str) -> Iterator[ChunkDraft]:
    shown, runs = apart(page.text, draft.spans, page.hidden)
    if not runs:
        called_hidden = draft.box_reason == "hidden" and draft.spans
        yield _part(page, draft, draft.text or "", draft.spans, hides=False) if called_hidden else draft
        return
    if not shown:
        yield replace(draft, box=None, box_reason="hidden")
        return
    hidden = [span for run in runs for span in run]
    layout = draft.layout
    if layout is not None and layout.table is not None:
        kinds = _cells(page, layout.table)
        if all(any(cell.text.strip() for cell in cells) for cells in kinds):
            for cells, spans in zip(kinds, (shown, hidden), strict=True):
                repeated = len({cell.row for cell in cells if cell.row <= layout.repeated})
                table = replace(layout.table, cells=tuple(cells))
                own = replace(draft, layout=replace(layout, table=table, repeated=repeated))
                yield _part(page, own, _rows(cells), spans, hides=spans is hidden)
            return
        draft = replace(draft, layout=None)  # its cells are not what it says
    parts = [shown, *([hidden] if joiner else runs)]
    for spans in sorted(parts):
        start, end = spans[-1]
        spans[-1] = start, start + len(page.text[start:end].rstrip())
        text = joiner.join([page.text[start:end] for start, end in spans])
        yield _part(page, draft, text, spans, hides=spans is not shown)


def _part(
    page: PageReading, draft: ChunkDraft, text: str, spans: Sequence[Span], *, hides: bool
) -> ChunkDraft:
    box: Box | None = None
    reason: BoxReason | None = "hidden"
    if not hides and page.boxes is None and draft.box is not None:
        box, reason = draft.box, None  # of the cells of a table
    elif not hides:
        box, reason = (None, "unresolved") if draft.box_reason == "unresolved" else place(page, spans)
    return replace(draft, text=text, spans=tuple(spans), box=box, box_reason=reason)


def _cells(page: PageReading, table: Table) -> tuple[list[Cell], list[Cell]]:
    """The shown cells of a table, and the hidden ones; of a cell that is both, its parts."""
    kinds: tuple[list[Cell], list[Cell]] = ([], [])
    for cell in table.cells:
        shown, runs = apart(page.text, [(cell.start, cell.end)], page.hidden)
        if not (shown and runs):
            kinds[bool(runs)].append(cell)
            continue
        for kind, spans in zip(kinds, (shown, [span for run in runs for span in run]), strict=True):
            said = " ".join("".join([page.text[start:end] for start, end in spans]).split())
            kind.append(replace(cell, text=said, start=spans[0][0], end=spans[-1][1]))
    return kinds


def _rows(cells: Sequence[Cell]) -> str:
    """A line for each row, its cells parted by tabs, without the columns before the first."""
    filled = sorted((cell for cell in cells if cell.text.strip()), key=attrgetter("row", "column"))
    left = min(cell.column for cell in filled)
    rows: dict[int, str] = {}
    columns: dict[int, int] = {}
    for cell in filled:
        tabs = "\t" * (cell.column - columns.get(cell.row, left))
        rows[cell.row] = rows.get(cell.row, "") + tabs + " ".join(cell.text.split())
        columns[cell.row] = cell.column
    return "\n".join(rows.values())
