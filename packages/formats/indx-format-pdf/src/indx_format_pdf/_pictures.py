"""What a page draws beside text, as far as a plan needs to know."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import compress, repeat
from math import isnan
from typing import Any, Final

from indx_format_pdf._geometry import Frame, Matrix, times
from indx_format_pdf._pdfium import address, fast, pdfium, place_of
from indx_format_pdf._rules import Path, bounds_of, told_bounds
from indx_format_pdf._shown import count_shown

__all__ = ["Pictures", "pictures", "undecoded"]

_MOST: Final = 100_000  # objects looked at on a page, those within forms included
_DEEPEST: Final = 4  # forms within forms
_MOST_TRIED: Final = 50  # images that are decoded to see whether they can be

_PLAIN: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(slots=True)
class Pictures:
    """What a page draws.

    Attributes:
        looked: How many objects were looked at, text included.
        images: How many of them are images.
        share: The share of the displayed page that images cover; where they overlap, both count.
        paths: Lines and shapes.
        closed: Forms in which nothing is found: empty, drawing themselves, or too deep within others.
        levels: Everything: addresses, kinds, and the matrix of what holds them.
    """

    looked: int = 0
    images: int = 0
    share: float = 0.0
    paths: list[Path] = field(default_factory=list)
    closed: int = 0
    levels: list[tuple[list[int], bytes, Matrix]] = field(default_factory=list)

    def image_boxes(self, frame: Frame) -> Iterator[tuple[float, float, float, float] | None]:
        """Where images stand, in points of the page as displayed."""
        for level, kinds, matrix in self.levels:
            for one in compress(level, map(pdfium.FPDF_PAGEOBJ_IMAGE.__eq__, kinds)):
                yield bounds_of(one, times(matrix, frame.matrix))

    def drawings(self, frame: Frame) -> int:
        """How many lines, shapes and letters show, or might; the page must still be open."""
        objects = (
            (one, kind, matrix)
            for level, kinds, matrix in self.levels
            for one, kind in zip(level, kinds, strict=True)
        )
        return self.closed + count_shown(objects, frame)


def pictures(page: Any, frame: Frame) -> Pictures:
    """Look at the objects of an open page."""
    found = Pictures(looked=min(max(0, pdfium.FPDFPage_CountObjects(page)), _MOST))
    objects = list(map(fast.object_at, repeat(place_of(page)), range(found.looked)))
    _look(found, objects, _PLAIN, frame, _DEEPEST)
    area = frame.width * frame.height
    found.share = min(1.0, found.share / area) if area > 0 else 0.0
    return found


def undecoded(page: Any, frame: Frame) -> bool:
    """Whether an open page has an image that cannot be decoded; PDFium draws nothing in its place."""
    tried = 0
    for objects, kinds, _ in pictures(page, frame).levels:
        for one in compress(objects, map(pdfium.FPDF_PAGEOBJ_IMAGE.__eq__, kinds)):
            bitmap = pdfium.FPDFImageObj_GetBitmap(ctypes.cast(one, pdfium.FPDF_PAGEOBJECT))
            if not bitmap:
                return True
            pdfium.FPDFBitmap_Destroy(bitmap)
            tried += 1
            if tried == _MOST_TRIED:
                return False
    return False


def _look(found: Pictures, objects: list[int], matrix: Matrix, frame: Frame, depth: int) -> None:
    kinds = bytes(map(fast.object_type, objects))
    found.levels.append((objects, kinds, matrix))
    images, forms = pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM
    if images in kinds:
        found.images += kinds.count(images)
        for handle, kind in zip(objects, kinds, strict=True):
            if kind == images:
                found.share += _area(handle, matrix, frame)
    if pdfium.FPDF_PAGEOBJ_PATH in kinds:
        shapes = map(pdfium.FPDF_PAGEOBJ_PATH.__eq__, kinds)
        found.paths += zip(compress(objects, shapes), repeat(matrix))
    if forms not in kinds or not depth:
        found.closed += kinds.count(forms)
        return
    for handle, kind in zip(objects, kinds, strict=True):
        if kind == forms:
            form = ctypes.cast(handle, pdfium.FPDF_PAGEOBJECT)
            count = min(max(0, pdfium.FPDFFormObj_CountObjects(form)), _MOST - found.looked)
            inside = [address(pdfium.FPDFFormObj_GetObject(form, index)) for index in range(count)]
            found.looked += count
            found.closed += not count
            _look(found, [one for one in inside if one], _within(matrix, form), frame, depth - 1)


def _within(outer: Matrix, form: Any) -> Matrix:
    """The matrix of what a form holds: the form's own, then that of what holds the form."""
    own = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(form, ctypes.byref(own)):
        return outer
    return times((own.a, own.b, own.c, own.d, own.e, own.f), outer)


def _area(handle: int, matrix: Matrix, frame: Frame) -> float:
    """The square points of the displayed page that an object's bounds cover."""
    known = told_bounds([handle])
    if isnan(known[0]):
        return 0.0
    left, bottom, right, top = known
    a, b, c, d, e, f = matrix
    corners = [(x * a + y * c + e, x * b + y * d + f) for x in (left, right) for y in (bottom, top)]
    across, down = zip(*corners, strict=True)
    width = min(max(across), frame.right) - max(min(across), frame.left)
    height = min(max(down), frame.top) - max(min(down), frame.bottom)
    return float(max(0.0, width) * max(0.0, height))
