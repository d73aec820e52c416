"""reStructuredText: its source as text, with headings, code, comments, links, and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import dropwhile
from typing import Final

from indx_reader_text._marks import Marks
from indx_reader_text._rst_listed import listed_table
from indx_reader_text._rst_tables import columns, grid_table, simple_table
from indx_reader_text._scan import FoundLink, Lines, Scan, holds, one_line

__all__ = ["read_restructured"]

_SIGNS: Final = r"[!-/:-@\[-`{-~]"
_HEADING: Final = re.compile(
    rf"(?m)^(?:(?P<over>({_SIGNS})\2+)[ \t]*\n)?[ \t]*(?P<title>\S[^\n]*)\n(?P<under>({_SIGNS})\5+)[ \t]*$"
)
_BEFORE_TITLE: Final = re.compile(rf"({_SIGNS})\1*[ \t]*|(?:\.\.|__)(?:[ \t].*)?|[ \t].*|")
"""The line that a title stands under: a line under another, what is no text, the end of a block, nothing."""
_SHORT: Final = 4
"""A line as long as this makes a title of a longer one."""
_DIRECTIVE: Final = re.compile(r"\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?([\w:.+-]+)::(?:[ \t]+(.*))?$")
_NO_COMMENT: Final = re.compile(r"\.\.[ \t]+(?:\[[^\]\n]+\]|\|[^|\n]+\||_)")
_CODE: Final = frozenset((
    "code", "code-block", "code-tab", "digraph", "doctest", "graph", "graphviz", "ipython", "jupyter-execute",
    "mermaid", "parsed-literal", "plot", "productionlist", "prompt", "raw", "sourcecode", "testcleanup",
    "testcode", "testoutput", "testsetup", "uml",
))  # fmt: skip
_MARKER: Final = re.compile(
    r"(?:(?:[-*+\u2022]|\(?(?:\d{1,9}|[A-Za-z]|[ivxlcdm]{1,9}|[IVXLCDM]{1,9}|#)[.)])[ \t]+){1,9}"
)
_FIELD: Final = re.compile(r":(?![: ])(?:[^:\\]|\\.|:(?![ `])){1,200}:[ \t]|\.\.[ \t]")
"""What begins a body that stands where the least indented of its further lines does."""
_GRID: Final = re.compile(r"[ \t]*\+(?:-+\+)+[ \t]*")
_GRID_LINE: Final = re.compile(r"[ \t]*[+|]")
_SIMPLE: Final = re.compile(r"[ \t]*=+(?:[ \t]+=+)+[ \t]*")
_OPTION: Final = re.compile(r"[ \t]+:[\w-]+:(?:[ \t]|$)")
_WORDS: Final = r"(?:[^`<>\n]|\n(?![ \t]*\n))"  # which may go on over a line, not over a blank one
_LINK: Final = re.compile(rf"`((?:{_WORDS}{{0,500}}[^`<>\s])?)\s*<([^`<>]{{1,2000}})>`__?")
_TARGET: Final = re.compile(
    r"(?m)^[ \t]*\.\.[ \t]+_(?!_)(?:`([^`\n]{1,300})`|((?:[^:\n\\]|\\.|:(?! )){1,300}))"
    r":(?:[ \t]+|[ \t]*\n[ \t]+)(\S{1,2000})[ \t]*$"
)
_NAMELESS: Final = re.compile(r"(?m)^[ \t]*(?:\.\.[ \t]+__:|__)[ \t]+(\S{1,2000})[ \t]*$")
_REFERENCE: Final = re.compile(
    rf"(?<![\w`])(?:`((?!\s){_WORDS}{{1,300}}(?<!\s))`|([^\W_](?:[\w.+-]{{0,100}}[^\W_])?))(__?)(?![\w_`>])"
)
_ROLE: Final = re.compile(
    r":(doc|download|any):`(?:([^`<>\n]{0,500}[^`<>\s])\s*<([^`<>\n]{1,500})>|([^`<>\n]{1,500}))`"
)
_SOURCE: Final = re.compile(
    r"(?m)^[ \t]*\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?(?:image|figure|include|literalinclude)::[ \t]+(\S+)"
)
_BESIDE: Final = re.compile(r"(?m)^[ \t]+:(?:file|url):[ \t]+(\S{1,2000})[ \t]*$")
"""Where a directive says that its content stands."""
_TREE: Final = re.compile(r"(?m)^([ \t]*)\.\.[ \t]+toctree::[^\n]*\n((?:\1[ \t][^\n]*\n|[ \t]*\n)+)")
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
        if holds(spans, found.start("title")) or not _is_title(title, over, under):
            continue
        if not over and not _stands_alone(scan.source, found.start()):
            continue
        style = (under[0], bool(over))
        if style not in styles:
            styles.append(style)
        start = found.start("title")
        scan.headings.append((start, start + len(title), styles.index(style) + 1))


def _is_title(title: str, over: str | None, under: str) -> bool:
    """Whether the lines over and under `title` make a title of it."""
    if under in ("::", "..") or (over and over != under) or not any(map(str.isalnum, title)):
        return False
    return len(under) >= _SHORT or len(under) >= columns(title)


def _stands_alone(source: str, start: int) -> bool:
    """Whether the line from `start` is at the margin, and no further one of a paragraph."""
    end = max(0, start - 1)
    above = source.rfind("\n", 0, end) + 1
    return source[start] not in " \t" and _BEFORE_TITLE.fullmatch(source, above, end) is not None


class _Blocks:
    """Walks over the lines of a source, a block of lines further in at a time."""

    def __init__(self, scan: Scan) -> None:
        self.scan = scan
        self.lines = Lines(scan.source)
        self.at = 0

    def walk(self) -> None:
        """Find what stands apart from the text."""
        literal = -1  # how far in a paragraph stands that announces a literal block
        blank = False
        while self.at < len(self.lines):
            place, line = self.lines[self.at]
            body = line.lstrip(" \t")
            indent = len(line) - len(body)
            if body and blank and 0 <= literal < indent:
                self.scan.code.append(self._block(place, literal))
                literal = -1
            elif body.startswith(".. ") or body == "..":
                self._explicit(body, place, indent)
                literal = self._announced(body, indent)
            elif body.startswith(">>> "):
                self._doctest(place)
            elif _GRID.fullmatch(line):
                self._grid(place)
            elif _SIMPLE.fullmatch(line):
                self._simple(place)
            else:
                self.at += 1
                if body:
                    literal = self._announced(body, indent)
            blank = not body

    def _announced(self, body: str, indent: int) -> int:
        """How far in a paragraph stands whose line, behind which `at` is, announces code; -1 for none."""
        if not body.rstrip().endswith("::"):
            return -1
        if marker := _MARKER.match(body):
            return indent + marker.end()
        if _FIELD.match(body) is None:
            return indent
        if (directive := _DIRECTIVE.match(body)) and not (directive[2] or "").strip():
            return -1
        least = 0
        for number in range(self.at, len(self.lines)):
            line = self.lines[number][1]
            further = len(line) - len(line.lstrip(" \t"))
            if line.strip() and further <= indent:
                break
            if line.strip():
                least = min(least or further, further)
        return least or indent

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
            shown = dropwhile(lambda one: _OPTION.match(one[1]), lines)
            inside = next(
                (start + len(line) - len(line.lstrip()) for start, line in shown if line.strip()), end
            )
            if name == "math":
                self.scan.formulas.append((place, max(end, place + indent + len(body))))
            elif name in _CODE and end > inside:
                self.scan.code.append((inside, end))
            elif name not in _CODE and lines:
                found = listed_table(name, [line for _, line in lines], (lines[0][0], end))
                self.scan.tables += [found] if found else []

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


def _links(text: str) -> Iterator[FoundLink]:
    targets = {one_line((one[1] or one[2]).lower()): one[3] for one in _TARGET.finditer(text)}
    for found in _LINK.finditer(text):
        target = "".join(found[2].split())
        if target.endswith("_") and "/" not in target:
            target = targets.get(one_line(found[2].rstrip("_ \n").lower()), "")
        yield *found.span(1 if found[1].strip() else 2), target
    nameless = [one[1] for one in _NAMELESS.finditer(text)]
    references = list(_REFERENCE.finditer(text)) if targets or nameless else []
    if sum(found[3] == "__" for found in references) != len(nameless):
        nameless = []
    in_order = iter(nameless)
    for found in references:
        name = one_line((found[1] or found[2]).lower())
        target = targets.get(name, "") if found[3] == "_" else next(in_order, "")
        if target and not target.endswith("_"):
            yield *found.span(1 if found[1] else 2), target
    for found in _ROLE.finditer(text):
        target = (found[3] or found[4]).strip()
        if found[1] == "doc" and not target.endswith(".rst"):
            target = f"{target}.rst"
        yield *found.span(2 if found[2] else 4), target
    for found in _SOURCE.finditer(text):
        yield *found.span(1), found[1]
    for found in _BESIDE.finditer(text):
        yield *found.span(1), found[1]
    for tree in _TREE.finditer(text):
        for entry in _ENTRY.finditer(text, tree.start(2), tree.end(2)):
            bare = "*" not in entry[1] and not entry[1].endswith(".rst") and "://" not in entry[1]
            if "*" not in entry[1]:
                yield *entry.span(1), f"{entry[1]}.rst" if bare else entry[1]
