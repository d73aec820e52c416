"""The cells of a table as columns, as they travel between a worker and its pool: a table has many of them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, chain, pairwise
from math import nan
from typing import Any, Final

from indx_core.ports import Cell, Table

__all__ = ["NUMBERS", "columns_of", "with_cells"]

NUMBERS: Final = 7
"""Whole numbers that a cell travels as."""
_UNKNOWN: Final = (nan,) * 4


def columns_of(cells: Any) -> tuple[array[int], str, array[float]] | None:
    """Numbers, texts and boxes of cells; None where they are not as most cells are."""
    if type(cells) not in (tuple, list) or any(type(cell) is not Cell for cell in cells):
        return None
    boxes = [_UNKNOWN if cell.box is None else cell.box for cell in cells]
    if any(type(box) is not tuple or len(box) != 4 for box in boxes):
        return None
    if any(box[0] != box[0] and box is not _UNKNOWN for box in boxes):
        return None  # no box at all: it is to be refused, as it is without a worker
    try:
        text = "".join([cell.text for cell in cells])
        rows = [(c.row, c.column, c.row_span, c.column_span, c.start, c.end, len(c.text)) for c in cells]
        return array("q", chain.from_iterable(rows)), text, array("d", chain.from_iterable(boxes))
    except (TypeError, OverflowError):
        return None


def with_cells(table: Any, numbers: Sequence[int], text: str, boxes: Sequence[float]) -> Table:
    """A table that came without its cells, with those of columns.

    Raises:
        ValueError: It is no table, or the columns are not those of as many cells.
    """
    kind: Any = type(table.cells) if type(table) is Table else None
    if kind not in (tuple, list):
        raise ValueError("no table to put cells into")
    whole: Table = replace(table, cells=kind(_cells(numbers, text, boxes)))
    return whole


def _cells(numbers: Sequence[int], text: str, boxes: Sequence[float]) -> list[Cell]:
    rows, columns, row_spans, column_spans, starts, ends, sizes = (
        numbers[part::NUMBERS] for part in range(NUMBERS)
    )
    stops = list(accumulate(sizes, initial=0))
    count = len(sizes)
    if len(numbers) != NUMBERS * count or len(boxes) != 4 * count or stops[-1] != len(text):
        raise ValueError("columns of cells that do not fit each other")
    if count and min(sizes) < 0:
        raise ValueError("a text of a negative length")
    texts = [text[start:stop] for start, stop in pairwise(stops)]
    sides = zip(*(boxes[part::4] for part in range(4)), strict=True)
    places = [box if box[0] == box[0] else None for box in sides]
    return list(map(Cell, rows, columns, row_spans, column_spans, texts, starts, ends, places))
