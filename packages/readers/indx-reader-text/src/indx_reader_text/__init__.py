"""Reads plain text, Markdown, CSV and TSV, JSON, XML, notebooks and source code."""

from __future__ import annotations

from indx_reader_text.provider import observer, reader, sniffer

__all__ = ["observer", "reader", "sniffer"]
