"""AsciiDoc: its source as text, with headings, code, comments, links, and tables."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import Final

from indx_reader_text._marks import Marks
from indx_reader_text._scan import FoundLink, Scan, lines_of, one_line
from indx_reader_text._tables import FoundTable

__all__ = ["read_asciidoc"]

_HEADING: Final = re.compile(r"(={1,6}|#{1,6})[ \t]+(?=\S)")
_UNDERLINES: Final = "=-~^+"
"""Signs of the line under a title in the older way of writing, by its level."""
_FENCE: Final = re.compile(r"(-{4,}+|\.{4,}|\+{4,}+|/{4,}|`{3,}|[|,:!]={3,})[ \t]*(?:[\w+-]+[ \t]*)?")
_CELL: Final = re.compile(
    r"(?<!\\)(?:(?<=\s)|^)(?P<span>[\d.]+[+*])?(?:[<^>]|\.[<^>])*[adehlmsv]?\||(?<!\\)\|", re.MULTILINE
)
_LINK: Final = re.compile(
    r"(?P<kind>link:|xref:|image::?|include::|(?=https?://|mailto:))(?P<target>[^\s\[\]<>]{1,2000})"
    r"\[(?P<text>[^\[\]\n]{0,1000})\]"
)
_CROSS: Final = re.compile(r"<<([^<>,\n]{1,500})(?:,[ \t]*([^<>\n]{0,500}))?>>")
_HEADER: Final = re.compile(r"%header|options=\"?[^\"\],]*header|%autowidth\.header", re.IGNORECASE)
_COLUMNS: Final = re.compile(r"cols=\"?([^\"\]]+)")


def read_asciidoc(source: str) -> Marks:
    """Mark `source`; a table becomes a line a row with tabs between its cells."""
    scan = Scan(source)
    fence = ""
    start = 0
    attributes = ""
    above: tuple[int, str] | None = None  # a line that stands alone under a blank one
    blank = True
    for place, line in lines_of(source):
        title, above = above, ((place, line) if blank and line.strip() and not fence else None)
        blank = not line.strip()
        if title and _is_underline(line, title[1]):
            begin = title[0]
            scan.headings.append((begin, begin + len(title[1].rstrip()), _UNDERLINES.index(line[0]) + 1))
            continue
        found = _FENCE.fullmatch(line.rstrip())
        if fence:
            if found and found[1] == fence:
                _close(scan, fence, start, place, place + len(line), attributes)
                fence = attributes = ""
            continue
        if found and not (found[1][0] != "`" and line.strip() != found[1]):
            fence, start = found[1], place
        elif line.startswith("//") and not line.startswith("///"):
            scan.hidden.append((place, place + len(line)))
        elif heading := _HEADING.match(line):
            text = line[heading.end() :].rstrip()
            text = text.rstrip("=# \t") or text
            begin = place + heading.end()
            scan.headings.append((begin, begin + len(text), len(heading[1])))
        if line.startswith("[") and line.rstrip().endswith("]"):
            attributes = line
        elif not found and line.strip() and not line.startswith("."):
            attributes = ""
    if fence and fence[0] in "-`.+":
        scan.code.append((start, len(source)))
    return scan.marks(_links)


def _is_underline(line: str, title: str) -> bool:
    line, title = line.rstrip(), title.rstrip()
    return (
        len(line) > 2
        and line[0] in _UNDERLINES
        and not line.strip(line[0])
        and abs(len(line) - len(title)) <= 2
        and title[0] not in "[.:|/-=+*"
        and any(map(str.isalnum, title))
    )


def _close(scan: Scan, fence: str, start: int, place: int, end: int, attributes: str) -> None:
    """A block from `start` whose last line is `[place, end)`."""
    if fence[0] == "/":
        scan.hidden.append((start, end))
    elif fence[0] not in "|,:!":
        scan.code.append((start, end))
    elif fence[0] in "|,:":
        body = scan.source[scan.source.index("\n", start) + 1 : place]
        comma = fence[0] == "," or "format=csv" in attributes or 'format="csv"' in attributes
        rows = (
            _separated(body, "," if comma else ":") if comma or fence[0] == ":" else _piped(body, attributes)
        )
        if rows:
            head = body.lstrip("\n").find("\n\n")
            heads = _HEADER.search(attributes) or (len(rows) > 1 and 0 < head == body.lstrip("\n").find("\n"))
            scan.tables.append(FoundTable(start, end, rows, 1 if heads else 0))


def _separated(body: str, separator: str) -> list[list[str]]:
    try:
        return [
            [one_line(cell) for cell in row]
            for row in csv.reader(body.split("\n"), delimiter=separator)
            if row
        ]
    except csv.Error:
        return []


def _piped(body: str, attributes: str) -> list[list[str]]:
    """The cells of a table; none where cells span others, which is left as written."""
    starts = list(_CELL.finditer(body))
    if not starts or any(found["span"] for found in starts) or body[: starts[0].start()].strip():
        return []
    ends = [found.start() for found in starts[1:]] + [len(body)]
    cells = [
        one_line(body[found.end() : end]).replace("\\|", "|") for found, end in zip(starts, ends, strict=True)
    ]
    first = body.find("\n", starts[0].start())
    on_first = sum(found.start() < first for found in starts) if first >= 0 else len(starts)
    columns = on_first if on_first > 1 or not (stated := _COLUMNS.search(attributes)) else _stated(stated[1])
    return [cells[place : place + columns] for place in range(0, len(cells), columns)]


def _stated(columns: str) -> int:
    """How many columns `cols` states, such as `1,2` or `3*`."""
    count = 0
    for one in columns.split(","):
        times = re.match(r"\s*(\d{1,3})\*", one)
        count += int(times[1]) if times else 1
    return max(1, count)


def _links(text: str) -> Iterator[FoundLink]:
    for found in _LINK.finditer(text):
        group = "text" if found["text"].strip() and not found["kind"].startswith("include") else "target"
        start, end = found.span(group)
        yield start, end, found["target"]
    for found in _CROSS.finditer(text):
        target = found[1].strip()
        if "#" not in target and not target.endswith(".adoc"):
            target = f"#{target}"
        yield *found.span(2 if (found[2] or "").strip() else 1), target
