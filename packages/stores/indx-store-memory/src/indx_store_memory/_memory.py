"""The dictionaries that all stores of a process share, and their transactions."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from indx_core.ports.declarations import PORT_VERSION
from indx_core.ports.stores import StoreDeclaration

__all__ = ["Memory", "MemoryStore"]

TABLES: Final = (
    "documents",
    "chunks",
    "sources",
    "types",
    "labels",
    "datasets",
    "routers",
    "experiments",
    "cells",
)
"""Names of the dictionaries. Entries never change, so that a copy of a dictionary is a copy of its state."""


class Memory:
    """What the stores hold.

    Attributes:
        lock: Held for the length of a call, and of a transaction.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._tables: dict[str, dict[Any, Any]] = {name: {} for name in TABLES}

    def table(self, name: str) -> dict[Any, Any]:
        """A dictionary by name. Its order is that of keeping: what is replaced is taken out before."""
        return self._tables[name]

    def expired(self, name: str, now: datetime, limit: int) -> list[tuple[str, str]]:
        """The keys of a table's entries that are past their time, at most `limit`."""
        with self.lock:
            items = list(self._tables[name].items())
        gone = [key for key, one in items if one.expires_at is not None and one.expires_at <= now]
        return gone[: max(0, limit)]

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """A block that puts back what was there when it raises."""
        with self.lock:
            before = {name: dict(table) for name, table in self._tables.items()}
            try:
                yield
            except BaseException:
                self._tables = before
                raise


class _Shared:
    """One `Memory` for all stores that are open; the last to close drops it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._memory = Memory()

    def enter(self) -> Memory:
        with self._lock:
            if not self._users:
                self._memory = Memory()
            self._users += 1
            return self._memory

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                self._memory = Memory()


_SHARED: Final = _Shared()
"""The process's own: stores made apart, as entry points are, keep in one place."""


class MemoryStore:
    """What the stores of all ports have alike."""

    port_version = PORT_VERSION
    declaration = StoreDeclaration("memory", shared=False)

    def __init__(self) -> None:
        self._opened: Memory | None = None

    def open(self) -> None:
        """Join what the other stores of this process keep, or begin."""
        if self._opened is None:
            self._opened = _SHARED.enter()

    def close(self) -> None:
        """Leave; the last store to leave forgets everything."""
        if self._opened is not None:
            self._opened = None
            _SHARED.leave()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """A block whose calls take effect together or not at all, on every store of this process."""
        with self._memory.transaction():
            yield

    @property
    def _memory(self) -> Memory:
        if self._opened is None:
            raise RuntimeError(f"{type(self).__name__} is not open: call open() first")
        return self._opened
