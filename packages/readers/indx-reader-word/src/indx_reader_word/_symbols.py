"""Signs that Word takes from symbol fonts, as characters of Unicode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indx_format_office.names import W

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = ["spelled", "symbol"]

_WINGDINGS: Final = {
    0x28: "☎", 0x2A: "✉", 0x4A: "☺", 0x4C: "☹", 0x6C: "●", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x75: "◆",
    0x76: "❖", 0x9F: "•", 0xA7: "▪", 0xA8: "◻", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔",
    0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_GREEK: Final = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ"
_SYMBOL: Final = {
    **{0x41 + place: letter for place, letter in enumerate(_GREEK)},
    **{0x61 + place: letter for place, letter in enumerate("αβχδεφγηιϕκλμνοπθρστυϖωξψζ")},
    0xA3: "≤", 0xA5: "∞", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±",
    0xB3: "≥", 0xB4: "×", 0xB7: "•", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xC5: "⊕", 0xC7: "∩", 0xC8: "∪",
    0xCE: "∈", 0xD6: "√", 0xD7: "⋅", 0xDE: "⇒", 0xE5: "∑", 0xF2: "∫",
}  # fmt: skip
_PRIVATE: Final = 0xF000


def symbol(font: str, code: str) -> str:
    """The character that `code` (hexadecimal) stands for in `font`.

    Symbol fonts lie in a private range; what no table knows stays the private character it is.
    """
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    if not 0 < number < 0xD800 and not 0xE000 <= number <= 0xFFFD:
        return ""
    place = number - _PRIVATE if _PRIVATE <= number <= _PRIVATE + 0xFF else number
    table = {"wingdings": _WINGDINGS, "symbol": _SYMBOL}.get(font.strip().lower(), {})
    return table.get(place) or chr(number)


def spelled(fonts: Element | None, text: str) -> str:
    """A text in which signs of a symbol font stand at their private places, as characters of Unicode."""
    font = "" if fonts is None else fonts.get(W + "ascii") or fonts.get(W + "hAnsi") or ""
    return "".join(symbol(font, f"{ord(sign):x}") if "\uf020" <= sign <= "\uf0ff" else sign for sign in text)
