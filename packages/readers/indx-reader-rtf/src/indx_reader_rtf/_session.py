"""An open Rich Text document: one page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from indx_core.errors import SourceError
from indx_core.ports import Member, PageEvidence, PageReading
from indx_core.text import counted
from indx_format_html import read_html
from indx_format_office.objects import described, members_of, passed_on
from indx_format_office.rtf import read_rtf, wrapped_html
from indx_format_office.session import PagedSession, text_characters

__all__ = ["RtfSession"]


class RtfSession(PagedSession):
    """A Rich Text document, read when it is opened."""

    def _open(self) -> int:
        data = self.source.read()
        self._images = 0
        self._properties: dict[str, str] = {}
        self._objects: list[bytes] = []
        if not data[:64].lstrip().startswith(b"{\\rtf"):
            raise SourceError(
                "the file is no Rich Text: it does not begin with {\\rtf; check that it is whole"
            )
        html = wrapped_html(data)
        if html is not None:
            document = read_html(html, with_title=False)
            self._whole, self._images = document.reading(), document.images
        else:
            read = read_rtf(data)
            self._whole, self._images = read.writer.page(1), read.images
            self._properties, self._objects = read.properties, read.objects
        return 1

    def _read(self, page: int) -> PageReading:  # noqa: ARG002  there is one
        return self._whole

    def _described(self, page: int) -> Mapping[str, Any]:  # noqa: ARG002  there is one
        facts: dict[str, Any] = {"properties": self._properties, "members": described(self.members())}
        return {name: fact for name, fact in facts.items() if fact}

    def members(self) -> Iterator[Member]:
        """The documents embedded in this one."""
        return members_of(self._objects, passed_on)

    def _evidence(self, page: int, reading: PageReading) -> PageEvidence:
        return PageEvidence(page, text_characters(reading), images=self._images)

    def _facts(self) -> Mapping[str, str]:
        reading = self.reading(1)
        found = {"table": len(reading.tables), "heading": len(reading.headings), "image": self._images}
        return {f"{noun}s": counted(count, noun) for noun, count in found.items() if count}
