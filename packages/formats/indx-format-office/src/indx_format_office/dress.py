"""What a number format shows beside the digits: a currency, a unit, words; and the signs between the digits.

The digits themselves stay those of the value. A format that shows them otherwise, as thousands, as a fraction
or as a power of ten, is left alone: a unit behind the whole value would then be wrong.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

__all__ = ["Dress"]

_TOKEN: Final = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|[_*].|\[\$(?P<currency>[^\]-]*)(?:-[^\]]*)?\]'
    r"|\[(?P<sign><=|>=|<>|<|>|=)(?P<bound>-?\d+(?:\.\d+)?)\]|\[[^\]]*\]|(?P<digit>[0#?])|(?P<other>.)",
    re.DOTALL,
)
_PARTS: Final = re.compile(r'(?:"[^"]*"?|\\.|\[[^\]]*\]|[^;"\\\[]|[\\\[])+|(?<=;)(?=;|$)', re.DOTALL)
_COMPARED: Final[dict[str, Callable[[float, float], bool]]] = {
    "<=": operator.le, ">=": operator.ge, "<>": operator.ne, "<": operator.lt, ">": operator.gt,
    "=": operator.eq,
}  # fmt: skip
_GENERAL: Final = re.compile(r'General(?=[^"]*(?:"[^"]*"[^"]*)*$)', re.IGNORECASE)
"""How a format says that a number is shown as it is, outside of quotes."""
_OTHERWISE: Final = frozenset("/Ee%@")  # fractions, powers, hundredths, texts
_MOST: Final = 200  # characters of a format that is looked at
_NEGATIVE_SIGNS: Final = str.maketrans("", "", "()-")


@dataclass(slots=True)
class _Part:
    """One part of a format.

    Attributes:
        pieces: What it shows, in order; None where a digit stands.
        condition: Which numbers it is for, where it says so.
        plain: Whether its digits are those of the value.
        masked: Whether signs stand between its digits.
    """

    pieces: list[str | None]
    condition: tuple[str, float] | None
    plain: bool
    masked: bool


class Dress:
    """What one format shows beside the digits."""

    __slots__ = ("_parts",)

    def __init__(self, code: str) -> None:
        """Understand a format code."""
        parts = [_part(found) for found in _PARTS.findall(code)[:3]] if len(code) <= _MOST else []
        self._parts = parts[:2] if parts and any(_dresses(part) for part in parts[:2]) else []

    def __bool__(self) -> bool:
        """Whether it shows anything."""
        return bool(self._parts)

    def put(self, shown: str, value: float) -> str:
        """The number `shown`, whose value is `value`, as the format dresses it."""
        part, negative = self._for(value)
        if part is None or not part.plain or None not in part.pieces:
            return shown
        digits = shown.removeprefix("-")
        minus = "-" if shown.startswith("-") else ""
        if part.masked:
            return minus + _masked(part.pieces, digits) if digits.isdecimal() else shown
        first, last = part.pieces.index(None), len(part.pieces) - part.pieces[::-1].index(None)
        before, after = ("".join(filter(None, each)) for each in (part.pieces[:first], part.pieces[last:]))
        if negative:
            before, after = before.translate(_NEGATIVE_SIGNS), after.translate(_NEGATIVE_SIGNS)
        return f"{minus}{before.lstrip()}{digits}{after.rstrip()}"

    def _for(self, value: float) -> tuple[_Part | None, bool]:
        """The part that is for a number, and whether it is one for negative numbers."""
        if not self._parts:
            return None, False
        first, *others = self._parts
        if first.condition is not None:
            sign, bound = first.condition
            if _COMPARED[sign](value, bound):
                return first, False
            return (others[0] if others and others[0].condition is None else None), False
        if value < 0 and others and others[0].condition is None and None in others[0].pieces:
            return others[0], True
        return first, False


def _part(code: str) -> _Part:
    pieces: list[str | None] = []
    condition: tuple[str, float] | None = None
    plain, decimals = True, False
    for found in _TOKEN.finditer(_GENERAL.sub("0", code)):
        if found["sign"]:
            condition = found["sign"], float(found["bound"])
        elif found["digit"]:
            pieces.append(None)
        elif found["other"] in (".", ",") and None in pieces:
            decimals = True
            pieces.append(found["other"])
        elif found["other"] is not None and found["other"] in _OTHERWISE:
            plain = False
        else:
            shown = found["quoted"] or found["escaped"] or found["currency"] or found["other"]
            pieces.append(shown or "")
    # Points and commas among the digits are not written; a comma behind them all divides by a thousand.
    last = len(pieces) - pieces[::-1].index(None) if None in pieces else 0
    plain = plain and pieces[last : last + 1] != [","]
    if decimals:
        pieces = [piece for at, piece in enumerate(pieces) if not (piece in (".", ",") and 0 < at < last)]
    pieces = [piece for piece in pieces if piece != ""]
    inner = [at for at, piece in enumerate(pieces) if piece is None]
    masked = bool(inner) and inner[-1] - inner[0] + 1 != len(inner)
    return _Part(pieces, condition, plain and not (masked and decimals), masked)


def _dresses(part: _Part) -> bool:
    return part.plain and None in part.pieces and any(piece and piece.strip() for piece in part.pieces)


def _masked(pieces: list[str | None], digits: str) -> str:
    """Digits put between signs, from the right; those that find no place stand before all others."""
    written: list[str] = []
    left = digits
    first = pieces.index(None)
    for at in range(len(pieces) - 1, -1, -1):
        piece = pieces[at]
        if piece is not None:
            written.append(piece)
        elif at == first:
            written.append(left)
        else:
            written.append(left[-1:] or "0")
            left = left[:-1]
    return "".join(reversed(written)).strip()
