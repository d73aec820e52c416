"""Whether a page without text and images shows anything: lines, shapes, letters that are no characters."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final

from indx_format_pdf._geometry import Frame, Matrix, times
from indx_format_pdf._pdfium import fast, pdfium, pointer
from indx_format_pdf._rules import bounds_of

__all__ = ["count_shown", "is_filled"]

_MOST: Final = 10_000  # objects looked at closely; all of those behind count
_WHITE: Final = 250  # of 255, in each colour
_FLAT: Final = 0.1  # points; spaces have no height
_UNSEEN: Final = frozenset({pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP})


def count_shown(objects: Iterable[tuple[int, int, Matrix]], frame: Frame) -> int:
    """How many of these draw something that is not white on the displayed page.

    Args:
        objects: Their addresses, their kinds, and the matrices of what holds them.
        frame: How the page is displayed.
    """
    rest = iter(objects)
    shown = sum(_shows(one, kind, matrix, frame) for one, kind, matrix in islice(rest, _MOST))
    return shown + sum(1 for _ in rest)


def _shows(one: int, kind: int, matrix: Matrix, frame: Frame) -> bool:
    box = bounds_of(one, times(matrix, frame.matrix))
    if box is None:
        return False
    x0, y0, x1, y1 = box
    if x1 < 0 or y1 < 0 or x0 > frame.width or y0 > frame.height:
        return False
    if kind == pdfium.FPDF_PAGEOBJ_PATH:
        return is_filled(one) or (_modes(one)[1] and _is_seen(fast.stroke, one))
    if kind == pdfium.FPDF_PAGEOBJ_TEXT:
        return y1 - y0 > _FLAT and x1 - x0 > _FLAT and fast.text_mode(one) not in _UNSEEN
    return bool(kind == pdfium.FPDF_PAGEOBJ_SHADING)


def is_filled(path: int) -> bool:
    """Whether a path is an area of some colour that is not white."""
    return _modes(path)[0] and _is_seen(fast.fill, path)


def _modes(path: int) -> tuple[bool, bool]:
    """Whether a path is filled, and whether it is stroked."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    fast.draw_mode(pointer(path), ctypes.byref(fill), ctypes.byref(stroke))
    return bool(fill.value), bool(stroke.value)


def _is_seen(colour: Callable[..., int], one: int) -> bool:
    """Whether a colour is neither white nor transparent; one that is not known is seen."""
    values = (ctypes.c_uint * 4)()
    if not colour(pointer(one), *(ctypes.byref(values, 4 * part) for part in range(4))):
        return True
    return values[3] > 0 and min(values[:3]) < _WHITE
