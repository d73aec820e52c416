"""Reads Rich Text Format with headings, tables, notes and links."""

from __future__ import annotations

from indx_reader_rtf.provider import MEDIA_TYPES, observer, reader, sniffer

__all__ = ["MEDIA_TYPES", "observer", "reader", "sniffer"]
