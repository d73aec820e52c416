"""Reads OpenDocument texts, presentations, drawings and spreadsheets."""

from __future__ import annotations

from indx_reader_opendocument.provider import MEDIA_TYPES, observer, reader, sniffer

__all__ = ["MEDIA_TYPES", "observer", "reader", "sniffer"]
