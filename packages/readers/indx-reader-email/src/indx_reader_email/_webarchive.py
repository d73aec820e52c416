"""A web page saved with all it shows: written as mail is (MHTML), or by Safari; read as the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from indx_core.errors import SourceError
from indx_core.ports import Member, Observation, PageEvidence, PageReading, Raster, SourceContent
from indx_format_html import HtmlDocument, read_html
from indx_format_html.joining import Joined
from indx_reader_email._body import contents_of, root_of
from indx_reader_email._headers import header_text
from indx_reader_email._mime import Part, Raw, as_bytes, parse
from indx_reader_email._safari import BEGINNING, parts_of
from indx_reader_email._session import MAX_MEMBERS

__all__ = ["WebArchiveSession"]

HTML: Final = ("text/html", "application/xhtml+xml")
_AS_IT_IS: Final = ("7bit", "8bit", "binary")
_WHITE: Final = re.compile(r"\s+")


class WebArchiveSession:
    """An open web page with its resources, of which only what is attached is a document of its own."""

    page_count = 1

    def __init__(self, source: SourceContent) -> None:
        """Open `source`.

        Raises:
            SourceError: `source_unreadable`, there is no page in it.
            InputTooLarge: It has more parts than a message may have.
        """
        self.source = source
        self.media_type = source.media_type
        data = source.read()
        listed = data.startswith(BEGINNING)
        self._raw = Raw(b"", False) if listed else as_bytes(data)
        self._root = parts_of(data) if listed else parse(self._raw.data)
        self._pages = _pages(self._root)
        if not self._pages:
            raise SourceError("no web archive: none of its parts is HTML; check what the file is")
        self._members = [one for one in contents_of(self._root, []).attachments if _is_attached(one.part)]
        self._reading: PageReading | None = None
        self._images = 0

    def reading(self) -> PageReading:
        """The page, put together once; pages in its frames follow it."""
        if self._reading is None:
            documents = [self._document(part) for part in self._pages]
            self._images = sum(document.images for document in documents)
            facts = documents[0].metadata() | self._facts()
            joined, seen = Joined(), set[str]()
            for document in documents:
                if document.text not in seen:
                    joined.add(document)
                    seen.add(document.text)
            self._reading = joined.reading(1, metadata=facts)
            self._reading.confidence = documents[0].reading().confidence
        return self._reading

    def _document(self, part: Part) -> HtmlDocument:
        charset = part.parameter("charset")
        if self._raw.recoded and part.transfer_encoding in _AS_IT_IS:
            charset = "utf-8"
        return read_html(part.content(), charset=charset, media_type=part.media_type)

    def _facts(self) -> dict[str, Any]:
        """Where the page was saved from, and what is attached to it."""
        notes: list[str] = []
        fields = (
            header_text(self._root.header, "snapshot-content-location", notes),
            header_text(self._pages[0].header, "content-location", notes),
        )
        facts: dict[str, Any] = {
            "location": next(filter(None, fields), ""),
            "members": [
                {"name": one.name, "media_type": one.media_type, "size": len(one.part.content())}
                for one in self._members[:MAX_MEMBERS]
            ],
            "members_left_out": max(0, len(self._members) - MAX_MEMBERS),
        }
        return {name: value for name, value in facts.items() if value}

    def observe(self) -> Observation:
        """How much text there is, which reads the page."""
        reading = self.reading()
        count = len(reading.tables)
        evidence = PageEvidence(1, len(_WHITE.sub("", reading.text)), images=self._images)
        return Observation(self.media_type, (evidence,), {"tables": f"{count} tables"} if count else {})

    def render(self, page: int, *, dpi: int, max_pixels: int, pixels: bool = True) -> Raster | None:  # noqa: ARG002
        """Nothing: no browser runs here."""
        return None

    def members(self) -> Iterator[Member]:
        """What is attached: pictures, styles and scripts of the page are not."""
        for one in self._members[:MAX_MEMBERS]:
            yield one.member()
        left = len(self._members) - MAX_MEMBERS
        if left > 0:
            reason = f"{left:,} more parts are left inside: {MAX_MEMBERS:,} are taken out of one archive"
            yield Member(f"attachment-{MAX_MEMBERS + 1}", None, b"", reason)

    def close(self) -> None:
        """Forget what was read; calling it again does nothing."""
        self._reading = None


def _is_attached(part: Part) -> bool:
    return part.disposition == "attachment"


def _pages(root: Part) -> list[Part]:
    """The parts that are HTML, the page itself first."""
    found: list[Part] = []
    waiting = [root]
    while waiting:
        part = waiting.pop()
        if part.media_type in HTML and not _is_attached(part):
            found.append(part)
        children = list(part.children)
        if part.media_type == "multipart/related" and children:
            main = root_of(part)
            children.sort(key=lambda child: child is not main)
        waiting += reversed(children)
    return found
