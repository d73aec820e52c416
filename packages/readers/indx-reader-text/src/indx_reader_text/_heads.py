"""What stands at the head of delimited records: lines that are none of the table's, and its header."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, TypeAlias

__all__ = ["LOOK_AHEAD", "is_header", "lines_above"]

LOOK_AHEAD: Final = 128
"""Records by which the head of a table is told."""
_NUMBER: Final = re.compile(r"[-+(]?[$€£¥]?\s*\d[\d\s.,:/'%-]*(?:[eE][-+]?\d+)?\s*[%€)]?")
_LONGEST_NUMBER: Final = 40
_YEARS: Final = range(1500, 2200)
_LEAST_COUNTED: Final = 3

Record: TypeAlias = Sequence[str]


def lines_above(records: Sequence[Record]) -> int:
    """How many of the first records stand above the table: titles and comments, a field each.

    Args:
        records: The first records, at most `LOOK_AHEAD`.
    """
    widths = Counter(len(record) for record in records if _filled(record) > 1)
    if not widths:
        return 0
    usual = widths.most_common(1)[0][0]
    above = next(
        (number for number, record in enumerate(records) if not _is_above(record, usual)), len(records)
    )
    told, parted = any(map(_filled, records[:above])), sum(_filled(record) > 1 for record in records[above:])
    return above if told and parted > 1 and 2 * parted > len(records) - above else 0


def _is_above(record: Record, usual: int) -> bool:
    comments = record[0].lstrip().startswith("#") and len(record) != usual
    return comments or not _filled(record) or (_filled(record) == 1 and bool(record[0].strip()))


def _filled(record: Record) -> int:
    return sum(bool(text.strip()) for text in record)


def is_header(first: Record, others: Sequence[Record]) -> bool:
    """Whether a first record names the columns of the others.

    It does where it has words alone, none missing and none twice. Where some are, it does if the records
    below have numbers where it has a word, or the columns without a name are one of labels or hold nothing.
    Numbers are names where they are years, or count on.

    Args:
        first: The record.
        others: Some of those below it.
    """
    names = [text.strip() for text in first]
    named = [name for name in names if name]
    if 2 * len(named) < len(names) or not others:
        return False
    unique = len(set(named)) == len(named)
    if any(map(_is_number, named)):
        return unique and not _is_number(names[0]) and _counts_on(names) and not _counts_on(others[0])
    if unique and len(named) == len(names):
        return True
    return _contrasts(names, others) or (unique and _explains(names, others))


def _counts_on(names: Record) -> bool:
    """Whether all numbers of a record are years, or follow each other."""
    written = [name for name in map(str.strip, names) if _is_number(name)]
    if len(written) < 2 or not all(name.isascii() and name.isdecimal() for name in written):
        return False
    numbers = [int(name) for name in written]
    steps = {after - before for before, after in pairwise(numbers)}
    return all(number in _YEARS for number in numbers) or (
        len(numbers) >= _LEAST_COUNTED and steps in ({1}, {-1})
    )


def _contrasts(names: Record, others: Sequence[Record]) -> bool:
    """Whether a column of numbers has a word above it."""
    return any(name and _numbers(_column(others, place)) for place, name in enumerate(names))


def _explains(names: Record, others: Sequence[Record]) -> bool:
    """Whether each column without a name is the first, with a label of every record, or holds nothing."""
    for place, name in enumerate(names):
        column = list(filter(None, _column(others, place)))
        if not name and column and (place or len(set(column)) < len(others)):
            return False
    return True


def _column(records: Sequence[Record], place: int) -> list[str]:
    return [record[place].strip() for record in records if place < len(record)]


def _numbers(column: list[str]) -> bool:
    filled = list(filter(None, column))
    return bool(filled) and all(map(_is_number, filled))


def _is_number(text: str) -> bool:
    return len(text) <= _LONGEST_NUMBER and _NUMBER.fullmatch(text) is not None
