"""A store before it is opened: its declaration, and the one backend it will share with its siblings."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from indx_core.ports.declarations import PORT_VERSION
from indx_core.ports.stores import StoreDeclaration

if TYPE_CHECKING:
    from indx_store_sql.backend import Backend

__all__ = ["Port", "SqlStore"]

Port: TypeAlias = Literal[
    "documents", "vectors", "sources", "types", "labels", "datasets", "routers", "experiments"
]
"""What a store keeps."""

Connect: TypeAlias = "Callable[[], tuple[Hashable, Callable[[], Backend]]]"
"""Reads the settings: which database they name, and a function that connects to it."""


class SqlStore:
    """A store of one port. Its methods are those of the port, once it is open.

    All stores of a process that name the same database share one backend, so that a transaction spans them;
    the last one to close disconnects.
    """

    port_version = PORT_VERSION

    def __init__(self, port: Port, name: str, connect: Connect) -> None:
        """Declare a store.

        Args:
            port: What it keeps.
            name: The name settings choose it by.
            connect: Called when it is opened.
        """
        self.declaration = StoreDeclaration(name, shared=True)
        self._port: Port = port
        self._connect = connect
        self._lent: tuple[Hashable, Any] | None = None

    def open(self) -> None:
        """Connect, unless a sibling has, and bring the tables up to date.

        Raises:
            ConfigurationError: `store_not_configured` or `invalid_setting`.
        """
        if self._lent is None:
            database, make = self._connect()
            key = (os.getpid(), self.declaration.id, database)
            backend = _LENDER.lend(key, make)
            from indx_store_sql.ports import port

            self._lent = (key, port(self._port, backend))

    def close(self) -> None:
        """Leave; the last one to leave disconnects."""
        if self._lent is not None:
            key, _ = self._lent
            self._lent = None
            _LENDER.give_back(key)

    def __getattr__(self, name: str) -> Any:
        lent = self.__dict__.get("_lent")
        if lent is None or name.startswith("_"):
            raise AttributeError(f"{type(self).__name__} has no {name!r} before open() is called")
        return getattr(lent[1], name)


class _Lender:
    """The backends in use, each with the number of its users."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users: dict[Hashable, int] = {}
        self._backends: dict[Hashable, Backend] = {}

    def lend(self, key: Hashable, make: Callable[[], Backend]) -> Backend:
        with self._lock:
            if key not in self._backends:
                self._backends[key] = make()
            self._users[key] = self._users.get(key, 0) + 1
            return self._backends[key]

    def give_back(self, key: Hashable) -> None:
        with self._lock:
            self._users[key] -= 1
            if not self._users[key]:
                del self._users[key]
                self._backends.pop(key).close()


_LENDER: Final = _Lender()
"""The process's own: stores made apart, as entry points are, meet in one backend."""
