"""A vision model reads pages from their picture."""

from __future__ import annotations

from indx_reader_vlm.provider import VlmReader

__all__ = ["VlmReader"]
