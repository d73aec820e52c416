"""One document as LibreOffice draws it: the pages of a PDF under the document's own media type."""

from __future__ import annotations

from collections.abc import Iterator

from indx_core.deadline import Deadline
from indx_core.ports import Member, Observation, PageEvidence, Raster, SourceContent
from indx_format_pdf import PageContent, PdfDocument
from indx_reader_libreoffice._converting import convert

__all__ = ["ConvertedSession"]


class ConvertedSession:
    """A session over a converted document.

    Args:
        source: The document.
        deadline: The time its conversion has beside its own; by default none.

    Attributes:
        media_type: That of the document, not of the PDF.
        source: What it was opened from.
        document: The PDF.
        page_count: How many pages it has.
    """

    def __init__(self, source: SourceContent, deadline: Deadline | None = None) -> None:
        """Convert it, and open what comes of it."""
        self.media_type = source.media_type
        self.source = source
        self.document = PdfDocument(convert(source, deadline=deadline or Deadline()))
        self.page_count = self.document.page_count

    def observe(self) -> Observation:
        """What stands on each page."""
        pages = tuple(_evidence(self.document.page(number)) for number in range(1, self.page_count + 1))
        facts = {"converted": "LibreOffice drew the pages; places on them are those of its drawing"}
        return Observation(self.media_type, pages, facts)

    def render(self, page: int, *, dpi: int, max_pixels: int, pixels: bool = True) -> Raster | None:
        """The page as drawn; None when it would have more than `max_pixels`."""
        return self.document.render(page, dpi=dpi, max_pixels=max_pixels, pixels=pixels)

    def members(self) -> Iterator[Member]:
        """None: what is embedded is drawn, and not taken out."""
        return iter(())

    def close(self) -> None:
        """Close the PDF."""
        self.document.close()


def _evidence(page: PageContent) -> PageEvidence:
    return PageEvidence(page.number, page.characters, page.image_share, page.images, plausible=page.plausible)
