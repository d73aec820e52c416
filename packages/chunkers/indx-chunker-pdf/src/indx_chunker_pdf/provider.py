"""The PDF chunker, version 1: paragraphs with boxes, and one image for a page nothing could read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from indx_chunker_pdf.settings import CHUNK_DPI
from indx_core.ports import PORT_VERSION, ChunkDraft, ChunkerDeclaration, DocumentReading, Session

if TYPE_CHECKING:
    from indx_core.ports import PageReading

__all__ = ["PdfChunker", "chunker"]

MEDIA_TYPES: Final = (
    "application/pdf",
    "image/bmp",
    "image/gif",
    "image/jpeg",
    "image/png",
    "image/tiff",
    "image/webp",
)
"""What has pages that are drawn; an image that was recognised has lines with places as a PDF page has."""
_MOST_PIXELS: Final = 178_956_970  # what image libraries take for the largest honest picture


class PdfChunker:
    """Cuts pages whose lines have places into merged paragraphs of at most about 1200 characters."""

    port_version = PORT_VERSION
    declaration = ChunkerDeclaration(
        id="pdf",
        version=1,
        default=True,
        media_types=MEDIA_TYPES,
        summary="paragraphs of a page, merged, with their box; an image of a page that nothing could read",
        rank=20,
    )

    def chunk(
        self, document: DocumentReading, session: Session | None, pages: Sequence[int]
    ) -> Mapping[int, Sequence[ChunkDraft]]:
        """Drafts of pages with line boxes, and of unread pages; no answer for other pages.

        Raises:
            ConfigurationError: INDX_CHUNK_DPI is not a positive whole number.
        """
        dpi = CHUNK_DPI.get()
        if document.media_type not in self.declaration.media_types:
            return {}
        from indx_chunker_pdf._paragraphs import cut
        from indx_core.headings import sections_at

        sections = sections_at(document, pages)
        answer: dict[int, Sequence[ChunkDraft]] = {}
        for page in pages:
            reading = document.pages[page]
            if reading.reason is not None:
                drawn = _drawn(reading, session, dpi)
                if drawn is not None:
                    answer[page] = [drawn]
            elif reading.boxes is not None:
                answer[page] = cut(reading, sections[page])
        return answer


def _drawn(reading: PageReading, session: Session | None, dpi: int) -> ChunkDraft | None:
    """The page as one image chunk; None when it cannot be drawn."""
    if session is None:
        return None
    image = session.render(reading.page, dpi=dpi, max_pixels=_MOST_PIXELS)
    return None if image is None else ChunkDraft(None, image, box_reason="no_geometry")


def chunker() -> PdfChunker:
    """The PDF chunker, version 1."""
    return PdfChunker()
