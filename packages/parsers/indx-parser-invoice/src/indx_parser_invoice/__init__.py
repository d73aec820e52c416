"""Reads English and Japanese invoices: their numbers, dates, amounts and parties."""

from __future__ import annotations

from indx_parser_invoice.provider import MEDIA_TYPES, InvoiceParser, parser

__all__ = ["MEDIA_TYPES", "InvoiceParser", "parser"]
