"""Reads one story of a document, the body, a header, the notes, in document order into a text writer.

A paragraph is a line, with the formulas in it; one that is displayed is a line of its own. What floats
beside a paragraph, text boxes, pictures' descriptions, charts, stands on lines of its own right after it,
each once. Deletions that are tracked are left out, insertions are not; a paragraph whose end was deleted goes
on in the next one, and is what that one is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from indx_format_office import Relationship, TextWriter, stands_raised
from indx_format_office.drawing import chosen
from indx_format_office.formula import linear
from indx_format_office.names import MC, M, R, W
from indx_format_office.symbols import symbol
from indx_reader_word._faces import Face, face
from indx_reader_word._fields import Fields, show, target_of
from indx_reader_word._floating import Floating
from indx_reader_word._styles import Style, is_on, number_of, outline_level
from indx_reader_word._tables import read_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from indx_format_office._xml import Element
    from indx_reader_word._document import Document

__all__ = ["Story"]

_PARAGRAPH, _TABLE, _RUN, _TEXT = W + "p", W + "tbl", W + "r", W + "t"
_PARAGRAPH_PROPERTIES, _RUN_PROPERTIES = W + "pPr", W + "rPr"
_STYLE, _VANISH, _VALUE = W + "rStyle", W + "vanish", W + "val"
_ALTERNATIVES: Final = MC + "AlternateContent"
_WRAPPERS: Final = frozenset(
    W + name
    for name in ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo", "dir", "bdo", "rubyBase")
)
"""What only holds other content. `del` and `moveFrom` are not among them: their text is no longer there."""
_SIGNS: Final = {
    W + "tab": "\t",
    W + "ptab": "\t",
    W + "br": "\n",
    W + "cr": "\n",
    W + "noBreakHyphen": "-",
}
_FLOATING: Final = frozenset(W + name for name in ("drawing", "pict", "object"))
_NOTE_NUMBERS: Final = frozenset((W + "footnoteRef", W + "endnoteRef"))
_LOOKED_AT: Final = 50
_HEX: Final = re.compile("[0-9a-fA-F]{1,6}")
_LINE_BREAKS: Final = {ord("\n"): " ", ord("\r"): " "}


class Story:
    """One part of a document that holds blocks of text.

    Attributes:
        mark: What shows in a note where it repeats its number.
        lead: What stands before the next paragraph that says something.
    """

    def __init__(self, document: Document, part: str) -> None:
        """Read blocks of `part`, whose relationships count."""
        self.document = document
        self.relationships: Mapping[str, Relationship] = document.package.relationships(part)
        self.mark = self.lead = ""
        self._fields = Fields()
        self._floating = Floating(self)
        self._caption = ""
        self._begun = 0
        self._open_ended: list[Element] = []
        self._style = Style()
        self._before: Element | None = None  # the properties of the run before that stands on the line

    def blocks(self, container: Element, writer: TextWriter) -> None:
        """Read the paragraphs and tables in `container`."""
        self._blocks(container, writer)
        self._end(writer)

    def _blocks(self, container: Element, writer: TextWriter) -> None:
        for element in container:
            tag = element.tag
            if tag == _PARAGRAPH:
                self._open_ended.append(element)
                if not _goes_on(element):
                    self._end(writer)
            elif tag == _TABLE:
                self._end(writer)
                caption, self._caption = self._caption, ""
                read_table(self, element, writer, caption)
            elif tag in _WRAPPERS:
                self._blocks(element, writer)
            elif tag == _ALTERNATIVES and (choice := chosen(element)) is not None:
                self._blocks(choice, writer)

    def _end(self, writer: TextWriter) -> None:
        """Read what has become one paragraph."""
        if self._open_ended:
            pieces, self._open_ended = self._open_ended, []
            self._paragraph(pieces, writer)

    def _paragraph(self, pieces: list[Element], writer: TextWriter) -> None:
        """Read one paragraph, of whose `pieces` the last says what it is, and what floats beside it."""
        properties = pieces[-1].find(_PARAGRAPH_PROPERTIES)
        style = self._style = self.document.styles.paragraph(properties)
        level = self._heading_level(properties, style)
        label = self._label(properties, style)
        label = label.lstrip() if level else label  # a heading is at the margin, whatever its number
        before = writer.mark()
        start = writer.start_line()
        mark = writer.mark()
        label = self.lead + label
        writer.write(label)
        self._begun = writer.length
        for element in pieces:
            self._inline(element, writer, hidden=style.hidden)
        if style.hidden:
            writer.hide(start)
        text = writer.since(mark)
        self._caption = text.strip() if style.role == "caption" else ""
        if text[len(label) :].strip():
            self.lead = ""
            self._qualify(style, level, start, text, writer)
        else:
            writer.discard(before)
            writer.gap()
        self._floating.write(writer)

    def _label(self, properties: Element | None, style: Style) -> str:
        """Count the paragraph in its list; its label, or nothing where it has no list."""
        number, depth = number_of(properties)
        if number is None:
            number, depth = style.number, style.depth if depth is None else depth
        if number is None or number == "0":
            return ""
        named = None if properties is None else properties.find(W + "pStyle")
        return self.document.numbering.label(number, depth, "" if named is None else named.get(_VALUE, ""))

    def _heading_level(self, properties: Element | None, style: Style) -> int:
        """The level of a heading from 1; 0 for what is none."""
        stated = outline_level(properties)
        return (style.level if stated is None else stated) or int(style.title)

    def _qualify(self, style: Style, level: int, start: int, text: str, writer: TextWriter) -> None:
        """Say what the paragraph that was just written is."""
        if level:
            left = len(text) - len(text.lstrip())
            writer.heading(start + left, level, end=start + len(text.rstrip()))
        if style.title:
            writer.role(start, "title")
        elif style.role is not None:
            writer.role(start, style.role)

    def _inline(self, container: Element, writer: TextWriter, *, hidden: bool) -> None:
        """Read the runs in `container`; `hidden` says that its paragraph is hidden as a whole already."""
        for element in container:
            tag = element.tag
            if tag == _RUN:
                self._run(element, writer, hidden=hidden)
            elif tag in _WRAPPERS:
                self._inline(element, writer, hidden=hidden)
            elif tag in _CONTAINERS:
                _CONTAINERS[tag](self, element, writer, hidden)

    def _hyperlink(self, element: Element, writer: TextWriter, hidden: bool) -> None:
        start = writer.length
        self._inline(element, writer, hidden=hidden)
        relation = self.relationships.get(element.get(R + "id", ""))
        address = "" if relation is None else relation.target
        anchor = element.get(W + "anchor") or element.get(W + "docLocation", "")
        writer.link(start, f"{address}#{anchor}" if anchor else address)

    def _simple_field(self, element: Element, writer: TextWriter, hidden: bool) -> None:
        start = writer.length
        self._inline(element, writer, hidden=hidden)
        instruction = element.get(W + "instr", "")
        if writer.length == start:
            show(instruction, writer)
        else:
            writer.link(start, target_of(instruction))

    def _formula(self, element: Element, writer: TextWriter, hidden: bool) -> None:  # noqa: ARG002
        """Write a formula where it stands in its sentence."""
        if not self._fields.in_instruction:
            start = writer.length
            writer.write(linear(element).translate(_LINE_BREAKS))
            writer.role(start, "formula")

    def _displayed(self, element: Element, writer: TextWriter, hidden: bool) -> None:
        """Write formulas that are displayed, each as a line between what stands around it."""
        for formula in element.iterchildren(M + "oMath"):
            if writer.length > self._begun and not writer.at_line_start:
                writer.write("\n")
            self._formula(formula, writer, hidden)
        around = islice(element.itersiblings(), _LOOKED_AT)
        if any(next(one.iter(_TEXT, M + "t"), None) is not None for one in around):
            writer.write("\n")

    def _alternatives(self, element: Element, writer: TextWriter, hidden: bool) -> None:
        choice = chosen(element)
        if choice is not None:
            self._inline(choice, writer, hidden=hidden)

    def _run(self, element: Element, writer: TextWriter, *, hidden: bool) -> None:
        start = writer.length
        set_as = self._style.face
        signs = set_as.ascii or set_as.others
        write, properties, raised = writer.write, None, False
        for child in element:
            tag = child.tag
            if tag == _TEXT:
                if not self._fields.in_instruction:
                    text = child.text or ""
                    if signs:
                        text = set_as.shown(text)
                    write(text.translate(_LINE_BREAKS) if "\n" in text or "\r" in text else text)
            elif tag == _RUN_PROPERTIES:
                properties = child
                vanishes, said = self._said(child)
                hidden = hidden or vanishes
                raised = bool(said.raised or (said.rise and self._raises(said.rise, said.size)))
                write = writer.write_raised if raised else write
                if signs or said.ascii or said.others:
                    set_as = said.over(set_as)
                    signs = set_as.ascii or set_as.others
            elif tag in _SIGNS:
                if not self._fields.in_instruction:
                    writer.write(_SIGNS[tag])
            elif tag in _FLOATING:
                self._floating.collect(child, hidden=hidden)
            else:
                self._rare(child, writer, hidden=hidden)
        if not raised:
            self._before = properties
        if hidden:
            writer.hide(start)

    def _rare(self, child: Element, writer: TextWriter, *, hidden: bool) -> None:
        """Read what few runs hold."""
        tag = child.tag
        if tag == W + "fldChar":
            self._fields.mark(child.get(W + "fldCharType", ""), writer, child.find(W + "ffData"))
        elif tag in _NOTE_NUMBERS:
            writer.write(self.mark)
        elif tag == W + "instrText":
            self._fields.instruct(child.text or "")
        elif tag == W + "sym":
            if not self._fields.in_instruction:
                code = child.get(W + "char", "")
                writer.write(symbol(child.get(W + "font", ""), int(code, 16) if _HEX.fullmatch(code) else 0))
        elif tag == W + "ruby":
            base, reading = child.find(W + "rubyBase"), child.find(W + "rt")
            if base is not None:
                mark = writer.mark()
                self._inline(base, writer, hidden=hidden)
                writer.ruby(writer.since(mark), "".join(_texts(reading)))
        elif tag == _ALTERNATIVES and (choice := chosen(child)) is not None:
            self._run(choice, writer, hidden=hidden)

    def _said(self, properties: Element) -> tuple[bool, Face]:
        """Whether a run is hidden, and how it is set, by itself and by its style."""
        said, named = face(properties), next(properties.iterchildren(_STYLE), None)
        vanishes = is_on(properties, _VANISH)
        if named is not None:
            style = self.document.styles.get(named.get(_VALUE, ""))
            said = said.over(style.face)
            vanishes = vanishes or (style.hidden and properties.find(_VANISH) is None)
        return vanishes, said

    def _raises(self, rise: int, size: int) -> bool:
        """Whether a run that is moved by `rise` stands raised: it is moved up and smaller."""
        before = Face() if self._before is None else self._said(self._before)[1]
        usual = self._style.face.over(self.document.styles.face).size
        return stands_raised(rise, size or usual, before.size or usual)


def _goes_on(paragraph: Element) -> bool:
    """Whether the end of a paragraph was deleted or moved, or it is the large first letter of the next."""
    frame = paragraph.find(f"{_PARAGRAPH_PROPERTIES}/{W}framePr")
    if frame is not None and frame.get(W + "dropCap", "none") != "none":
        return True
    properties = paragraph.find(f"{_PARAGRAPH_PROPERTIES}/{_RUN_PROPERTIES}")
    return properties is not None and any(
        properties.find(W + name) is not None for name in ("del", "moveFrom")
    )


def _texts(element: Element | None) -> Iterator[str]:
    for text in () if element is None else element.iter(_TEXT):
        yield text.text or ""


_CONTAINERS: Final[dict[str, Callable[[Story, Element, TextWriter, bool], None]]] = {
    W + "hyperlink": Story._hyperlink,  # noqa: SLF001
    W + "fldSimple": Story._simple_field,  # noqa: SLF001
    M + "oMath": Story._formula,  # noqa: SLF001
    M + "oMathPara": Story._displayed,  # noqa: SLF001
    _ALTERNATIVES: Story._alternatives,  # noqa: SLF001
}
