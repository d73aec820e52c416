"""When the command began, as near as Python tells: this is imported before anything else of it."""

from __future__ import annotations

from time import perf_counter
from typing import Final

__all__ = ["STARTED", "elapsed"]

STARTED: Final = perf_counter()


def elapsed() -> float:
    """Seconds since the command began, the imports of everything it needs among them."""
    return perf_counter() - STARTED
