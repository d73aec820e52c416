"""The parts of a line that stand far apart: which of its characters each of them begins with."""

from __future__ import annotations

from collections.abc import Sequence

from indx_format_pdf._geometry import Frame
from indx_format_pdf._leftwards import JOINT
from indx_format_pdf._places import WORD, Box, character_boxes
from indx_format_pdf._text import PageText, clean

__all__ = ["parts_of"]


def parts_of(
    page: PageText, frame: Frame, line: tuple[int, int], boxes: Sequence[Box], *, several: bool
) -> list[tuple[str, int, int]] | None:
    """What each part of a line says, where it starts and how long it is.

    None when what is in the line does not fall into as many parts, or in no drawn order.

    Args:
        page: The text of its page.
        frame: The place of the page.
        line: Its first character and their number.
        boxes: Those of its parts.
        several: Whether it is several rows.
    """
    start, length = line
    units = page.units[start : start + length]
    words = [word.start() for word in WORD.finditer(units)] if JOINT not in units else []
    cuts = _heads(page, frame, start, words, boxes)
    if len(cuts) < len(boxes) and words and not several:
        # PDFium may give no space between cells, which are one word then.
        letters = [at for at, unit in enumerate(units) if not unit.isspace()]
        cuts = _heads(page, frame, start, letters, boxes)
    if len(cuts) < len(boxes):
        return None
    spans = list(zip(cuts, [*cuts[1:], length], strict=True))
    texts = [page.shown(start + first, start + last) for first, last in spans]
    texts = [text.strip() for text in (map(clean, texts) if page.odd else texts)]
    if not all(texts):
        return None
    return [(text, start + first, last - first) for text, (first, last) in zip(texts, spans, strict=True)]


def _heads(
    page: PageText, frame: Frame, start: int, places: Sequence[int], boxes: Sequence[Box]
) -> list[int]:
    """Which of the places in a line are the first of its parts, as far as there are."""
    sign = frame.across[0]
    found = character_boxes(page, [start + place for place in places], frame)
    cuts: list[int] = []
    for place, edge, top, bottom in zip(places, found[0::4], found[1::4], found[3::4], strict=True):
        if len(cuts) == len(boxes):
            break
        x0, y0, _, y1 = boxes[len(cuts)]
        if edge * sign >= x0 * sign - 0.01 and min(y0, y1) < (top + bottom) / 2 < max(y0, y1):
            cuts.append(place)
    return cuts
