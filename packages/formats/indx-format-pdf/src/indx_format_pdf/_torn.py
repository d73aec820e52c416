"""Lines set upright whose letters were drawn one by one: PDFium, which reads on to the right, tears them.

Office programs draw turned text so. Where a line of one letter shows that it happened, what stands between
letters that follow each other up or down the page is no end of a line.
"""

from __future__ import annotations

import ctypes
import re
from itertools import repeat
from math import cos, sin
from typing import Final

from indx_format_pdf._pdfium import fast
from indx_format_pdf._text import PageText

__all__ = ["mended"]

_LONE: Final = re.compile(r"\n\S(?=\r|\Z)")  # behind a fixed sign, which is found at once
_END: Final = re.compile(r"\s{0,2}\r\n\s{0,2}")
_SAME: Final = 0.02  # radians, and the cosine of what is not upright
_LINE: Final = 0.1  # of a letter's height: letters of one line have no more between their base lines
_WORD: Final = 0.35  # of a letter's height: letters of one word have no more between them
_FAR: Final = 1.0  # nor have those of one line


def mended(page: PageText) -> PageText:
    """The same page, with spaces or nothing instead of ends of lines where one was torn."""
    lone = [page.character(match.start()) for match in _LONE.finditer("\n" + page.units)]
    if not any(map(fast.char_angle, repeat(page.place), lone)):
        return page
    parts: list[str] = []
    done = 0
    for match in _END.finditer(page.units):
        start, end = match.span()
        between = _between(page, start - 1, end) if start and end < len(page.units) else None
        if between is not None:
            between = " " if " " in match[0] else between
            parts += [page.units[done:start], between, "\xad" * (end - start - 1)]
            done = end
    page.units = "".join([*parts, page.units[done:]])
    return page


def _between(page: PageText, one: int, other: int) -> str | None:
    """What to put between two letters: a space or a sign that does not show; None where a line ends."""
    first, second = page.character(one), page.character(other)
    angle = fast.char_angle(page.place, first)
    if abs(cos(angle)) > _SAME or abs(angle - fast.char_angle(page.place, second)) > _SAME:
        return None
    left, bottom, right, top = page.box(one)
    begin, low, end, high = page.box(other)
    height = max(right - left, end - begin)
    gap = low - top if sin(angle) < 0 else bottom - high
    if not -height < gap < _FAR * height or abs(_base(page, first) - _base(page, second)) > _LINE * height:
        return None
    return " " if gap > _WORD * height else "\xad"


def _base(page: PageText, character: int) -> float:
    """Where the base line of an upright letter stands."""
    place = (ctypes.c_double * 2)()
    fast.char_origin(page.place, character, ctypes.byref(place), ctypes.byref(place, 8))
    return place[0]
