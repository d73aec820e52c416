"""An open Word document: one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from indx_core.ports import PageEvidence, PageReading
from indx_core.text import counted
from indx_format_office.session import OfficeSession, text_characters
from indx_reader_word._document import Document

if TYPE_CHECKING:
    from indx_format_office import Family
    from indx_format_office._xml import Element

__all__ = ["WordSession"]


class WordSession(OfficeSession):
    """A Word document, whose main part is parsed when it is opened and let go once it is read."""

    family: ClassVar[Family] = "word"
    _images = 0
    _root: Element | None = None

    def _open(self) -> int:
        self._root = self.package.parse(self.package.main)
        return 1

    def _read(self, page: int) -> PageReading:
        root = self.package.parse(self.package.main) if self._root is None else self._root
        document = Document(self.package, self.part)
        writer = document.read(root)
        self._images, self._root = document.images, None
        return writer.page(page)

    def _evidence(self, page: int, reading: PageReading) -> PageEvidence:
        return PageEvidence(page, text_characters(reading), images=self._images)

    def _facts(self) -> Mapping[str, str]:
        reading = self.reading(1)
        found = {"table": len(reading.tables), "heading": len(reading.headings), "image": self._images}
        return {f"{noun}s": counted(count, noun) for noun, count in found.items() if count}

    def _parts_of(self, page: int) -> Sequence[str]:  # noqa: ARG002  there is one
        notes = self.package.related(self.package.main, "header", "footer", "footnotes", "endnotes")
        return (self.package.main, *(relation.part or "" for relation in notes))
