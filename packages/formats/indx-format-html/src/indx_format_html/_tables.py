"""Tables: which of them hold data, and where in the grid each cell stands."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["Grid", "Layouts", "Place", "grid_of"]

MAX_COLUMN_SPAN = 1000
MAX_OPEN_SPANS = 256
EMPTY_PER_CELL = 16
EMPTY_AT_LEAST = 10_000
"""Columns that the first table may leave empty whatever its cells; those after it share what they may."""

_DIGITS = re.compile(r"\s*\+?(\d{1,9})")
_SECTIONS = frozenset({"thead", "tbody", "tfoot"})
_PRESENTATION = frozenset({"presentation", "none"})


@dataclass(frozen=True, slots=True)
class Place:
    """Where a cell stands in its table, counted from 1, and how much of it it covers."""

    row: int
    column: int
    row_span: int
    column_span: int


@dataclass(slots=True)
class Grid:
    """A table's own rows and cells, those of tables inside it left out."""

    rows: int = 0
    columns: int = 0
    header_rows: int = 0
    own_rows: set[int] = field(default_factory=set)
    places: dict[int, Place] = field(default_factory=dict)
    headed: bool = False


class Layouts:
    """Which tables of a page hold other tables or headings: those only arrange it."""

    def __init__(self, page: LexborHTMLParser) -> None:
        """Look once for all of them, so that nested tables cost no more than others."""
        self._nesting = {_table_around(node) for node in page.css("table table")}
        self._heading = {_table_around(node) for node in page.css("table :is(h1, h2, h3, h4, h5, h6)")}

    def arranges(self, table: LexborNode, grid: Grid) -> bool:
        """Whether `table` places parts of the page rather than holding data."""
        if (table.attributes.get("role") or "").strip().lower() in _PRESENTATION or len(grid.places) < 2:
            return True
        if grid.headed:
            return False
        if table.mem_id in self._nesting or table.mem_id in self._heading:
            return True
        return (
            grid.rows == 1 and table.css_first("pre") is not None
        )  # code, with the numbers of its lines beside it


def _table_around(node: LexborNode) -> int:
    parent = node.parent
    while parent is not None and parent.tag != "table":
        parent = parent.parent
    return 0 if parent is None else parent.mem_id


def grid_of(table: LexborNode, number: int) -> Grid:
    """The grid of `table`, `number` tables after the first, by the HTML standard's algorithm for forming one.

    No two cells lie over each other: a span ends where it meets another. Where spans would make far more
    of the grid empty than filled, they are not believed.
    """
    grid, empty = _form(table, spanning=True)
    if empty > EMPTY_PER_CELL * len(grid.places) + EMPTY_AT_LEAST // (number + 1):
        grid, _ = _form(table, spanning=False)
    return grid


def _form(table: LexborNode, *, spanning: bool) -> tuple[Grid, int]:
    """The grid, and how many columns are left free before the last cells of its rows."""
    grid = Grid(headed=any(child.tag in ("caption", "thead") for child in _children(table)))
    spans: list[tuple[int, int, int]] = []  # first column, column after the last, last row
    all_heads: list[int] = []  # the last row that each leading row of header cells reaches
    empty = 0
    for section, rows in _sections(table):
        spans.clear()
        last = grid.rows + len(rows)
        for row in rows:
            grid.rows += 1
            grid.own_rows.add(row.mem_id)
            cells = list(_cells(row))
            reach, columns = _place_row(grid, cells, spans, last if spanning else 0)
            empty += columns - len(cells)
            if section == "thead" and grid.header_rows == grid.rows - 1:
                grid.header_rows = grid.rows
            if reach and len(all_heads) == grid.rows - 1:
                all_heads.append(reach)
    if not grid.header_rows:
        grid.header_rows = _leading_heads(all_heads, grid.rows)
    return grid, empty


def _place_row(
    grid: Grid, cells: list[LexborNode], spans: list[tuple[int, int, int]], last_row: int
) -> tuple[int, int]:
    """Place one row's cells: the last row they reach if all of them head others, else 0; the last column.

    Without a `last_row` no cell spans anything.
    """
    spans[:] = sorted(span for span in spans if span[2] >= grid.rows)
    column = ahead = 0
    reach = grid.rows
    heads = bool(cells) and (cells[0].tag == "th" or _is_corner(cells))
    opened: list[tuple[int, int, int]] = []
    for cell in cells:
        while ahead < len(spans) and spans[ahead][0] <= column:
            column = max(column, spans[ahead][1])
            ahead += 1
        attributes = cell.attributes
        down, across = _spans(attributes, last_row - grid.rows + 1)
        if ahead < len(spans):
            across = min(across, spans[ahead][0] - column)
        if down > 1 and len(spans) + len(opened) >= MAX_OPEN_SPANS:
            down = 1
        grid.places[cell.mem_id] = Place(grid.rows, column + 1, down, across)
        if down > 1:
            opened.append((column, column + across, grid.rows + down - 1))
        column += across
        reach = max(reach, grid.rows + down - 1)
        is_head = cell.tag == "th"
        grid.headed = grid.headed or is_head
        is_row_head = is_head and (attributes.get("scope") or "").lower() in ("row", "rowgroup")
        heads = heads and (is_head or cell is cells[0]) and not is_row_head
    spans += opened
    grid.columns = max(grid.columns, column)
    return (reach if heads else 0), column


def _is_corner(cells: list[LexborNode]) -> bool:
    """Whether the first cell only leaves the corner free between the heads of rows and of columns."""
    first, *others = cells
    return bool(others) and all(cell.tag == "th" for cell in others) and not first.text(deep=True).strip()


def _spans(attributes: dict[str, str | None], rows_left: int) -> tuple[int, int]:
    if rows_left < 1:
        return 1, 1
    down = _number(attributes.get("rowspan")) if "rowspan" in attributes else 1
    across = _number(attributes.get("colspan")) if "colspan" in attributes else 1
    # A rowspan of 0 reaches to the end of its row group.
    return min(rows_left if down == 0 else down, rows_left), min(max(across, 1), MAX_COLUMN_SPAN)


def _leading_heads(reaches: list[int], rows: int) -> int:
    """How many leading rows of header cells head the others: none may reach past them into the body."""
    most = rows - 1 if len(reaches) < rows else min(1, rows - 1)
    heads = furthest = 0
    for count, reach in enumerate(reaches[:most], 1):
        furthest = max(furthest, reach)
        if furthest <= count:
            heads = count
    return heads


def _sections(table: LexborNode) -> Iterator[tuple[str, list[LexborNode]]]:
    loose: list[LexborNode] = []
    for child in _children(table):
        if child.tag == "tr":
            loose.append(child)
        elif child.tag in _SECTIONS:
            if loose:
                yield "tbody", loose
                loose = []
            yield str(child.tag), [row for row in _children(child) if row.tag == "tr"]
    if loose:
        yield "tbody", loose


def _cells(row: LexborNode) -> Iterator[LexborNode]:
    return (child for child in _children(row) if child.tag in ("td", "th"))


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


def _number(text: str | None) -> int:
    found = _DIGITS.match(text or "")
    return int(found[1]) if found else 1
