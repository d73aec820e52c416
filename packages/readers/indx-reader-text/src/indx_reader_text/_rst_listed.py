"""Tables that reStructuredText writes as lists: a list of lists, and values with commas between them."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import Final

from indx_core.ports import Span
from indx_reader_text._scan import one_line
from indx_reader_text._tables import FoundTable

__all__ = ["listed_table"]

_OPTION: Final = re.compile(r"[ \t]*:([\w-]+):(?:[ \t]+(.*))?$")
_ROW: Final = re.compile(r"([ \t]*)([*+-])([ \t]+)([*+-])(?:[ \t]+(.*))?$")
_CELL: Final = re.compile(r"([ \t]*)([*+-])(?:[ \t]+(.*))?$")
_DELIMITERS: Final = {"tab": "\t", "space": " "}


def listed_table(name: str, lines: Sequence[str], span: Span) -> FoundTable | None:
    """The table that the `lines` below a directive called `name` write; None where they write none."""
    options, body = _options(lines)
    stated = options.get("header-rows", "")
    heads = int(stated) if stated.isdecimal() and len(stated) < 4 else 0
    if name == "list-table":
        rows = _items(body)
    elif "file" in options or "url" in options:
        return None
    else:
        heads += "header" in options
        rows = _values([options["header"], *body] if options.get("header") else body, options)
    return FoundTable(*span, rows, heads) if rows and span[1] > span[0] else None


def _options(lines: Sequence[str]) -> tuple[dict[str, str], Sequence[str]]:
    """The options, each with the lines it goes on over, and the lines below the blank one that ends them."""
    options: dict[str, list[str]] = {}
    parts: list[str] = []
    begun = next((number for number, line in enumerate(lines) if _OPTION.match(line)), len(lines))
    blank = next((number for number, line in enumerate(lines) if not line.strip()), len(lines))
    if begun > blank or begun == len(lines):
        return {}, lines
    end = len(lines)
    for number, line in enumerate(lines[begun:], start=begun):
        if found := _OPTION.match(line):
            parts = options[found[1]] = [(found[2] or "").strip()]
        elif not line.strip() or _ROW.match(line):
            end = number
            break
        else:
            parts.append(line.strip())
    return {name: "\n".join(parts).strip("\n") for name, parts in options.items()}, lines[end:]


def _values(lines: Sequence[str], options: dict[str, str]) -> list[list[str]]:
    delimiter = _DELIMITERS.get(options.get("delim", ""), options.get("delim", "")) or ","
    quote = options.get("quote", "") or '"'
    if len(delimiter) > 1 or len(quote) > 1:
        return []
    written = [f"{line}\n" for line in "\n".join([line.strip() for line in lines]).split("\n")]
    try:
        rows = list(csv.reader(written, delimiter=delimiter, quotechar=quote, skipinitialspace=True))
    except (csv.Error, ValueError):
        return []
    return [[one_line(cell) for cell in row] for row in rows if row]


def _items(lines: Sequence[str]) -> list[list[str]]:
    """The rows of a list of lists; what stands further in than the signs of either belongs to a cell."""
    rows: list[list[str]] = []
    parts: list[str] = []
    outer, column, sign = ("", ""), 0, ""  # what begins a row, and how far in at most and by what a cell
    for line in lines:
        row, cell = _ROW.match(line), _CELL.match(line)
        if row and not rows:
            outer, column, sign = (row[1], row[2]), row.start(4), row[4]
        if row and (row[1], row[2]) == outer:
            if rows:
                rows[-1].append(one_line(" ".join(parts)))
            parts = [row[5] or ""]
            rows.append([])
        elif rows and cell and cell[2] == sign and len(outer[0]) < len(cell[1]) <= column:
            rows[-1].append(one_line(" ".join(parts)))
            parts = [cell[3] or ""]
        else:
            parts.append(line)
    if rows:
        rows[-1].append(one_line(" ".join(parts)))
    return rows
