"""The settings of the patterns extractor."""

from __future__ import annotations

from pathlib import Path

from indx_core.settings import Setting, path

__all__ = ["GAZETTEER", "SETTINGS"]

GAZETTEER: Setting[Path | None] = Setting(
    "INDX_NER_PATTERNS_GAZETTEER",
    path,
    None,
    "A JSON file of labels and their surfaces, found literally beside the patterns.",
)

SETTINGS = (GAZETTEER,)
