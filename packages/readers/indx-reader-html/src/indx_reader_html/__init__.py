"""Reads HTML: headings, links, tables, hidden parts, encodings."""

from __future__ import annotations

from indx_reader_html.provider import observer, reader, sniffer

__all__ = ["observer", "reader", "sniffer"]
