"""Text painted twice in almost the same place, as some programs do for a bold look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import nan
from operator import itemgetter
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
    x0, y0, _, _ = sides
    found = [
        (text, y0[index], x0[index], index)
        for index, text in enumerate(texts)
        if text in again and x0[index] == x0[index]
    ]
    rows: list[list[tuple[str, float, float, int]]] = []
    for one in sorted(found):
        text, y, x, index = one
        if rows and text == rows[-1][0][0] and y - rows[-1][0][1] <= _near(text, index, sides):
            rows[-1].append(one)
        else:
            rows.append([one])
    for row in rows:
        last = nan
        for text, _, x, index in sorted(row, key=itemgetter(2)):
            if x - last <= _near(text, index, sides):
                copies.add(index)
            else:
                last = x
    return copies


def _near(text: str, index: int, sides: Sides) -> float:
    """How close a copy of a stretch lies to it at most."""
    x0, y0, x1, y1 = sides
    high = abs(y1[index] - y0[index])
    return _SAME * (min(high, abs(x1[index] - x0[index])) if len(text) > _FEW else high)
