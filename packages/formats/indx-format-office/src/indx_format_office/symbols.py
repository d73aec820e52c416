"""Signs that are taken from symbol fonts, as characters of Unicode."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["is_known", "set_in", "spelled", "symbol"]

_WINGDINGS: Final = {
    0x28: "☎", 0x2A: "✉", 0x4A: "☺", 0x4C: "☹", 0x6C: "●", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x75: "◆",
    0x76: "❖", 0x9F: "•", 0xA7: "▪", 0xA8: "◻", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔",
    0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_GREEK: Final = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ"
_SYMBOL: Final = {
    0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2A: "∗", 0x2D: "−", 0x40: "≅", 0x5C: "∴", 0x5E: "⊥", 0x7E: "∼",
    **{0x41 + place: letter for place, letter in enumerate(_GREEK)},
    **{0x61 + place: letter for place, letter in enumerate("αβχδεφγηιϕκλμνοπθρστυϖωξψζ")},
    **{0xA0 + place: sign for place, sign in enumerate("€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…")},
    **{0xBF + place: sign for place, sign in enumerate("↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑")},
    0xF1: "〉", 0xF2: "∫", 0xF3: "⌠", 0xF5: "⌡",
}  # fmt: skip
_PRIVATE: Final = 0xF000
_UNCHANGED: Final = frozenset((0xA0, 0xAD))
"""Spaces that do not break and soft hyphens: programs put them into texts of any font."""

_TABLES: Final = {"wingdings": _WINGDINGS, "symbol": _SYMBOL}
_LETTERS: Final = {
    font: {code: sign for code, sign in table.items() if code not in _UNCHANGED}
    for font, table in _TABLES.items()
}
_SIGNS: Final = re.compile("[\uf020-\uf0ff]")


def is_known(font: str) -> bool:
    """Whether it is known what the signs of a font stand for."""
    return font.strip().lower() in _TABLES


def symbol(font: str, code: int) -> str:
    """The character that `code` stands for in `font`; empty where it is no character.

    Symbol fonts lie in a private range; what no table knows stays the private character it is.
    """
    if not 0 < code < 0xD800 and not 0xE000 <= code <= 0xFFFD:
        return ""
    place = code - _PRIVATE if _PRIVATE <= code <= _PRIVATE + 0xFF else code
    return _TABLES.get(font.strip().lower(), {}).get(place) or chr(code)


def spelled(font: str, text: str) -> str:
    """A text in which signs of a symbol font stand in the private range, as characters of Unicode."""
    return _SIGNS.sub(lambda found: symbol(font, ord(found[0])), text) if is_known(font) else text


def set_in(font: str, text: str) -> str:
    """A text all of which is set in a font, of a symbol font the signs that its letters show as."""
    letters = _LETTERS.get(font.strip().lower())
    return text if letters is None else spelled(font, text).translate(letters)
