"""A Word document as a whole: its stories one after the other, and what they share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Final

from indx_core.ports import Role
from indx_format_office import Package, TextWriter
from indx_format_office.names import R, W
from indx_reader_word._notes import author, marks
from indx_reader_word._numbering import Numbering
from indx_reader_word._story import Story
from indx_reader_word._styles import Styles

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = ["Document"]

_NOTES: Final[tuple[tuple[str, str, Role], ...]] = (
    ("footnotes", W + "footnote", "footnote"),
    ("endnotes", W + "endnote", "endnote"),
    ("comments", W + "comment", "comment"),
)
_MARGINS: Final[tuple[tuple[str, Role], ...]] = (
    (W + "headerReference", "header"),
    (W + "footerReference", "footer"),
)


class Document:
    """Reads a document's body, then its notes, comments, headers and footers.

    Attributes:
        package: The open package.
        part: Parses a part that the document can do without; None when it is damaged.
        styles: The styles.
        images: How many pictures have been met.
        cells: How many cells of tables have been read.
    """

    def __init__(self, package: Package, part: Callable[[str], Element | None]) -> None:
        """Take the parts that all stories need."""
        self.package = package
        self.part = part
        self.images = 0
        self.cells = 0
        self.styles = Styles(self._shared("styles"))

    @cached_property
    def numbering(self) -> Numbering:
        """The lists: most documents bring them and have none."""
        return Numbering(self._shared("numbering"))

    def _shared(self, kind: str) -> Element | None:
        for relation in self.package.related(self.package.main, kind):
            return self.part(relation.part or "")
        return None

    def read(self, root: Element) -> TextWriter:
        """The text of the document whose main part is `root`."""
        writer = TextWriter()
        body = root.find(W + "body")
        if body is None:
            return writer
        Story(self, self.package.main).blocks(body, writer)
        for kind, tag, role in _NOTES:
            self._read_notes(body, (kind, tag, role), writer)
        for tag, role in _MARGINS:
            self._read_margins(body, tag, role, writer)
        return writer

    def _read_notes(self, body: Element, sort: tuple[str, str, Role], writer: TextWriter) -> None:
        kind, tag, role = sort
        for relation in self.package.related(self.package.main, kind):
            part = relation.part or ""
            root = self.part(part)
            if root is None:
                continue
            story = Story(self, part)
            shown = {} if role == "comment" else marks(body, self._shared("settings"), role)
            for note in root.iterchildren(tag):
                if note.get(W + "type", "normal") == "normal":
                    story.mark = shown.get(note.get(W + "id", ""), "")
                    story.lead = author(note) if role == "comment" else ""
                    with writer.block() as start:
                        story.blocks(note, writer)
                        writer.role(start, role)

    def _read_margins(self, body: Element, tag: str, role: Role, writer: TextWriter) -> None:
        """Headers or footers in the order in which sections ask for them; equal ones once."""
        relationships = self.package.relationships(self.package.main)
        parts: dict[str, None] = {}
        for reference in body.iter(tag):
            relation = relationships.get(reference.get(R + "id", ""))
            if relation is not None and relation.part is not None and relation.part in self.package:
                parts.setdefault(relation.part)
        seen: set[str] = set()
        for part in parts:
            root = self.part(part)
            if root is None:
                continue
            text = TextWriter()
            Story(self, part).blocks(root, text)
            if text.text().strip() and text.text() not in seen:
                seen.add(text.text())
                start = writer.start_line()
                writer.append(text)
                writer.role(start, role)
