"""Tables: groups of boxes side by side, whose edges tell rows and columns."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from indx_core.ports import Box
from indx_format_office import TextWriter
from indx_format_office.geometry import box_of, rectangle
from indx_format_office.grid import Slot, write_table
from indx_reader_ppt._shapes import LINE, Shape

__all__ = ["write_cells"]

_MOST_PLACES: Final = 50_000
_SAME: Final = 0.0006
"""How far apart, in shares of the slide, edges are that are drawn as one."""


def write_cells(table: Shape, writer: TextWriter, text: Callable[[Shape, TextWriter], None]) -> bool:
    """Write a table; False, and nothing written, when its boxes are no cells.

    Args:
        table: The group.
        writer: Where to write.
        text: Writes the text of a cell.
    """
    cells = [shape for shape in table.shapes or () if shape.kind != LINE and shape.shapes is None]
    places = [rectangle(cell.place) for cell in cells if cell.place is not None]
    if not cells or len(places) < len(cells):
        return False
    across = _edges([edge for left, _, right, _ in places for edge in (left, right)])
    down = _edges([edge for _, top, _, bottom in places for edge in (top, bottom)])
    slots: list[Slot] = []
    covered: set[tuple[int, int]] = set()
    for cell, (left, top, right, bottom) in sorted(zip(cells, places, strict=True), key=_by_place):
        first_row, last_row = _nearest(down, top), _nearest(down, bottom)
        first_column, last_column = _nearest(across, left), _nearest(across, right)
        height, width = last_row - first_row, last_column - first_column
        taken = len(covered) + height * width
        if height < 1 or width < 1 or taken > _MOST_PLACES:
            return False
        covered.update(
            (row, column) for row in range(first_row, last_row) for column in range(first_column, last_column)
        )
        if len(covered) < taken:
            return False
        written = TextWriter()
        text(cell, written)
        box = box_of((left, top, right, bottom))
        slots.append(Slot(first_row + 1, first_column + 1, written, height, width, box))
    lines = [box_of((across[0], top, across[-1], bottom)) for top, bottom in pairwise(down)]
    write_table(writer, slots, len(lines), begin_row=lambda row: writer.place(lines[row - 1]))
    return True


def _by_place(cell: tuple[Shape, Box]) -> tuple[float, float]:
    return cell[1][1], cell[1][0]


def _edges(found: Sequence[float]) -> list[float]:
    """The lines that edges lie on, rising."""
    lines: list[float] = []
    for edge in sorted(found):
        if not lines or edge - lines[-1] > _SAME:
            lines.append(edge)
    return lines


def _nearest(lines: Sequence[float], edge: float) -> int:
    return max(0, bisect_right(lines, edge) - 1)
