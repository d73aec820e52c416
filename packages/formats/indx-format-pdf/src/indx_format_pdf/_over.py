"""Pages whose text stands on its head: they are read turned over, and their places are put back.

PDFium puts the words of a line in the order in which the page shows them, which here is the wrong one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import pi
from typing import TYPE_CHECKING, Any, Final

from indx_format_pdf._geometry import Frame
from indx_format_pdf._pdfium import fast, pdfium
from indx_format_pdf._text import PageText

if TYPE_CHECKING:
    from indx_core.ports import Table
    from indx_format_pdf._page import PageContent

__all__ = ["put_back", "stands_on_its_head", "turned_over"]

_ASKED: Final = 12  # characters


def stands_on_its_head(page: PageText, frame: Frame) -> bool:
    """Whether most of a page's letters show upside down."""
    asked = range(0, len(page.units), len(page.units) // _ASKED + 1)
    letters = [unit for unit in asked if not page.units[unit].isspace()]
    angles = [fast.char_angle(page.place, page.character(unit)) for unit in letters]
    # Clockwise, as the turns of a page are; what is negative PDFium does not know.
    turns = [(round(angle / (pi / 2)) + frame.turns) % 4 for angle in angles if angle >= 0]
    return 2 * turns.count(2) > len(letters)


@contextmanager
def turned_over(page: Any) -> Iterator[None]:
    """An open page turned over, as whoever reads it holds it."""
    turns = pdfium.FPDFPage_GetRotation(page)
    pdfium.FPDFPage_SetRotation(page, (turns + 2) % 4)
    try:
        yield
    finally:
        pdfium.FPDFPage_SetRotation(page, turns)


def put_back(content: PageContent) -> PageContent:
    """What was read of a page that was turned over, its places as the page is displayed."""
    return replace(
        content,
        boxes=_boxes(content.boxes),
        part_boxes=_boxes(content.part_boxes),
        tables=tuple(map(_table, content.tables)),
    )


def _boxes(boxes: Sequence[float]) -> array[float]:
    """Four numbers a box, shares of the page, seen from the opposite corner."""
    turned = array("d", boxes)
    for side in range(4):
        turned[side::4] = array("d", [1 - value for value in boxes[(side + 2) % 4 :: 4]])
    return turned


def _table(table: Table) -> Table:
    cells = [
        cell
        if cell.box is None
        else replace(cell, box=(1 - cell.box[2], 1 - cell.box[3], 1 - cell.box[0], 1 - cell.box[1]))
        for cell in table.cells
    ]
    return replace(table, cells=tuple(cells))
