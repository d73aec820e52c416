"""An open book: one page, its documents one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from indx_core.errors import SourceError
from indx_core.ports import PageEvidence, PageReading
from indx_core.text import counted
from indx_format_html import HtmlDocument, read_html
from indx_format_html.joining import Joined
from indx_format_office.session import PagedSession, refuse_empty, text_characters
from indx_reader_epub._package import Book, Chapter

if TYPE_CHECKING:
    from indx_core.ports import SourceContent

__all__ = ["EpubSession"]

_XHTML: Final = "application/xhtml+xml"
_NOISE: Final = 20


class EpubSession(PagedSession):
    """A book, whose package is parsed when it is opened, its documents when they are first read."""

    def __init__(self, source: SourceContent) -> None:
        """Open `source`, under the rules of `PagedSession`."""
        refuse_empty(source)
        self._book = Book(source)
        super().__init__(source)

    def _open(self) -> int:
        self._images = 0
        return 1

    def _read(self, page: int) -> PageReading:
        text = Joined()
        for chapter in self._book.chapters:
            document = self._document(chapter)
            if document is not None:
                text.add(document)
                self._images += document.images
        return text.reading(page)

    def _document(self, chapter: Chapter) -> HtmlDocument | None:
        """A document as read; None, and noted, when it cannot be. Of pictures only drawings hold text."""
        self._images += chapter.is_picture
        if chapter.is_picture and not chapter.is_drawing:
            return None
        try:
            if not (chapter.is_text or chapter.is_drawing):
                raise SourceError(f"the part is no page of a book but {chapter.media_type or 'of no type'}")
            document = read_html(
                self._book.read(chapter),
                media_type="text/html" if chapter.is_drawing or chapter.media_type == "text/html" else _XHTML,
                with_title=False,
                linked=lambda address: self._book.sheet(chapter, address),
            )
            if _is_noise(document):
                raise SourceError("the part is no text: it is locked or damaged", code="source_encrypted")
        except SourceError as error:
            self.unread[chapter.name or "a document without a name"] = error.message
            return None
        return document

    def _described(self, page: int) -> Mapping[str, Any]:  # noqa: ARG002  there is one
        properties = self._book.properties()
        return {"properties": properties} if properties else {}

    def _evidence(self, page: int, reading: PageReading) -> PageEvidence:
        return PageEvidence(page, text_characters(reading), images=self._images)

    def _facts(self) -> Mapping[str, str]:
        reading = self.reading(1)
        found = {"document": len(self._book.chapters), "heading": len(reading.headings)}
        found |= {"table": len(reading.tables), "image": self._images}
        return {f"{noun}s": counted(count, noun) for noun, count in found.items() if count}

    def close(self) -> None:
        """Release the source; calling it again does nothing."""
        self._book.close()
        super().close()


def _is_noise(document: HtmlDocument) -> bool:
    """Whether more than one character in twenty is none, as in a part that a shop has locked."""
    unprintable = document.text.count("\ufffd") + document.controls
    return _NOISE * unprintable > len(document.text) + document.controls
