"""Org: its source as text, with headings, code, comments, links, and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

from indx_reader_text._marks import Marks
from indx_reader_text._scan import FoundLink, Scan, lines_of
from indx_reader_text._tables import FoundTable

__all__ = ["read_org"]

_HEADING: Final = re.compile(
    r"(?P<marks>\*{1,9})[ \t]+(?:(?:(?:TO)?DO|DONE|NEXT|WAITING|CANCELLED)[ \t]+)?(?:\[#[A-Z]\][ \t]+)?"
    r"(?P<title>\S.*?)(?:[ \t]+:[\w@#%:]+:)?[ \t]*"
)
_BEGIN: Final = re.compile(r"[ \t]*#\+begin_(src|example|export|comment)\b", re.IGNORECASE)
_TITLE: Final = re.compile(r"#\+title:[ \t]*(?P<title>\S.*?)[ \t]*", re.IGNORECASE)
_COMMENT: Final = re.compile(r"[ \t]*#(?:[ \t]|$)")
_TABLE: Final = re.compile(r"[ \t]*\|")
_RULE: Final = re.compile(r"[ \t]*\|-[-+|]*[ \t]*")
_LINK: Final = re.compile(r"\[\[([^\[\]\n]{1,2000})\](?:\[([^\[\]\n]{1,1000})\])?\]")


def read_org(source: str) -> Marks:
    """Mark `source`; a table becomes a line a row with tabs between its cells."""
    scan = Scan(source)
    block, start = "", 0
    table: list[str] = []
    for place, line in chain(lines_of(source), [(len(source) + 1, "")]):
        if block:
            if line.strip().lower() == f"#+end_{block}":
                (scan.hidden if block == "comment" else scan.code).append((start, place + len(line)))
                block = ""
            continue
        if _TABLE.match(line):
            start = start if table else place
            table.append(line)
            continue
        if table:
            _close(scan, table, start)
            table = []
        if begun := _BEGIN.match(line):
            block, start = begun[1].lower(), place
        elif _COMMENT.match(line) and line.strip():
            scan.hidden.append((place, place + len(line)))
        elif found := _HEADING.fullmatch(line) or _TITLE.fullmatch(line):
            level = len(found["marks"]) if "marks" in found.groupdict() else 1
            begin = place + found.start("title")
            scan.headings.append((begin, begin + len(found["title"]), level))
    if block and block != "comment":
        scan.code.append((start, len(source)))
    return scan.marks(_links)


def _close(scan: Scan, lines: list[str], start: int) -> None:
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in lines
        if not _RULE.fullmatch(line)
    ]
    if rows:
        heads = 1 if len(lines) > 2 and _RULE.fullmatch(lines[1]) else 0
        scan.tables.append(FoundTable(start, start + len("\n".join(lines)), rows, heads))


def _links(text: str) -> Iterator[FoundLink]:
    for found in _LINK.finditer(text):
        target = found[1].removeprefix("file:").partition("::")[0]
        yield *found.span(2 if found[2] else 1), target
