"""Reads Excel worksheets as tables with number formats and merged cells."""

from indx_reader_sheets.provider import MEDIA_TYPES, observer, reader, sniffer

__all__ = ["MEDIA_TYPES", "observer", "reader", "sniffer"]
