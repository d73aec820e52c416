"""One open HTML document: one page, parsed once, whoever asks for it first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from indx_core.errors import SourceError
from indx_core.ports import Member, Observation, PageEvidence, Raster, SourceContent
from indx_format_html import read_html

if TYPE_CHECKING:
    from indx_format_html import HtmlDocument

__all__ = ["HtmlSession"]

_WHITE: Final = re.compile(r"\s+")


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
            "tables": len(document.tables),
            "headings": len(document.headings),
            "images": document.images,
            "hidden parts": len(document.hidden),
        }
        facts = {noun.replace(" ", "_"): f"{count} {noun}" for noun, count in counts.items() if count}
        if not self.source.size:
            facts["empty"] = "the file is empty: it holds no bytes"
        return Observation(self.media_type, (PageEvidence(1, characters, images=document.images),), facts)

    def render(self, page: int, *, dpi: int, max_pixels: int, pixels: bool = True) -> Raster | None:  # noqa: ARG002
        """Nothing: no browser runs here."""
        return None

    def members(self) -> Iterator[Member]:
        """Nothing is inside an HTML document; what it names is not fetched."""
        return iter(())

    def close(self) -> None:
        """Forget what was read; calling it again does nothing."""
        self._document = None
