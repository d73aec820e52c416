"""The PDF chunker, version 2: whole paragraphs and tables in reading order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from indx_chunker_layout.settings import MAX_CHARS
from indx_core.ports import PORT_VERSION, ChunkDraft, ChunkerDeclaration, DocumentReading, Session

__all__ = ["LayoutChunker", "chunker"]

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


class LayoutChunker:
    """Cuts pages whose lines have places; asked only where a request or the deployment names it."""

    port_version = PORT_VERSION
    declaration = ChunkerDeclaration(
        id="pdf",
        version=2,
        default=False,
        media_types=MEDIA_TYPES,
        summary="a paragraph or a table of a page, in reading order, with its box and what it is",
        rank=20,
    )

    def chunk(
        self,
        document: DocumentReading,
        session: Session | None,  # noqa: ARG002  nothing is rendered
        pages: Sequence[int],
    ) -> Mapping[int, Sequence[ChunkDraft]]:
        """Drafts of pages with line boxes; no answer for other pages, nor for unread ones.

        Raises:
            ConfigurationError: INDX_CHUNK_LAYOUT_MAX_CHARS is not a positive whole number.
        """
        max_chars = MAX_CHARS.get()
        if document.media_type not in self.declaration.media_types:
            return {}
        from indx_chunker_layout._cut import cut
        from indx_core.headings import sections_at

        sections = sections_at(document, pages)
        readings = ((page, document.pages[page]) for page in pages)
        return {
            page: cut(reading, sections[page], max_chars)
            for page, reading in readings
            if reading.reason is None and reading.boxes is not None
        }


def chunker() -> LayoutChunker:
    """The PDF chunker, version 2."""
    return LayoutChunker()
