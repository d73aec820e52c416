"""Pages whose text is set sideways or on its head: they are read turned, and their places are put back.

PDFium parts lines and words as if text ran level, in the page's own coordinates. So all that such a page
draws is turned there before PDFium is asked for text; how the page is displayed is nothing to it.
"""

from __future__ import annotations

import ctypes
import unicodedata
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, repeat
from math import atan2, pi
from typing import TYPE_CHECKING, Any, Final

from indx_core.ports import Cell
from indx_core.turning import turned_back
from indx_format_pdf._geometry import Frame, Matrix, times
from indx_format_pdf._pdfium import fast, pdfium, place_of
from indx_format_pdf._rules import placed
from indx_format_pdf._text import PageText

if TYPE_CHECKING:
    from indx_format_pdf._annotations import Mark
    from indx_format_pdf._page import PageContent

__all__ = ["Upright", "put_back", "quarters_of", "set_upright"]

_FEW: Final = 16  # characters that show whether anything is turned at all
_MOST: Final = 400  # characters that tell what most are
_SPREAD: Final = 0.6180339887  # of the text from one that is asked to the next: in step with no row
_TURNS: Final[tuple[Matrix, ...]] = (
    (1, 0, 0, 1, 0, 0),
    (0, 1, -1, 0, 0, 0),
    (-1, 0, 0, -1, 0, 0),
    (0, -1, 1, 0, 0, 0),
)
"""What sets text upright that is turned by 0, 1, 2 or 3 quarters clockwise."""


@dataclass(frozen=True, slots=True)
class Upright:
    """A page as it is read.

    Attributes:
        page: The open page.
        frame: Its visible box, in the coordinates in which it is read.
        shown: Gives the open page as it is drawn; nothing where it cannot be opened.
        quarters: By how many quarters clockwise that is drawn turned, to lie as it is read.
        matrix: What leads from the page's own coordinates to those in which it is read.
        level: By how many quarters clockwise that is turned, as it is read, which the page displays level.
    """

    page: Any
    frame: Frame
    shown: Callable[[], Any]
    quarters: int = 0
    matrix: Matrix = _TURNS[0]
    level: int = 0

    def marks(self, marks: list[Mark]) -> list[Mark]:
        """What is laid over the page, where it lies as it is read."""
        if not self.quarters:
            return marks
        return [replace(mark, boxes=tuple(placed(box, self.matrix) for box in mark.boxes)) for mark in marks]


def quarters_of(page: PageText, turns: int) -> int | None:
    """By how many quarters clockwise a page's letters are set in its own coordinates; None without letters.

    Where no turn has most of them, it is that of those which the page displays level, if any.

    Args:
        page: The page's text.
        turns: By how many quarters clockwise the page is displayed.
    """
    few = _letters(page, _FEW)
    if not any(map(fast.char_angle, repeat(page.place), map(page.character, few))):
        return 0 if few else None
    letters = _letters(page, _MOST)
    found = Counter(quarters_at(page, list(map(page.character, letters)), 0))
    quarters, count = found.most_common(1)[0]
    if 2 * count > len(letters):
        return quarters
    return -turns % 4 if found[-turns % 4] else None


def quarters_at(
    page: PageText, characters: Sequence[int], turns: int, angles: Sequence[float] | None = None
) -> list[int]:
    """By how many quarters clockwise characters are set.

    Args:
        page: The page's text.
        characters: The characters, as PDFium numbers them.
        turns: By how many quarters the page's own coordinates are turned.
        angles: The angle of each, if it is known already.
    """
    if angles is None:
        angles = list(map(fast.char_angle, repeat(page.place), characters))
    own = [
        _quarters(page, page.unit(at)) if angle else 0 for at, angle in zip(characters, angles, strict=True)
    ]
    return [(quarters + turns) % 4 for quarters in own]


def _letters(page: PageText, most: int) -> list[int]:
    """Some of the places in the text where no white space stands."""
    size = len(page.units)
    places = range(size) if size <= most else [int(number * _SPREAD % 1 * size) for number in range(most)]
    return [unit for unit in places if not page.units[unit].isspace()]


def _quarters(page: PageText, unit: int) -> int:
    """By how many quarters a letter is set: where its top is, and on which side the next one follows."""
    number = page.character(unit)
    values = (ctypes.c_float * 6)()
    if not fast.char_matrix(page.place, number, ctypes.byref(values)):
        return 0
    sign = -1 if fast.font_size(page.place, number) < 0 else 1
    a, b, c, d = (sign * value for value in values[:4])
    quarters = round(atan2(c, d) / (pi / 2)) % 4
    # Some fonts have their letters on their head; their matrix is not told, where the next one stands is.
    return (quarters + 2 * (_advance(page, unit, a, b) < 0)) % 4


def _advance(page: PageText, unit: int, a: float, b: float) -> float:
    """How far the next letter of a word is in some direction; 0 where there is none, or it runs leftwards."""
    word = page.units[unit : unit + 2]
    if len(word) < 2 or any(unicodedata.bidirectional(sign) not in {"L", "EN"} for sign in word):
        return 0.0
    one, other = page.character(unit), page.character(unit + 1)
    if fast.text_object(page.place, one) != fast.text_object(page.place, other):
        return 0.0
    room = (ctypes.c_double * 4)()
    fast.char_origin(page.place, one, ctypes.byref(room), ctypes.byref(room, 8))
    fast.char_origin(page.place, other, ctypes.byref(room, 16), ctypes.byref(room, 24))
    return (room[2] - room[0]) * a + (room[3] - room[1]) * b


@contextmanager
def set_upright(page: Any, frame: Frame, quarters: int, reopened: Callable[[], Any]) -> Iterator[Upright]:
    """An open page set upright, to be read and closed: what it draws stays turned.

    Args:
        page: The page.
        frame: Its visible box.
        quarters: By how many quarters clockwise its letters are set.
        reopened: Opens it once more, if it is to be drawn.
    """
    own = frame.left, frame.bottom, frame.right, frame.top
    matrix = _TURNS[quarters]
    if quarters:
        left, bottom, _, _ = placed(own, matrix)
        # PDFium tells how the lines of a page run by what of it lies right of and above the origin.
        matrix = times(matrix, (1, 0, 0, 1, -left, -bottom))
    box = placed(own, matrix)
    level = -(quarters + frame.turns) % 4
    again: list[Any] = []

    def shown() -> Any:
        if not quarters:
            return page
        if not again:
            again.append(reopened())
        return again[0]

    pdfium.FPDFPage_SetRotation(page, 0)
    try:
        if quarters:
            count = pdfium.FPDFPage_CountObjects(page)
            objects = map(fast.object_at, repeat(place_of(page)), range(count))
            deque(map(fast.transform, objects, *map(repeat, matrix)), maxlen=0)
        yield Upright(page, Frame(*box, 0), shown, -quarters % 4, matrix, level)
    finally:
        for one in filter(None, again):
            pdfium.FPDF_ClosePage(one)
        pdfium.FPDFPage_SetRotation(page, frame.turns)


def put_back(content: PageContent, frame: Frame, quarters: int) -> PageContent:
    """What was read of a page that was turned, with its places on the page as displayed."""
    turned = turned_back(-quarters)

    def boxes(numbers: Sequence[float]) -> array[float]:
        columns = (numbers[side::4] for side in range(4))
        return array("d", chain.from_iterable(map(turned, zip(*columns, strict=True))))

    def cell(one: Cell) -> Cell:
        if one.box is None:
            return one
        spans = one.row_span, one.column_span  # `replace` takes four times as long
        return Cell(one.row, one.column, *spans, one.text, one.start, one.end, turned(one.box))

    return replace(
        content,
        width=frame.width,
        height=frame.height,
        boxes=boxes(content.boxes),
        part_boxes=boxes(content.part_boxes),
        tables=tuple(replace(one, cells=tuple(map(cell, one.cells))) for one in content.tables),
    )
