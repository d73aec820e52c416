"""CSV and TSV: the separator by counting, the records as one table held in columns."""

from __future__ import annotations

import csv
import io
import re
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import Any, Final, overload

from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import Cell, Table
from indx_reader_text._marks import Marks

__all__ = ["CellGrid", "read_delimited", "refuse_more_cells"]

MAX_CELLS: Final = 4_000_000
"""Cells of the tables of one text; what is made of more takes more memory than a worker may hold."""
_MOST_FIELDS: Final = 1_000_000
_SAMPLE: Final = 1 << 16  # characters by which the separator is told
_CANDIDATES: Final = (",", ";", "\t", "|")  # the earlier wins a tie
_QUOTED: Final = re.compile(r'(?:(?m:^)|(?<=[,;\t|])) *"[^"]*(?:""[^"]*)*"')
_SPACED: Final = re.compile(r'(?m)(?:^|[,;\t|]) +"[^"\n]*"(?= *(?:[,;\t|]|$))')
"""A quoted field behind a space, as hand-written files have them."""
_DECLARED: Final = re.compile(r"sep=(.)\n", re.IGNORECASE)  # written by spreadsheets for each other
_NUMBER: Final = re.compile(r"[-+(]?[$€£¥]?\s*\d[\d\s.,:/'%-]*(?:[eE][-+]?\d+)?\s*[%€)]?")
_LONGEST_NUMBER: Final = 40
_BREAKS: Final = str.maketrans("\n\t\r", "   ")


class CellGrid(Sequence[Cell]):
    """The cells of a table whose fields follow each other in a text, made when they are asked for.

    Args:
        text: The page's text.
        end: Where the table ends in it.
        starts: Where each cell starts, in order of rows and columns.
        rows: The number of the first cell of each row.
        exact: Texts of cells that hold line breaks or tabs, by the number of the cell.
        offset: Where `text` starts in the page's text, where it is a part of it.
    """

    __slots__ = ("_end", "_exact", "_offset", "_rows", "_starts", "_text")

    def __init__(
        self,
        text: str,
        end: int,
        starts: array[int],
        rows: array[int],
        exact: dict[int, str],
        offset: int = 0,
    ) -> None:
        self._text, self._end, self._starts, self._rows, self._exact = text, end, starts, rows, exact
        self._offset = offset

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, index: int) -> Cell: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Cell]: ...
    def __getitem__(self, index: int | slice) -> Cell | Sequence[Cell]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        row = bisect_right(self._rows, number)
        return self._cell(number, row, number - self._rows[row - 1] + 1)

    def __iter__(self) -> Iterator[Cell]:
        for row, first in enumerate(self._rows, start=1):
            last = self._rows[row] if row < len(self._rows) else len(self)
            for number in range(first, last):
                yield self._cell(number, row, number - first + 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __repr__(self) -> str:
        return f"CellGrid({len(self)} cells)"

    __hash__ = None  # type: ignore[assignment]

    def _cell(self, number: int, row: int, column: int) -> Cell:
        start = self._starts[number]
        end = self._starts[number + 1] - 1 if number + 1 < len(self._starts) else self._end
        text = self._exact.get(number)
        shown = self._text[start:end] if text is None else text
        return Cell(row, column, 1, 1, shown, start + self._offset, end + self._offset)


def read_delimited(source: str, separator: str | None) -> Marks:
    """Read the records of `source`, parted by `separator` or by the one that parts them best.

    Blank lines are no records. A record may be shorter or longer than others.

    Raises:
        SourceError: `source_unreadable`, the records cannot be told apart.
        InputTooLarge: A line has over `_MOST_FIELDS` fields, or the file over `MAX_CELLS`.
    """
    declared = _DECLARED.match(source)
    if declared:
        source, separator = source[declared.end() :], declared[1]
    separator = separator or best_separator(source)
    spaced = separator != " " and _SPACED.search(source, 0, _SAMPLE) is not None
    try:
        return _read(source, separator, spaced=spaced, strict=True)
    except csv.Error:  # a quote is never closed, or a quoted field goes on behind its quotes
        source = _literal(source, separator, spaced=spaced)
    try:
        return _read(source, separator, spaced=spaced, strict=False)
    except csv.Error as error:
        raise SourceError(f"the records of the file cannot be told apart: {error}") from None


def _literal(source: str, separator: str, *, spaced: bool) -> str:
    """The text with each field that goes on behind its quotes quoted as a whole, so that none is lost."""
    mark = re.escape(separator)
    begin = rf"(?:(?m:^)|(?<={mark}))({' *' if spaced else ''})"
    field = re.compile(rf'{begin}(?:("[^"]*+(?:""[^"]*+)*+")([^{mark}\n]*+)|".*)', re.DOTALL)

    def quoted(found: re.Match[str]) -> str:
        if not (found[3] or "").strip(" "):
            return found[0]
        return f'''{found[1]}"{f"{found[2]}{found[3]}".replace('"', '""')}"'''

    return field.sub(quoted, source)


def _read(source: str, separator: str, *, spaced: bool, strict: bool) -> Marks:
    """The records of `source` as one table.

    Raises:
        csv.Error: The library does not read them, or not where it is to be `strict`.
    """
    lines, whole = list[str](), list[int]()
    starts, rows, exact = array("q"), array("q"), dict[int, str]()
    position = widest = 0
    header: list[str] = []
    for record in _records(source, separator, (lines, whole), spaced=spaced, strict=strict):
        if not record:
            continue
        line = "\t".join(record)
        if "\n" in line or line.count("\t") >= len(record):
            broken = len(starts)
            for number, text in enumerate(record, start=broken):
                if "\n" in text or "\t" in text:
                    exact[number] = text
            line = "\t".join([text.translate(_BREAKS) for text in record])
        header = header or record
        rows.append(len(starts))
        widths = [len(text) + 1 for text in record]
        widths.pop()
        starts.extend(accumulate(widths, initial=position))
        widest = max(widest, len(record))
        position += len(line) + 1
        lines.append(line)
        refuse_more_cells(len(starts))
    text = "\n".join(lines)
    if not lines:
        return Marks(text)
    cells = CellGrid(text, len(text), starts, rows, exact)
    titled = len(header) == 1 < widest  # a title above the table, not a name of its columns
    heads = 1 if len(lines) > 1 and not titled and _is_header(header) else 0
    return Marks(
        text,
        tables=[Table(0, len(text), len(lines), widest, heads, cells)],
        metadata=_facts(len(lines), whole),
    )


def _facts(count: int, whole: list[int]) -> dict[str, Any]:
    """What is worth saying of `count` records of which so many were `whole`."""
    if whole == [count]:
        return {}
    fault = f"a quote in record {count:,} is never closed; what follows it is one cell"
    return {"damaged": f"not well-formed: {fault}"}


def refuse_more_cells(count: int) -> None:
    """Refuse a text whose tables have `count` cells where that is more than `MAX_CELLS`.

    Raises:
        InputTooLarge: It is.
    """
    if count > MAX_CELLS:
        raise InputTooLarge(f"the tables have more than {MAX_CELLS:,} cells; split the file")


def best_separator(source: str) -> str:
    """The candidate that parts the first records into the most fields, the same number in most of them.

    Only separators outside quotes count. A separator that the first record lacks comes last, so that the
    decimal commas of a file parted by semicolons do not win.
    """
    sample = source[:_SAMPLE]
    if len(source) > _SAMPLE and "\n" in sample:
        sample = sample[: sample.rindex("\n") + 1]
    records = [line for line in _QUOTED.sub("", sample).split("\n") if line]
    best, best_score = _CANDIDATES[0], (False, False, 0)
    for candidate in _CANDIDATES:
        counts = [line.count(candidate) for line in records]
        usual = Counter(count for count in counts if count).most_common(1)
        if usual:
            count, times = usual[0]
            score = (counts[0] > 0, times * 10 >= len(counts) * 9, count)
            if score > best_score:
                best, best_score = candidate, score
    return best


def _records(
    source: str, separator: str, done: tuple[list[str], list[int]], *, spaced: bool, strict: bool
) -> Iterator[list[str]]:
    """The records of `source`.

    Args:
        source: The text.
        separator: What parts its fields.
        done: Those that the caller has taken, blank ones not among them; and what is given how many those are
            at the end of the text; one more comes where a quote is open then.
        spaced: Whether spaces before a field are none of its own.
        strict: Whether what is not well-formed is an error.
    """
    if csv.field_size_limit() < len(source):
        csv.field_size_limit(len(source))  # a field is bounded by its file, whose size the engine bounds
    lines = chain(_bounded(io.StringIO(source, newline=""), separator), _told(*done))
    return iter(csv.reader(lines, delimiter=separator, skipinitialspace=spaced, strict=strict))


def _told(done: list[str], whole: list[int]) -> Iterator[str]:
    whole.append(len(done))
    yield from ()


def _bounded(lines: Iterable[str], separator: str) -> Iterator[str]:
    """The lines, none of which parts more fields than memory holds well."""
    for line in lines:
        if line.count(separator) >= _MOST_FIELDS:
            raise InputTooLarge(
                f"a line of the file has over {_MOST_FIELDS:,} fields; check how it is parted"
            )
        yield line


def _is_header(record: list[str]) -> bool:
    """Whether a first record names the columns: words, none missing, none twice, no number."""
    names = [text.strip() for text in record]
    numbers = any(len(name) <= _LONGEST_NUMBER and _NUMBER.fullmatch(name) for name in names)
    return all(names) and len(set(names)) == len(names) and not numbers
