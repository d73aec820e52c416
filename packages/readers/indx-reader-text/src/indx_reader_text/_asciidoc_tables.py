"""Tables of AsciiDoc: cells behind signs, which may cover rows and columns or stand several times."""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from indx_reader_text._scan import one_line
from indx_reader_text._tables import FoundTable, Merged

__all__ = ["table"]

_CELL: Final = re.compile(
    r"(?<!\\)(?:(?<=\s)|^)(?:(?=[\d.])(?P<across>\d{0,6})(?:\.(?P<down>\d{1,6}))?(?P<kind>[+*]))?"
    r"(?:[<^>]|\.[<^>])*[adehlmsv]?\||(?<!\\)\|",
    re.MULTILINE,
)
_HEADER: Final = re.compile(r"%header|options=\"?[^\"\],]*header|%autowidth\.header", re.IGNORECASE)
_COLUMNS: Final = re.compile(r"cols=(?:\"([^\"\]]+)|([^\",\]]+))")
_CSV: Final = re.compile(r"format=\"?csv")
_INNER: Final = re.compile(r"(?m)^[ \t]*!===[ \t]*\n((?:(?![ \t]*!===).*\n)*)[ \t]*!===[ \t]*$")
_COMMENT: Final = re.compile(r"(?m)^//(?!/)[^\n]*\n?")
_MOST_MERGED: Final = 200_000
"""Cells of a table with merged ones, each of which is held as it is; one of more is left as written."""
_LARGEST: Final = 1000
_MOST_EMPTY: Final = 10_000
"""Rows, copies and characters of copies that the first table may ask for beyond sixteen for each written."""


def table(body: str, span: tuple[int, int], sign: str, attributes: str, number: int = 0) -> FoundTable | None:
    """The table whose cells are in `body`; None for what is too odd to take apart.

    Args:
        body: What stands between its fences.
        span: Where the table stands in the source, its fences with it.
        sign: The first of its fence.
        attributes: The line of attributes above it.
        number: How many tables stand before it: what they may ask for is shared.
    """
    body = _COMMENT.sub("", body)
    top = body.lstrip("\n")
    blank = 0 < top.find("\n\n") == top.find("\n")  # a line alone at the top heads the others
    stated = _HEADER.search(attributes) is not None
    if sign == "," or _CSV.search(attributes):
        rows: Sequence[Sequence[str]] | Iterable[Sequence[str]] = _separated(body, ",")
    elif sign == ":":
        rows = _separated(body, ":")
    else:
        return _piped(body, span, attributes, heads=stated, blank=blank, spare=_MOST_EMPTY // (number + 1))
    made = list(rows)
    return FoundTable(*span, made, int(stated or (blank and len(made) > 1))) if made else None


def _separated(body: str, separator: str) -> list[list[str]]:
    try:
        return [
            [one_line(cell) for cell in row]
            for row in csv.reader([f"{line}\n" for line in body.split("\n")], delimiter=separator)
            if row
        ]
    except csv.Error:
        return []


def _piped(
    body: str, span: tuple[int, int], attributes: str, *, heads: bool, blank: bool, spare: int
) -> FoundTable | None:
    first = _CELL.search(body)
    if first is None or body[: first.start()].strip():
        return None
    end = body.find("\n", first.start())
    count = on_first = 0
    merged = False
    for found in _CELL.finditer(body):
        count += 1
        merged = merged or found["kind"] is not None
        if end < 0 or found.start() < end:
            _, across, times = _covered(found)
            on_first += across * times
    stated = _COLUMNS.search(attributes)
    columns = _stated(stated[1] or stated[2]) if stated else on_first
    if not merged:
        return FoundTable(*span, _Rows(body, columns), int(heads or (blank and count > columns)))
    if count > _MOST_MERGED:
        return None
    rows = _laid_out(body, columns, 16 * count + spare, 16 * len(body) + spare)
    return FoundTable(*span, (), int(heads or (blank and len(rows) > 1)), rows) if rows else None


class _Rows(Iterable[list[str]]):
    """The rows of a table without merged cells, made one at a time: a table may have millions."""

    def __init__(self, body: str, columns: int) -> None:
        self._body, self._columns = body, columns

    def __iter__(self) -> Iterator[list[str]]:
        row: list[str] = []
        for text, _ in _cells(self._body):
            row.append(text)
            if len(row) == self._columns:
                yield row
                row = []
        if row:
            yield row


def _cells(body: str) -> Iterator[tuple[str, re.Match[str]]]:
    """The text of each cell and the sign before it."""
    before: re.Match[str] | None = None
    for found in _CELL.finditer(body):
        if before is not None:
            yield _text(body[before.end() : found.start()]), before
        before = found
    if before is not None:
        yield _text(body[before.end() :]), before


def _text(written: str) -> str:
    """A cell's text in one line; a table in it has its own signs, which stand for bars, and no fences."""
    if "!===" in written:
        written = _INNER.sub(lambda table: table[1].replace("!", "|"), written)
    return one_line(written).replace("\\|", "|")


def _covered(found: re.Match[str]) -> tuple[int, int, int]:
    """How many rows and columns a cell covers, and how many times it stands."""
    across, down = (min(max(1, int(found[name] or 1)), _LARGEST) for name in ("across", "down"))
    return (1, 1, across) if found["kind"] == "*" else (down, across, 1)


def _laid_out(body: str, columns: int, most: int, longest: int) -> list[list[Merged]]:
    """The rows, each full where its cells and those that reach down into it fill `columns`.

    There are none where spans ask for more than `most` of them, or copies for more than `longest` characters.
    A cell that would pass the last column covers what is left.
    """
    rows: list[list[Merged]] = [[]]
    reaching: deque[int] = deque([0])  # columns that cells from above cover, of this row and those below
    filled = copies = 0  # a copy counts for each row that it covers

    def close() -> None:
        nonlocal filled
        while filled + reaching[0] >= columns and len(rows) <= most:
            rows.append([])
            filled = 0
            reaching.popleft()
            if not reaching:
                reaching.append(0)

    for text, found in _cells(body):
        down, across, times = _covered(found)
        longest -= len(text) * times
        if longest < 0:
            return []
        for _ in range(times):
            close()
            copies += down
            if copies > most or len(rows) > most:
                return []
            width = min(across, max(1, columns - filled - reaching[0]))
            rows[-1].append((text, down, width))
            filled += width
            reaching.extend([0] * (down - len(reaching)))
            for row in range(1, down):
                reaching[row] += width
    return rows


def _stated(columns: str) -> int:
    """How many columns `cols` states, such as `1,2` or `3*`."""
    count = 0
    for one in re.split("[,;]", columns):
        times = re.match(r"\s*(\d{1,3})\*", one)
        count += int(times[1]) if times else 1
    return max(1, count)
