"""The settings of the grid chunker."""

from __future__ import annotations

from indx_core.settings import Setting, integer

__all__ = ["MAX_ROWS", "SETTINGS"]

MAX_ROWS: Setting[int] = Setting(
    "INDX_CHUNK_GRID_MAX_ROWS",
    integer(minimum=1),
    50,
    "The most body rows that one chunk of a table carries.",
)

SETTINGS = (MAX_ROWS,)
