"""AsciiDoc: its source as text, with headings, code, comments, links, and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from indx_reader_text._asciidoc_tables import table
from indx_reader_text._marks import Marks
from indx_reader_text._rst_tables import columns
from indx_reader_text._scan import FoundLink, Scan, lines_of

__all__ = ["read_asciidoc"]

_HEADING: Final = re.compile(r"(={1,6}|#{1,6})[ \t]+(?=\S)")
_UNDERLINES: Final = "=-~^+"
"""Signs of the line under a title in the older way of writing, by its level."""
_BEFORE_TITLE: Final = re.compile(
    r"\[.*\]|\.[^\s.].*|//(?!/).*|:!?\w[\w-]*!?:.*|\w+::(?!\s)[^\[]*\[.*\]|([=*_'<-])\1+"
)
"""A line under which a title may stand as under a blank one: an anchor, a comment, a block or its edge."""
_FENCE: Final = re.compile(r"(-{4,}+|\.{4,}|\+{4,}+|/{4,}|`{3,}|[|,:!]={3,})[ \t]*(?:[\w+-]+[ \t]*)?")
_LINK: Final = re.compile(
    r"(?P<kind>link:|xref:|image::?|include::|(?=https?://|mailto:))(?P<target>[^\s\[\]<>]{1,2000})"
    r"\[(?P<text>[^\[\]\n]{0,1000})\]"
)
_CROSS: Final = re.compile(r"<<([^<>,\n]{1,500})(?:,[ \t]*([^<>\n]{0,500}))?>>")


def read_asciidoc(source: str) -> Marks:
    """Mark `source`; a table becomes a line a row with tabs between its cells."""
    scan = Scan(source)
    fence = ""
    start = 0
    attributes = ""
    above: tuple[int, str] | None = None  # a line that may be a title
    blank = True
    for place, line in lines_of(source):
        begins = blank
        title, above = above, ((place, line) if begins and line.strip() and not fence else None)
        blank = not line.strip() or _BEFORE_TITLE.fullmatch(line.rstrip()) is not None
        if title and _is_underline(line, title[1]):
            begin = title[0]
            scan.headings.append((begin, begin + len(title[1].rstrip()), _UNDERLINES.index(line[0]) + 1))
            blank = True
            continue
        found = _FENCE.fullmatch(line.rstrip())
        if fence:
            if found and found[1] == fence:
                _close(scan, fence, start, place, place + len(line), attributes)
                fence = attributes = ""
                blank = True
            continue
        if found and not (found[1][0] != "`" and line.strip() != found[1]):
            fence, start = found[1], place
        elif line.startswith("//") and not line.startswith("///"):
            scan.hidden.append((place, place + len(line)))
        elif begins and (heading := _HEADING.match(line)):
            blank = True
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
        and min(abs(len(line) - len(title)), abs(len(line) - columns(title))) <= 2
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
        if (found := table(body, (start, end), fence[0], attributes, len(scan.tables))) is not None:
            scan.tables.append(found)


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
