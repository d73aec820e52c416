"""The variable this chunker reads, on every call."""

from __future__ import annotations

from indx_core.settings import Setting, integer

__all__ = ["MAX_CHARS", "SETTINGS"]

MAX_CHARS: Setting[int] = Setting(
    "INDX_CHUNK_LAYOUT_MAX_CHARS",
    integer(minimum=1),
    2000,
    "Characters a chunk may have: a paragraph that would run past it closes at the line break before.",
)

SETTINGS = (MAX_CHARS,)
