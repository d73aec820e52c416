"""Numbers as people read them: dates by format and epoch, percentages, currencies, no binary noise.

Dates and times are written as ISO 8601 writes them, whatever order the format puts them in; numbers are
not rounded to the decimals a format shows, for a value must not change by being read. The currency, unit or
other words that a format shows stand beside them: 5 is not 5 kg.
"""

from __future__ import annotations

import math
import re
from datetime import datetime, timedelta
from typing import Final

from indx_format_office.dress import Dress

__all__ = ["BUILTIN_FORMATS", "NumberFormat"]

BUILTIN_FORMATS: Final[dict[int, str]] = {
    9: "0%",
    10: "0.00%",
    14: "yyyy-mm-dd",
    15: "yyyy-mm-dd",
    16: "mm-dd",
    17: "yyyy-mm",
    18: "h:mm",
    19: "h:mm:ss",
    20: "h:mm",
    21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm",
    **dict.fromkeys((27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58), "yyyy-mm-dd"),
    32: "h:mm",
    33: "h:mm:ss",
    34: "h:mm",
    35: "h:mm:ss",
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
    55: "yyyy-mm",
    56: "mm-dd",
}
"""Formats that a workbook may use by number without stating them; Japanese dates among them."""

_ASIDE: Final = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)
_ELAPSED: Final = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_EXPONENT: Final = re.compile(r"e[+-]")
_ZEROS: Final = re.compile(r"0+")
_MAX_SERIAL: Final = 2_958_466
_MOST: Final = 1e300
"""What is larger stays as it is written; nobody reads it, and a hundredfold it would be no number."""
_DAY: Final = 86_400


class NumberFormat:
    """What a format code makes of a number.

    Attributes:
        dated: Whether it shows a day.
        timed: Whether it shows a time of day.
        elapsed: `h`, `m` or `s` where it shows how much time has gone by, else empty.
        percent: Whether it shows hundredths.
        width: The digits that a number of fixed width is filled up to, else 0.
    """

    __slots__ = ("_dress", "dated", "elapsed", "percent", "plain", "timed", "width")

    def __init__(self, code: str) -> None:
        """Understand a format code, of which the part for positive numbers decides."""
        bare = _ASIDE.sub("", code).partition(";")[0]
        elapsed = _ELAPSED.search(bare)
        letters = bare.lower()
        letters = "" if "general" in letters else _EXPONENT.sub("", letters)
        self.elapsed = elapsed[1][0].lower() if elapsed else ""
        self.timed = not self.elapsed and ("h" in letters or "s" in letters)
        # `m` alone is a month; beside hours or seconds it is minutes, unless days or years are shown too.
        self.dated = not self.elapsed and (
            any(letter in letters for letter in "ydeg") or ("m" in letters and not self.timed)
        )
        self.percent = "%" in bare
        fixed = _ZEROS.fullmatch(bare.strip())
        self.width = len(bare.strip()) if fixed and len(bare.strip()) > 1 else 0
        self.plain = not (self.dated or self.timed or self.elapsed or self.percent or self.width)
        self._dress = Dress(code) if self.plain or self.width else None

    def show(self, text: str, *, epoch_1904: bool) -> str:
        """The number that `text` spells, as this format has it read; what is no number stays as it is."""
        if not self._dress:
            return self._shown(text, epoch_1904)
        try:
            value = float(text)
        except ValueError:
            return text
        shown = self._shown(text, epoch_1904)
        return self._dress.put(shown, value) if math.isfinite(value) else shown

    def _shown(self, text: str, epoch_1904: bool) -> str:
        # As it is written, unless that shows how: Java writes whole numbers as 100.0.
        if self.plain and (
            text.isdecimal() or (len(text) < 12 and text[-1:] not in "0." and "e" not in text.lower())
        ):
            return text
        try:
            value = float(text)
        except ValueError:
            return text
        if not math.isfinite(value) or abs(value) > _MOST:
            return text
        if self.elapsed or self.timed or self.dated:
            return self._moment(value, epoch_1904) or _number(value)
        if self.percent:
            return f"{_number(value * 100)}%"
        if self.width and value == int(value):
            return f"{int(value):0{self.width}d}"
        return _number(value)

    def _moment(self, value: float, epoch_1904: bool) -> str:
        if not 0 <= value < _MAX_SERIAL:
            return ""
        if self.elapsed:
            return _elapsed(value, self.elapsed)
        if self.dated and (value >= 1 or epoch_1904 or not self.timed):
            moment = _date(value, epoch_1904)
            if moment is None:
                return ""
        else:
            moment = datetime(1900, 1, 1) + _rounded(value % 1)  # noqa: DTZ001
        day = moment.date().isoformat()
        clock = moment.strftime("%H:%M:%S") + (
            f".{moment.microsecond // 1000:03d}" if moment.microsecond else ""
        )
        if self.timed and (not self.dated or (value < 1 and not epoch_1904)):
            return clock
        return f"{day} {clock}" if self.timed else day


def _rounded(days: float) -> timedelta:
    """A span of days to the millisecond, which is what a serial number can tell."""
    return timedelta(milliseconds=round(days * _DAY * 1000))


def _date(value: float, epoch_1904: bool) -> datetime | None:
    if epoch_1904:
        epoch = datetime(1904, 1, 1)  # noqa: DTZ001
    else:
        if value < 1 or 60 <= value < 61:
            return None
        # The calendar of 1900 has a 29 February that never was: days before it count from one day later.
        epoch = datetime(1899, 12, 30 if value >= 61 else 31)  # noqa: DTZ001
    try:
        return epoch + _rounded(value)
    except OverflowError:
        return None


def _elapsed(value: float, unit: str) -> str:
    seconds = round(value * _DAY)
    if unit == "s":
        return str(seconds)
    minutes, second = divmod(seconds, 60)
    if unit == "m":
        return f"{minutes}:{second:02d}"
    return f"{minutes // 60}:{minutes % 60:02d}:{second:02d}"


def _number(value: float) -> str:
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.15g}".upper().replace("E+0", "E+").replace("E-0", "E-")
