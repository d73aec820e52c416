"""What this distribution provides: the chunker that cuts any text by tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from indx_core.errors import ConfigurationError
from indx_core.ports import (
    PORT_VERSION,
    ChunkDraft,
    Chunker,
    ChunkerDeclaration,
    DocumentReading,
    Session,
)

__all__ = ["TextChunker", "chunker"]


class TextChunker:
    """Cuts every readable page that nobody before it has answered."""

    port_version = PORT_VERSION
    declaration = ChunkerDeclaration(
        id="text",
        version=1,
        default=True,
        media_types=(),
        summary="a run of text of so many tokens, ending with a paragraph, line or sentence",
        rank=60,
    )

    def chunk(
        self,
        document: DocumentReading,
        session: Session | None,  # noqa: ARG002  nothing is rendered
        pages: Sequence[int],
    ) -> Mapping[int, Sequence[ChunkDraft]]:
        """Cut every page that was read.

        Raises:
            ConfigurationError: `invalid_setting`, a setting is no such number, or the overlap does not
                leave room for new text.
        """
        from indx_chunker_text._text import cut_page
        from indx_chunker_text.settings import MAX_TOKENS, OVERLAP_TOKENS

        limit, overlap = MAX_TOKENS.get(), OVERLAP_TOKENS.get()
        if overlap >= limit:
            raise ConfigurationError(
                f"{OVERLAP_TOKENS.name}: {overlap} is not below {MAX_TOKENS.name}, which is {limit}; "
                "a chunk must bring new text",
                code="invalid_setting",
            )
        readings = ((page, document.pages[page]) for page in pages)
        return {
            page: cut_page(reading, limit, overlap) for page, reading in readings if reading.reason is None
        }


def chunker() -> Chunker:
    """`text`, version 1."""
    return TextChunker()
