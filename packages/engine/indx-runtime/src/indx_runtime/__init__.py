"""Runs a plan over a source: reading, chunking, lanes, vectors, trace; isolation and deadlines.

`Engine` is the whole; `Workers` isolates documents in processes; `DocumentJob` and `Progress` are one
document's work as data. Names resolve when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.lazily import lazily

if TYPE_CHECKING:
    from indx_runtime.engine import Engine
    from indx_runtime.progress import DocumentJob, Progress
    from indx_runtime.workers import Workers

__all__ = ["DocumentJob", "Engine", "Progress", "Workers"]

_HOMES = {"DocumentJob": ".progress", "Engine": ".engine", "Progress": ".progress", "Workers": ".workers"}

__getattr__, __dir__ = lazily(__name__, _HOMES)
