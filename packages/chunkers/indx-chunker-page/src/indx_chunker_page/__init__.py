"""One chunk per readable page: the floor every page falls back to."""

from __future__ import annotations

from indx_chunker_page.provider import PageChunker

__all__ = ["PageChunker"]
