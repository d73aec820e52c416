"""Reads one slide or drawing: its shapes at any depth, each with its place, then comments and notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from indx_core.ports import Role
from indx_format_office import TextWriter
from indx_reader_opendocument._names import DRAW, OFFICE, PRESENTATION, XLINK
from indx_reader_opendocument._places import place_on
from indx_reader_opendocument._shapes import GROUPS, SHAPES, is_hidden, write_content
from indx_reader_opendocument._story import Document, Story

if TYPE_CHECKING:
    from indx_format_office.container import Element

__all__ = ["Slide"]

_MARGINS: Final[dict[str, Role]] = {
    "footer": "footer",
    "date-time": "footer",
    "page-number": "footer",
    "header": "header",
}
_MOST_DEEP: Final = 50


class Slide:
    """One page of a presentation or a drawing.

    Attributes:
        writer: What has been read.
        hidden: Whether the presentation skips it.
        image_share: The part of it that pictures cover, overlaps counted twice, at most 1.
    """

    def __init__(self, document: Document, page: Element) -> None:
        """Read `page`."""
        self.writer = TextWriter()
        self.image_share = 0.0
        self._document = document
        self._size = document.styles.page_size(page.get(DRAW + "master-page-name", ""))
        self.hidden = document.styles.hides_slide(page.get(DRAW + "style-name", ""))
        shapes = list(_flat(page))
        for titles in (True, False):
            for shape, target in shapes:
                if (shape.get(PRESENTATION + "class") == "title") == titles:
                    self._shape(shape, target)
        for comment in page.iterchildren(OFFICE + "annotation"):
            document.notes.append(("comment", comment))
        self.writer.place(None)
        document.write_notes(self.writer)
        for notes in page.iterchildren(PRESENTATION + "notes"):
            for shape, _ in _flat(notes):
                if shape.get(PRESENTATION + "class", "notes") not in _MARGINS:
                    self._aside(shape)
        if self.hidden:
            self.writer.hide(0)

    def _shape(self, shape: Element, target: str) -> None:
        kind = shape.get(PRESENTATION + "class", "")
        box = None if self._size is None else place_on(shape, self._size)
        with self.writer.block() as start:
            self.writer.place(box)
            images = self._document.images
            role = write_content(Story(self._document), shape, self.writer)
            if self._document.images > images and box is not None:
                self.image_share = min(1.0, self.image_share + (box[2] - box[0]) * (box[3] - box[1]))
            if (found := _MARGINS.get(kind) or role) is not None:
                self.writer.role(start, found)
            if kind == "title":
                self.writer.heading(start, 1)
            self.writer.link(start, target)
            if is_hidden(shape):
                self.writer.hide(start)

    def _aside(self, shape: Element) -> None:
        with self.writer.block() as start:
            self.writer.place(None)
            write_content(Story(self._document), shape, self.writer)
            self.writer.role(start, "notes")


def _flat(holder: Element, target: str = "", depth: int = 0) -> Iterator[tuple[Element, str]]:
    """The shapes of a page with groups looked through, and where a click on each leads."""
    for element in holder:
        if element.tag in GROUPS:
            if depth < _MOST_DEEP:
                yield from _flat(element, element.get(XLINK + "href", target), depth + 1)
        elif element.tag in SHAPES and element.get(PRESENTATION + "placeholder") != "true":
            yield element, target
