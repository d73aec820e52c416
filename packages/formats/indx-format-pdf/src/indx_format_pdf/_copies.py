"""Text painted twice in almost the same place, as some programs do for a bold look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from indx_format_pdf._geometry import Sides

__all__ = ["copies_among"]

_SAME: Final = 0.25  # of a line's height, or width where it is set upright: copies lie closer than this
_FEW: Final = 2  # characters; a line of so few may be higher than wide


def copies_among(texts: Sequence[str], sides: Sides) -> set[int]:
    """Which stretches are painted again in almost the place of another."""
    if len(set(texts)) == len(texts):
        return set()
    again = {text for text, count in Counter(texts).items() if count > 1}
    copies: set[int] = set()
    x0, y0, x1, y1 = sides
    seen: tuple[str, float, float] = ("", 0.0, 0.0)
    found = [
        (text, round(y0[index]), x0[index], index)
        for index, text in enumerate(texts)
        if text in again and x0[index] == x0[index]
    ]
    for text, _, x, index in sorted(found):
        y = y0[index]
        high = abs(y1[index] - y)
        near = _SAME * (min(high, abs(x1[index] - x)) if len(text) > _FEW else high)
        if text == seen[0] and abs(x - seen[1]) <= near and abs(y - seen[2]) <= near:
            copies.add(index)
        else:
            seen = (text, x, y)
    return copies
