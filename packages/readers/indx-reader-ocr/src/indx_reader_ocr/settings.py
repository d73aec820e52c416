"""Settings of optical character recognition."""

from __future__ import annotations

from typing import Final

from indx_core.settings import Setting, integer

__all__ = ["DPI", "MAX_PIXELS", "SETTINGS"]

PIXEL_CEILING: Final = 178_956_970

DPI = Setting("INDX_OCR_DPI", integer(minimum=36), 200, "The resolution at which pages are drawn to be read.")
MAX_PIXELS = Setting(
    "INDX_OCR_MAX_PIXELS",
    integer(minimum=1),
    PIXEL_CEILING,
    "A page that would have more pixels at that resolution is not drawn and stays unread.",
)

SETTINGS = (DPI, MAX_PIXELS)
