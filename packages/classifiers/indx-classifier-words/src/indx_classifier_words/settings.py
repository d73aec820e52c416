"""The settings of the words classifier."""

from __future__ import annotations

from pathlib import Path

from indx_core.settings import Setting, path

__all__ = ["LABELS", "SETTINGS"]

LABELS: Setting[Path | None] = Setting(
    "INDX_CLASSIFIER_WORDS_LABELS",
    path,
    None,
    "A JSON taxonomy that replaces the shipped one: facets of labels with names, words and a threshold.",
)
SETTINGS = (LABELS,)
