"""The settings of the stores in SQLite."""

from __future__ import annotations

from pathlib import Path

from indx_core.settings import Setting, path

__all__ = ["PATH", "SETTINGS"]

PATH: Setting[Path | None] = Setting(
    "INDX_STORE_SQLITE_PATH",
    path,
    None,
    "The file that every store keeps its tables in, made when missing; its folder must be there.",
    read="start",
)

SETTINGS = (PATH,)
