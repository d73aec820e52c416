"""Reads Outlook messages: header lines, the text, attachments and embedded messages as members."""

from __future__ import annotations

from indx_reader_msg.provider import MEDIA_TYPES, observer, reader, sniffer

__all__ = ["MEDIA_TYPES", "observer", "reader", "sniffer"]
