"""Rich Text Format: its text with structure, and the HTML that mail programs wrap in it."""

from __future__ import annotations

from indx_format_office.rtf._flow import Flow, Paragraph, RowCell
from indx_format_office.rtf._group import RtfDocument
from indx_format_office.rtf._html import wrapped_html
from indx_format_office.rtf._links import field_target
from indx_format_office.rtf._reader import read_rtf
from indx_format_office.rtf._tokens import codec

__all__ = [
    "Flow",
    "Paragraph",
    "RowCell",
    "RtfDocument",
    "codec",
    "field_target",
    "read_rtf",
    "wrapped_html",
]
