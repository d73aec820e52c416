"""One open HTML document: one page, parsed once, whoever asks for it first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from indx_core.errors import SourceError
from indx_core.ports import Member, Observation, PageEvidence, PageReading, Raster, SourceContent
from indx_core.text import counted
from indx_format_html import read_html

if TYPE_CHECKING:
    from indx_format_html import HtmlDocument

__all__ = ["HtmlSession"]

_WHITE: Final = re.compile(r"\s+")
_SCRIPT: Final = re.compile(rb"<script\b", re.IGNORECASE)


class HtmlSession:
    """An open HTML document."""

    page_count = 1

    def __init__(self, source: SourceContent) -> None:
        """Open `source`; it is parsed when it is first looked at."""
        self.source = source
        self.media_type = source.media_type
        self._document: HtmlDocument | None = None

    def document(self) -> HtmlDocument:
        """The document, read once.

        Raises:
            SourceError: `source_unreadable`, the bytes are no text.
            InputTooLarge: It has more tags than a document may have.
        """
        if self._document is None:
            document = read_html(self.source.read(), charset=self.source.charset, media_type=self.media_type)
            unprintable = document.text.count("\ufffd") + document.controls
            if 2 * unprintable > len(document.text) + document.controls:
                raise SourceError(
                    f"no HTML: in {document.encoding} most of it cannot be printed; check what the file is"
                )
            self._document = document
        return self._document

    def observe(self) -> Observation:
        """How much there is, which reads it: a later read answers from what was found."""
        document = self.document()
        characters = len(_WHITE.sub("", document.text))
        counts = {
            "table": len(document.tables),
            "heading": len(document.headings),
            "image": document.images,
            "hidden part": len(document.hidden),
        }
        facts = {
            f"{noun.replace(' ', '_')}s": counted(count, noun) for noun, count in counts.items() if count
        }
        if emptiness := self._emptiness():
            facts["empty"] = f"the file is empty: {emptiness}" if not self.source.size else emptiness
        return Observation(self.media_type, (PageEvidence(1, characters, images=document.images),), facts)

    def reading(self, page: int) -> PageReading:
        """The document as a page; one that shows no text says why in its metadata."""
        reading = self.document().reading(page)
        if emptiness := self._emptiness():
            reading.metadata = {**(reading.metadata or {}), "empty": emptiness}
        return reading

    def _emptiness(self) -> str:
        """Why the document shows no text; empty where it shows some."""
        if not self.source.size:
            return "it holds no bytes"
        document = self.document()
        shown, position = "", 0
        for start, end in document.hidden:
            shown += document.text[position:start].strip()
            position = max(position, end)
        if shown or document.text[position:].strip():
            return ""
        scripted = _SCRIPT.search(self.source.read())
        return "it shows no text" + ("; what its scripts add is not read" if scripted else "")

    def render(self, page: int, *, dpi: int, max_pixels: int, pixels: bool = True) -> Raster | None:  # noqa: ARG002
        """Nothing: no browser runs here."""
        return None

    def members(self) -> Iterator[Member]:
        """Nothing is inside an HTML document; what it names is not fetched."""
        return iter(())

    def close(self) -> None:
        """Forget what was read; calling it again does nothing."""
        self._document = None
