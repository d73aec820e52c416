"""Sums of money as invoices print them, and the digits they stand for.

What cannot be told is not guessed: `1.234` is a thousand somewhere and a little over one elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["CODES", "Amount", "amount_at", "digits_of"]

CODES: Final = (
    r"(?:USD|JPY|EUR|GBP|AUD|CAD|NZD|CHF|CNY|RMB|HKD|TWD|SGD|KRW|INR|THB|MYR|IDR|PHP|VND|SEK|NOK|DKK|PLN|CZK"
    r"|HUF|BRL|MXN|ZAR|TRY|AED|SAR|ILS|RUB)(?![A-Za-z])"
)
_MARK: Final = rf"(?:(?:US|AU?|CA?|NZ?|HK|NT|S|R)?\$|[¥€£₩₹₱฿₫]|{CODES})"
_AMOUNT: Final = re.compile(
    rf"(?P<open>\()?\s?(?P<sign>[-−△▲])?\s?(?P<mark>{_MARK})?\s?(?P<minus>[-−△▲])?\s?"
    rf"(?P<digits>[0-9][0-9.,'\u00a0]{{0,30}})(?P<shut>\))?\s?(?P<after>円|{_MARK})?(?P<dash>[-ー―])?",
)
_REST: Final = re.compile(r"\s*(?:也)?\s*(?:\(?税[込抜別]み?\)?|[(\[].*)?\s*\)?\s*")
_GROUPS: Final = re.compile(r"[0-9]{1,3}(?:(?P<by>[.,'\u00a0])[0-9]{3})(?:(?P=by)[0-9]{3})*")
_INDIAN: Final = re.compile(r"[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}")
_YEN: Final = ("¥", "JPY", "円")


@dataclass(frozen=True, slots=True)
class Amount:
    """A sum of money.

    Attributes:
        digits: Its digits, with a decimal point and a minus where they are printed.
        mark: Where in the cell its currency stands; None where it states none.
        plain: Whether it is bare digits, which anything else can be as well.
    """

    digits: str
    mark: tuple[int, int] | None
    plain: bool


def amount_at(folded: str, start: int) -> Amount | None:
    """The amount that fills a cell from `start` on, if that is one and what it means can be told."""
    found = _AMOUNT.match(folded, start)
    if found is None or not _REST.fullmatch(folded, found.end()):
        return None
    if found["open"] and not found["shut"]:
        return None
    digits = digits_of(found["digits"])
    after = found["after"] or ""
    if digits is None or (found["dash"] and not {found["mark"], after}.intersection(_YEN)):
        return None  # a dash after the digits ends an amount in yen, and is a minus elsewhere
    negative = found["open"] or found["sign"] or found["minus"]
    name = "after" if after.isalpha() or not found["mark"] else "mark"
    marked = bool(found[name])
    return Amount(
        f"-{digits}" if negative and digits.strip("0.") else digits,
        found.span(name) if marked else None,
        not marked and found["digits"].isdecimal(),
    )


def digits_of(printed: str) -> str | None:
    """The digits of a number without what groups them; None where that cannot be told."""
    printed = printed.rstrip(".,'\u00a0")
    whole, point, decimals = printed, "", ""
    marks = [sign for sign in printed if not sign.isdecimal()]
    if marks and (len(set(marks)) > 1 or _is_point(printed, marks)):
        point = marks[-1]
        whole, _, decimals = printed.rpartition(point)
        if point not in ".," or point in whole:
            return None
    if not (whole.isdecimal() or _GROUPS.fullmatch(whole) or _INDIAN.fullmatch(whole)):
        return None
    if not point and len(marks) == 1 and marks[0] == ".":
        return None
    whole = "".join(filter(str.isdecimal, whole))
    if len(whole) > 1 and whole.startswith("0"):
        return None
    return f"{whole}.{decimals}" if decimals else whole


def _is_point(printed: str, marks: list[str]) -> bool:
    """Whether the only mark of a number is followed by anything but the three digits of a group."""
    return len(marks) == 1 and len(printed.rpartition(marks[0])[2]) != 3
