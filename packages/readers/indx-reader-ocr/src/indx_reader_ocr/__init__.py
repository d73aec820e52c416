"""Optical character recognition: pages without text are read from their picture."""

from __future__ import annotations

from indx_reader_ocr.provider import OcrReader

__all__ = ["OcrReader"]
