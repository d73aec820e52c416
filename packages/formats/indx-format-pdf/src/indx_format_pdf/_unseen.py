"""Text that a page holds and does not show: white on white, invisible, or of a layer that is switched off.

What might be so is told by its colour, its mode or its marks, which is cheap. What of it stands on nothing
else is looked for on a small picture of the page: where that has one colour all over a line, nobody sees the
line. Invisible text over a scan is what an earlier recognition said of the picture, which shows it.
"""

from __future__ import annotations

import ctypes
from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, islice
from math import ceil
from typing import Any, Final

from indx_format_pdf._geometry import Frame, Matrix, Sides, times
from indx_format_pdf._pdfium import fast, pdfium
from indx_format_pdf._pictures import Pictures
from indx_format_pdf._rules import bounds_of
from indx_format_pdf._shown import is_filled

__all__ = ["unseen"]

_MOST_TEXTS: Final = 20_000  # stretches of text whose colour is asked for
_MOST: Final = 2_000  # of them that might not show, and shapes looked for under each; others are seen
_MOST_PIXELS: Final = 4_000_000
_CORNERS: Final = 8  # of an area that is a background
_WHITE: Final = 250  # of 255
_FLAT: Final = 24  # of 255: what differs by less is one colour
_INSET: Final = 0.5  # points that a line's box is larger than its letters
_LAYER: Final = b"OC\0".decode().encode("utf-16-le")
_IS_TEXT: Final = pdfium.FPDF_PAGEOBJ_TEXT.__eq__

_Box = tuple[float, float, float, float]


def unseen(page: Any, drawn: Pictures, frame: Frame, shares: Sides) -> list[int]:
    """Which lines of an open page nobody sees.

    Args:
        page: The page.
        drawn: What it draws.
        frame: How it is displayed.
        shares: Where its lines stand, as shares of it.
    """
    suspects = list(islice((box for level in drawn.levels for box in _suspects(*level, frame)), _MOST))
    if suspects:
        under = _under(drawn, frame)
        suspects = [box for box in suspects if not _stands_in(under, *_middle(box))]
    if not suspects:
        return []
    width, height = frame.width, frame.height
    lines = zip(*shares, strict=True)
    found = [
        line
        for line, (x0, y0, x1, y1) in enumerate(lines)
        if _stands_in(suspects, width * (x0 + x1) / 2, height * (y0 + y1) / 2)
    ]
    if not found:
        return []
    picture = _Picture(page, frame)
    return [line for line in found if picture.is_plain([side[line] for side in shares])]


def _suspects(objects: Sequence[int], kinds: bytes, matrix: Matrix, frame: Frame) -> Iterator[_Box]:
    """The boxes of text that might not show."""
    texts = list(compress(objects, map(_IS_TEXT, kinds)))[:_MOST_TEXTS]
    if not texts:
        return
    colours = array("I", bytes(16 * len(texts)))
    at, end = colours.buffer_info()[0], colours.buffer_info()[0] + 16 * len(texts)
    places = (range(at + 4 * part, end, 16) for part in range(4))
    deque(map(fast.fill, texts, *places), maxlen=0)
    modes = bytes(mode & 0xFF for mode in map(fast.text_mode, texts))
    layered = _layered(texts)
    whites = [
        min(red, green, blue) >= _WHITE or not alpha
        for red, green, blue, alpha in zip(*(colours[part::4] for part in range(4)), strict=True)
    ]
    if not layered and True not in whites and modes.count(0) == len(modes):
        return
    shown = times(matrix, frame.matrix)
    for one, is_white, mode in zip(texts, whites, modes, strict=True):
        if is_white or mode == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE or one in layered:
            box = bounds_of(one, shown)
            if (
                box is not None
                and 0 <= box[0] + box[2] <= 2 * frame.width
                and 0 <= box[1] + box[3] <= 2 * frame.height
            ):
                yield box


def _layered(texts: Sequence[int]) -> set[int]:
    """Which of these objects belong to a layer, shown or not."""
    counts = list(map(fast.count_marks, texts))
    if not any(counts):
        return set()
    names: dict[int, bool] = {}
    found: set[int] = set()
    for one, count in zip(texts, counts, strict=True):
        for number in {0, count - 1} if count > 0 else ():
            mark = fast.mark_at(one, number)
            if mark is not None and names.setdefault(mark, _is_layer(mark)):
                found.add(one)
    return found


def _is_layer(mark: int) -> bool:
    room, length = ctypes.create_string_buffer(16), ctypes.c_ulong()
    fast.mark_name(mark, ctypes.addressof(room), 16, ctypes.addressof(length))
    return room.raw[: length.value] == _LAYER


def _under(drawn: Pictures, frame: Frame) -> list[_Box]:
    """Where pictures and coloured areas lie, on which text that is white or layered shows, as a rule."""
    found: list[_Box] = []
    for path, matrix in drawn.paths[:_MOST]:
        box = bounds_of(path, times(matrix, frame.matrix)) if is_filled(path) else None
        if box is not None and not (_is_around(box, frame) and fast.segment_count(path) > _CORNERS):
            found.append(box)
    return [*(box for box in islice(drawn.image_boxes(frame), _MOST) if box is not None), *found]


def _is_around(box: _Box, frame: Frame) -> bool:
    """Whether a box reaches out of the page on all sides, as the marks of a printer do."""
    return box[0] < 0 and box[1] < 0 and box[2] > frame.width and box[3] > frame.height


def _middle(box: _Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _stands_in(boxes: Iterable[_Box], x: float, y: float) -> bool:
    return any(box[0] <= x <= box[2] and box[1] <= y <= box[3] for box in boxes)


class _Picture:
    """A small picture of a page, in grey."""

    def __init__(self, page: Any, frame: Frame) -> None:
        scale = min(1.0, (_MOST_PIXELS / (frame.width * frame.height)) ** 0.5)
        self.width, self.height = max(1, int(frame.width * scale)), max(1, int(frame.height * scale))
        self.inset = _INSET / frame.width, _INSET / frame.height
        self.pixels = bytearray(b"\xff") * (self.width * self.height)
        room = (ctypes.c_char * len(self.pixels)).from_buffer(self.pixels)
        bitmap = pdfium.FPDFBitmap_CreateEx(self.width, self.height, pdfium.FPDFBitmap_Gray, room, self.width)
        if bitmap:
            pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, self.width, self.height, 0, 0)
            pdfium.FPDFBitmap_Destroy(bitmap)

    def is_plain(self, share: Sequence[float]) -> bool:
        """Whether one colour is all that shows in a share of the page."""
        if any(side != side for side in share):
            return False
        across, down = self.inset
        left, right = int((share[0] + across) * self.width), ceil((share[2] - across) * self.width)
        top, bottom = int((share[1] + down) * self.height), ceil((share[3] - down) * self.height)
        rows = [self.pixels[row * self.width + left : row * self.width + right] for row in range(top, bottom)]
        signs = [sign for row in rows if row for sign in (min(row), max(row))]
        return bool(signs) and max(signs) - min(signs) < _FLAT
