"""The rules of a page reading, as functions that a kit or any other test calls."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, get_args

from indx_core.errors import IndxError
from indx_core.ports import Cell, Heading, Link, PageReading, Raster, Role, RoleSpan, Scored, Table

__all__ = [
    "assert_clean",
    "assert_portable",
    "assert_raster",
    "assert_reading",
    "assert_scores",
    "fingerprint",
    "in_unit",
    "plain",
    "tolerate_typed",
]

_UNFIT: Final = re.compile("[\x00\ud800-\udfff]")
_RECORDS: Final = frozenset({Cell, Heading, Link, RoleSpan, Table})
_PLAIN: Final = frozenset({str, bytes, bool, int, float})
_ROLES: Final = frozenset(get_args(Role))


def assert_clean(text: Any, what: str) -> None:
    """A string without NUL and lone surrogates."""
    assert isinstance(text, str), f"{what} is {text!r}, not a string"
    found = _UNFIT.search(text)
    assert found is None, f"{what} holds {found.group()!r} at {found.start()}; use canonical.clean_text"


def assert_portable(value: Any, what: str) -> None:
    """Plain values, columns of numbers and the records of a page: what travels between processes."""
    if isinstance(value, Mapping):
        inner: Iterable[Any] = [*value, *value.values()]
    elif isinstance(value, list | tuple):
        inner = value
    elif type(value) in _RECORDS:
        inner = [getattr(value, field.name) for field in dataclasses.fields(value)]
    else:
        inner = ()
        is_column = isinstance(value, array) and value.typecode in ("q", "d")
        assert value is None or is_column or type(value) in _PLAIN, f"{what}: {value!r:.80} does not travel"
    for one in inner:
        assert_portable(one, what)


def in_unit(value: Any) -> bool:
    """Whether `value` is a finite number from 0 to 1."""
    return isinstance(value, int | float) and math.isfinite(value) and 0 <= value <= 1


def assert_scores(scores: Sequence[Scored], what: str) -> None:
    """Labels, each once, with confidences from 0 to 1, highest first."""
    for scored in scores:
        assert_clean(scored.label, f"{what}: label")
        assert scored.label, f"{what}: an empty label"
        assert in_unit(scored.confidence), f"{what}: {scored.label!r} has confidence {scored.confidence!r}"
    confidences = [scored.confidence for scored in scores]
    assert confidences == sorted(confidences, reverse=True), f"{what}: {confidences} is not highest first"
    labels = [scored.label for scored in scores]
    assert len(set(labels)) == len(labels), f"{what}: a label stands twice in {labels}"


def assert_raster(raster: Raster, what: str = "raster") -> None:
    """A picture whose bytes fit its size."""
    assert raster.width >= 1, f"{what}: width {raster.width}"
    assert raster.height >= 1, f"{what}: height {raster.height}"
    assert raster.dpi >= 1, f"{what}: dpi {raster.dpi}"
    assert type(raster.rgb) is bytes, f"{what}: rgb is a {type(raster.rgb).__name__}, not bytes"
    size = raster.width * raster.height * 3
    assert len(raster.rgb) == size, (
        f"{what}: {len(raster.rgb)} bytes, {raster.width}x{raster.height} takes {size}"
    )


def assert_box(box: Sequence[float], what: str) -> None:
    """Four numbers from 0 to 1, left not right of right, top not below bottom."""
    assert len(box) == 4, f"{what}: a box of {len(box)} numbers"
    assert all(in_unit(value) for value in box), f"{what}: box {tuple(box)} leaves 0..1"
    x0, y0, x1, y1 = box
    assert x0 <= x1, f"{what}: box {tuple(box)} has x0 > x1"
    assert y0 <= y1, f"{what}: box {tuple(box)} has y0 > y1"


def assert_json(value: Any, what: str) -> None:
    """JSON values only: what comes back from JSON equals what went in."""
    try:
        back = json.loads(json.dumps(value, allow_nan=False, ensure_ascii=False).encode("utf-8"))
    except (TypeError, ValueError) as error:
        raise AssertionError(f"{what} is not JSON: {error}") from None
    assert back == _lists(value), f"{what} changes on its way through JSON: {value!r}"


def _lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _lists(one) for key, one in value.items()}
    return [_lists(one) for one in value] if isinstance(value, list | tuple) else value


def plain(value: Any) -> Any:
    """`value` as nested lists: two values say the same when these are equal, whatever classes hold them."""
    if dataclasses.is_dataclass(value):
        return [type(value).__name__, *(plain(getattr(value, f.name)) for f in dataclasses.fields(value))]
    if hasattr(value, "items"):
        return [[plain(key), plain(one)] for key, one in value.items()]
    if hasattr(value, "__iter__") and not isinstance(value, str | bytes):
        return [plain(one) for one in value]
    return value


def fingerprint(reading: PageReading) -> tuple[Any, ...]:
    """Everything a reading says, in a form in which equal readings are equal, unresolved boxes included."""
    return (
        reading.page,
        reading.text,
        reading.line_starts.tobytes(),
        reading.line_ends.tobytes(),
        None if reading.boxes is None else reading.boxes.tobytes(),
        (reading.part_starts.tobytes(), reading.part_ends.tobytes(), reading.part_boxes.tobytes()),
        repr(
            [
                (t.start, t.end, t.rows, t.columns, t.header_rows, t.caption, tuple(t.cells))
                for t in reading.tables
            ]
        ),
        tuple(reading.links),
        tuple(reading.headings),
        tuple(reading.roles),
        tuple(tuple(span) for span in reading.hidden),
        None if reading.metadata is None else json.dumps(dict(reading.metadata), sort_keys=True),
        reading.confidence,
        reading.reason,
        reading.cost_usd,
    )


def assert_reading(reading: PageReading) -> None:
    """All rules of one `PageReading`."""
    assert type(reading) is PageReading, f"a {type(reading).__name__} in place of a PageReading"
    what = f"page {reading.page}"
    assert_clean(reading.text, f"{what}: text")
    assert "\r" not in reading.text, (
        f"{what}: a carriage return at {reading.text.find(chr(13))}; lines end in \\n"
    )
    assert reading.confidence is None or in_unit(reading.confidence), (
        f"{what}: confidence {reading.confidence!r}"
    )
    assert math.isfinite(reading.cost_usd), f"{what}: cost {reading.cost_usd!r}"
    assert reading.cost_usd >= 0, f"{what}: cost {reading.cost_usd!r}"
    if reading.metadata is not None:
        assert_json(dict(reading.metadata), f"{what}: metadata")
    if reading.reason is not None:
        assert_clean(reading.reason, f"{what}: reason")
        assert reading.reason.strip(), f"{what}: an empty reason; None says that the page is read"
        assert not reading.text, f"{what}: unread ({reading.reason}) and yet it has text"
    _assert_lines(reading, what)
    _assert_parts(reading, what)
    _assert_marks(reading, what)
    _assert_ordered(reading.tables, len(reading.text), f"{what}: tables")
    for number, one in enumerate(reading.tables):
        assert_table(reading.text, one, f"{what}: table {number}")


def _assert_lines(reading: PageReading, what: str) -> None:
    text, starts, ends = reading.text, reading.line_starts, reading.line_ends
    for name, column in (("line_starts", starts), ("line_ends", ends)):
        assert isinstance(column, array), f"{what}: {name} is a {type(column).__name__}, not an array"
        assert column.typecode == "q", f"{what}: {name} is array({column.typecode!r}), not array('q')"
    assert len(starts) == len(ends), f"{what}: {len(starts)} line starts, {len(ends)} line ends"
    position = 0
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        line = f"{what}: line {number} [{start}, {end})"
        assert position <= start <= end <= len(text), f"{line} overlaps the line before, or leaves the text"
        assert "\n" not in text[start:end], f"{line} holds a line break"
        between = text[position:start]
        assert not between.strip(), f"{what}: {between.strip()!r} stands in no line"
        position = end
    assert not text[position:].strip(), f"{what}: {text[position:].strip()!r} stands in no line"
    if reading.boxes is None:
        return
    assert isinstance(reading.boxes, array), (
        f"{what}: boxes is a {type(reading.boxes).__name__}, not an array"
    )
    assert reading.boxes.typecode == "d", (
        f"{what}: boxes is array({reading.boxes.typecode!r}), not array('d')"
    )
    assert len(reading.boxes) == 4 * len(starts), (
        f"{what}: {len(reading.boxes)} box numbers, {len(starts)} lines"
    )
    for number in range(len(starts)):
        box = reading.boxes[4 * number : 4 * number + 4]
        if not all(math.isnan(value) for value in box):
            assert_box(box, f"{what}: line {number}")


def _assert_parts(reading: PageReading, what: str) -> None:
    starts, ends, boxes = reading.part_starts, reading.part_ends, reading.part_boxes
    assert (starts.typecode, ends.typecode, boxes.typecode) == ("q", "q", "d"), f"{what}: columns of parts"
    assert len(starts) == len(ends) == len(boxes) / 4, (
        f"{what}: {len(starts)} parts, {len(boxes)} box numbers"
    )
    position = 0
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        part = f"{what}: part {number} [{start}, {end})"
        assert position <= start <= end <= len(reading.text), f"{part} overlaps another, or leaves the text"
        assert "\n" not in reading.text[start:end], f"{part} holds a line break"
        box = boxes[4 * number : 4 * number + 4]
        if not all(math.isnan(value) for value in box):
            assert_box(box, part)
        position = end
    lines = list(zip(reading.line_starts, reading.line_ends, strict=True))
    for first, last in lines:
        inside = [number for number, start in enumerate(starts) if first <= start < last]
        between = reading.text[first:last]
        for number in reversed(inside):
            between = between[: starts[number] - first] + between[ends[number] - first :]
        assert not inside or not between.strip(), f"{what}: {between.strip()!r} stands in no part of its line"


def _assert_marks(reading: PageReading, what: str) -> None:
    length = len(reading.text)
    _assert_in_order(reading.links, length, f"{what}: links")
    _assert_in_order(reading.headings, length, f"{what}: headings")
    _assert_in_order(reading.roles, length, f"{what}: roles")
    for link in reading.links:
        assert_clean(link.target, f"{what}: link target")
    for heading in reading.headings:
        assert isinstance(heading.level, int), f"{what}: heading level {heading.level!r}"
        assert heading.level >= 1, f"{what}: heading level {heading.level!r}"
        assert reading.text[heading.start : heading.end].strip(), f"{what}: a heading without text"
    for role in reading.roles:
        assert role.role in _ROLES, f"{what}: role {role.role!r} is not one of {', '.join(sorted(_ROLES))}"
    position = 0
    for start, end in reading.hidden:
        assert position <= start < end <= length, f"{what}: hidden [{start}, {end}) is out of order or range"
        position = end


def _assert_in_order(marks: Iterable[Any], length: int, what: str) -> None:
    position = 0
    for mark in marks:
        assert position <= mark.start <= mark.end <= length, (
            f"{what}: [{mark.start}, {mark.end}) is out of order or leaves the {length} characters"
        )
        position = mark.start


def _assert_ordered(tables: Sequence[Table], length: int, what: str) -> None:
    position = 0
    for one in tables:
        assert position <= one.start <= one.end <= length, (
            f"{what}: [{one.start}, {one.end}) overlaps or leaves"
        )
        position = one.end


def assert_table(text: str, table: Table, what: str = "table") -> None:
    """A table whose cells stand in its grid and whose text is a line a row and a tab between cells."""
    assert table.rows >= 1, f"{what}: {table.rows} rows"
    assert table.columns >= 1, f"{what}: {table.columns} columns"
    assert 0 <= table.header_rows <= table.rows, (
        f"{what}: {table.header_rows} of {table.rows} rows are header"
    )
    if table.caption is not None:
        assert_clean(table.caption, f"{what}: caption")
    assert_grid(table, what)
    own = text[table.start : table.end]
    lines = own.split("\n")
    assert len(lines) == table.rows, f"{what}: {len(lines)} lines of text for {table.rows} rows"
    for number, line in enumerate(lines, start=1):
        count = line.count("\t") + 1
        assert count <= table.columns, f"{what}: row {number} has {count} cells for {table.columns} columns"
    filled = {
        (row, column): field.strip()
        for row, line in enumerate(lines, start=1)
        for column, field in enumerate(line.split("\t"), start=1)
        if field.strip()
    }
    for cell in table.cells:
        _assert_cell(text, table, cell, f"{what}: cell {cell.row},{cell.column}")
        filled.pop((cell.row, cell.column), None)
    assert not filled, f"{what}: text that belongs to no cell, by row and column: {filled}"


def assert_grid(table: Table, what: str = "table") -> None:
    """Cells inside the grid, no two over the same place."""
    taken: dict[tuple[int, int], Cell] = {}
    for cell in table.cells:
        name = f"{what}: cell {cell.row},{cell.column}"
        assert cell.row >= 1 <= cell.column, f"{name} counts from below 1"
        assert cell.row_span >= 1 <= cell.column_span, f"{name} spans {cell.row_span}x{cell.column_span}"
        assert cell.row + cell.row_span - 1 <= table.rows, f"{name} ends below row {table.rows}"
        assert cell.column + cell.column_span - 1 <= table.columns, (
            f"{name} ends right of column {table.columns}"
        )
        assert_clean(cell.text, f"{name}: text")
        if cell.box is not None:
            assert_box(cell.box, name)
        for row in range(cell.row, cell.row + cell.row_span):
            for column in range(cell.column, cell.column + cell.column_span):
                other = taken.setdefault((row, column), cell)
                assert other is cell, f"{name} lies over cell {other.row},{other.column}"


def _assert_cell(text: str, table: Table, cell: Cell, what: str) -> None:
    assert table.start <= cell.start <= cell.end <= table.end, f"{what}: offsets leave the table"
    shown = text[cell.start : cell.end]
    assert shown.split() == cell.text.split(), f"{what}: {cell.text!r}, but {shown!r} stands at its offsets"
    assert "\n" not in shown, f"{what}: {shown!r} breaks its row; put a space in place of the line break"
    assert "\t" not in shown, f"{what}: {shown!r} holds a tab, which parts cells"
    if not cell.text.strip():
        return
    before = text[table.start : cell.start]
    row, column = before.count("\n") + 1, before.rpartition("\n")[2].count("\t") + 1
    assert (row, column) == (cell.row, cell.column), f"{what}: its text stands in row {row}, column {column}"


class tolerate_typed:  # noqa: N801  used like contextlib.suppress
    """A block that may fail, but only by an error of `indx_core.errors`; anything else fails the test."""

    def __init__(self, what: str, *kinds: type[IndxError]) -> None:
        """Tolerate `kinds`, any `IndxError` when none is given."""
        self.what = what
        self.kinds = kinds or (IndxError,)

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        """End: a tolerated error ends the block quietly."""
        if error is None or not isinstance(error, Exception):
            return False
        if isinstance(error, self.kinds):
            assert_clean(error.message, f"{self.what}: message")
            assert error.message.strip(), f"{self.what}: {type(error).__name__} without a message"
            return True
        if isinstance(error, AssertionError):
            return False
        names = " or ".join(one.__name__ for one in self.kinds)
        raise AssertionError(
            f"{self.what}: {type(error).__name__}: {error}; only {names} may leave"
        ) from error
