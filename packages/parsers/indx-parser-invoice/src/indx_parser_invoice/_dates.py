"""Dates as they are printed; which day one means is for whoever knows the issuer's ways."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["date_at"]

_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DATE: Final = re.compile(
    r"(?:"
    r"[0-9]{4}\s?[-/.年]\s?[0-9]{1,2}\s?[-/.月]\s?[0-9]{1,2}\s?日?"
    r"|(?:令和|平成|昭和|[RHS]\.?)\s?(?:[0-9]{1,2}|元)\s?[-/.年]\s?[0-9]{1,2}\s?[-/.月]\s?[0-9]{1,2}\s?日?"
    r"|[0-9]{1,2}\s?[-/.]\s?[0-9]{1,2}\s?[-/.]\s?(?:[0-9]{4}|[0-9]{2})"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th)?[\s-]?(?:of\s)?{_MONTH},?[\s-]?[0-9]{{4}}"
    rf"|[0-9]{{1,2}}-{_MONTH}-[0-9]{{2}}"
    rf"|{_MONTH}\s?[0-9]{{1,2}}(?:st|nd|rd|th)?,?\s[0-9]{{4}}"
    r")(?![0-9A-Za-z])",
    re.IGNORECASE,
)


def date_at(folded: str, start: int) -> tuple[int, int] | None:
    """Where the date that begins at `start` stands; None where none does."""
    found = _DATE.match(folded, start)
    return None if found is None else (start, start + len(found.group().rstrip()))
