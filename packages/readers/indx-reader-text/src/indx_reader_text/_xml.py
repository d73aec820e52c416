"""XML: the text of its elements and attributes, a block a line. Nothing is fetched, no entity ever resolved.

Titles of sections are headings, and tables are tables, in the vocabularies that articles, books and feeds
are written in (JATS, DocBook, DITA, TEI, RSS, Atom).
"""

from __future__ import annotations

import html
import re
from typing import Final
from xml.parsers import expat

from indx_core.canonical import clean_text
from indx_core.ports import Heading
from indx_reader_text._attributes import Attributes
from indx_reader_text._grids import Grid
from indx_reader_text._marks import UNSPACED, Marks
from indx_reader_text._scan import one_line
from indx_reader_text._xml_held import Formula, feed_text, not_well_formed, tex
from indx_reader_text._xml_repair import REPAIRED, repaired

__all__ = ["read_xml"]

_LEAST_SHARE: Final = 20  # less text than one part in so many: the facts stand in the attributes
_SMALL: Final = 1000  # characters by which a small file may fall short of that

# Signs that stand for no character; they mark what is a heading, a table, a row, a cell, a space of code.
_HEADING, _HEADED, _TABLE, _TABLED, _ROW, _HEAD_ROW, _CELL, _SPANNED, _INDENT = map(
    chr, range(0xFDD0, 0xFDD9)
)
_MARKS: Final = re.compile(f"[{_HEADING}-{_INDENT}]")
_FIELDS: Final = (_CELL, _ROW, _HEAD_ROW, _TABLED)  # where a cell of a table may end
_TITLE: Final = re.compile(f"{_HEADING}(\\d+) (.*?){_HEADED}", re.DOTALL)
_TABLES: Final = re.compile(f"{_TABLE}(.*?){_TABLED}", re.DOTALL)

_SECTIONS: Final = frozenset((
    "abstract", "app", "appendix", "article", "book", "channel", "chapter", "concept", "div", "div1", "div2",
    "div3", "entry", "feed", "item", "part", "preface", "ref-list", "reference", "sec", "sect1", "sect2",
    "sect3", "sect4", "sect5", "section", "task", "topic",
))  # fmt: skip
_BETWEEN: Final = frozenset(("info", "articleinfo", "bookinfo", "title-group", "article-meta", "front"))
"""Elements that may stand between a section and its title."""
_TITLES: Final = frozenset(("title", "head", "article-title"))
_DEEPEST: Final = 9
_BREAKS: Final = frozenset(("br", "break", "lb"))
_TABLE_NAMES: Final = frozenset(("table", "informaltable", "simpletable"))
_ROWS: Final = frozenset(("tr", "row", "strow", "sthead"))
_CELLS: Final = frozenset(("td", "th", "entry", "cell", "stentry"))
_INLINE: Final = frozenset(("inline-formula", "inlineequation", "alternatives", "formula"))
"""Elements that hold elements alone and break no line all the same."""
_KEPT: Final = frozenset((
    "programlisting", "screen", "literallayout", "synopsis", "codeblock", "msgblock", "pre", "preformat",
    "code", "lines", "eg", "verse", "verse-group", "lg",
))  # fmt: skip
"""Elements whose line breaks count."""
_WRAPPED: Final = re.compile(r"[ \t]*\n\s*")
_WRAPPED_UNSPACED: Final = re.compile(f"(?<={UNSPACED}){_WRAPPED.pattern}(?={UNSPACED})")
_INDENTED: Final = re.compile(r"(?<=\n)[ \t]+")
_NOTES: Final = frozenset(("fn", "bibr", "table-fn", "corresp", "aff", "author-notes"))
_RAISED: Final = frozenset(("sup", "superscript"))
_RAISED_NUMBER: Final = re.compile(r"[-+−]?\d")
_FEEDS: Final = frozenset(("rss", "feed", "rdf"))
_FEED_TEXTS: Final = frozenset(("description", "encoded", "summary", "content"))


class _AsWrittenError(Exception):
    """The document is better shown as it is written."""


class _Collector:
    """Gathers text. A break between two elements shows only where no text stands beside them.

    `pieces` holds texts, and for each edge of an element the number of the element around it, whose own
    text decides whether the edge breaks the line; and for what attributes say that number with it.
    """

    def __init__(self) -> None:
        self.pieces: list[str | int | tuple[int, str]] = []
        self.attributes = Attributes()
        self._mixed = [False]
        self._open = [0]
        self._names: list[str] = []
        self._around = [""]  # the innermost element open that may not stand between a section and its title
        self._sections = 0
        self._tables = 0
        self._heads = 0
        self._kept: list[bool] = [False]  # of each element open, whether its line breaks count
        self._formula: Formula | None = None
        self._formulas = 0  # in the alternatives that are open
        self._held: list[str] | None = None  # text that is read as a whole
        self._waiting = ""
        self._last = ""  # sign of the text

    def start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2].lower()
        if self._formula is not None:
            self._formula.start(local, attributes)
            return
        self._release(None)
        self._open_element(local, attributes)
        if local == "math":
            self._formula = Formula()
        elif local == "tex-math" or (local in _FEED_TEXTS and self._names[0] in _FEEDS):
            self._held = []
        elif local == "alternatives":
            self._formulas, self._waiting = 0, ""

    def _open_element(self, local: str, attributes: dict[str, str]) -> None:
        around = self._open[-1]
        marks_note = local == "xref" and self._mixed[around] and attributes.get("ref-type") in _NOTES
        if marks_note and self._last.isalnum():
            self.pieces.append(" ")  # the mark of a note is no part of the word before it
        self.pieces.append(around)
        self._open.append(len(self._mixed))
        self._mixed.append(local in _INLINE and self._mixed[around])
        self._kept.append(local in _KEPT or self._kept[-1] or attributes.get("xml:space") == "preserve")
        if local in _BREAKS:
            self.pieces.append("\n")
        if self._tables:
            self._table_part(local, attributes)
        elif local in _TITLES and self._is_title():
            self.pieces.append(f"{_HEADING}{min(max(1, self._sections), _DEEPEST)} ")
        elif local in _TABLE_NAMES:
            self.pieces.append(_TABLE)
        if attributes and (said := self.attributes.line(attributes)):
            self.pieces.append((around, _MARKS.sub("\ufffd", said)))
        self._tables += local in _TABLE_NAMES
        self._heads += local == "thead"
        self._sections += local in _SECTIONS and not self._tables
        self._names.append(local)
        self._around.append(self._around[-1] if local in _BETWEEN else local)

    def _table_part(self, local: str, attributes: dict[str, str]) -> None:
        if self._tables > 1:
            return
        if local in _ROWS:
            heads = self._heads or local == "sthead" or attributes.get("role") == "label"
            self.pieces.append(_HEAD_ROW if heads else _ROW)
        elif local in _CELLS:
            more = attributes.get("morerows", "")
            down = attributes.get("rowspan") or (
                str(int(more) + 1) if more.isdecimal() and len(more) < 4 else "1"
            )
            across = attributes.get("colspan", "1")
            if local == "cell":
                down, across = attributes.get("rows", "1"), attributes.get("cols", "1")
            self.pieces.append(f"{_CELL}{down} {across}{_SPANNED}")

    def _is_title(self) -> bool:
        return self._around[-1] in _SECTIONS

    def end(self, _name: str) -> None:
        if self._formula is not None:
            formula = self._formula.end()
            if formula is None:
                return
            self._formula = None
            self._formulas += 1
            self.text(formula)
        self._release(self._names[-1])
        if self._names[-1] == "alternatives" and not self._formulas:
            self.text(self._waiting)  # no other form of the formula came
        self._close_element()

    def _release(self, ended: str | None) -> None:
        """Say what was held back until its element ended, or until another one began in it."""
        if self._held is None:
            return
        text, self._held = "".join(self._held), None
        if ended == "tex-math":
            text = tex(text)
            if self._names[-2:-1] == ["alternatives"]:
                text, self._waiting = "", text
        elif ended is not None:
            text = feed_text(text)
        if text:
            self.text(text)

    def _close_element(self) -> None:
        local = self._names.pop()
        self._kept.pop()
        self._around.pop()
        if not self._tables and local in _TITLES and self._is_title():
            self.pieces.append(_HEADED)
        self._sections -= local in _SECTIONS and not self._tables
        self._heads -= local == "thead"
        if local in _TABLE_NAMES:
            self._tables -= 1
            if not self._tables:
                self.pieces.append(_TABLED)
        self._open.pop()
        self.pieces.append(self._open[-1])

    def text(self, text: str) -> None:
        if self._formula is not None:
            self._formula.text(text)
            return
        if self._held is not None:
            self._held.append(text)
            return
        if not self._mixed[self._open[-1]] and not text.isspace():
            self._mixed[self._open[-1]] = True
        text = text.replace("\r\n", "\n").replace("\r", "\n")  # written as references; others are gone
        text = _MARKS.sub("\ufffd", text)
        if self._kept[-1]:
            text = _INDENTED.sub(lambda found: _INDENT * len(found[0]), text)
        elif self.attributes.document:
            text = _WRAPPED.sub(" ", _WRAPPED_UNSPACED.sub("", text))
        raised = self._names[-1] in _RAISED and self._mixed[self._open[-2]]
        if raised and self._last.isdecimal() and _RAISED_NUMBER.match(text):
            self.pieces.append("^")  # 10 with 6 above it is not 106
        self.pieces.append(text)
        self._last = text[-1:]

    def other(self, text: str) -> None:
        """A reference to an entity that nothing here declares: HTML's are known, others stay as written."""
        if text.startswith("&"):
            self.text(html.unescape(text))

    def declared(self, *_facts: object) -> None:
        raise _AsWrittenError("it declares entities, which are not resolved")

    def result(self) -> str:
        """All of it; what attributes say waits for the end of the line where it would cut that."""
        parts: list[str] = []
        waiting: list[str] = []
        titled = False
        for piece in self.pieces:
            if isinstance(piece, str):
                titled = piece.startswith(_HEADING) or (titled and piece != _HEADED)
                if waiting and piece.startswith(_FIELDS):
                    parts += waiting
                    waiting.clear()
                parts.append(piece)
                continue
            around, said = piece if isinstance(piece, tuple) else (piece, "")
            if said:
                waiting.append(f"\n{said}\n")
            if not self._mixed[around]:
                parts.append("\n")
                if waiting and not titled:
                    parts += waiting
                    waiting.clear()
        return "".join(parts + waiting)


def read_xml(source: str) -> Marks:
    """The text of `source`; the source as written where that says more.

    That is where it is not well-formed, declares entities of its own, or keeps all its facts in attributes.
    """
    facts: dict[str, str] = {}
    try:
        try:
            collector = _collected(source)
        except expat.ExpatError as error:
            mended = repaired(source) if error.code in REPAIRED else source
            if mended == source:
                raise
            collector = _collected(mended)
            facts["damaged"] = f"not well-formed: {error}"
    except expat.ExpatError as error:
        return Marks(source, metadata=not_well_formed(error))
    except _AsWrittenError as reason:
        return Marks(source, metadata={"xml": f"shown as written: {reason}"})
    text = collector.result()
    writer = _Writer()
    position = 0
    for found in _TABLES.finditer(text):
        writer.lines(text[position : found.start()])
        writer.table(found[1])
        position = found.end()
    writer.lines(text[position:])
    marks = writer.marks()
    own = len(marks.text) + 1 - collector.attributes.length  # what is not said by attributes
    if own <= 1 or own * _LEAST_SHARE + _SMALL < len(source):
        return Marks(source, metadata={"xml": "shown as written: almost all of it is markup", **facts})
    marks.metadata.update(collector.attributes.facts() | facts)
    return marks


def _collected(source: str) -> _Collector:
    collector = _Collector()
    parser = expat.ParserCreate(encoding="utf-8")
    parser.buffer_text = True
    parser.specified_attributes = True  # a few lines of a document type may give megabytes to each element
    parser.StartElementHandler = collector.start
    parser.EndElementHandler = collector.end
    parser.CharacterDataHandler = collector.text
    parser.DefaultHandler = collector.other
    parser.EntityDeclHandler = collector.declared
    parser.StartDoctypeDeclHandler = collector.attributes.doctype
    parser.Parse(source.encode("utf-8"), True)
    return collector


class _Writer:
    """The text line by line, with headings and tables where they stand."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._length = 0
        self._marks = Marks("")

    def lines(self, text: str) -> None:
        """Add what stands outside of tables."""
        text = _TITLE.sub(lambda title: f"\n{_HEADING}{title[1]} {one_line(title[2])}\n", text)
        for line in map(str.strip, text.split("\n")):
            if line.startswith(_HEADING):
                level, _, title = line[1:].partition(" ")
                if title := self._add(title):
                    end = self._length - 1
                    self._marks.headings.append(Heading(end - len(title), end, int(level)))
            else:
                self._add(line)

    def table(self, text: str) -> None:
        """Add a table; what names no cell is lines like any others."""
        caption, *rows = re.split(f"(?=[{_ROW}{_HEAD_ROW}])", text)
        if not any(_CELL in row for row in rows):
            self.lines(_MARKS.sub("", text))
            return
        # What stands in a row and in none of its cells comes before the table.
        for part in (caption, *(row.partition(_CELL)[0] for row in rows)):
            self.lines(_MARKS.sub("", part))
        grid = Grid(self._length, len(self._marks.tables))
        for row in rows:
            cells = []
            for written in row.split(_CELL)[1:]:
                spans, _, content = written.partition(_SPANNED)
                down, _, across = spans.partition(" ")
                cells.append((clean_text(one_line(_MARKS.sub("", content))), down, across))
            grid.row(cells, head=row[0] == _HEAD_ROW)
        made, written = grid.table()
        if made is not None and written.strip():
            self._lines.append(written)
            self._length += len(written) + 1
            self._marks.tables.append(made)

    def _add(self, line: str) -> str:
        indent = len(line) - len(line.lstrip(_INDENT))
        line = clean_text(_MARKS.sub("", line)).strip()
        if line:
            line = " " * indent + line
            self._lines.append(line)
            self._length += len(line) + 1
        return line

    def marks(self) -> Marks:
        """What was written."""
        self._marks.text = "\n".join(self._lines)
        return self._marks
