"""Settings of the runtime."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Final

from indx_core.settings import Setting, integer, names, number, path

__all__ = [
    "CACHE_DIR",
    "CHUNKERS",
    "REQUEST_TIMEOUT",
    "ROUTING_ECONOMICS",
    "SETTINGS",
    "VALIDATION_MIN_CONFIDENCE",
    "WORKERS",
    "WORKER_HELP_PAGES",
    "WORKER_MEMORY",
    "WORKER_TIMEOUT",
    "cache_dir",
    "worker_count",
]

CACHE_DIR: Setting[Path | None] = Setting(
    "INDX_CACHE_DIR",
    path,
    None,
    "Where caches and retained snapshots are kept; unset: the user's cache folder.",
)
CHUNKERS: Setting[tuple[str, ...]] = Setting(
    "INDX_CHUNKERS",
    names,
    (),
    "Chunkers to ask before the installed order, as `pdf@2,page`; a request's own come first.",
)
REQUEST_TIMEOUT: Setting[float] = Setting(
    "INDX_REQUEST_TIMEOUT_SECONDS",
    number(minimum=0),
    0.0,
    "Seconds a request may take, checked between attempts; 0 is unbounded.",
)
ROUTING_ECONOMICS: Setting[Path | None] = Setting(
    "INDX_ROUTING_ECONOMICS",
    path,
    None,
    "A JSON file that corrects quality, cost and latency by capability ID or kind.",
)
VALIDATION_MIN_CONFIDENCE: Setting[float] = Setting(
    "INDX_VALIDATION_MIN_CONFIDENCE",
    number(minimum=0, maximum=1),
    0.0,
    "A page read with less confidence counts as unread and goes down its route; 0 refuses nothing.",
)
WORKERS: Setting[int] = Setting(
    "INDX_WORKERS",
    integer(minimum=1),
    0,
    "How many worker processes; unset: the number of cores.",
    read="start",
)
WORKER_HELP_PAGES: Setting[int] = Setting(
    "INDX_WORKER_HELP_PAGES",
    integer(minimum=0),
    100,
    "Pages from which workers that are up and idle help with a document, one being started from four times "
    "as many; 0: never.",
    read="start",
)
WORKER_MEMORY: Setting[int] = Setting(
    "INDX_WORKER_MEMORY_BYTES",
    integer(minimum=67_108_864),
    2_147_483_648,
    "Resident bytes past which a worker is ended and the page in flight fails.",
)
WORKER_TIMEOUT: Setting[float] = Setting(
    "INDX_WORKER_TIMEOUT_SECONDS",
    number(minimum=0.1),
    120.0,
    "Seconds without progress after which a worker is ended and the page in flight fails.",
)
SETTINGS = (
    CACHE_DIR,
    CHUNKERS,
    REQUEST_TIMEOUT,
    ROUTING_ECONOMICS,
    VALIDATION_MIN_CONFIDENCE,
    WORKERS,
    WORKER_HELP_PAGES,
    WORKER_MEMORY,
    WORKER_TIMEOUT,
)


_PLACES: Final = ("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA", "USERPROFILE")  # what may lead there


def cache_dir() -> Path:
    """The folder for caches; it need not exist yet."""
    chosen = CACHE_DIR.get()
    if chosen is not None:
        return chosen
    return _users_own(*map(os.environ.get, _PLACES))


@lru_cache(maxsize=1)
def _users_own(*_: str | None) -> Path:
    """Where this user's caches are; asked for each document, and long to find."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("indx", appauthor=False))


def worker_count() -> int:
    """How many workers: the setting, else the cores this process may use."""
    if wanted := WORKERS.get():
        return wanted
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
