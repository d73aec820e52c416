"""The setting of the file loader."""

from __future__ import annotations

from pathlib import Path

from indx_core.settings import Setting, paths

__all__ = ["FILE_ROOTS", "SETTINGS"]

FILE_ROOTS: Setting[tuple[Path, ...]] = Setting(
    "INDX_LOADER_FILE_ROOTS",
    paths,
    (),
    "Directories that file: URIs may read from, separated as in PATH; unset: any file.",
)

SETTINGS = (FILE_ROOTS,)
