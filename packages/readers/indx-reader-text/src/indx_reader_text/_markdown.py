"""Markdown: its source as text, with headings, tables, code, comments and links marked.

The text of a page is the source as written, save that a pipe table becomes a line a row with tabs between
cells. One pattern walks the lines that can begin something; nothing is looked at character by character.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from indx_core.ports import Heading, RoleSpan, Span
from indx_reader_text._links import find_links, plain_label
from indx_reader_text._marks import Marks
from indx_reader_text._tables import FoundTable, with_tables

__all__ = ["read_markdown"]

_BLOCK: Final = re.compile(
    r"""
    \n (?P<indent> [ \t>]*+ (?: (?:[-*+] | \d{1,9}[.)]) [ \t]++ )? )
    (?: (?P<atx> \#{1,6} (?=[ \t\n]|\Z) [^\n]* )
      | (?P<fence> `{3,} | ~{3,} )
      | (?P<rule> (?: =+ | -+ ) [ \t]* (?=\n|\Z) )
      | (?P<delimiters> (?: \|? [ \t]* :?-+:? [ \t]* (?: \| [ \t]* :?-+:? [ \t]* )+ \|?
                          | \| [ \t]* :?-+:? [ \t]* \|? ) [ \t]* (?=\n|\Z) )
      | (?P<definition> \[ (?!\^) (?: [^\[\]\n\\] | \\. )+ \]: [ \t]* (?:\n[ \t]*)?
                         (?: <[^<>\n]{0,2000}> | \S{1,2000} ) )
        (?= [ \t]* (?: \n | \Z | ["'(] ) )
      | < (?P<html> h[1-6] ) (?=[\s>])
      | < (?P<raw> pre | script | style | textarea ) (?=[\s>]) )
    | (?P<comment> <!-- )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NO_PARAGRAPH: Final = re.compile(
    r"\s|#{1,6}(?:[ \t]|$)|>|[-*+][ \t]|\d{1,9}[.)][ \t]|```|~~~|\||=+\s*$|-+\s*$"
    r"|<(?!/?(?:a|b|code|em|i|img|kbd|span|strong|sub|sup)\b[^<>]*>[^\n]*[^\s>])",
    re.IGNORECASE,
)
_CONTAINER: Final = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?")
_QUOTED: Final = re.compile(r"[ \t>]*")
_CLOSING_TAGS: Final = {
    name: re.compile(f"</{name}\\s*>", re.IGNORECASE)
    for name in ("pre", "script", "style", "textarea", "h1", "h2", "h3", "h4", "h5", "h6")
}
_SHOWN: Final = re.compile(r"<[^<>]*>|(?P<words>[^<]*[^<\s][^<]*)|<|\s+")
_MOST_TITLE: Final = 2000  # characters of a heading in HTML, its tags with them
_NEAR: Final = 500  # how far before a comment a backtick can begin code around it
_PIPE: Final = re.compile(r"(?<!\\)\|")


def read_markdown(source: str, base: int = 0) -> Marks:
    """Mark `source`, whose text will stand at offset `base` of the page."""
    walk = _Walk("\n" + source)  # every line begins behind a line break
    text, tables, shift = with_tables(walk.source, walk.tables, base - 1)
    back = base - 1
    return Marks(
        text[1:],
        tables=tables,
        links=find_links(text, shift.spans(walk.opaque), walk.definitions, back),
        headings=[Heading(*shift.span(start, end, back), level) for start, end, level in walk.headings],
        roles=[RoleSpan(start, end, "code") for start, end in shift.spans(walk.code, back)],
        hidden=shift.spans(walk.hidden, back),
    )


class _Walk:
    """A walk over the lines that can begin something, and what it found, in offsets of `source`."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.headings: list[tuple[int, int, int]] = []
        self.code: list[Span] = []
        self.hidden: list[Span] = []
        self.opaque: list[Span] = []
        self.tables: list[FoundTable] = []
        self.definitions: dict[str, str] = {}
        self._closers: dict[str, Span] = {}  # where headings in HTML close next
        self._unclosed: dict[str, int] = {}  # what was looked for to the end in vain, so that it is done once
        position = 0
        while found := _BLOCK.search(source, position):
            position = getattr(self, f"_{found.lastgroup}")(found)

    def _taken(self) -> int:
        """Up to where the source is part of something that was found."""
        last = self.tables[-1].end if self.tables else 0
        return max(last, *(found[-1][1] for found in (self.opaque, self.headings) if found), 0)

    def _atx(self, found: re.Match[str]) -> int:
        if _at_margin(found):
            line = found["atx"]
            hashes = len(line) - len(line.lstrip("#"))
            text = _title(line[hashes:])
            start = found.start("atx") + line.find(text, hashes)
            if text:
                self.headings.append((start, start + len(text), hashes))
        return found.end()

    def _rule(self, found: re.Match[str]) -> int:
        """A line of = or - makes a heading of a one-line paragraph above it."""
        source = self.source
        start = source.rfind("\n", 0, found.start()) + 1
        line = source[start : found.start()]
        if start < max(1, self._taken()) or not line or not _at_margin(found) or _NO_PARAGRAPH.match(line):
            return found.end()
        above = source[source.rfind("\n", 0, start - 1) + 1 : start - 1]
        double = found["rule"][0] == "="
        if double or not above.strip() or above[0] in "#=-<|`~":
            text = _title(line)
            if text:
                self.headings.append((start, start + len(text), 1 if double else 2))
        return found.end()

    def _fence(self, found: re.Match[str]) -> int:
        source, fence = self.source, found["fence"]
        line_end = source.find("\n", found.end())
        if line_end < 0:
            line_end = len(source)
        if fence[0] == "`" and "`" in source[found.end() : line_end]:
            return line_end  # inline code that begins a line
        if len(fence) >= self._unclosed.get(fence[0], len(fence) + 1):
            return line_end
        closing = _closing_fence(fence[0], len(fence), len(found["indent"]) + 3).search(source, line_end)
        if closing is None and not _at_margin(found):
            self._unclosed[fence[0]] = len(fence)
            return line_end  # a fence in a list or quote that never closes ends with that
        end = closing.end() if closing else len(source)
        self.code.append((found.start() + 1, end))
        self.opaque.append((found.start() + 1, end))
        return end

    def _delimiters(self, found: re.Match[str]) -> int:
        """A delimiter row makes a table of the row above it and the rows below it."""
        source = self.source
        start = source.rfind("\n", 0, found.start()) + 1
        header = source[start : found.start()]
        container = _CONTAINER.match(header)
        lead = container.end() if container else 0
        names = _cells(header[lead:])
        if (
            start < max(1, self._taken())
            or "|" not in header
            or len(names) != len(_cells(found["delimiters"]))
        ):
            return found.end()
        if not header[:lead].strip(" \t>"):
            lead = 0
        rows, position = [names], found.end()
        while position < len(source):
            end = source.find("\n", position + 1)
            end = len(source) if end < 0 else end
            line = source[position + 1 : end]
            if "|" not in line or line.lstrip(" \t>")[:3] in ("```", "~~~"):
                break
            quoted = _QUOTED.match(line)
            rows.append(_cells(line[quoted.end() if quoted else 0 :]))
            position = end
        self.tables.append(FoundTable(start + lead, position, rows))
        return position

    def _definition(self, found: re.Match[str]) -> int:
        if _at_margin(found) or not found["indent"].strip("> \t"):
            label, _, target = found["definition"][1:].partition("]:")
            self.definitions.setdefault(plain_label(label), target.strip())
        return found.end()

    def _raw(self, found: re.Match[str]) -> int:
        name = found["raw"].lower()
        closing = None if name in self._unclosed else _CLOSING_TAGS[name].search(self.source, found.end())
        if closing is None:
            self._unclosed[name] = 1
            return found.end()
        span = (found.start("raw") - 1, closing.end())
        self.opaque.append(span)
        if name in ("script", "style"):
            self.hidden.append(span)
        return closing.end()

    def _html(self, found: re.Match[str]) -> int:
        """A heading written in HTML shows what stands in it from its first word to its last."""
        source, name, begin = self.source, found["html"].lower(), found.end()
        line = source[source.rfind("\n", 0, found.start()) + 1 : found.start()]
        if not _at_margin(found) and not line.lstrip().startswith("<"):
            return begin  # code, or in a list
        closer = self._closers.get(name, (-1, -1))
        if closer[0] < begin:
            match = _CLOSING_TAGS[name].search(source, begin)
            closer = self._closers[name] = match.span() if match else (len(source), len(source))
        if closer[0] - begin > _MOST_TITLE or closer[0] == len(source):
            return begin
        begin = source.find(">", begin, closer[0]) + 1
        shown = _SHOWN.finditer(source, begin, closer[0]) if begin else ()
        words = [one.span() for one in shown if one["words"]]
        if words:
            title = source[words[0][0] : words[-1][1]]
            start = words[0][0] + len(title) - len(title.lstrip())
            self.headings.append((start, start + len(title.strip()), int(name[1])))
        return closer[1]

    def _comment(self, found: re.Match[str]) -> int:
        source = self.source
        near = max(0, found.start() - _NEAR)
        line = source[max(near, source.rfind("\n", near, found.start())) : found.start()]
        end = -1 if "-->" in self._unclosed else source.find("-->", found.end())
        if end < 0:
            self._unclosed["-->"] = 1
        if end < 0 or line.count("`") % 2:
            return found.end()
        self.opaque.append((found.start(), end + 3))
        self.hidden.append((found.start(), end + 3))
        return end + 3


def _title(line: str) -> str:
    """The text of a heading, without closing hashes and without attributes in braces."""
    text = line.strip()
    bare = text.rstrip("#")
    if bare[-1:] in ("", " ", "\t"):
        text = bare.rstrip()
    opener = text.rfind("{") if text.endswith("}") else -1
    return text[:opener].rstrip() if opener > 0 and text[opener + 1] in "#.:" else text


def _at_margin(found: re.Match[str]) -> bool:
    return found["indent"] in ("", " ", "  ", "   ")


@lru_cache(maxsize=64)
def _closing_fence(sign: str, length: int, indent: int) -> re.Pattern[str]:
    """What closes a fence: one at least as long, hardly further in."""
    return re.compile(rf"\n[ \t>]{{0,{indent}}}{sign}{{{length},}}[ \t]*(?=\n|\Z)")


def _cells(row: str) -> list[str]:
    """The cells of a row: a pipe at either end is optional, an escaped one is text."""
    row = row.strip()
    if row.startswith("|"):
        row = row[1:]
    if row.endswith("|") and not row.endswith("\\|"):
        row = row[:-1]
    if "\\" not in row:
        return [cell.strip() for cell in row.split("|")]
    return [cell.replace("\\|", "|").strip() for cell in _PIPE.split(row)]
