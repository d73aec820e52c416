"""Text that runs from right to left, where what PDFium turned around was more than it should have.

PDFium puts such text in order by taking its glyphs from the right. A glyph that stands for several letters
has them the wrong way round then, a vowel sign comes before the letter it stands on, and brackets, which are
drawn mirrored, may open where they should close.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

__all__ = ["put_right", "runs_leftwards"]

_LEFTWARDS: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_TURNED: Final = re.compile(
    "\u0647\u0644\u0644\u0627|\u0647\u0644\u0644|[\u0622\u0623\u0625\u0627\u0671]\u0644"
)
"""What no glyph stands for but the other way round: God's name, to God, lam with any alef."""
_SIGN: Final = re.compile("(?:( )|(?<![\u064b-\u0652\u0670]))([\u064b-\u0652\u0670]++)([\u0621-\u064a])")
_MIRRORED: Final = str.maketrans("()[]{}", ")(][}{")
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}
_SOFT: Final = "\xad"  # what is dropped

Box = tuple[float, float, float, float]


def runs_leftwards(text: str) -> bool:
    """Whether some of `text` runs from right to left."""
    return not text.isascii() and _LEFTWARDS.search(text) is not None


def put_right(text: str, box: Callable[[int], Box]) -> str:
    """The same text as it is read, its characters as many.

    Args:
        text: The text of a page.
        box: Left, bottom, right and top of the character at a place.
    """
    units = list(text)
    for match in _TURNED.finditer(text):
        first, last = match.span()
        own = box(first)
        if own[2] > own[0] and all(box(at) == own for at in range(first + 1, last)):
            units[first:last] = units[first:last][::-1]
    for match in _SIGN.finditer(text):
        sign, letter = match.start(2), match.start(3)
        left, _, right, _ = box(letter)
        if not all(_is_over(box(at), left, right) for at in range(sign, letter)):
            continue
        units[sign : letter + 1] = units[letter], *units[sign:letter]
        if match[1] and _is_over(box(match.start()), left, right):
            units[match.start()] = _SOFT
    return "\r\n".join(map(_opened_and_closed, "".join(units).split("\r\n")))


def _is_over(box: Box, left: float, right: float) -> bool:
    return left <= (box[0] + box[2]) / 2 <= right


def _opened_and_closed(line: str) -> str:
    """A line whose brackets match only in the mirror, mirrored."""
    if _matches(line) or not runs_leftwards(line):
        return line
    mirrored = line.translate(_MIRRORED)
    return mirrored if _matches(mirrored) else line


def _matches(line: str) -> bool:
    waiting: list[str] = []
    for sign in line:
        if sign in "([{":
            waiting.append(sign)
        elif sign in ")]}" and (not waiting or waiting.pop() != _PAIRS[sign]):
            return False
    return not waiting
