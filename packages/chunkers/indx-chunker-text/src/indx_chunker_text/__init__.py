"""Cuts plain text into token-sized, grapheme-safe chunks with exact offsets."""

from __future__ import annotations

from indx_chunker_text.provider import TextChunker, chunker

__all__ = ["TextChunker", "chunker"]
