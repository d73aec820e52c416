"""The settings of the text reader."""

from __future__ import annotations

from indx_core.settings import Setting, names

__all__ = ["SETTINGS", "TEXT_ENCODING"]

TEXT_ENCODING: Setting[tuple[str, ...]] = Setting(
    "INDX_TEXT_ENCODING",
    names,
    ("utf-8-sig",),
    "Encodings by comma, tried strictly in this order; the first that decodes the whole file wins.",
)

SETTINGS = (TEXT_ENCODING,)
