"""Rich Text Format: its text with structure, and the HTML that mail programs wrap in it."""

from __future__ import annotations

from indx_format_ooxml.rtf._html import wrapped_html
from indx_format_ooxml.rtf._reader import RtfDocument, read_rtf

__all__ = ["RtfDocument", "read_rtf", "wrapped_html"]
