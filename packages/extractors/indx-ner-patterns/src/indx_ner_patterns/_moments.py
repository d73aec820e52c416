"""Dates and times of day, as Japanese and English documents write them."""

from __future__ import annotations

import re
from typing import Final

from indx_ner_patterns._pattern import ALONE, DIGITS, Accept, Pattern, whole

__all__ = ["PATTERNS"]

_LAST_DAY: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_YEAR: Final = "(?:1[6-9]|2[01])[0-9]{2}"
_MONTH: Final = "(?P<month>1[0-2]|0?[1-9])"
_DAY: Final = "(?P<day>3[01]|[12][0-9]|0?[1-9])"
_FIRST: Final = "(?P<first>[0-3]?[0-9])"
_SECOND: Final = "(?P<second>[0-3]?[0-9])"
_UNDIVIDED: Final = "(?<![0-9A-Za-z/.-])"
_ENDS: Final = "(?![0-9A-Za-z])"

_GAP: Final = "[ \u00a0\n]{1,2}"
_NAMES: Final = "January February March April May June July August September October November December"
_SHORT: Final = "Jan Feb Mar Apr Jun Jul Aug Sept Sep Oct Nov Dec"


def _either_case(names: str) -> str:
    return "|".join(names.split() + names.upper().split())


_NAMED_MONTH: Final = rf"(?:(?:{_either_case(_NAMES)})|(?:{_either_case(_SHORT)})\.?)(?![A-Za-z])"
_NAMED_DAY: Final = "(?:3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th)?"

_KANJI: Final = "一二三四五六七八九"
_KANJI_MONTH: Final = f"(?:十[一二]?|[{_KANJI}])"
_KANJI_DAY: Final = f"(?:三十一?|二?十[{_KANJI}]?|[{_KANJI}])"
_OF_YEAR: Final = f" ?(?:{_MONTH}|{_KANJI_MONTH}) ?月(?: ?(?:{_DAY}|{_KANJI_DAY}) ?日)?"
_YEAR_ALONE: Final = "(?![度間前代])"
"""2024年度 and 2024年代 are no date."""


def _calendar(match: re.Match[str]) -> tuple[int, int] | None:
    """All of the match, if its month has its day."""
    month, day = match["month"], match["day"]
    return None if month and day and int(day) > _LAST_DAY[int(month) - 1] else match.span()


def _either_way(match: re.Match[str]) -> tuple[int, int] | None:
    """All of the match, if its first two numbers are a month and a day in some order."""
    first, second = int(match["first"]), int(match["second"])
    for month, day in ((first, second), (second, first)):
        if 1 <= month <= 12 and 1 <= day <= _LAST_DAY[month - 1]:
            return match.span()
    return None


def _date(confidence: float, expression: str, accept: Accept = whole, needs: str = DIGITS) -> Pattern:
    return Pattern("date", confidence, re.compile(expression), accept, needs)


def _time(confidence: float, expression: str, needs: str = DIGITS) -> Pattern:
    return Pattern("time", confidence, re.compile(expression), needs=needs)


_DATES: Final = (
    _date(
        0.98,
        rf"(?<![0-9A-Za-z/.])(?<![A-Za-z]-){_YEAR}(?P<gap>[-/]){_MONTH}(?P=gap){_DAY}"
        r"(?![0-9A-SU-Za-z]|T(?![0-9])|(?P=gap)[0-9])",
        _calendar,
    ),
    _date(
        0.8,
        rf"{_UNDIVIDED}{_YEAR}\. ?{_MONTH}\. ?{_DAY}(?![0-9A-Za-z]|\.[0-9])",
        _calendar,
    ),
    _date(
        0.9,
        rf"(?=[0-9]){_UNDIVIDED}{_FIRST}(?P<gap>[-/.]){_SECOND}(?P=gap){_YEAR}(?![0-9A-Za-z]|(?P=gap)[0-9])",
        _either_way,
    ),
    _date(
        0.95,
        f"(?=[0-9A-Z]){_UNDIVIDED}(?:{_NAMED_MONTH}{_GAP}{_NAMED_DAY},?{_GAP}{_YEAR}"
        f"|{_NAMED_DAY}(?:(?:{_GAP}of)?{_GAP}|-){_NAMED_MONTH}(?:,?{_GAP}|-){_YEAR}){_ENDS}",
    ),
    _date(0.9, f"(?=[A-Z]){ALONE}{_NAMED_MONTH},?{_GAP}{_YEAR}{_ENDS}"),
    _date(
        0.95,
        rf"(?<![0-9A-Za-z{_KANJI}十])(?<![0-9][.,])(?:{_YEAR}|[一二][〇零{_KANJI}]{{3}}) ?年"
        f"(?:{_OF_YEAR}|{_YEAR_ALONE})",
        _calendar,
        "年",
    ),
    _date(
        0.95,
        f"(?:明治|大正|昭和|平成|令和) ?(?:元|[0-9]{{1,2}}|[二三四五六]?十[{_KANJI}]?|[{_KANJI}]) ?年"
        f"(?:{_OF_YEAR}|{_YEAR_ALONE})",
        _calendar,
        "年",
    ),
    _date(0.8, f"(?=[0-9])(?<![0-9A-Za-z.,])[0-9]{{2}} ?年{_OF_YEAR}", _calendar, "年"),
    _date(
        0.85,
        f"(?<![0-9A-Za-z.,{_KANJI}十])(?:{_MONTH}|{_KANJI_MONTH}) ?月 ?(?:{_DAY}|{_KANJI_DAY}) ?日(?!間)",
        _calendar,
        "月",
    ),
    _date(
        0.7,
        f"(?=[0-9A-Z]){_UNDIVIDED}(?:{_NAMED_MONTH}{_GAP}{_NAMED_DAY}(?![0-9A-Za-z:%/]|[.,][0-9])"
        f"|{_NAMED_DAY}(?:{_GAP}of)?{_GAP}{_NAMED_MONTH}{_ENDS})",
    ),
    _date(
        0.6,
        rf"(?<![0-9A-Za-z.-])(?:S[0-9]{{2}}|[HR][0-9]{{1,2}})(?P<gap>[./]){_MONTH}(?P=gap){_DAY}"
        r"(?![0-9A-Za-z]|(?P=gap)[0-9])",
        _calendar,
        "SHR",
    ),
    _date(
        0.5, rf"(?=[0-9]){_UNDIVIDED}{_FIRST}/{_SECOND}/[0-9]{{2}}(?![0-9A-Za-z/]|\.[0-9])", _either_way, "/"
    ),
)

_HOUR: Final = "(?:2[0-4]|[01]?[0-9])"
_SIXTY: Final = "[0-5][0-9]"
_HALF: Final = r"(?:[AaPp]\.[Mm]\.|[AaPp][Mm](?![A-Za-z]))"
_ZONE: Final = f"(?:(?:UTC|GMT|JST|Z)(?![A-Za-z])|[+-][01][0-9]:?{_SIXTY}(?![0-9]))"
_QUALIFIED: Final = f"(?: ?(?:{_HALF}|{_ZONE}))"
_CLOCK: Final = rf"(?=[0-9])(?:(?<=[0-9]T)|(?<![0-9A-Za-z:.,])){_HOUR}:{_SIXTY}"
_CLOCK_ENDS: Final = "(?![0-9A-Za-z]|[:.][0-9])"

_TIMES: Final = (
    _time(
        0.95,
        rf"{_CLOCK}(?::{_SIXTY}(?:[.,][0-9]{{1,9}})?{_QUALIFIED}?|{_QUALIFIED}){_CLOCK_ENDS}",
        ":",
    ),
    _time(0.75, f"(?:(?:午前|午後) ?)?{_CLOCK}{_CLOCK_ENDS}", ":"),
    _time(0.9, rf"(?=[0-9])(?<![0-9A-Za-z.:,])(?:1[0-2]|0?[1-9]) ?{_HALF}", "Mm"),
    _time(
        0.9,
        f"(?:(?:午前|午後) ?)?(?<![0-9A-Za-z.,]){_HOUR} ?時(?:半| ?[0-5]?[0-9] ?分(?: ?[0-5]?[0-9] ?秒)?"
        "|(?![間点期限代速給価系刻事短]))",
        "時",
    ),
    _time(0.9, f"(?:午前|午後) ?(?:十[一二]?|[零{_KANJI}]) ?時(?:半|[二三四五]?十?[{_KANJI}]?分)?", "時"),
)

PATTERNS: Final = (*_DATES, *_TIMES)
"""In the order in which they claim their place in a text."""
