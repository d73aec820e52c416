"""Letters whose accents are drawn as glyphs of their own, as TeX does with its first fonts.

PDFium gives the accent as a character beside the letter, with a space or the end of a line between them where
the two look apart. What lies over a letter, or hangs on it, is put together with it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

__all__ = ["has_accents", "put_on"]

_MARKS: Final = dict(
    zip(
        "`´ˆ˜¨¯˘˙˚ˇ˝¸˛",
        "\u0300\u0301\u0302\u0303\u0308\u0304\u0306\u0307\u030a\u030c\u030b\u0327\u0328",
        strict=True,
    )
)
_BELOW: Final = "\u0327\u0328"
_ACCENT: Final = re.compile(f"[{''.join(_MARKS)}]|(?<=[ \n])[{''.join(_MARKS.values())}]")
_SIGNS: Final = (*_MARKS, *_MARKS.values())
_PLAIN: Final = {"\u0131": "i", "\u0237": "j"}  # an accent takes the place of the dot
_SOFT: Final = "\xad"  # what is dropped
_BETWEEN: Final = "\xad\r\n "
_GAP: Final = "\xad "
_REACH: Final = 8  # characters that are gone over at most
_MOST_LOOKED: Final = 20_000_000  # characters that are gone through for accents drawn apart
_FAR: Final = 0.6  # of a letter's height: what lies farther above or below belongs to another line
_TOUCHING: Final = 0.3  # of a letter's height: letters of one word have no more between them

_Box: TypeAlias = "tuple[float, float, float, float]"


def has_accents(units: str) -> bool:
    """Whether some accent may stand in the text by itself."""
    return "`" in units if units.isascii() else any(map(units.__contains__, _SIGNS))


def put_on(units: str, box: Callable[[int], _Box], under: Callable[[int], int | None]) -> str:
    """The same text with accents put together with the letters they are drawn on, as many characters long.

    Args:
        units: The text of a page.
        box: Left, bottom, right and top of the character at a place.
        under: The place of the character that stands where an accent does, on its base line.
    """
    signs = list(units)
    looks = _MOST_LOOKED // len(units)
    # From behind: of several accents the one before the letter is nearest to it.
    for match in reversed(list(_ACCENT.finditer(units))):
        at = match.start()
        mark = _MARKS.get(units[at], units[at])
        own = box(at)
        beside = (_beside(signs, at, 1), _beside(signs, at, -1))
        letter = next(
            (one for one in beside if one is not None and _is_its(own, signs, one, box, mark)), None
        )
        if letter is None and looks and (units[at] != "`" or units[at - 1 : at + 2].strip() == "`"):
            # Where the accent was drawn apart, PDFium has put it behind all that was drawn with the letter.
            looks -= 1
            letter = under(at)
            if letter is not None and not _is_its(own, signs, letter, box, mark):
                letter = None
        if letter is not None and _put(signs, at, letter, mark):
            _close(signs, at, letter, box)
    return "".join(signs)


def _beside(signs: Sequence[str], at: int, step: int, over: str = _BETWEEN) -> int | None:
    """The place next to one of what is not to be gone over; None where there is none near."""
    for place in range(at + step, at + step * _REACH, step):
        if not 0 <= place < len(signs):
            return None
        if signs[place] not in over:
            return place
    return None


def _is_its(accent: _Box, signs: Sequence[str], place: int, box: Callable[[int], _Box], mark: str) -> bool:
    return signs[place].isalpha() and _lies_on(accent, box(place), mark)


def _lies_on(accent: _Box, letter: _Box, mark: str) -> bool:
    """Whether an accent stands right above a letter, or right below it, as its kind does."""
    left, bottom, right, top = letter
    height = top - bottom
    if not (left <= (accent[0] + accent[2]) / 2 <= right and height > 0):
        return False
    away = bottom - accent[3] if mark in _BELOW else accent[1] - top
    return -height / 2 < away < _FAR * height


def _put(signs: list[str], at: int, letter: int, mark: str) -> bool:
    """Put an accent on its letter, and tell whether there was room for both."""
    first, last = min(at, letter), max(at, letter)
    whole = unicodedata.normalize("NFC", _PLAIN.get(signs[letter], signs[letter]) + mark)
    is_beside = all(sign in _BETWEEN for sign in signs[first:last][1:])
    if len(whole) == 1:
        signs[letter], signs[at] = whole, _SOFT
    elif is_beside:
        signs[first], signs[last] = whole[0], whole[1:]
    else:
        return False
    if is_beside:
        signs[first + 1 : last] = _SOFT * (last - first - 1)
    return True


def _close(signs: list[str], at: int, letter: int, box: Callable[[int], _Box]) -> None:
    """Drop the spaces around a letter and where its accent was that no gap within a word stands for.

    Of others one is left.
    """
    own = box(letter)
    boxes = {at: own, letter: own}
    for place in (at, letter):
        around = (_beside(signs, place, -1, _GAP), place, _beside(signs, place, 1, _GAP))
        shown = [found for found in around if found is not None and signs[found] not in _BETWEEN]
        for one, other in pairwise(shown):
            spaces = [space for space in range(one + 1, other) if signs[space] == " "]
            if not spaces:
                continue
            gap = (boxes.get(other) or box(other))[0] - (boxes.get(one) or box(one))[2]
            is_word = _is_letter(signs[one]) and _is_letter(signs[other])
            for space in spaces if is_word and abs(gap) < _TOUCHING * (own[3] - own[1]) else spaces[1:]:
                signs[space] = _SOFT


def _is_letter(sign: str) -> bool:
    return sign.isalpha() or sign in _SIGNS
