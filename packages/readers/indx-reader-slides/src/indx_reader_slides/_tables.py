"""Tables on slides: merged cells once, a box for every cell and every row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final

from indx_core.ports import Box
from indx_format_office import TextWriter
from indx_format_office.drawing import write_paragraphs
from indx_format_office.geometry import Map, box_of, rectangle
from indx_format_office.grid import Slot, write_table
from indx_format_office.names import A
from indx_format_office.values import switched_on, whole

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = ["Frame", "read_table"]

_MAX_SPAN: Final = 1024
_Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a table begins, what its frame states, and how the units of its columns and rows map.

    Attributes:
        rect: The frame's rectangle as stated, which may leave the slide. Some writers state the same size for
            every table.
        scale: Shares of the slide that a unit across and a unit down take; None in a frame that is turned.
    """

    rect: Box
    scale: tuple[float, float] | None

    @classmethod
    def of(cls, place: Map, outer: Map) -> Frame:
        """The frame at `place`, whose units `outer` maps to shares of the slide."""
        upright = not any((place[1], place[2], outer[1], outer[2])) and outer[0] > 0 < outer[3]
        return cls(rectangle(place), (outer[0], outer[3]) if upright else None)

    def edges(self, sizes: Sequence[int], axis: int) -> list[float]:
        """The lines between columns (axis 0) or rows (1), by their own sizes where each has one."""
        first, last = self.rect[axis], self.rect[axis + 2]
        if self.scale is not None and sizes and all(sizes):
            last = first + sum(sizes) * self.scale[axis]
        else:
            sizes = sizes if any(sizes) else [1] * len(sizes)
        total = sum(sizes)
        return [first, *(first + (last - first) * done / total for done in accumulate(sizes))]


def read_table(table: Element, writer: TextWriter, target: Callable[[str], str], frame: Frame | None) -> None:
    """Read `table` and write it.

    Args:
        table: An `a:tbl`.
        writer: Where to write.
        target: Where the relationship with an ID leads.
        frame: Where it stands on the slide, None when that is not known.
    """
    properties = table.find(A + "tblPr")
    rows = list(table.iterchildren(A + "tr"))
    grid = [list(row.iterchildren(A + "tc"))[:_MAX_SPAN] for row in rows]
    columns = table.find(A + "tblGrid")
    widths = [] if columns is None else [whole(each.get("w")) for each in columns.iterchildren(A + "gridCol")]
    heights = [whole(row.get("h")) for row in rows]
    slots = _slots(grid, target)
    if frame is not None:
        across, down = frame.edges(widths, 0), frame.edges(heights, 1)
        for slot in slots:
            slot.box = _cell_box(slot, across, down)
        row_boxes: list[Box | None] = [
            box_of((across[0], top, across[-1], bottom)) for top, bottom in pairwise(down)
        ]
    else:
        row_boxes = [None] * len(rows)
    write_table(
        writer,
        slots,
        len(rows),
        header_rows=int(properties is not None and switched_on(properties.get("firstRow"))),
        begin_row=lambda row: writer.place(row_boxes[row - 1]),
    )


def _slots(grid: Sequence[Sequence[Element]], target: Callable[[str], str]) -> list[Slot]:
    slots: list[Slot] = []
    covered: set[_Place] = set()
    for row, cells in enumerate(grid):
        for column, cell in enumerate(cells):
            if (row, column) in covered:
                continue
            text = TextWriter()
            body = cell.find(A + "txBody")
            if body is not None:
                write_paragraphs(body, text, target)
            height, width = _span(grid, row, column, covered)
            covered.update((row + down, column + across) for down in range(height) for across in range(width))
            slots.append(Slot(row + 1, column + 1, text, height, width))
    return slots


def _span(grid: Sequence[Sequence[Element]], row: int, column: int, covered: set[_Place]) -> tuple[int, int]:
    """How many rows and columns a cell takes: no more than it states, and only over cells that give way."""
    cell = grid[row][column]
    rows, columns = (whole(cell.get(name), 1, least=1, most=_MAX_SPAN) for name in ("rowSpan", "gridSpan"))

    def gives_way(down: int, across: int) -> bool:
        place = row + down, column + across
        if place[0] >= len(grid) or place[1] >= len(grid[place[0]]) or place in covered:
            return False
        other = grid[place[0]][place[1]]
        return switched_on(other.get("hMerge")) or switched_on(other.get("vMerge"))

    height = width = 1
    while width < columns and gives_way(0, width):
        width += 1
    while height < rows and all(gives_way(height, across) for across in range(width)):
        height += 1
    return height, width


def _cell_box(slot: Slot, across: Sequence[float], down: Sequence[float]) -> Box | None:
    right, bottom = slot.column + slot.column_span - 1, slot.row + slot.row_span - 1
    if right >= len(across) or bottom >= len(down):
        return None
    return box_of((across[slot.column - 1], down[slot.row - 1], across[right], down[bottom]))
