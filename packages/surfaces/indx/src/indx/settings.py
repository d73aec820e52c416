"""Settings of the command."""

from __future__ import annotations

from indx_core.settings import Setting, boolean

__all__ = ["DEBUG", "SETTINGS"]

DEBUG: Setting[bool] = Setting(
    "INDX_DEBUG", boolean, False, "Whether an error nobody foresaw shows its traceback instead of one line."
)
SETTINGS = (DEBUG,)
