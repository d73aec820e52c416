"""Single values that providers hand over: text, numbers, boxes, stretches, JSON, as they must be or refused.

What is wrong is told in a `ValueError` that names what was looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from math import isfinite
from operator import index
from typing import Any, Final, get_args

from indx_core.canonical import clean_text
from indx_core.lapses import Lapse
from indx_core.scrubbing import scrubbed

__all__ = [
    "UNSAID",
    "check_box",
    "check_cost",
    "check_json",
    "check_lapse",
    "check_list",
    "check_span",
    "check_text",
    "check_unit",
    "check_whole",
    "one_line",
    "reason_of",
]

_DEEPEST: Final = 64
_HEARD: Final = 4_000
UNSAID: Final = "it said nothing of why"
_FOUR_FLOATS: Final = [float] * 4
_LAPSES: Final[tuple[Lapse | None, ...]] = (None, *get_args(Lapse))


def check_text(value: Any, what: str) -> str:
    """A string fit for UTF-8 JSON: NUL and lone surrogates are replaced."""
    if not isinstance(value, str):
        raise ValueError(f"{what} is a {type(value).__name__}, not a string")
    return clean_text(value if type(value) is str else str.__str__(value))


def one_line(value: Any, what: str) -> str:
    """A string as one short line."""
    return " ".join(check_text(value, what).split())[:500]


def reason_of(value: Any, otherwise: str) -> str:
    """Why something failed, in the words of whoever failed: one short line without secrets."""
    return one_line(scrubbed(check_text(value, "a reason"), most=_HEARD), "a reason") or otherwise


def check_lapse(value: Any) -> Lapse | None:
    """What something owes to the moment; nothing as well."""
    for known in _LAPSES:
        if value == known:
            return known
    raise ValueError("no such lapse")


def check_unit(value: Any, what: str) -> float:
    """A number from 0 to 1."""
    number = _number(value, what)
    if not 0 <= number <= 1:
        raise ValueError(f"{what} is {number!r}, not from 0 to 1")
    return number


def check_cost(value: Any, what: str) -> float:
    """US dollars: a finite number of at least 0."""
    number = _number(value, what)
    if number < 0:
        raise ValueError(f"{what} is {number!r}, below 0")
    return number


def _number(value: Any, what: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{what} is a {type(value).__name__}, not a number") from None
    if isinstance(value, str | bytes) or not isfinite(number):
        raise ValueError(f"{what} is {str(value)[:40]!r}, not a finite number")
    return number


def check_whole(value: Any, what: str, low: int = 0, high: int = 2**53) -> int:
    """A whole number from `low` to `high`."""
    try:
        number = index(value)
    except TypeError:
        raise ValueError(f"{what} is a {type(value).__name__}, not a whole number") from None
    if not low <= number <= high:
        raise ValueError(f"{what} is out of range")
    return number


def check_list(value: Any, what: str) -> Sequence[Any]:
    """A sequence, taken as far as the length it states; what states none may have no end."""
    if isinstance(value, list | tuple):
        return value
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        raise ValueError(f"{what} is a {type(value).__name__}, not a sequence")
    return list(islice(iter(value), len(value)))


def check_json(value: Any, what: str, depth: int = 1) -> Any:
    """JSON data, as plain objects of Python: strings clean, numbers finite, at most 64 levels."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return check_text(value, what)
    if isinstance(value, int):
        return check_whole(value, what, -(2**63), 2**64 - 1)
    if isinstance(value, float):
        return _number(value, what)
    if depth > _DEEPEST:
        raise ValueError(f"{what} is nested deeper than {_DEEPEST} levels")
    if isinstance(value, Mapping):
        return {
            check_text(key, f"a key of {what}"): check_json(item, what, depth + 1)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [check_json(item, what, depth + 1) for item in value]
    raise ValueError(f"{what} holds a {type(value).__name__}, which is not JSON")


def check_span(span: Any, size: int, what: str) -> tuple[int, int]:
    """Start and end of a stretch within `size` characters."""
    start, end = span
    if not 0 <= index(start) <= index(end) <= size:
        raise ValueError(f"{what}: [{start}, {end}) leaves the {size} characters")
    return index(start), index(end)


def check_box(box: Any) -> tuple[float, float, float, float]:
    """A box as given when its numbers are plain and finite, else made so or refused."""
    if type(box) is tuple and [type(side) for side in box] == _FOUR_FLOATS and isfinite(sum(box)):
        return box
    if len(box) != 4:
        raise ValueError(f"a box of {len(box)} numbers")
    x0, y0, x1, y1 = (_number(side, "a side of a box") for side in box)
    return x0, y0, x1, y1
