"""CSV and TSV: the separator by counting, the records as one table held in columns.

What stands above the table, titles and comments, is text before it.
"""

from __future__ import annotations

import csv
import io
import re
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice
from typing import Any, Final, overload

from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import Cell, RoleSpan, Table
from indx_reader_text._heads import LOOK_AHEAD, is_header, lines_above
from indx_reader_text._marks import Marks

__all__ = ["CellGrid", "read_delimited", "refuse_more_cells"]

MAX_CELLS: Final = 4_000_000
"""Cells of the tables of one text; what is made of more takes more memory than a worker may hold."""
_MOST_FIELDS: Final = 1_000_000
_SAMPLE: Final = 1 << 16  # characters by which the separator is told
_CANDIDATES: Final = (",", ";", "\t", "|")  # the earlier wins a tie
_QUOTED: Final = re.compile(r'(?:(?m:^)|(?<=[,;\t|])) *"[^"]*(?:""[^"]*)*"')
_OPENED: Final = re.compile(r'(?:(?m:^)|(?<=[,;\t|])) *"')
_SPACED: Final = re.compile(r'(?m)(?:^|[,;\t|]) +"[^"\n]*"(?= *(?:[,;\t|]|$))')
"""A quoted field behind a space, as hand-written files have them."""
_DECLARED: Final = re.compile(r'"?sep=(.)"?\1*\n', re.IGNORECASE)  # written by spreadsheets for each other
_DECIMAL: Final = re.compile(r"(?<=\d),(?=\d)")
_LONGEST_CAPTION: Final = 200
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
    records = _records(source, separator, whole, spaced=spaced, strict=strict)
    first, fields = list[list[str]](), 0
    for record in islice(records, LOOK_AHEAD):
        first.append(record)
        fields += len(record)
        refuse_more_cells(fields)
    above = lines_above(first)
    for record in chain(first[above:], records):
        line = "\t".join(record)
        if "\n" in line or line.count("\t") >= len(record):
            broken = len(starts)
            for number, text in enumerate(record, start=broken):
                if "\n" in text or "\t" in text:
                    exact[number] = text
            line = "\t".join([text.translate(_BREAKS) for text in record])
        rows.append(len(starts))
        widths = [len(text) + 1 for text in record]
        widths.pop()
        starts.extend(accumulate(widths, initial=position))
        widest = max(widest, len(record))
        position += len(line) + 1
        lines.append(line)
        refuse_more_cells(len(starts))
    text = "\n".join(lines)
    facts = _facts(above + len(lines), whole)
    if not lines:
        return Marks(text, metadata=facts)
    heads = int(is_header(first[above], first[above + 1 :]))
    told = "\n".join([separator.join(record).rstrip(separator) for record in first[:above]]).strip("\n")
    start = len(told) + 1 if told else 0
    cells = CellGrid(text, len(text), starts, rows, exact, start)
    caption = told if told and len(told) <= _LONGEST_CAPTION and "\n" not in told else None
    return Marks(
        f"{told}\n{text}" if told else text,
        tables=[Table(start, start + len(text), len(lines), widest, heads, cells, caption)],
        roles=[RoleSpan(0, len(told), "caption")] if told else [],
        metadata=facts,
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

    Only separators outside quotes count, and no decimal commas. What stands in the first record and in half
    of all comes first.
    """
    sample = source[:_SAMPLE]
    if len(source) > _SAMPLE and "\n" in sample:
        sample = sample[: sample.rindex("\n") + 1]
    outside = _QUOTED.sub("", sample)
    if len(source) > _SAMPLE and (opened := _OPENED.search(outside)):
        outside = outside[: opened.start()]  # the sample ends within quotes
    records = [line for line in outside.split("\n") if line]
    best, best_score = _CANDIDATES[0], (False, False, False, 0)
    counts = {candidate: [line.count(candidate) for line in records] for candidate in _CANDIDATES}
    if any(_parts_decimals(records, counts[other]) for other in _CANDIDATES if other != ","):
        counts[","] = [_DECIMAL.sub("", line).count(",") for line in records]
    for candidate, of_each in counts.items():
        usual = Counter(filter(None, of_each)).most_common(1)
        if usual:
            count, times = usual[0]
            half = 2 * sum(map(bool, of_each)) >= len(records)
            score = (half and of_each[0] > 0, times * 10 >= len(records) * 9, half, count)
            if score > best_score:
                best, best_score = candidate, score
    return best


def _parts_decimals(records: Sequence[str], counts: Sequence[int]) -> bool:
    """Whether what stands so often in each record parts most of them, the first such without a comma.

    Commas between digits are decimal ones then.
    """
    parted = [line for line, count in zip(records, counts, strict=True) if count]
    return 2 * len(parted) > len(records) and "," not in parted[0]


def _records(
    source: str, separator: str, whole: list[int], *, spaced: bool, strict: bool
) -> Iterator[list[str]]:
    """The records of `source`, blank ones apart.

    Args:
        source: The text.
        separator: What parts its fields.
        whole: Is given how many records there were at the end of the text; one more comes where a quote is
            open then.
        spaced: Whether spaces before a field are none of its own.
        strict: Whether what is not well-formed is an error.
    """
    if csv.field_size_limit() < len(source):
        csv.field_size_limit(len(source))  # a field is bounded by its file, whose size the engine bounds
    count = 0

    def told() -> Iterator[str]:
        whole.append(count)
        yield from ()

    lines = chain(_bounded(io.StringIO(source, newline=""), separator), told())
    for record in csv.reader(lines, delimiter=separator, skipinitialspace=spaced, strict=strict):
        if record:
            count += 1
            yield record


def _bounded(lines: Iterable[str], separator: str) -> Iterator[str]:
    """The lines, none of which parts more fields than memory holds well."""
    for line in lines:
        if line.count(separator) >= _MOST_FIELDS:
            raise InputTooLarge(
                f"a line of the file has over {_MOST_FIELDS:,} fields; check how it is parted"
            )
        yield line
