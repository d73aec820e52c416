"""Reads a stretch of an OpenDocument file, a body, a cell, a note, in document order into a text writer.

A paragraph is a line, with the formulas in it. Other frames and shapes stand on lines of their own right
after it. Notes and comments are gathered, for whoever reads the whole document to write them last. What was
deleted under tracked changes is left out: most files keep it apart, flat ones between two marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from indx_core.errors import InputTooLarge
from indx_core.ports import Role
from indx_format_office import TextWriter
from indx_format_office.lists import indented
from indx_format_office.symbols import set_in
from indx_format_office.values import whole
from indx_reader_opendocument._lists import Counter, told
from indx_reader_opendocument._names import DRAW, OFFICE, TABLE, TEXT, XLINK
from indx_reader_opendocument._shapes import SHAPES, write_shape
from indx_reader_opendocument._tables import read_table

if TYPE_CHECKING:
    from indx_format_office.container import Element
    from indx_reader_opendocument._package import OdfPackage
    from indx_reader_opendocument._styles import Styles

__all__ = ["Document", "Story", "deletions_of"]

MAX_DEPTH: Final = 60
"""Blocks inside blocks; what is nested deeper is read as plain text."""
MAX_CELLS: Final = 500_000
_MOST_SPACES: Final = 100
MAX_OBJECTS: Final = 500

_SKIPPED: Final = frozenset(
    (
        OFFICE + "forms",
        OFFICE + "scripts",
        TEXT + "tracked-changes",
        TABLE + "tracked-changes",
        TEXT + "sequence-decls",
        TEXT + "variable-decls",
        TEXT + "user-field-decls",
        TEXT + "dde-connection-decls",
        TEXT + "alphabetical-index-auto-mark-file",
        TEXT + "ruby-text",
        TEXT + "note-citation",
        TEXT + "script",
        *(
            TEXT + f"{kind}-source"
            for kind in (
                "table-of-content",
                "illustration-index",
                "table-index",
                "object-index",
                "user-index",
                "alphabetical-index",
                "bibliography",
            )
        ),
    )
)
_XML_ID: Final = "{http://www.w3.org/XML/1998/namespace}id"
_SPACES: Final = re.compile("[ \t\r\n]+")


class Document:
    """What all stories of a document share.

    Attributes:
        package: The open package.
        styles: Its styles.
        part: Parses a part that a page can do without; None when it is damaged or missing.
        images: How many pictures have been met.
        notes: Notes and comments met and not written yet: their role and what holds them.
        outline: Counts the headings.
        counters: Count the items of lists, by the name of their style.
        page: The number of the slide that is read, else 0.
        deletions: The changes that took text away, by their IDs.
        deleting: Those of them between whose marks the reader is.
    """

    def __init__(self, package: OdfPackage, styles: Styles, part: Callable[[str], Element | None]) -> None:
        """Begin with nothing read."""
        self.package = package
        self.styles = styles
        self.part = part
        self.images = 0
        self.page = 0
        self.deletions: frozenset[str] = frozenset()
        self.deleting: set[str] = set()
        self.notes: list[tuple[Role, Element]] = []
        self.outline = Counter(styles.outline)
        self.counters: dict[str, Counter] = {}
        self._cells = 0
        self._opened = 0
        self._inside: list[str] = []

    def count_cells(self, count: int) -> None:
        """Count cells of tables, so that a few repeated ones cannot become more than any memory holds.

        Raises:
            InputTooLarge: There are more than `MAX_CELLS`.
        """
        self._cells += count
        if self._cells > MAX_CELLS:
            raise InputTooLarge(f"the tables have more than {MAX_CELLS} cells; split the document")

    @contextmanager
    def object(self, name: str) -> Iterator[Element | None]:
        """The root of an embedded object while it is read; None for one that is inside itself.

        Raises:
            InputTooLarge: There are more than `MAX_OBJECTS`.
        """
        if name in self._inside or name not in self.package:
            yield None
            return
        self._opened += 1
        if self._opened > MAX_OBJECTS:
            raise InputTooLarge(f"more than {MAX_OBJECTS} objects are embedded; split the document")
        self._inside.append(name)
        try:
            yield self.part(name)
        finally:
            self._inside.pop()

    def change(self, mark: Element) -> None:
        """Meet a mark that a change begins or ends at."""
        name = mark.get(TEXT + "change-id", "")
        if mark.tag == TEXT + "change-end":
            self.deleting.discard(name)
        elif name in self.deletions:
            self.deleting.add(name)

    def write_notes(self, writer: TextWriter) -> None:
        """Write what was gathered, footnotes first, then endnotes, then comments; what it gathers, too."""
        for _ in range(3):
            waiting, self.notes = self.notes, []
            for wanted in ("footnote", "endnote", "comment"):
                for role, element in waiting:
                    if role == wanted:
                        story = Story(self)
                        story.lead = told(element)
                        with writer.block() as start:
                            story.blocks(element, writer)
                            writer.role(start, role)
        self.notes = []


class Story:
    """Reads blocks of text."""

    def __init__(self, document: Document, depth: int = 0) -> None:
        """Read for `document`; `depth` says how many stories this one is inside of."""
        self.document = document
        self.depth = depth
        self.lead = ""  # stands before the first paragraph that says something
        self._floating: list[Element | TextWriter] = []
        self._spaced = True
        self._hiding = False
        self.cell = ""  # the style of the cell around
        self._styled: list[tuple[str, str]] = []  # family and name of the styles around

    def inner(self) -> Story:
        """A story inside this one."""
        return Story(self.document, self.depth + 1)

    def blocks(
        self, container: Element, writer: TextWriter, counter: Counter | None = None, level: int = 0
    ) -> None:
        """Read the paragraphs, lists, tables and shapes in `container`."""
        if self.depth >= MAX_DEPTH:
            with writer.block():
                writer.write(" ".join("".join(container.itertext()).split()))
            return
        self.depth += 1
        for element in container:
            tag = element.tag
            if tag in (TEXT + "p", TEXT + "h"):
                self.paragraph(element, writer)
            elif tag == TEXT + "list":
                self._list(element, writer, counter, level)
            elif tag in _CHANGES:
                self.document.change(element)
            elif tag == TABLE + "table":
                read_table(self, element, writer)
            elif tag in SHAPES:
                if not self.document.deleting:
                    write_shape(self, element, writer)
            elif tag == OFFICE + "annotation":
                self.document.notes.append(("comment", element))
            elif tag not in _SKIPPED and isinstance(tag, str):
                with writer.block() as start:
                    self.blocks(element, writer, counter, level)
                    if _is_hidden_section(element):
                        writer.hide(start)
        self.depth -= 1

    def _list(self, element: Element, writer: TextWriter, counter: Counter | None, level: int) -> None:
        """Read a list; one inside another counts on in it, unless it states a style of its own."""
        styles = self.document.styles
        name = element.get(TEXT + "style-name", "")
        if counter is None or (name and styles.levels(name) and styles.levels(name) is not counter.levels):
            name = name or _style_inside(styles, element)
            goes_on = _goes_on(element)
            counter = self._counter(name, goes_on=goes_on)
        self.depth += 1
        for item in element:
            start = item.get(TEXT + "start-value")
            label = ""
            if item.tag == TEXT + "list-item":
                first = None if start is None else whole(start, 1, most=100_000)
                label = indented(counter.label(level + 1, first), level)
            self._item(item, writer, counter, level + 1, label)
        self.depth -= 1

    def _counter(self, name: str, *, goes_on: bool) -> Counter:
        known = self.document.counters.get(name)
        if known is None or not goes_on:
            known = self.document.counters[name] = Counter(self.document.styles.levels(name))
        return known

    def _item(self, item: Element, writer: TextWriter, counter: Counter, level: int, label: str) -> None:
        """Read one item; its label stands before its first paragraph."""
        if self.depth >= MAX_DEPTH:
            with writer.block():
                writer.write(label + " ".join("".join(item.itertext()).split()))
            return
        for child in item:
            if child.tag in (TEXT + "p", TEXT + "h"):
                self.paragraph(child, writer, label, listed=True)
                label = ""
            elif child.tag == TEXT + "list":
                self._list(child, writer, counter, level)
            elif child.tag == TABLE + "table":
                read_table(self, child, writer)
            elif child.tag in SHAPES:
                write_shape(self, child, writer)

    def paragraph(
        self, element: Element, writer: TextWriter, label: str = "", *, listed: bool = False
    ) -> None:
        """Read one paragraph and what floats beside it."""
        styles, name = self.document.styles, element.get(TEXT + "style-name", "")
        level = styles.level(name)
        if element.tag == TEXT + "h":
            level = whole(element.get(TEXT + "outline-level"), 1, least=1, most=10)
            if not listed and element.get(TEXT + "is-list-header") != "true":
                label = self.document.outline.label(level) or label
        role = styles.role(name)
        before = writer.mark()
        start = writer.start_line()
        label = label.lstrip() if level or role == "title" else label  # a heading is at the margin
        writer.write(self.lead + (label if not listed or styles.numbers(name) else ""))
        self._spaced, self._hiding = True, styles.hidden("paragraph", name)
        body = writer.mark()
        self._styled = [("table-cell", self.cell), ("paragraph", name)]
        self._inline(element, writer)
        if self._hiding:
            writer.hide(start)
        text = writer.since(body)
        if text.strip():
            self.lead = ""
            end = writer.length - (len(text) - len(text.rstrip()))
            if level or role == "title":
                writer.heading(start, level or 1, end=end)
            if role is not None:
                writer.role(start, role, end=end)
        else:
            writer.discard(before)
            writer.gap()
        self._float(writer)

    def _float(self, writer: TextWriter) -> None:
        waiting, self._floating = self._floating, []
        for element in waiting:
            if not isinstance(element, TextWriter):
                write_shape(self.inner(), element, writer)
            elif element.length:
                writer.append(element)

    def _shape(self, element: Element, writer: TextWriter) -> None:
        """Write a formula where it stands in its sentence; any other shape waits for the paragraph's end."""
        anchored = element.get(TEXT + "anchor-type", "as-char") == "as-char"
        if not anchored or element.find(DRAW + "object") is None:
            self._floating.append(element)
            return
        held = TextWriter()
        if write_shape(self.inner(), element, held) == "formula":
            writer.take(held)
            self._spaced = False
        else:
            self._floating.append(held)

    def _text(self, text: str | None, writer: TextWriter) -> None:
        """Write text with its white space as OpenDocument means it: runs are one space."""
        collapsed = "" if self.document.deleting else _SPACES.sub(" ", text or "")
        if self._spaced:
            collapsed = collapsed.lstrip(" ")
        if collapsed:
            styles = self.document.styles
            text = set_in(self._font(), collapsed) if styles.symbolic else collapsed
            raised = self._styled and styles.raised(self._styled[-1][1])
            (writer.write_raised if raised else writer.write)(text)
            self._spaced = collapsed.endswith(" ")

    def _font(self) -> str:
        """The font of what is read now."""
        styles = self.document.styles
        fonts = (styles.font(family, name) for family, name in reversed(self._styled))
        return next(filter(None, fonts), "")

    def _inline(self, container: Element, writer: TextWriter) -> None:
        self._text(container.text, writer)
        for element in container:
            tag = element.tag
            if tag in _CHANGES:
                self.document.change(element)
            elif self.document.deleting and tag not in _HOLDING:
                pass  # it goes as a whole
            elif tag in _SIGNS:
                writer.write(_SIGNS[tag])
                self._spaced = False
            elif tag == TEXT + "s":
                writer.write(" " * whole(element.get(TEXT + "c"), 1, least=1, most=_MOST_SPACES))
                self._spaced = False
            elif tag == TEXT + "note":
                ended = element.get(TEXT + "note-class") == "endnote"
                self.document.notes.append(("endnote" if ended else "footnote", element))
            elif tag == OFFICE + "annotation":
                self.document.notes.append(("comment", element))
            elif tag in SHAPES:
                self._shape(element, writer)
            elif tag == TEXT + "page-number" and self.document.page:
                self._text(str(self.document.page), writer)  # what stands there is `<number>`
            elif tag not in _SKIPPED and self.depth < 2 * MAX_DEPTH:
                self._span(element, writer)
            self._text(element.tail, writer)

    def _span(self, element: Element, writer: TextWriter) -> None:
        """Read what holds more text: a span, a link, a field, an inserted stretch."""
        start, mark = writer.length, writer.mark()
        self.depth += 1
        self._styled.append(("text", element.get(TEXT + "style-name", "")))
        self._inline(element, writer)
        self._styled.pop()
        self.depth -= 1
        if element.tag == TEXT + "ruby" and (reading := element.find(TEXT + "ruby-text")) is not None:
            writer.ruby(writer.since(mark), "".join(reading.itertext()))
        if element.tag == TEXT + "a":
            writer.link(start, element.get(XLINK + "href", ""))
        hidden = element.get(TEXT + "is-hidden") == "true" if element.tag in _HIDEABLE else False
        if element.tag == TEXT + "hidden-text" and not element.text and hidden:
            writer.write(element.get(TEXT + "string-value", ""))
        if element.tag == TEXT + "hidden-paragraph" and hidden:
            self._hiding = True
        elif hidden or self.document.styles.hidden("text", element.get(TEXT + "style-name", "")):
            writer.hide(start)


_SIGNS: Final = {
    TEXT + "tab": "\t",
    TEXT + "line-break": "\n",
    TEXT + "soft-hyphen": "\u00ad",
}
_CHANGES: Final = frozenset((TEXT + "change-start", TEXT + "change-end"))
_HOLDING: Final = frozenset((TEXT + "span", TEXT + "a"))
_HIDEABLE: Final = frozenset((TEXT + "hidden-text", TEXT + "hidden-paragraph"))


def deletions_of(body: Element) -> frozenset[str]:
    """The changes in `body` that took text away, by their IDs."""
    found: set[str] = set()
    for changes in body.iterchildren(TEXT + "tracked-changes"):
        for region in changes.iterchildren(TEXT + "changed-region"):
            if region.find(TEXT + "deletion") is not None:
                found.add(region.get(TEXT + "id") or region.get(_XML_ID, ""))
    return frozenset(found)


def _goes_on(element: Element) -> bool:
    """Whether a list counts on where an earlier one of its style ended."""
    named = element.get(TEXT + "continue-list") is not None
    return named or element.get(TEXT + "continue-numbering") == "true"


def _is_hidden_section(element: Element) -> bool:
    return element.get(TEXT + "display") == "none" or element.get(TEXT + "is-hidden") == "true"


def _style_inside(styles: Styles, element: Element) -> str:
    """The list style that the first paragraph of a list brings along."""
    for paragraph in element.iter(TEXT + "p", TEXT + "h"):
        return styles.list_of(paragraph.get(TEXT + "style-name", ""))
    return ""
