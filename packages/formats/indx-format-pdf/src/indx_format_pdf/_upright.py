"""Pages whose text shows sideways or on its head: they are read turned, and their places are put back.

PDFium puts the words of a line in the order in which the page shows them, which for such text is another one
than that in which it is read.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import repeat
from math import pi
from typing import TYPE_CHECKING, Any, Final

from indx_format_pdf._pdfium import fast, pdfium
from indx_format_pdf._text import PageText

if TYPE_CHECKING:
    from indx_core.ports import Cell, Table
    from indx_format_pdf._geometry import Frame
    from indx_format_pdf._page import PageContent

__all__ = ["put_back", "quarters_of", "turned"]

_ASKED: Final = 16  # characters


def quarters_of(page: PageText, frame: Frame) -> int:
    """By how many quarters clockwise most of a page's letters show turned; 0 where no turn has most."""
    asked = range(0, len(page.units), len(page.units) // _ASKED + 1)
    letters = [unit for unit in asked if not page.units[unit].isspace()]
    angles = list(map(fast.char_angle, repeat(page.place), map(page.character, letters)))
    if not frame.turns and not any(angles):
        return 0
    # Clockwise, as the turns of a page are; what is negative PDFium does not know.
    found = Counter((round(angle / (pi / 2)) + frame.turns) % 4 for angle in angles if angle >= 0)
    quarters, count = found.most_common(1)[0] if found else (0, 0)
    return quarters if 2 * count > len(letters) else 0


@contextmanager
def turned(page: Any, quarters: int) -> Iterator[None]:
    """An open page as whoever reads it holds it, turned back by so many quarters."""
    turns = pdfium.FPDFPage_GetRotation(page)
    pdfium.FPDFPage_SetRotation(page, (turns - quarters) % 4)
    try:
        yield
    finally:
        pdfium.FPDFPage_SetRotation(page, turns)


def put_back(content: PageContent, frame: Frame, quarters: int) -> PageContent:
    """What was read of a page that was turned, with its places on the page as displayed."""
    return replace(
        content,
        width=frame.width,
        height=frame.height,
        boxes=_boxes(content.boxes, quarters),
        part_boxes=_boxes(content.part_boxes, quarters),
        tables=tuple(_table(table, quarters) for table in content.tables),
    )


def _boxes(boxes: Sequence[float], quarters: int) -> array[float]:
    """Four numbers a box, shares of the page, after so many quarters clockwise."""
    x0, y0, x1, y1 = (array("d", boxes[side::4]) for side in range(4))
    for _ in range(quarters):
        x0, y0, x1, y1 = array("d", [1 - y for y in y1]), x0, array("d", [1 - y for y in y0]), x1
    placed = array("d", boxes)
    placed[0::4], placed[1::4], placed[2::4], placed[3::4] = x0, y0, x1, y1
    return placed


def _table(table: Table, quarters: int) -> Table:
    return replace(table, cells=tuple(_cell(cell, quarters) for cell in table.cells))


def _cell(cell: Cell, quarters: int) -> Cell:
    if cell.box is None:
        return cell
    x0, y0, x1, y1 = _boxes(cell.box, quarters)
    return replace(cell, box=(x0, y0, x1, y1))
