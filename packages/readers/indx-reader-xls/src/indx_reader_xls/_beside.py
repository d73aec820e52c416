"""What the library does not keep of a workbook: charts, boxes, descriptions, and phonetic guides."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from indx_core.canonical import clean_text
from indx_format_office.biff import BOF, CONTINUE, EOF, ChartReader, Record, records, short_text
from indx_format_office.chart import Chart
from indx_format_office.escher import Described, described_shapes
from indx_reader_xls._phonetic import Readings, readings_of

__all__ = ["Beside", "Listed", "listed", "readings_in", "sheet_at"]

Kind = Literal["worksheet", "chart", "other"]

_SHEET, _STRINGS, _STRING_CELL = 0x0085, 0x00FC, 0x00FD
_CELLS: Final = frozenset((0x0006, 0x00BD, 0x00BE, 0x0201, 0x0205, 0x0208, 0x027E))
"""Rows and cells, which the library keeps, and of which nothing is read here; most records are such."""
_OBJECT, _BOX, _DRAWING = 0x005D, 0x01B6, 0x00EC
_WIDE_VERSION, _CHART_STREAM, _NOTE = 0x0600, 0x0020, 0x0019
_KINDS: Final[dict[int, Kind]] = {0: "worksheet", 2: "chart"}
_MOST: Final = 1000
"""Charts and boxes of one sheet."""


class Listed(NamedTuple):
    """A sheet as the workbook lists it.

    Attributes:
        name: Its name.
        kind: What it is.
        hidden: Whether the workbook hides it.
        start: Where its records start.
    """

    name: str
    kind: Kind
    hidden: bool
    start: int


@dataclass(slots=True)
class Beside:
    """What stands beside the cells of a sheet.

    Attributes:
        charts: Its charts; of a sheet that is one, the first.
        boxes: The texts of its boxes.
        described: Its shapes that are said to show something.
        left_out: How many charts and boxes more there are.
        readings: Words of its cells and how they are read, each pair once.
        end: Where its records end; where the stream does, if none says that they do.
    """

    charts: list[Chart] = field(default_factory=list)
    boxes: list[str] = field(default_factory=list)
    described: list[Described] = field(default_factory=list)
    left_out: int = 0
    readings: dict[tuple[str, str], None] = field(default_factory=dict)
    end: int = 0


def listed(stream: bytes, encoding: str) -> list[Listed]:
    """The sheets of a workbook in their order; none where it does not list them."""
    found: list[Listed] = []
    wide = False
    for number, (kind, data, _) in enumerate(records(stream)):
        if kind == EOF or (number == 0 and kind != BOF):
            break
        if kind == BOF and len(data) >= 2:
            wide = struct.unpack_from("<H", data)[0] >= _WIDE_VERSION
        elif kind == _SHEET:
            try:
                start, state, sort = struct.unpack_from("<LBB", data)
                name = short_text(data, 6, wide=wide, encoding=encoding)
            except struct.error:
                return []
            found.append(Listed(name, _KINDS.get(sort, "other"), bool(state & 3), start))
    return found


def readings_in(stream: bytes) -> dict[int, Readings]:
    """The readings of the workbook's shared strings, by their number."""
    blocks: list[bytes] = []
    for kind, data, _ in records(stream):
        if kind == _STRINGS:
            blocks = [data]
        elif blocks and kind == CONTINUE:
            blocks.append(data)
        elif blocks or kind == EOF:
            break
    return readings_of(blocks)


def sheet_at(stream: bytes, start: int, encoding: str, readings: dict[int, Readings]) -> Beside:
    """What stands beside the cells of the sheet whose records start at `start`."""
    without = _CELLS if readings else _CELLS | {_STRING_CELL}
    found = _Sheet(encoding, readings).read(records(stream, start, without))
    found.end = found.end or max(start, len(stream))
    return found


class _Sheet:
    """Goes over the records of one sheet."""

    def __init__(self, encoding: str, readings: dict[int, Readings]) -> None:
        self._encoding = encoding
        self._readings = readings
        self._found = Beside()
        self._drawing: list[bytes] = []
        self._object = 0  # of the object before, what it is
        self._letters = 0  # how many the text of a box has yet
        self._box_end = 0  # where the last record of that box ends
        self._box: list[str] = []
        self._chart: ChartReader | None = None

    def read(self, found: Iterator[Record]) -> Beside:
        """All of it, from the record that begins the sheet to the one that ends it."""
        depth = 0
        for record in found:
            if record.kind == BOF:
                depth += 1
                self._begin(record.data)
            elif record.kind == EOF:
                depth -= 1
                if self._chart is not None:
                    self._add_chart(self._chart)
                    self._chart = None
                if depth <= 0:
                    self._found.end = record.end
                    break
            else:
                self._take(record)
        self._end_box()
        self._found.described = described_shapes(b"".join(self._drawing))
        return self._found

    def _begin(self, data: bytes) -> None:
        if len(data) >= 4:
            version, sort = struct.unpack_from("<HH", data)
            if sort == _CHART_STREAM:
                self._chart = ChartReader(wide=version >= _WIDE_VERSION, encoding=self._encoding)

    def _take(self, record: Record) -> None:
        kind, data, _ = record
        if self._letters and kind == CONTINUE and record.end - len(data) - 4 == self._box_end:
            self._box_end = record.end
            self._more_of_box(data)
            return
        self._end_box()
        if kind == _STRING_CELL and len(data) >= 10:
            guides = self._readings.get(struct.unpack_from("<6xL", data)[0])
            if guides:
                self._found.readings.update(dict.fromkeys(guides))
        elif kind == _DRAWING:
            self._drawing.append(data)
        elif kind == _OBJECT:
            self._object = struct.unpack_from("<4xH", data)[0] if len(data) >= 6 else 0
        elif kind == _BOX and len(data) >= 12 and self._object != _NOTE:
            (self._letters,) = struct.unpack_from("<10xH", data)
            self._box_end = record.end
        elif self._chart is not None:
            self._chart.take(record)

    def _more_of_box(self, data: bytes) -> None:
        """The letters of a box go on, each record saying how they are written."""
        double = bool(data[:1] and data[0] & 1)
        part = data[1 : 1 + self._letters * (1 + double)]
        self._letters -= len(part) // (1 + double) or self._letters
        self._box.append(part.decode("utf-16-le" if double else "latin-1", "replace"))

    def _end_box(self) -> None:
        if not self._box:
            self._letters = 0
            return
        text = clean_text("".join(self._box).replace("\r\n", "\n").replace("\r", "\n")).strip()
        self._box.clear()
        self._letters = 0
        if text:
            self._found.left_out += len(self._found.boxes) >= _MOST
            self._found.boxes += [text] if len(self._found.boxes) < _MOST else []

    def _add_chart(self, reader: ChartReader) -> None:
        self._found.left_out += len(self._found.charts) >= _MOST
        self._found.charts += [reader.chart()] if len(self._found.charts) < _MOST else []
