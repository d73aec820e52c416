"""reStructuredText: its source as text, with headings, code, comments, links, and tables."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import Final

from indx_reader_text._marks import Marks
from indx_reader_text._rst_tables import grid_table, simple_table
from indx_reader_text._scan import FoundLink, Lines, Scan, holds, one_line
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
_ITEM: Final = re.compile(r"([ \t]*)\*[ \t]+-(?:[ \t]+(.*))?$")
_NEXT: Final = re.compile(r"[ \t]*-(?:[ \t]+(.*))?$")
_OPTION: Final = re.compile(r"[ \t]*:([\w-]+):[ \t]*(.*)$")
_LINK: Final = re.compile(r"`((?:[^`<>\n]{0,500}[^`<>\s])?)\s*<([^`<>\n]{1,2000})>`__?")
_TARGET: Final = re.compile(
    r"(?m)^[ \t]*\.\.[ \t]+_(?!_)(?:`([^`\n]{1,300})`|((?:[^:\n\\]|\\.|:(?! )){1,300})):[ \t]+(\S{1,2000})$"
)
_REFERENCE: Final = re.compile(
    r"(?<![\w`])(?:`([^`<>\n]{1,300})`|([^\W_](?:[\w.+-]{0,100}[^\W_])?))_(?![\w_`])"
)
_ROLE: Final = re.compile(
    r":(doc|download|any):`(?:([^`<>\n]{0,500}[^`<>\s])\s*<([^`<>\n]{1,500})>|([^`<>\n]{1,500}))`"
)
_SOURCE: Final = re.compile(
    r"(?m)^[ \t]*\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?(?:image|figure|include|literalinclude)::[ \t]+(\S+)"
)
_TREE: Final = re.compile(r"(?m)^([ \t]*)\.\.[ \t]+toctree::[^\n]*\n((?:\1[ \t]+[^\n]*\n|[ \t]*\n)+)")
_ENTRY: Final = re.compile(r"(?m)^[ \t]++(?!:)(?:[^<>\n]*<)?([^\s<>]+)>?[ \t]*$")


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
        self.lines = Lines(scan.source)
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
            lines.append(line)
            end = start + len(line)
            self.at += 1
        if (found := grid_table(lines, (place, end))) is not None:
            self.scan.tables.append(found)

    def _simple(self, place: int) -> None:
        """A table between rules of `=`; a second rule of three ends the header."""
        rules, last = [self.at], self.at + 1
        while last < len(self.lines) and len(rules) < 3:
            line = self.lines[last][1]
            if _SIMPLE.fullmatch(line):
                rules.append(last)
            elif not line.strip() and len(rules) > 1 and last == rules[-1] + 1:
                break
            last += 1
        first = self.at
        self.at += 1
        if len(rules) < 2:
            return
        start, line = self.lines[rules[-1]]
        lines = [line for _, line in self.lines[first : rules[-1] + 1]]
        found = simple_table(lines, [rule - first for rule in rules], (place, start + len(line)))
        if found is not None:
            self.at = rules[-1] + 1
            self.scan.tables.append(found)


def _items(lines: list[str]) -> list[list[str]]:
    """The rows of a list of lists, whose cells may go on over several lines."""
    rows: list[list[str]] = []
    parts: list[str] = []
    for line in lines:
        begun, found = _ITEM.match(line), _NEXT.match(line)
        if begun or (rows and found):
            if rows:
                rows[-1].append(one_line(" ".join(parts)))
            parts = [(begun[2] if begun else found[1] if found else "") or ""]
            if begun:
                rows.append([])
        else:
            parts.append(line)
    if rows:
        rows[-1].append(one_line(" ".join(parts)))
    return rows


def _links(text: str) -> Iterator[FoundLink]:
    for found in _LINK.finditer(text):
        yield *found.span(1 if found[1].strip() else 2), found[2].strip()
    targets = {one_line((one[1] or one[2]).lower()): one[3] for one in _TARGET.finditer(text)}
    for found in _REFERENCE.finditer(text) if targets else ():
        target = targets.get(one_line((found[1] or found[2]).lower()), "")
        if target and not target.endswith("_"):
            yield *found.span(1 if found[1] else 2), target
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
