"""reStructuredText: its source as text, with headings, code, comments, links, and tables."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from indx_reader_text._marks import Marks
from indx_reader_text._scan import FoundLink, Scan, holds, lines_of, one_line
from indx_reader_text._tables import FoundTable

__all__ = ["read_restructured"]

_SIGNS: Final = r"[=\-`:.'\"~^_*+#<>]"
_HEADING: Final = re.compile(
    rf"(?m)^(?:(?P<over>({_SIGNS})\2{{2,}})[ \t]*\n)?[ \t]*(?P<title>\S[^\n]*)\n"
    rf"(?P<under>({_SIGNS})\5{{2,}})[ \t]*$"
)
_DIRECTIVE: Final = re.compile(r"\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?([\w:.+-]+)::(?:[ \t]+(.*))?$")
_NO_COMMENT: Final = re.compile(r"\.\.[ \t]+(?:\[[^\]\n]+\]|\|[^|\n]+\||_)")
_CODE: Final = frozenset(
    ("code-block", "code", "sourcecode", "parsed-literal", "raw", "prompt", "productionlist")
)
_GRID: Final = re.compile(r"[ \t]*\+(?:-+\+)+[ \t]*")
_GRID_LINE: Final = re.compile(r"[ \t]*[+|]")
_SIMPLE: Final = re.compile(r"[ \t]*=+(?:[ \t]+=+)+[ \t]*")
_COLUMN: Final = re.compile(r"=+")
_ITEM: Final = re.compile(r"([ \t]*)\*[ \t]+-(?:[ \t]+(.*))?$")
_NEXT: Final = re.compile(r"[ \t]*-(?:[ \t]+(.*))?$")
_OPTION: Final = re.compile(r"[ \t]*:([\w-]+):[ \t]*(.*)$")
_LINK: Final = re.compile(r"`((?:[^`<>\n]{0,500}[^`<>\s])?)\s*<([^`<>\n]{1,2000})>`__?")
_ROLE: Final = re.compile(
    r":(doc|download|any):`(?:([^`<>\n]{0,500}[^`<>\s])\s*<([^`<>\n]{1,500})>|([^`<>\n]{1,500}))`"
)
_SOURCE: Final = re.compile(
    r"(?m)^[ \t]*\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?(?:image|figure|include|literalinclude)::[ \t]+(\S+)"
)
_TREE: Final = re.compile(r"(?m)^([ \t]*)\.\.[ \t]+toctree::[^\n]*\n((?:\1[ \t]+[^\n]*\n|[ \t]*\n)+)")
_ENTRY: Final = re.compile(r"(?m)^[ \t]++(?!:)(?:[^<>\n]*<)?([^\s<>]+)>?[ \t]*$")
_MOST_FIELDS: Final = 50_000
"""Of a simple table, which need not write what it leaves empty; one of more is left as text."""


def read_restructured(source: str) -> Marks:
    """Mark `source`; a table becomes a line a row with tabs between its cells."""
    scan = Scan(source)
    _Blocks(scan).walk()
    closed = [*scan.code, *((table.start, table.end) for table in scan.tables)]
    _headings(scan, closed)
    return scan.marks(_links)


def _headings(scan: Scan, closed: list[tuple[int, int]]) -> None:
    """Levels are counted in the order in which the styles of lines first appear."""
    spans = sorted(closed)
    styles: list[tuple[str, bool]] = []
    for found in _HEADING.finditer(scan.source):
        title = found["title"].rstrip()
        over, under = found["over"], found["under"]
        if holds(spans, found.start("title")):
            continue
        if len(under) < len(title) or (over and over != under) or not title.strip("=-`:.'\"~^_*+#<> "):
            continue
        style = (under[0], bool(over))
        if style not in styles:
            styles.append(style)
        start = found.start("title")
        scan.headings.append((start, start + len(title), styles.index(style) + 1))


class _Blocks:
    """Walks over the lines of a source, a block of lines further in at a time."""

    def __init__(self, scan: Scan) -> None:
        self.scan = scan
        self.lines = list(lines_of(scan.source))
        self.at = 0

    def walk(self) -> None:
        """Find what stands apart from the text."""
        literal = -1  # how far in a paragraph stands that announces a literal block
        while self.at < len(self.lines):
            place, line = self.lines[self.at]
            body = line.lstrip(" \t")
            indent = len(line) - len(body)
            if body.startswith(".. ") or body == "..":
                self._explicit(body, place, indent)
                literal = -1
            elif body and 0 <= literal < indent:
                self.scan.code.append(self._block(place, literal))
                literal = -1
            elif body.startswith(">>> "):
                self._doctest(place)
            elif _GRID.fullmatch(line):
                self._grid(place)
            elif _SIMPLE.fullmatch(line):
                self._simple(place)
            else:
                if body:
                    literal = indent if body.rstrip().endswith("::") else -1
                self.at += 1

    def _block(self, place: int, indent: int) -> tuple[int, int]:
        """From `place` over the lines that are blank or further in than `indent`; goes behind them."""
        end = place
        while self.at < len(self.lines):
            start, line = self.lines[self.at]
            if line.strip():
                if len(line) - len(line.lstrip(" \t")) <= indent:
                    break
                end = start + len(line)
            self.at += 1
        return place, max(end, place)

    def _explicit(self, body: str, place: int, indent: int) -> None:
        directive = _DIRECTIVE.match(body)
        self.at += 1
        if body.strip() == ".." and self.at < len(self.lines) and not self.lines[self.at][1].strip():
            return  # an empty comment ends what is above it and takes nothing along
        if directive is None:
            if not _NO_COMMENT.match(body):
                _, end = self._block(place + indent, indent)
                self.scan.hidden.append((place + indent, max(end, place + indent + len(body))))
            return
        name, first = directive[1].lower(), self.at
        if name in _CODE or name == "math" or name in ("list-table", "csv-table"):
            _, end = self._block(place, indent)
            lines = self.lines[first : self.at]
            inside = next(
                (start + len(line) - len(line.lstrip()) for start, line in lines if line.strip()), end
            )
            if name == "math":
                self.scan.formulas.append((place, max(end, place + indent + len(body))))
            elif name in _CODE and end > inside:
                self.scan.code.append((inside, end))
            elif name not in _CODE and lines:
                self._listed(name, [line for _, line in lines], (lines[0][0], end))

    def _listed(self, name: str, lines: list[str], span: tuple[int, int]) -> None:
        options = {found[1]: found[2].strip() for line in lines if (found := _OPTION.match(line))}
        body = [line for line in lines if not _OPTION.match(line)]
        stated = options.get("header-rows", "")
        heads = int(stated) if stated.isdecimal() and len(stated) < 4 else 0
        if name == "csv-table":
            if "file" in options or "url" in options:
                return
            written = [options["header"], *body] if options.get("header") else body
            heads += "header" in options
            try:
                rows = [
                    row for row in csv.reader([one.strip() for one in written], skipinitialspace=True) if row
                ]
            except csv.Error:
                return
            rows = [[one_line(cell) for cell in row] for row in rows]
        else:
            rows = _items(body)
        if rows and span[1] > span[0]:
            self.scan.tables.append(FoundTable(*span, rows, heads))

    def _doctest(self, place: int) -> None:
        end = place
        while self.at < len(self.lines) and self.lines[self.at][1].strip():
            end = self.lines[self.at][0] + len(self.lines[self.at][1])
            self.at += 1
        self.scan.code.append((place, end))

    def _grid(self, place: int) -> None:
        lines = []
        while self.at < len(self.lines) and _GRID_LINE.match(self.lines[self.at][1]):
            start, line = self.lines[self.at]
            lines.append(_wide(line.strip()))
            end = start + len(line)
            self.at += 1
        rows, heads = _boxed(lines)
        if rows:
            self.scan.tables.append(FoundTable(place, end, rows, heads))

    def _simple(self, place: int) -> None:
        """A table between rules of `=`; a second rule of three ends the header."""
        border = _wide(self.lines[self.at][1])
        columns = [found.span() for found in _COLUMN.finditer(border)]
        rules, last = [self.at], self.at + 1
        while last < len(self.lines) and len(rules) < 3:
            line = self.lines[last][1]
            if _SIMPLE.fullmatch(line):
                rules.append(last)
            elif not line.strip() and len(rules) > 1 and last == rules[-1] + 1:
                break
            last += 1
        self.at += 1
        if len(rules) < 2 or len(columns) * (rules[-1] - rules[0]) > _MOST_FIELDS:
            return
        rows: list[list[list[str]]] = []
        heads = 0
        for number in range(rules[0] + 1, rules[-1]):
            line = self.lines[number][1]
            if number in rules:
                heads = len(rows)
            elif line.strip() and not set(line.strip()) <= set("- "):
                line = _wide(line)
                if any(line[end:start].strip() for (_, end), (start, _) in pairwise(columns)):
                    return  # a cell over several columns
                starts = [start for start, _ in columns]
                ends = [*starts[1:], max(len(line), starts[-1])]
                cells = [_narrow(line[a:b]) for a, b in zip(starts, ends, strict=True)]
                if cells[0] or not rows:
                    rows.append([[] for _ in cells])
                for parts, cell in zip(rows[-1], cells, strict=True):
                    parts.append(cell)
        self.at = rules[-1] + 1
        if rows:
            start, line = self.lines[rules[-1]]
            self.scan.tables.append(FoundTable(place, start + len(line), _joined(rows), heads))


def _wide(line: str) -> str:
    """A line as wide as it is shown: a character that takes two columns is followed by a mark."""
    if line.isascii():
        return line
    return "".join(sign + "\0" if unicodedata.east_asian_width(sign) in "WF" else sign for sign in line)


def _narrow(cell: str) -> str:
    return cell.replace("\0", "").strip()


def _joined(rows: list[list[list[str]]]) -> list[list[str]]:
    """Rows whose cells came in parts."""
    return [[one_line(" ".join(parts)) for parts in row] for row in rows]


def _boxed(lines: list[str]) -> tuple[list[list[str]], int]:
    """The rows of a grid table and how many head the others; none where cells are merged."""
    corners = [place for place, sign in enumerate(lines[0]) if sign == "+"]
    rows: list[list[str]] = []
    parts: list[list[str]] = []
    heads = 0
    for line in lines[1:]:
        if len(line) != len(lines[0]) or any(line[place] not in "+|" for place in corners):
            return [], 0
        if line[0] == "+":
            if any(sign not in "+-=" for sign in line):
                return [], 0
            if parts:
                rows.append([one_line(" ".join(cell)) for cell in zip(*parts, strict=True)])
            parts = []
            heads = len(rows) if "=" in line else heads
        else:
            parts.append([_narrow(line[a + 1 : b]) for a, b in pairwise(corners)])
    return (rows, heads) if not parts else ([], 0)


def _items(lines: list[str]) -> list[list[str]]:
    """The rows of a list of lists, whose cells may go on over several lines."""
    rows: list[list[list[str]]] = []
    for line in lines:
        if found := _ITEM.match(line):
            rows.append([[found[2] or ""]])
        elif rows and (found := _NEXT.match(line)):
            rows[-1].append([found[1] or ""])
        elif rows:
            rows[-1][-1].append(line)
    return _joined(rows)


def _links(text: str) -> Iterator[FoundLink]:
    for found in _LINK.finditer(text):
        yield *found.span(1 if found[1].strip() else 2), found[2].strip()
    for found in _ROLE.finditer(text):
        target = (found[3] or found[4]).strip()
        if found[1] == "doc" and not target.endswith(".rst"):
            target = f"{target}.rst"
        yield *found.span(2 if found[2] else 4), target
    for found in _SOURCE.finditer(text):
        yield *found.span(1), found[1]
    for tree in _TREE.finditer(text):
        for entry in _ENTRY.finditer(text, tree.start(2), tree.end(2)):
            bare = "*" not in entry[1] and not entry[1].endswith(".rst") and "://" not in entry[1]
            if "*" not in entry[1]:
                yield *entry.span(1), f"{entry[1]}.rst" if bare else entry[1]
