"""Settings of the source room."""

from __future__ import annotations

from indx_core.settings import Setting, integer, names

__all__ = ["MAX_INPUT_BYTES", "SETTINGS", "URI_SCHEMES"]

MAX_INPUT_BYTES: Setting[int] = Setting(
    "INDX_MAX_INPUT_BYTES",
    integer(minimum=1),
    104_857_600,
    "The most bytes a source may decode to; advertised as limits.max_input_bytes.",
)
URI_SCHEMES: Setting[tuple[str, ...] | None] = Setting(
    "INDX_URI_SCHEMES",
    names,
    None,
    "Which URI schemes are resolved, by comma; `none` turns URI sources off; unset: all installed.",
)
SETTINGS = (MAX_INPUT_BYTES, URI_SCHEMES)
