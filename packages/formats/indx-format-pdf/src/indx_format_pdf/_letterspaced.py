"""Words whose letters are set apart, between which PDFium gives spaces.

Where a program draws the last letter of such a word by itself, as layers of recognised text are often
written, PDFium takes the gap before it for a space: "Chin a Shippin g". Where all letters stand far apart it
gives a space after each: "W H I T E P A P E R". A gap no wider than those between letters is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final, TypeAlias

__all__ = ["false_spaces", "may_be_spaced"]

_WORDS: Final = 5.5  # characters to a space: running text has more
_SMALL: Final = 400  # characters of a page on which a line counts
_SINGLES: Final = re.compile(r" \S \S \S ")
_LAST: Final = re.compile(r"(?<=\w) (?=[\w.,;:!?)'’](?:\s|$))")
_IN_WORD: Final = re.compile(r"[\w.,'’/-]\w")
_APART: Final = 0.03  # of a letter's height: letters that are set apart have more between them
_SAME: Final = 1.3  # times the gap between letters: no space
_FEWEST: Final = 6  # letters of a line that are looked at for being words
_SINGLE: Final = 0.7  # the share of them that stand alone
_JUMP: Final = 1.35  # the least space between such words, by the widest gap between their letters
_WIDEST: Final = 0.6  # of a letter's height: gaps between letters, those of columns are wider

_Box: TypeAlias = "tuple[float, float, float, float]"


def may_be_spaced(units: str) -> bool:
    """Whether a text has so many spaces that some may be none."""
    return len(units) < max(_SMALL, _WORDS * units.count(" ")) or _SINGLES.search(units) is not None


def false_spaces(units: str, box: Callable[[int], _Box]) -> Iterator[int]:
    """The places of spaces that no gap stands for, in the lines of a page that have many.

    Args:
        units: The text of a page, one of PDFium's characters for each of its own.
        box: Left, bottom, right and top of a character, by its advance.
    """
    start = 0
    for row in units.split("\r\n"):
        if len(row) < _WORDS * row.count(" "):
            found = list(_between_letters(row, start, box))
            yield from found or _before_last(row, start, box)
        start += len(row) + 2


def _between_letters(row: str, start: int, box: Callable[[int], _Box]) -> Iterator[int]:
    """The spaces within words of a line all of whose letters stand apart."""
    places = [at for at, unit in enumerate(row) if unit == " "]
    words = row.split(" ")
    if len(words) < _FEWEST or sum(len(word) == 1 for word in words) < _SINGLE * len(words):
        return
    if not all(word.isalpha() or word in "-&" for word in words):
        return
    gaps = {at: box(start + at + 1)[0] - box(start + at - 1)[2] for at in places}
    ordered = sorted(gaps.values())
    after = next((wide for narrow, wide in pairwise(ordered) if wide > _JUMP * narrow), None)
    _, bottom, _, top = box(start)
    if after is None or not 0 < ordered[0] <= _WIDEST * (top - bottom):
        return
    within = [at for at in places if gaps[at] < after]
    if any(_is_close(row, at, start, box, gaps[at]) for at in within):
        return
    if len(within) > 2 * (len(places) - len(within)):
        yield from (start + at for at in within)


def _is_close(row: str, at: int, start: int, box: Callable[[int], _Box], gap: float) -> bool:
    """Whether the letters of a word beside a space stand much closer than those over it: it is set as usual.

    Two letters alone may be a pair that is always set close, as `AT`.
    """
    return any(
        len(row[first : first + 3]) == 3
        and row[first : first + 3].isalnum()
        and 2 * (box(start + one + 1)[0] - box(start + one)[2]) < gap
        for first, one in ((at - 3, at - 2), (at + 1, at + 1))
        if first >= 0
    )


def _before_last(row: str, start: int, box: Callable[[int], _Box]) -> Iterator[int]:
    """The spaces before single letters that stand no further than those before them."""
    apart = 0.0
    for match in _LAST.finditer(row):
        at = start + match.start()
        left, bottom, right, top = box(at - 1)
        if match.start() > 1 and _IN_WORD.match(row, match.start() - 2):
            apart = left - box(at - 2)[2]
        own, _, end, _ = box(at)
        most = min(_SAME * apart, _WIDEST * (top - bottom))
        if own == end and apart > _APART * (top - bottom) and 0 < box(at + 1)[0] - right <= most:
            yield at
