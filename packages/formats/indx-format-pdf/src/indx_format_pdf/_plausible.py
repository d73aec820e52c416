"""Whether a text layer looks like text of some script, or like the codes of a font nobody can decode."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import Final

__all__ = ["characters", "plausible"]

_ALNUM: Final = bytes(code for code in range(256) if chr(code).isalnum() or code in b" \t\n\r" or code > 127)
_REPEATED: Final = re.compile(r"([^\w\s])(?:\s*\1)+")
_FEW: Final = 4
_FEW_FOREIGN: Final = 0.1
_MOST_SIGNS: Final = 0.66
_MOST_UNFIT: Final = 0.5
_MOST_LOST: Final = 0.8
_MOST_FOREIGN: Final = 0.06
_SYMBOLS: Final = "\u2190"  # arrows, boxes, bullets and what follows are drawn on purpose
_IDEOGRAPHS: Final = 0x2E80
_ENOUGH_LETTERS: Final = 12


def characters(text: str) -> int:
    """How many characters `text` has, not counting white space."""
    return len(text) - sum(map(text.count, " \n\t\xa0\u3000"))


def plausible(text: str, *, unmapped: float = 0.0, lost: int = 0) -> bool:
    """Whether `text` can be what the page shows.

    Args:
        text: The text of a page.
        unmapped: The share of its glyphs whose character PDFium could only guess from their code.
        lost: How many glyphs have no character in it.
    """
    size = characters(text)
    if lost >= max(_FEW, _MOST_LOST * (size + lost)):
        return False
    if size < _FEW:
        return True
    if unmapped < _MOST_UNFIT:
        raw = text.encode("utf-8", "replace")
        signs = len(raw.translate(None, _ALNUM))
        if len(raw) - len(text) < _FEW_FOREIGN * size and 2 * signs < size:
            return True
    return _has_words(text) and _fits_a_script(text, unmapped)


def _has_words(text: str) -> bool:
    """Whether letters and digits are no rarity, rows of dots and rules counted once."""
    counts = Counter("".join(_REPEATED.sub(r"\1", text).split()))
    words = signs = kinds = 0
    for sign, count in counts.items():
        if sign.isalnum() or unicodedata.category(sign)[0] == "M":
            words += count
        elif sign < _SYMBOLS or not sign.isprintable():
            signs += count
            kinds += 1
    return signs <= _MOST_SIGNS * (words + signs) or kinds < _FEW


def _fits_a_script(text: str, unmapped: float) -> bool:
    counts = Counter("".join(text.split()))
    total = counts.total()
    unfit = ideographs = latin_1 = 0
    alphabets: Counter[int] = Counter()
    for sign, count in counts.items():
        code = ord(sign)
        if sign == "\ufffd" or unicodedata.category(sign) in {"Co", "Cn", "Cc"}:
            unfit += count
        elif code >= _IDEOGRAPHS:
            ideographs += count
        elif 0xA1 <= code <= 0xFF:
            latin_1 += count
        if sign.isalpha() and code < _IDEOGRAPHS:
            alphabets[code >> 7] += count
    if unfit >= _MOST_UNFIT * total:
        return False
    # Ideographs decoded as pairs of bytes: signs and accented letters stand all among them.
    if ideographs >= 0.2 * total and latin_1 + unfit > _MOST_FOREIGN * total:
        return False
    return unmapped < _MOST_UNFIT or _keeps_to_one_alphabet(counts, alphabets, unfit)


def _keeps_to_one_alphabet(counts: Counter[str], alphabets: Counter[int], unfit: int) -> bool:
    """Whether codes taken for characters make text; where they number glyphs, they are from anywhere."""
    letters = alphabets.total()
    if unfit > _MOST_FOREIGN * counts.total():
        return False
    if not letters:
        return True
    common = max(alphabets.values())
    if common + (alphabets[0] if common != alphabets[0] else 0) < 0.9 * letters:
        return False
    latin = alphabets[0]
    vowels = sum(counts[sign] for sign in "aeiouAEIOU")
    return latin < _ENOUGH_LETTERS or latin < letters / 2 or vowels >= 0.2 * latin
