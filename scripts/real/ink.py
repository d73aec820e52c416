"""Text that a page shows, as ink on a picture of it, beside the boxes that a reading gives its chunks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from indx_core.contracts import Block

__all__ = ["PageInk", "ink_of", "measure"]

_SCALE = 1.5  # pixels a point
_DARK = 24  # difference from the page's ground that counts as ink, of 255
_NEAR = 2  # pixels by which a box may miss the edge of a letter


@dataclass
class PageInk:
    """One page: how much of its ink lies in boxes, and which boxes hold none."""

    page: int
    ink: int
    inside: int
    boxes: int
    blank: int
    area: float
    """Share of the page that the boxes take."""


Ink: TypeAlias = "tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]"
"""True where there is ink: of the text alone, and of all that the page shows."""


def ink_of(path: Path, pages: set[int], password: str | None = None) -> dict[int, Ink]:
    """Pictures of pages; for that of the text, pictures, lines and fills are taken out of the page."""
    import pypdfium2 as pdfium
    import pypdfium2.raw as raw

    found = {}
    document = pdfium.PdfDocument(path, password=password)
    for number in sorted(pages):
        page = document[number - 1]
        whole = _drawn(page)
        for item in list(page.get_objects(max_depth=1)):
            if item.type in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING):
                page.remove_obj(item)
        found[number] = (_drawn(page), whole)
        page.close()
    document.close()
    return found


def _drawn(page: Any) -> npt.NDArray[np.bool_]:
    picture = page.render(scale=_SCALE, draw_annots=False, fill_color=(255, 255, 255, 255), grayscale=True)
    grey = picture.to_numpy().astype(np.int16)
    grey = grey.reshape(grey.shape[0], grey.shape[1])
    return np.abs(grey - int(np.median(grey))) > _DARK


def measure(number: int, inks: Ink, chunks: list[Block]) -> PageInk:
    """Compare the ink of a page with the boxes of its chunks.

    A box is blank where neither picture has ink: white text on a fill, and text under a scan, are seen in
    the whole picture alone.
    """
    ink, whole = inks
    height, width = ink.shape
    covered = np.zeros_like(ink)
    blank = boxes = 0
    for chunk in chunks:
        if chunk.bbox is None:
            continue
        x0, y0, x1, y1 = chunk.bbox
        left, right = int(x0 * width) - _NEAR, int(np.ceil(x1 * width)) + _NEAR
        top, bottom = int(y0 * height) - _NEAR, int(np.ceil(y1 * height)) + _NEAR
        part = np.s_[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
        covered[part] = True
        boxes += 1
        blank += not (ink[part].any() or whole[part].any())
    return PageInk(number, int(ink.sum()), int((ink & covered).sum()), boxes, blank, float(covered.mean()))
