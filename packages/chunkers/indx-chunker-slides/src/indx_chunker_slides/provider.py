"""The slides chunker: what a slide says, its tables, and what its speaker says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from indx_core.ports import PORT_VERSION, ChunkDraft, ChunkerDeclaration, DocumentReading, Session

__all__ = ["SlidesChunker", "chunker"]


class SlidesChunker:
    """Cuts the slides of presentations."""

    port_version = PORT_VERSION
    declaration = ChunkerDeclaration(
        id="slides",
        version=1,
        default=True,
        media_types=(
            "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
            "application/vnd.openxmlformats-officedocument.presentationml.template",
            "application/vnd.ms-powerpoint",
            "application/vnd.ms-powerpoint.presentation.macroenabled.12",
            "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
            "application/vnd.ms-powerpoint.template.macroenabled.12",
            "application/vnd.oasis.opendocument.presentation",
            "application/vnd.oasis.opendocument.presentation-flat-xml",
            "application/vnd.oasis.opendocument.presentation-template",
        ),
        summary="the text of a slide, or one of its tables, or its speaker notes",
        rank=20,
    )

    def chunk(
        self,
        document: DocumentReading,
        session: Session | None,  # noqa: ARG002  nothing is rendered
        pages: Sequence[int],
    ) -> Mapping[int, Sequence[ChunkDraft]]:
        """Cut those of `pages` that were read."""
        from indx_chunker_slides._v1 import cut

        readings = ((page, document.pages[page]) for page in pages)
        return {page: cut(reading) for page, reading in readings if reading.reason is None}


def chunker() -> SlidesChunker:
    """The slides chunker, version 1."""
    return SlidesChunker()
