"""The settings of whatever is fetched from the hub and run."""

from __future__ import annotations

from indx_core.settings import Setting, integer, number

__all__ = ["DOWNLOAD_SECONDS", "MEMORY_BYTES", "RUN_SECONDS", "SETTINGS"]

DOWNLOAD_SECONDS: Setting[float] = Setting(
    "INDX_MODEL_ONNX_DOWNLOAD_SECONDS",
    number(minimum=0.1, maximum=86_400),
    300,
    "The most seconds that a model may take to be fetched and loaded; what is late is given up.",
)

RUN_SECONDS: Setting[float] = Setting(
    "INDX_MODEL_ONNX_RUN_SECONDS",
    number(minimum=0.1, maximum=86_400),
    60,
    "The most seconds that one run of a graph may take; one that is late is stopped, and fails.",
)
MEMORY_BYTES: Setting[int] = Setting(
    "INDX_MODEL_ONNX_MEMORY_BYTES",
    integer(minimum=1 << 20),
    2 << 30,
    "The most bytes that graphs may take for what they compute, beside their weights.",
    read="start",
)

SETTINGS = (DOWNLOAD_SECONDS, RUN_SECONDS, MEMORY_BYTES)
