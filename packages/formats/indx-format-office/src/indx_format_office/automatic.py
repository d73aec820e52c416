"""Automatic numbers of paragraphs as presentations count them, in text boxes wherever these stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from indx_format_office.lists import spelled
from indx_format_office.names import A
from indx_format_office.values import whole

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = ["NO_NUMBER", "SCHEMES", "Counting", "Kind", "Kinds", "kind_of", "kinds_of", "stated_kind"]

_DEEPEST, _MOST_START = 8, 32767
_USUAL: Final = ("decimal", "{}.")
_SCHEMES: Final = {
    "alphaLcPeriod": ("lowerLetter", "{}."),
    "alphaUcPeriod": ("upperLetter", "{}."),
    "arabicParenR": ("decimal", "{})"),
    "arabicPeriod": _USUAL,
    "romanLcParenBoth": ("lowerRoman", "({})"),
    "romanLcParenR": ("lowerRoman", "{})"),
    "romanLcPeriod": ("lowerRoman", "{}."),
    "romanUcPeriod": ("upperRoman", "{}."),
    "alphaLcParenBoth": ("lowerLetter", "({})"),
    "alphaLcParenR": ("lowerLetter", "{})"),
    "alphaUcParenBoth": ("upperLetter", "({})"),
    "alphaUcParenR": ("upperLetter", "{})"),
    "arabicParenBoth": ("decimal", "({})"),
    "arabicPlain": ("decimal", "{}"),
    "romanUcParenBoth": ("upperRoman", "({})"),
    "romanUcParenR": ("upperRoman", "{})"),
    "ea1ChsPlain": ("chineseCounting", "{}"),
    "ea1ChsPeriod": ("chineseCounting", "{}."),
    "circleNumDbPlain": ("decimalEnclosedCircle", "{}"),
    "circleNumWdWhitePlain": ("decimalEnclosedCircle", "{}"),
    "circleNumWdBlackPlain": ("decimalEnclosedCircle", "{}"),
    "ea1ChtPlain": ("chineseCounting", "{}"),
    "ea1ChtPeriod": ("chineseCounting", "{}."),
    "arabic1Minus": ("arabicAlpha", "{}-"),
    "arabic2Minus": ("arabicAbjad", "{}-"),
    "hebrew2Minus": ("hebrew2", "{}-"),
    "ea1JpnKorPlain": ("japaneseCounting", "{}"),
    "ea1JpnKorPeriod": ("japaneseCounting", "{}."),
    "arabicDbPlain": ("decimalFullWidth", "{}"),
    "arabicDbPeriod": ("decimalFullWidth", "{}."),
    "thaiAlphaPeriod": ("thaiLetters", "{}."),
    "thaiAlphaParenR": ("thaiLetters", "{})"),
    "thaiAlphaParenBoth": ("thaiLetters", "({})"),
    "thaiNumPeriod": ("thaiNumbers", "{}."),
    "thaiNumParenR": ("thaiNumbers", "{})"),
    "thaiNumParenBoth": ("thaiNumbers", "({})"),
    "hindiAlphaPeriod": ("hindiVowels", "{}."),
    "hindiNumPeriod": ("hindiNumbers", "{}."),
    "ea1JpnChsDbPeriod": ("japaneseCounting", "{}."),
    "hindiNumParenR": ("hindiNumbers", "{})"),
    "hindiAlpha1Period": ("hindiConsonants", "{}."),
}
SCHEMES: Final = tuple(_SCHEMES)
"""Names of schemes, each where the binary format has its number."""
_OTHER: Final = frozenset(A + name for name in ("buNone", "buChar", "buBlip"))


class Kind(NamedTuple):
    """How paragraphs are numbered: by the name of a scheme, empty for not at all, and from where."""

    scheme: str
    start: int


NO_NUMBER: Final = Kind("", 1)
Kinds = Mapping[int, Kind]
"""What a style says of levels, counted from 0."""


class Counting:
    """How far the paragraphs of one text have been counted."""

    def __init__(self) -> None:
        """Begin before the first paragraph."""
        self._counts: dict[int, tuple[Kind, int]] = {}

    def label(self, level: int, kind: Kind) -> str:
        """The label of the next paragraph that says something, with the space after it; empty for none."""
        level = min(level, _DEEPEST)
        before = self._counts.get(level)
        self._counts = {place: count for place, count in self._counts.items() if place < level}
        if not kind.scheme:
            return ""
        number = before[1] + 1 if before is not None and before[0] == kind else kind.start
        self._counts[level] = kind, number
        style, around = _SCHEMES.get(kind.scheme, _USUAL)
        return f"{around.format(spelled(number, style))} "


def stated_kind(properties: Element | None) -> Kind | None:
    """How the properties of a paragraph number it; None when they do not say."""
    for child in () if properties is None else properties:
        if child.tag == A + "buAutoNum":
            start = whole(child.get("startAt"), 1, least=1, most=_MOST_START)
            return Kind(child.get("type") or SCHEMES[3], start)
        if child.tag in _OTHER:
            return NO_NUMBER
    return None


def kinds_of(style: Element | None) -> dict[int, Kind]:
    """How an `a:lstStyle`, or a style of a master, numbers paragraphs of each level that it says it of."""
    if style is None:
        return {}
    found = ((level, stated_kind(style.find(f"{A}lvl{level + 1}pPr"))) for level in range(_DEEPEST + 1))
    return {level: kind for level, kind in found if kind is not None} if len(style) else {}


def kind_of(paragraph: Element, styles: Sequence[Kinds]) -> tuple[int, Kind]:
    """The level of a paragraph and how it is numbered, by itself or else by the first style that says it."""
    properties = paragraph.find(A + "pPr")
    level = 0 if properties is None else whole(properties.get("lvl"), most=_DEEPEST)
    stated = stated_kind(properties)
    if stated is None:
        stated = next((style[level] for style in styles if level in style), NO_NUMBER)
    return level, stated
