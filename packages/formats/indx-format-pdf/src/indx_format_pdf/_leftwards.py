"""Text that runs from right to left, where what PDFium turned around was more than it should have.

PDFium puts such text in order by taking its glyphs from the right. A glyph that stands for several letters
has them the wrong way round then, a vowel sign comes before the letter it stands on, and brackets, which are
drawn mirrored, may open where they should close. At a vowel sign that was drawn by itself it ends the line,
and gives the pieces as they were drawn, from the left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

__all__ = ["JOINT", "put_right", "runs_leftwards"]

JOINT: Final = "\ufeff"
"""What stands, and is dropped, where a line is put together from pieces: their places tell no gap in it."""

_LEFTWARDS: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_TURNED: Final = re.compile(
    "\u0647\u0644\u0644\u0627|\u0647\u0644\u0644|[\u0622\u0623\u0625\u0627\u0671]\u0644"
)
"""What no glyph stands for but the other way round: God's name, to God, lam with any alef."""
_SIGN: Final = re.compile("(?:( )|(?<![\u064b-\u0652\u0670]))([\u064b-\u0652\u0670]++)([\u0621-\u064a])")
_LOOSE: Final = re.compile(
    "(?<=[\u0621-\u064a\u0671-\u06d3])(?=[\u064b-\u0652\u0670]* )(?= *[\u064b-\u0652\u0670])"
    "[\u064b-\u0652\u0670 ]++(?=[\u0621-\u064a\u0671-\u06d3])"
)
"""Signs between two letters, with spaces among them."""
_MIRRORED: Final = str.maketrans("()[]{}", ")(][}{")
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}
_SOFT: Final = "\xad"  # what is dropped
_TORN: Final = re.compile("(?:^|\n)[\u0591-\u05c7\u064b-\u0652\u0670]")
_LATIN: Final = re.compile("[A-Za-z]")
_ENDS: Final = 3  # characters; one of so many is no sign
_LEVEL: Final = 1.0  # of a letter's height: what is on one line stands no more apart in height
_NEAR: Final = 0.6  # of a letter's height: the pieces of a line have no more between them
_TOUCHING: Final = 0.25  # nor the pieces of a word

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
    for match in _LOOSE.finditer(text):
        first, last = match.span()
        gap = _gap(box(last), box(first - 1))
        if gap is not None and gap < _TOUCHING:
            units[first:last] = [_SOFT if sign == " " else sign for sign in match[0]]
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
    lines = "".join(units).split("\r\n")
    if _TORN.search(text):
        lines = _whole(lines, box)
    return "\r\n".join(map(_opened_and_closed, lines))


def _whole(pieces: Sequence[str], box: Callable[[int], Box]) -> list[str]:
    """Lines, those whole again that come in pieces from the left; two characters stand for each end."""
    lines: list[list[str]] = []  # from the left
    at = 0
    before: Box | None = None
    for piece in pieces:
        shown = [at + place for place, sign in enumerate(piece) if not sign.isspace() and sign != _SOFT]
        is_leftwards = runs_leftwards(piece) and not _LATIN.search(piece)
        first, last = ([box(one) for one in some] for some in (shown[:_ENDS], shown[-_ENDS:]))
        gap = _gap(before, _around(last)) if before and is_leftwards else None
        if gap is None:
            lines.append([piece])
        else:
            lines[-1] += (_SOFT if gap < _TOUCHING else " ") + JOINT, piece
        before = _around(first) if is_leftwards else None
        at += len(piece) + 2
    return ["".join(reversed(line)) for line in lines]


def _around(boxes: Sequence[Box]) -> Box:
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def _gap(left: Box, right: Box) -> float | None:
    """What is between two pieces of a line, as a share of their height; None where they are of two."""
    height = max(left[3] - left[1], right[3] - right[1])
    if not height or abs(left[1] + left[3] - right[1] - right[3]) > 2 * _LEVEL * height:
        return None
    gap = (right[0] - left[2]) / height
    return gap if -1 < gap < _NEAR else None


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
