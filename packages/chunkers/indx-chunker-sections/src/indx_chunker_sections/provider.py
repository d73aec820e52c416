"""What this distribution provides: the chunker that cuts by headings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from indx_core.ports import (
    PORT_VERSION,
    ChunkDraft,
    Chunker,
    ChunkerDeclaration,
    DocumentReading,
    PageReading,
    Session,
)

__all__ = ["SectionChunker", "chunker"]

_SECTIONED = frozenset((
    "application/epub+zip",
    "application/msword",
    "application/rtf",
    "application/vnd.ms-outlook",
    "application/vnd.ms-word.document.macroenabled.12",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.text-flat-xml",
    "application/vnd.oasis.opendocument.text-template",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
    "application/x-ipynb+json",
    "application/xhtml+xml",
    "message/rfc822",
    "multipart/related",
    "text/asciidoc",
    "text/html",
    "text/markdown",
    "text/x-markdown",
    "text/x-org",
    "text/x-rst",
    "text/x-tex",
))  # fmt: skip
"""Types that are cut even where a page has no heading."""


_MARKDOWN = ("text/markdown", "text/x-markdown", "application/x-ipynb+json")


class SectionChunker:
    """Cuts pages of sectioned formats, and every page that has headings, into sections."""

    port_version = PORT_VERSION
    declaration = ChunkerDeclaration(
        id="sections",
        version=1,
        default=True,
        media_types=(),
        summary="a section under its heading or a part of a long one; tables apart",
        rank=40,
    )

    def chunk(
        self,
        document: DocumentReading,
        session: Session | None,  # noqa: ARG002  nothing is rendered
        pages: Sequence[int],
    ) -> Mapping[int, Sequence[ChunkDraft]]:
        """Cut the pages that have headings or are of a sectioned type; leave the others.

        Raises:
            ConfigurationError: `invalid_setting`, INDX_CHUNK_SECTIONS_MAX_CHARS is no positive number.
        """
        from indx_chunker_sections._outline import plain_label, plain_tex
        from indx_chunker_sections._sections import cut_page
        from indx_chunker_sections.settings import MAX_CHARS

        limit = MAX_CHARS.get()
        plain = {"text/x-tex": plain_tex, **dict.fromkeys(_MARKDOWN, plain_label)}.get(document.media_type)
        sectioned = document.media_type in _SECTIONED
        return {
            page: cut_page(reading, limit, plain=plain)
            for page, reading in ((page, document.pages[page]) for page in pages)
            if _is_cut(reading, sectioned=sectioned)
        }


def _is_cut(reading: PageReading, *, sectioned: bool) -> bool:
    return reading.reason is None and (sectioned or bool(reading.headings))


def chunker() -> Chunker:
    """`sections`, version 1."""
    return SectionChunker()
