"""Words of Ghostscript that stand apart though PDFium gives no space between them.

It writes the last letter of one word and the first of the next as a text operation of their own, whose
letters it spaces as far as words: `(Up till no) (wt) (his document)`. PDFium takes what is spaced evenly for
one word. In such an operation of few letters, with another letter close beside it, wide gaps are spaces.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby, pairwise, repeat
from typing import Final, TypeAlias

from indx_format_pdf._pdfium import fast

__all__ = ["gaps_in"]

_LINE: Final = re.compile(r"\S(?:[^\r\n]*\S)?")
_MOST: Final = 4  # letters: a word's last, a word's first, and words of one letter between
_WIDE: Final = 0.15  # of a letter's height: half a narrow space, by which words part
_CLOSE: Final = 0.1  # the same: letters of one word are no further apart

_Box: TypeAlias = "tuple[float, float, float, float]"


def gaps_in(units: str, place: object, box: Callable[[int], _Box]) -> list[int]:
    """Where a space is missing: the places of the letters before which words part, in order.

    Args:
        units: The text of a page, one of PDFium's characters for each of its own.
        place: The open text page.
        box: Left, bottom, right and top of a character, by its advance.
    """
    found: list[int] = []
    for line in _LINE.finditer(units):
        first, end = line.span()
        if fast.text_object(place, first) == fast.text_object(place, end - 1):
            continue  # all of it was written at once
        for _, run in groupby(map(fast.text_object, repeat(place), range(first, end))):
            end = first + len(list(run))
            if 1 < end - first <= _MOST and not any(map(str.isspace, units[first:end])):
                found += _within(units, first, end, box)
            first = end
    return found


def _within(units: str, first: int, end: int, box: Callable[[int], _Box]) -> list[int]:
    """Where words part within the letters of one operation: everywhere, or not at all."""
    own = list(map(box, range(first, end)))
    height = max(top - bottom for _, bottom, _, top in own)
    if not min(after[0] - before[2] for before, after in pairwise(own)) > _WIDE * height > 0:
        return []
    beside: list[float] = []
    if first and not units[first - 1].isspace():
        beside.append(own[0][0] - box(first - 1)[2])
    if end < len(units) and not units[end].isspace():
        beside.append(box(end)[0] - own[-1][2])
    return list(range(first + 1, end)) if any(abs(gap) < _CLOSE * height for gap in beside) else []
