"""Settings of the vision lane."""

from __future__ import annotations

from typing import Final

from indx_core.settings import Setting, integer
from indx_model_litellm import model_settings

__all__ = ["DPI", "MAX_PIXELS", "MODEL", "SETTINGS"]

PIXEL_CEILING: Final = 178_956_970

MODEL = model_settings("INDX_VLM", purpose="reads pictures of pages")
DPI = Setting("INDX_VLM_DPI", integer(minimum=36), 200, "The resolution at which pages are drawn to be read.")
MAX_PIXELS = Setting(
    "INDX_VLM_MAX_PIXELS",
    integer(minimum=1),
    PIXEL_CEILING,
    "A page that would have more pixels at that resolution is not drawn and stays unread.",
)

SETTINGS = (*MODEL, DPI, MAX_PIXELS)
