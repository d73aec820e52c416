r"""Letters that TeX spells by commands (`\'e`, `\c{c}`, `\ss`), as the letters they are."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

__all__ = ["SPELLED", "as_letters"]

_MARKS: Final = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306", ".": "\u0307",
    '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323", "c": "\u0327", "k": "\u0328",
}  # fmt: skip
_LETTERS: Final = {
    "ss": "ß", "o": "ø", "O": "Ø", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å",
    "l": "ł", "L": "Ł", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "i": "ı", "j": "ȷ",
}  # fmt: skip
SPELLED: Final = re.compile(
    r"\\verb\*?([^A-Za-z*\s])[^\n]*?\1"
    r"|(?<!\\)\\(?:([`'^~=.\"])(?:\{\\?([A-Za-z])\}|\\?([A-Za-z])(?![A-Za-z]{2}\{))"
    r"|([uvHcdkr])(?:\{\\?([A-Za-z])\}|[ \t]([A-Za-z])\b))"
    r"|(?<!\\)\\(ss|ae|AE|oe|OE|aa|AA|dh|DH|th|TH|dj|DJ|o|O|l|L|i|j)(?:\{\}|(?=[^A-Za-z@{])[ \t]?)"
)


def as_letters(text: str) -> str:
    """`text` with letters in the place of the commands that spell them."""
    return SPELLED.sub(_letter, text)


def _letter(found: re.Match[str]) -> str:
    if found[1]:
        return found[0]  # shown as it is
    if found[8]:
        return _LETTERS[found[8]]
    mark = _MARKS[found[2] or found[5]]
    letter = found[3] or found[4] or found[6] or found[7]
    made = unicodedata.normalize("NFC", letter + mark)
    return made if len(made) == 1 else found[0]
