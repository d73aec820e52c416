"""The settings of the text reader."""

from __future__ import annotations

from indx_core.settings import Setting, integer, names

__all__ = ["SETTINGS", "TEXT_ENCODING", "TEXT_INFLATED_BYTES"]

TEXT_ENCODING: Setting[tuple[str, ...]] = Setting(
    "INDX_TEXT_ENCODING",
    names,
    ("utf-8-sig",),
    "Encodings by comma, tried strictly in this order; the first that decodes the whole file wins.",
)

TEXT_INFLATED_BYTES: Setting[int] = Setting(
    "INDX_TEXT_INFLATED_BYTES",
    integer(minimum=1),
    104_857_600,
    "The most bytes that a text compressed as a whole may inflate to.",
)

SETTINGS = (TEXT_ENCODING, TEXT_INFLATED_BYTES)
