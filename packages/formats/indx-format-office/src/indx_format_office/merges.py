"""Merged cells of a worksheet: each once, with what it spans, and nothing where it covers others."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from typing import Final

from indx_format_office.cells import Area, Row, Sheet

__all__ = ["merge"]

_MAX_VISITS: Final = 2_000_000
"""Rows that merged areas may touch together; a hostile sheet could state a million areas over all rows."""


def merge(sheet: Sheet) -> dict[tuple[int, int], tuple[int, int]]:
    """Drop the cells that merged ones cover.

    Returns:
        The last row and the last column that a merged cell reaches, by the row and column it stands in.
        An area whose first cell is empty, or that overlaps one before it, counts as not merged.
    """
    numbers = [row.number for row in sheet.rows]
    taken: list[list[tuple[int, int]]] = [[] for _ in numbers] if sheet.merges else []
    reaches: dict[tuple[int, int], tuple[int, int]] = {}
    visits = 0
    for area in sheet.merges:
        first_row, first_column, last_row, last_column = area
        first = bisect_left(numbers, first_row)
        if (
            first == len(numbers)
            or numbers[first] != first_row
            or (first_row, first_column) == (last_row, last_column)
        ):
            continue
        last = bisect_right(numbers, last_row)
        visits += last - first
        if visits > _MAX_VISITS:
            break
        if not _fills(sheet.rows[first], first_column) or any(
            _overlaps(taken[at], area) for at in range(first, last)
        ):
            continue
        for at in range(first, last):
            insort(taken[at], (first_column, last_column))
            _drop(sheet.rows[at], first_column + (at == first), last_column)
        reaches[first_row, first_column] = last_row, last_column
    sheet.rows = [row for row in sheet.rows if row.columns]
    return reaches


def _fills(row: Row, column: int) -> bool:
    at = bisect_left(row.columns, column)
    return at < len(row.columns) and row.columns[at] == column


def _overlaps(taken: list[tuple[int, int]], area: Area) -> bool:
    """Whether a range of columns of one row, none of which overlap, meets those of `area`."""
    at = bisect_left(taken, (area[3] + 1, 0)) - 1
    return at >= 0 and taken[at][1] >= area[1]


def _drop(row: Row, first: int, last: int) -> None:
    """Drop the cells of `row` in these columns."""
    begin, end = bisect_left(row.columns, first), bisect_right(row.columns, last)
    del row.columns[begin:end]
    del row.texts[begin:end]
