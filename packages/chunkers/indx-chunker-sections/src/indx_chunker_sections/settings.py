"""The settings of the section chunker."""

from __future__ import annotations

from indx_core.settings import Setting, integer

__all__ = ["MAX_CHARS", "SETTINGS"]

MAX_CHARS: Setting[int] = Setting(
    "INDX_CHUNK_SECTIONS_MAX_CHARS",
    integer(minimum=1),
    1600,
    "The most characters a chunk of a section takes; about four make a token.",
)

SETTINGS = (MAX_CHARS,)
