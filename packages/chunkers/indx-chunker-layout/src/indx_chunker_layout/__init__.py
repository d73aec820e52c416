"""Cuts PDF pages into whole paragraphs and tables, in reading order, by where their lines stand."""

from __future__ import annotations

from indx_chunker_layout.provider import LayoutChunker

__all__ = ["LayoutChunker"]
