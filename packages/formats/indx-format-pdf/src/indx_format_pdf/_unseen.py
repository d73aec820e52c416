"""Text that a page holds and does not show: white on white, invisible, or of a layer that is switched off.

What might be so is told by its colour, its mode or its marks, which is cheap. What of it stands on nothing
else is looked for on a small picture of the page: where that has one colour all over a line, nobody sees the
line. Invisible text over a scan is what an earlier recognition said of the picture, which shows it.
"""

from __future__ import annotations

import ctypes
import sys
from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, islice, repeat
from math import ceil, isnan
from typing import TYPE_CHECKING, Final

from indx_format_pdf._geometry import Frame, times
from indx_format_pdf._pdfium import fast, pdfium, pointer
from indx_format_pdf._pictures import Pictures
from indx_format_pdf._rooms import Room
from indx_format_pdf._rules import bounds_of
from indx_format_pdf._shown import is_filled

if TYPE_CHECKING:
    from indx_format_pdf._draft import Draft
    from indx_format_pdf._upright import Upright

__all__ = ["unseen"]

_MOST: Final = 2_000  # lines that might not show, and shapes looked for under each; others are seen
_SCALE: Final = 0.75  # pixels a point
_MOST_PIXELS: Final = 4_000_000
_CORNERS: Final = 8  # of an area that is a background
_WHITE: Final = 250  # of 255
_FLAT: Final = 24  # of 255: what differs by less is one colour
_FEW: Final = 4  # areas that are drawn one by one: what lies between them may take longer
_INSET: Final = 0.5  # points that a line's box is larger than its letters
_NAME: Final = 16  # bytes for the name of a mark; longer ones are not that of a layer
_LAYER: Final = [int.from_bytes("OC\0".encode("utf-16-le").ljust(8, b"\0"), sys.byteorder), 6]
_INVISIBLE: Final = pdfium.FPDF_TEXTRENDERMODE_INVISIBLE

_COLOURS: Final = Room("I", (1,) * 4, 256)  # those that PDFium cannot tell are seen
_Box = tuple[float, float, float, float]
_Area = tuple[int, int, int, int]


def unseen(upright: Upright, drawn: Pictures, draft: Draft) -> list[int]:
    """Which lines of an open page nobody sees.

    Args:
        upright: The page as it is read.
        drawn: What it draws.
        draft: Its lines.
    """
    lines = _suspects(draft)
    if not lines:
        return []
    frame, shares = draft.frame, draft.shares
    under = _under(drawn, frame)
    found: list[int] = []
    for line in lines[:_MOST]:
        x0, y0, x1, y1 = (side[line] for side in shares)
        if not _stands_in(under, frame.width * (x0 + x1) / 2, frame.height * (y0 + y1) / 2):
            found.append(line)
    known = [line for line in found if not any(isnan(side[line]) for side in shares)]
    plain = _plain(upright, [[side[line] for side in shares] for line in known])
    return list(compress(known, plain))


def _suspects(draft: Draft) -> list[int]:
    """Lines whose first letter might not show. What is asked of every line is asked in C."""
    place, lines = draft.page.place, draft.lines
    texts = list(map(fast.text_object, repeat(place), lines.starts))
    if None in texts:  # a space that PDFium put there
        for at, one in enumerate(texts):
            if one is None and lines.lengths[at] > 1:
                texts[at] = fast.text_object(place, lines.starts[at] + 1)
    colours = _COLOURS.told(fast.fill, things=list(map(pointer, texts)), places=_COLOURS.places(0, 1, 2, 3))
    modes = list(map(fast.text_mode, texts))
    chosen = set(compress(range(len(modes)), map(_INVISIBLE.__eq__, modes))) if _INVISIBLE in modes else set()
    reds, greens, blues, opaque = (colours[part::4] for part in range(4))
    if max(reds, default=0) >= _WHITE:
        chosen.update(
            at
            for at, red in enumerate(reds)
            if red >= _WHITE and greens[at] >= _WHITE and blues[at] >= _WHITE
        )
    if 0 in opaque:
        chosen.update(at for at, alpha in enumerate(opaque) if not alpha)
    if any(counts := list(map(fast.count_marks, texts))):
        chosen.update(_layered(texts, counts))
    return sorted(chosen)


def _layered(texts: Sequence[int | None], counts: Sequence[int]) -> Iterator[int]:
    """Which of these objects, that have so many marks, belong to a layer, shown or not.

    The outermost and the innermost mark are looked at. A document whose parts are tagged has one for each
    line, so their names are asked for in C, and nothing else is done where none is that of a layer.
    """
    lines = [at for at, count in enumerate(counts) if count > 0]
    objects = [pointer(texts[at]) for at in lines]
    outermost = list(map(fast.mark_at, objects, repeat(0)))
    innermost = list(map(fast.mark_at, objects, [counts[at] - 1 for at in lines]))
    marks = [mark for mark in {*outermost, *innermost} if mark is not None]
    names, sizes = array("Q", bytes(_NAME * len(marks))), array("L", [0] * len(marks))
    (name, _), (size, _), step = names.buffer_info(), sizes.buffer_info(), sizes.itemsize
    to = range(name, name + _NAME * len(marks), _NAME), repeat(_NAME)
    deque(map(fast.mark_name, marks, *to, range(size, size + step * len(marks), step)), maxlen=0)
    layers = {mark for mark, *said in zip(marks, names[::2], sizes, strict=True) if said == _LAYER}
    if layers:
        own = zip(lines, outermost, innermost, strict=True)
        yield from (line for line, outer, inner in own if outer in layers or inner in layers)


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


def _plain(upright: Upright, shares: Sequence[Sequence[float]]) -> list[bool]:
    """For each of some shares of the page, whether one colour is all that shows in it."""
    frame = upright.frame
    scale = min(_SCALE, (_MOST_PIXELS / (frame.width * frame.height)) ** 0.5)
    width, height = max(1, int(frame.width * scale)), max(1, int(frame.height * scale))
    if width * height > _MOST_PIXELS:  # a page of next to no width or height
        return [False] * len(shares)
    across, down = _INSET / frame.width, _INSET / frame.height
    areas = [
        (
            int((x0 + across) * width),
            int((y0 + down) * height),
            ceil((x1 - across) * width),
            ceil((y1 - down) * height),
        )
        for x0, y0, x1, y1 in shares
    ]
    visible = [x1 > x0 and y1 > y0 for x0, y0, x1, y1 in areas]
    seen = list(compress(areas, visible))
    groups = [[area] for area in seen] if len(seen) <= _FEW else [seen]
    flat = chain.from_iterable(_flat(upright, (width, height), group) for group in groups)
    return [is_visible and next(flat) for is_visible in visible]


def _flat(upright: Upright, size: tuple[int, int], areas: Sequence[_Area]) -> list[bool]:
    """For each of some areas of a page drawn in a size, whether it has one colour.

    What is around them all is drawn, once: a page may take long to draw.
    """
    firsts, tops, lasts, bottoms = zip(*areas, strict=True)
    left, top = min(firsts), min(tops)
    columns = max(lasts) - left
    pixels = _drawn(upright, size, (left, top), (columns, max(bottoms) - top))
    if pixels is None:
        return [False] * len(areas)
    found: list[bool] = []
    for x0, y0, x1, y1 in areas:
        shades = set().union(*(pixels[(y - top) * columns + x0 - left :][: x1 - x0] for y in range(y0, y1)))
        found.append(max(shades) - min(shades) < _FLAT)
    return found


def _drawn(
    upright: Upright, size: tuple[int, int], first: tuple[int, int], part: tuple[int, int]
) -> memoryview | None:
    """The greys of a part of a page drawn in a size; None when PDFium does not draw it."""
    shown = upright.shown()
    if not shown:
        return None
    pixels = bytearray(b"\xff") * (part[0] * part[1])
    room = (ctypes.c_char * len(pixels)).from_buffer(pixels)
    bitmap = pdfium.FPDFBitmap_CreateEx(*part, pdfium.FPDFBitmap_Gray, room, part[0])
    if not bitmap:
        return None
    at = -first[0], -first[1]
    pdfium.FPDF_RenderPageBitmap(bitmap, shown, *at, *size, upright.quarters, 0)
    pdfium.FPDFBitmap_Destroy(bitmap)
    return memoryview(pixels)
