"""Reads EPUB books: their chapters in order, with headings, links, tables and notes."""

from __future__ import annotations

from indx_reader_epub.provider import MEDIA_TYPES, observer, reader, sniffer

__all__ = ["MEDIA_TYPES", "observer", "reader", "sniffer"]
