"""Reads Word documents of the binary format before 2007."""

from __future__ import annotations

from indx_reader_doc.provider import MEDIA_TYPES, observer, reader, sniffer

__all__ = ["MEDIA_TYPES", "observer", "reader", "sniffer"]
