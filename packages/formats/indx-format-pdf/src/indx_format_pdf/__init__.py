"""One open PDF document over PDFium: lock, bounds, geometry."""

from __future__ import annotations

from indx_format_pdf._document import PdfDocument
from indx_format_pdf._outline import OutlineItem
from indx_format_pdf._page import PageContent

__all__ = ["OutlineItem", "PageContent", "PdfDocument"]
