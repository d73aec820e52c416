"""Runs a plan over a source: reading, chunking, lanes, vectors, trace; isolation and deadlines.

`Engine` is the whole; `Workers` isolates documents in processes; `DocumentJob` and `Progress` are one
document's work as data. Names resolve when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from indx_runtime.engine import Engine
    from indx_runtime.progress import DocumentJob, Progress
    from indx_runtime.workers import Workers

__all__ = ["DocumentJob", "Engine", "Progress", "Workers"]

_HOMES = {"DocumentJob": "progress", "Engine": "engine", "Progress": "progress", "Workers": "workers"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
