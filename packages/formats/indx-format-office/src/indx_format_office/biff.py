"""Records of binary workbooks, and what the charts among them say.

A chart stands in a stream of records of its own: in a worksheet, as a sheet, or as the object that a
presentation holds. Its titles and the names of its series stand in blocks; the values that it was last drawn
from stand behind them, in workbooks by series, in objects as the cells of a datasheet.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from indx_core.canonical import clean_text
from indx_format_office.chart import MAX_ROWS, MAX_SERIES, Chart
from indx_format_office.numbers import NumberFormat

__all__ = ["BOF", "CONTINUE", "EOF", "ChartReader", "Record", "long_text", "records", "short_text"]

BOF: Final = 0x0809
EOF: Final = 0x000A
CONTINUE: Final = 0x003C
_NUMBER, _LABEL, _LABEL_LINKED = 0x0203, 0x0204, 0x00D6
_SERIES, _TEXT, _BEGIN, _END = 0x1003, 0x1025, 0x1033, 0x1034
_SOURCE, _WORDS, _OWNER, _CACHE = 0x1051, 0x100D, 0x1027, 0x1065
_OF_CHART: Final = 1
_TITLED: Final = (_OF_CHART, 2, 3, 7)
"""What a title is of: the chart, or one of its axes."""
_CATEGORIES, _BUBBLES = 2, 3
_DEEPEST: Final = 100
_HEAD: Final = struct.Struct("<HH").unpack_from
_PLAIN: Final = NumberFormat("General")


class Record(NamedTuple):
    """A record: its kind, its content, and where it ends in its stream."""

    kind: int
    data: bytes
    end: int = 0


def records(stream: bytes, start: int = 0, without: AbstractSet[int] = frozenset()) -> Iterator[Record]:
    """The records from `start` on but those of some kinds; ends where one reaches out of the stream."""
    at, last = start, len(stream)
    while at + 4 <= last:
        kind, size = _HEAD(stream, at)
        begin, at = at + 4, at + 4 + size
        if at > last:
            return
        if kind not in without:
            yield Record(kind, stream[begin:at], at)


def short_text(data: bytes, at: int, *, wide: bool, encoding: str = "cp1252") -> str:
    """The string at `at` whose length is one byte; `wide` where a byte behind that says how it is written.

    Raises:
        struct.error: It reaches out of `data`.
    """
    (count,) = struct.unpack_from("<B", data, at)
    return _text(data, at + 1, count, wide=wide, encoding=encoding)


def long_text(data: bytes, at: int, *, wide: bool, encoding: str = "cp1252") -> str:
    """The string at `at` whose length is two bytes, otherwise like `short_text`."""
    (count,) = struct.unpack_from("<H", data, at)
    return _text(data, at + 2, count, wide=wide, encoding=encoding)


def _text(data: bytes, at: int, count: int, *, wide: bool, encoding: str) -> str:
    double = False
    if wide:
        (flags,) = struct.unpack_from("<B", data, at)
        double = bool(flags & 1)
        at += 1
    end = at + count * (1 + double)
    if end > len(data):
        raise struct.error("a string reaches out of its record")
    return clean_text(
        data[at:end].decode("utf-16-le" if double else "latin-1" if wide else encoding, "replace")
    )


class ChartReader:
    """Gathers what a chart says from its records, one after the other.

    Args:
        wide: Whether strings are those of Excel 97 and later.
        encoding: That of older ones.
    """

    def __init__(self, *, wide: bool = True, encoding: str = "cp1252") -> None:
        self._wide, self._encoding = wide, encoding
        self._blocks: list[int] = []
        self._before = 0  # the kind of the record before
        self._words: dict[int, str] = {}  # of the block open at each depth
        self._owner: dict[int, int] = {}
        self._titles: list[tuple[bool, str]] = []  # whether it is of an axis
        self._names: list[str] = []
        self._cache = 0
        self._labels: dict[tuple[int, int], str] = {}
        self._values: dict[tuple[int, int], str] = {}
        self._cells: dict[tuple[int, int], str] = {}
        self._names_left = self._values_left = 0

    def take(self, record: Record) -> None:
        """Take in the next record; one that is damaged says nothing."""
        kind, data, _ = record
        depth = len(self._blocks)
        try:
            if kind == _BEGIN and depth < _DEEPEST:
                self._blocks.append(self._before)
                self._words.pop(depth + 1, None)
                self._owner.pop(depth + 1, None)
            elif kind == _END and depth:
                self._close(self._blocks.pop(), depth)
            elif kind == _WORDS:
                words = short_text(data, 2, wide=self._wide, encoding=self._encoding)
                self._words.setdefault(depth, " ".join(words.split()))
            elif kind == _OWNER:
                self._owner[depth] = struct.unpack_from("<H", data)[0]
            elif kind == _CACHE:
                self._cache = struct.unpack_from("<H", data)[0]
            elif kind in (_NUMBER, _LABEL, _LABEL_LINKED):
                self._cell(kind, data)
        except struct.error:
            pass
        self._before = kind

    def _close(self, block: int, depth: int) -> None:
        words = self._words.get(depth, "")
        if block == _SERIES:
            if len(self._names) < MAX_SERIES:
                self._names.append(words)
            else:
                self._names_left += bool(words)
        elif block == _TEXT and words and self._owner.get(depth) in _TITLED:
            self._titles.append((self._owner[depth] != _OF_CHART, words))

    def _cell(self, kind: int, data: bytes) -> None:
        row, column = struct.unpack_from("<HH", data)
        if kind == _NUMBER:
            text = _shown(*struct.unpack_from("<d", data, len(data) - 8))
        elif len(data) > 8 and 9 + data[7] * (1 + (data[8] & 1)) == len(data):  # as objects write it
            text = short_text(data, 7, wide=True)
        else:
            text = long_text(data, 6, wide=self._wide, encoding=self._encoding)
        text = " ".join(text.split())
        if column >= MAX_SERIES or row >= MAX_ROWS:
            # Labels and sizes are of values that are counted.
            self._values_left += bool(text) and self._cache not in (_CATEGORIES, _BUBBLES)
        elif text:
            held = self._cells if not self._cache else self._values
            held = self._labels if self._cache == _CATEGORIES else held
            held.setdefault((row, column), text)

    def chart(self) -> Chart:
        """The titles, and the values as a table: a row of names, a row a category."""
        rows = self._by_series() if self._values else self._datasheet()
        titles = dict.fromkeys(words for _, words in sorted(self._titles, key=lambda title: title[0]))
        return Chart(tuple(titles), tuple(rows), self._values_left or self._names_left)

    def _by_series(self) -> Iterator[tuple[str, ...]]:
        count = max(column for _, column in self._values) + 1
        names = [*self._names, *[""] * count][: max(count, len(self._names))]
        places: dict[tuple[int, str], dict[int, str]] = {}
        for (row, column), text in sorted(self._values.items()):
            label = self._labels.get((row, column)) or self._labels.get((row, 0), "")
            places.setdefault((row, label), {})[column] = text
        yield ("", *names)
        for (_, label), values in places.items():
            yield (label, *(values.get(column, "") for column in range(len(names))))

    def _datasheet(self) -> Iterator[tuple[str, ...]]:
        if not self._cells:
            if any(self._names):
                yield ("", *self._names)
            return
        columns = max(column for _, column in self._cells) + 1
        for row in sorted({row for row, _ in self._cells}):
            yield tuple(self._cells.get((row, column), "") for column in range(columns))


def _shown(value: float) -> str:
    if value != value or abs(value) == float("inf"):
        return ""
    number = int(value) if value == value // 1 and abs(value) < 1e15 else value
    return _PLAIN.show(repr(number), epoch_1904=False)
