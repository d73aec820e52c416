"""Text in fonts that name their characters by number, as the bitmap fonts of TeX do.

PDFium gives the number where a name says nothing (`a28`). For letters that is right; ligatures, dashes and
quotes have numbers of TeX's own encodings, T1 or OT1. Which of them a font is in is told by the ligatures
within its words; a font of symbols has none. Ghostscript writes numbers to the base 36 (`CP` for 97, an `a`)
and takes some for names of characters: `CR` for a carriage return.
"""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from indx_format_pdf._pdfium import fast, pdfium

__all__ = ["Numbered"]

_LIGATURES: Final = "\ufb00\ufb01\ufb02\ufb03\ufb04"
_OF_OT1: Final = dict(zip("\x0b\x0c\r\x0e\x0f", _LIGATURES, strict=True))
_OF_T1: Final = dict(zip("\x1b\x1c\x1d\x1e\x1f", _LIGATURES, strict=True))
_OT1: Final = {
    **_OF_OT1,
    **dict(zip("\x10\x11\x12\x13\x14\x15\x16\x17\x18\x7f", "ıȷ`´ˇ˘¯˚¸¨", strict=True)),
    **dict(zip('\x19\x1a\x1b\x1c\x1d\x1e\x1f"\\{|', "ßæœøÆŒØ”“–—", strict=True)),
}
_T1: Final = {
    **_OF_T1,
    **dict(zip("\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x19", "‚‹›“”„«»–—ı", strict=True)),
    **dict(zip(map(chr, range(0x80, 0xA0)), "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§", strict=True)),
    **dict(zip(map(chr, range(0xA0, 0xC0)), "ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£", strict=True)),
    **dict(zip("\xd7\xf7\xff", "Œœß", strict=True)),
}
_ONLY_OT1: Final = {"\x0b", "\x0c"}  # its other ligatures are quotes of T1
_MISTAKEN: Final = {"\r": "c", "\x08": "@", "\u2104": "]", "Æ": "\ufb03"}  # CR, BS, CL and AE
_BULLET: Final = "\x88"  # in TS1, the companion of T1 that TeX takes the marks of lists from
_TELLING: Final = re.compile(rf"[{re.escape(''.join({**_OF_OT1, **_OF_T1, **_MISTAKEN}))}](?!(?<=\r)\n)")
_SIGN: Final = re.compile(rf"[{re.escape(''.join({**_OT1, **_T1, **_MISTAKEN}))}](?!(?<=\r)\n)")
_RECENT: Final = 1024  # text operations whose font is remembered
_SIDE: Final = 3  # characters that are looked at on each side
_WORD: Final = re.compile("[a-z]{2}")  # beside a ligature
_DOUBTFUL: Final = re.compile(r"[^\x0b-\x1f!-~\xc0-\xff]")
_SURE: Final = 10  # words to a ligature beside which something stands that is in no word


class Numbered:
    """The fonts of a page that name their characters by number and hold words.

    Args:
        units: The text of the page.
        place: The open text page.
        character: The number at PDFium of the character at a place of the text.
    """

    __slots__ = ("_character", "_font", "_mistaken", "_place", "_tables", "_units")

    def __init__(self, units: str, place: object, character: Callable[[int], int]) -> None:
        """Find them by what stands in their words."""
        self._units, self._place, self._character = units, place, character
        self._font = lru_cache(_RECENT)(_font_of)
        self._mistaken: set[int] = set()
        words: dict[int, Counter[str]] = {}
        doubts: Counter[int] = Counter()
        apart: Counter[int] = Counter()  # in no word, as the letters of formulas mostly are
        for match in _TELLING.finditer(units):
            at, sign = match.start(), match[0]
            if not self.is_numbered(at):
                if sign in _MISTAKEN and self._around(at):
                    self._mistaken.add(self._font_at(at))
            elif sign in _OF_OT1 or sign in _OF_T1:
                font, around = self._font_at(at), self._around(at)
                doubts[font] += _DOUBTFUL.search(around) is not None
                if _WORD.search(around):
                    words.setdefault(font, Counter())[sign] += 1
                else:
                    apart[font] += 1
        self._tables = {
            font: _OT1 if found.keys() & _ONLY_OT1 or not found.keys() & _OF_T1.keys() else _T1
            for font, found in words.items()
            if found.total() > _SURE * doubts[font] and found.total() >= apart[font]
        }

    def spelled(self) -> str:
        """The text with the characters that its numbers stand for, as many characters long."""
        some = self._tables or self._mistaken or _BULLET in self._units
        return _SIGN.sub(self._spelled, self._units) if some else self._units

    def is_numbered(self, at: int) -> bool:
        """Whether the character at a place is the number of one, by a name that says nothing."""
        return bool(fast.char_unmapped(self._place, self._character(at)) == 1)

    def holds_words(self, at: int) -> bool:
        """Whether the character at a place is of one of these fonts, whose letters are right."""
        if not self._tables and not self._mistaken:
            return False
        font = self._font_at(at)
        return font in self._tables or font in self._mistaken

    def _spelled(self, match: re.Match[str]) -> str:
        sign, at = match[0], match.start()
        font = self._font_at(at)
        if not self.is_numbered(at):
            return _MISTAKEN.get(sign, sign) if font in self._mistaken else sign
        if font in self._tables:
            return self._tables[font].get(sign, sign)
        return "•" if sign == _BULLET and (at == 0 or self._units[at - 1] == "\n") else sign

    def _font_at(self, at: int) -> int:
        return self._font(fast.text_object(self._place, self._character(at)))

    def _around(self, at: int) -> str:
        """The numbered characters next to a place, of the same font."""
        font = self._font_at(at)

        def beside(places: range) -> Iterator[str]:
            for one in places:
                if self._units[one].isspace() or not self.is_numbered(one) or self._font_at(one) != font:
                    return
                yield self._units[one]

        before = range(at - 1, max(-1, at - 1 - _SIDE), -1)
        after = range(at + 1, min(len(self._units), at + 1 + _SIDE))
        return "".join([*beside(before), *beside(after)])


def _font_of(text: int | None) -> int:
    font = pdfium.FPDFTextObj_GetFont(ctypes.cast(text, pdfium.FPDF_PAGEOBJECT)) if text else None
    return ctypes.cast(font, ctypes.c_void_p).value or 0 if font else 0
