"""Reads PowerPoint presentations of the binary format before 2007."""

from __future__ import annotations

from indx_reader_ppt.provider import MEDIA_TYPES, observer, reader, sniffer

__all__ = ["MEDIA_TYPES", "observer", "reader", "sniffer"]
