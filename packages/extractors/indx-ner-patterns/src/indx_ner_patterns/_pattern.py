"""What a pattern is, and the form of a text in which patterns are looked for.

Patterns take time in proportion to the text, whatever stands in it: a repetition is bounded, or possessive
and such that the search goes on behind it. What a regular expression cannot say, such as a check digit, an
`accept` function decides on the bounded match.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

__all__ = ["ALONE", "DIGITS", "NUMBER", "NUMBER_START", "Accept", "Pattern", "amounts", "narrow", "whole"]

Accept: TypeAlias = Callable[[re.Match[str]], tuple[int, int] | None]

DIGITS: Final = "0123456789"
ALONE: Final = "(?<![0-9A-Za-z])"
"""Not within a word or number."""
NUMBER_START: Final = "(?=[0-9])" + ALONE + "(?<![0-9][.,'])"
NUMBER: Final = "[0-9]++(?:[.,'][0-9]++)*+"

_NARROW: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    ord(wide): plain for wide, plain in zip("\u3000‐\u2011−￥￡", " ---¥£", strict=True)
}
_AMOUNT: Final = re.compile(
    r"[0-9]{1,18}(?:[.,][0-9]{1,6})?"
    r"|[0-9]{1,3}(?:,[0-9]{3}){1,6}(?:\.[0-9]{1,6})?"
    r"|[0-9]{1,3}(?:\.[0-9]{3}){1,6}(?:,[0-9]{1,6})?"
    r"|[0-9]{1,3}(?:'[0-9]{3}){1,6}(?:\.[0-9]{1,6})?"
    r"|[0-9]{1,2}(?:,[0-9]{2}){1,6},[0-9]{3}(?:\.[0-9]{1,6})?"
)


def narrow(text: str) -> str:
    """`text` with full-width forms and look-alike hyphens made plain, each character staying at its place."""
    return text if text.isascii() else text.translate(_NARROW)


def whole(match: re.Match[str]) -> tuple[int, int]:
    """All of the match."""
    return match.span()


def amounts(match: re.Match[str]) -> tuple[int, int] | None:
    """All of the match, if the separators of every number in it stand as they do in amounts."""
    numbers = re.findall(NUMBER, match.group())
    return match.span() if all(map(_AMOUNT.fullmatch, numbers)) else None


@dataclass(frozen=True, slots=True)
class Pattern:
    """A way in which an entity is written.

    Attributes:
        label: What it is.
        confidence: How sure a match is.
        expression: Finds candidates.
        accept: The span of a candidate, or None when it is none after all.
        needs: Characters of which the text must hold one for the pattern to be tried.
        narrowed: Whether it is looked for in the narrow form of the text.
    """

    label: str
    confidence: float
    expression: re.Pattern[str]
    accept: Accept = whole
    needs: str = DIGITS
    narrowed: bool = True
