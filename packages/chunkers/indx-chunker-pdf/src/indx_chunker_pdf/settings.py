"""The variable this chunker reads, on every call."""

from __future__ import annotations

from indx_core.settings import Setting, integer

__all__ = ["CHUNK_DPI", "SETTINGS"]

CHUNK_DPI = Setting(
    "INDX_CHUNK_DPI",
    integer(minimum=1),
    120,
    "Dots an inch at which a page that nothing could read is drawn as an image chunk.",
)

SETTINGS = (CHUNK_DPI,)
