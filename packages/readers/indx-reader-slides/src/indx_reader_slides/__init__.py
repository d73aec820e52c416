"""Reads PowerPoint slides with shape boxes, tables and speaker notes."""

from indx_reader_slides.provider import MEDIA_TYPES, observer, reader, sniffer

__all__ = ["MEDIA_TYPES", "observer", "reader", "sniffer"]
