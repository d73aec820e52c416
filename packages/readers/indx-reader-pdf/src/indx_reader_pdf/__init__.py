"""Reads the text layer of PDF pages with line boxes and links."""

from __future__ import annotations

from indx_reader_pdf.provider import PdfObserver, PdfReader, PdfSniffer

__all__ = ["PdfObserver", "PdfReader", "PdfSniffer"]
