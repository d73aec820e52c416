"""Reads old and rare office formats through LibreOffice, where it is installed."""

from __future__ import annotations

from indx_reader_libreoffice.provider import MEDIA_TYPES, observer, reader, sniffer

__all__ = ["MEDIA_TYPES", "observer", "reader", "sniffer"]
