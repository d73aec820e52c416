"""Reads mail: headers, body, attachments as members."""

from __future__ import annotations

from indx_reader_email.provider import observer, reader, sniffer

__all__ = ["observer", "reader", "sniffer"]
