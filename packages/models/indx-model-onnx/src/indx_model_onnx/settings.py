"""The setting of whatever is fetched from the hub."""

from __future__ import annotations

from indx_core.settings import Setting, number

__all__ = ["DOWNLOAD_SECONDS", "SETTINGS"]

DOWNLOAD_SECONDS: Setting[float] = Setting(
    "INDX_MODEL_ONNX_DOWNLOAD_SECONDS",
    number(minimum=0.1, maximum=86_400),
    300,
    "The most seconds that a model may take to be fetched and loaded; what is late is given up.",
)

SETTINGS = (DOWNLOAD_SECONDS,)
