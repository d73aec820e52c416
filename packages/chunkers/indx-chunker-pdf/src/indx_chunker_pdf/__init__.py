"""Cuts PDF pages into boxed paragraphs; an unread page becomes one image chunk."""

from __future__ import annotations

from indx_chunker_pdf.provider import PdfChunker

__all__ = ["PdfChunker"]
