"""Reads Word documents with headings, tables, notes, text boxes and links."""

from indx_reader_word.provider import MEDIA_TYPES, observer, reader, sniffer

__all__ = ["MEDIA_TYPES", "observer", "reader", "sniffer"]
