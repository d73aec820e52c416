"""Cuts Markdown, HTML, Word and mail by their headings."""

from __future__ import annotations

from indx_chunker_sections.provider import SectionChunker, chunker

__all__ = ["SectionChunker", "chunker"]
