"""Ligatures of Calibri that a document takes for the characters with the numbers of their glyphs.

In Calibri `ti` is glyph 415. What has no character of its own gets U+10019F from some programs, of plane 16,
and U+019F from others: "applica\u019fon".
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["LETTERS", "has_misnamed", "named"]

_GLYPHS: Final = {0x14C: "ft", 0x19E: "tf", 0x19F: "ti", 0x1A9: "tt", 0x1AB: "tti"}
_STAND_INS: Final = {chr(glyph): chr(0xFDD0 + at) for at, glyph in enumerate(_GLYPHS)}
LETTERS: Final = {
    ord(one): letters for one, letters in zip(_STAND_INS.values(), _GLYPHS.values(), strict=True)
}
"""The letters of what stands for a ligature in the text, which is a noncharacter."""
_HIGH: Final = "\udbc0"  # the first half of the characters of plane 16 that are meant
_SIGNS: Final = (*_STAND_INS, _HIGH)
_SMALL: Final = "a-z\u00df-\u00f6\u00f8-\u00ff"
_SURE: Final = re.compile(rf"(?<=[{_SMALL}])[\u014c\u019f\u01a9]|{_HIGH}[\udd4c\udd9e\udd9f\udda9\uddab]")
_LIGATURE: Final = re.compile(
    rf"{_HIGH}([\udd4c\udd9e\udd9f\udda9\uddab])|(?<=[{_SMALL}])[{''.join(_STAND_INS)}]|\u019f(?=[{_SMALL}])"
)


def has_misnamed(units: str) -> bool:
    """Whether there may be such ligatures in a text."""
    return not units.isascii() and any(map(units.__contains__, _SIGNS)) and _SURE.search(units) is not None


def named(units: str) -> str:
    """The same text with stand-ins for them, as many characters long.

    A capital within a word in small letters is one, and so are then the letters of other languages there.
    """
    return _LIGATURE.sub(_stand_in, units)


def _stand_in(match: re.Match[str]) -> str:
    if match[1]:
        return _STAND_INS[chr(ord(match[1]) - 0xDC00)] + "\xad"
    return _STAND_INS[match[0]]
