"""The connections of one load, which end with it, whatever the clients of storages make of time and size.

A read times out only when nothing comes at all: a server that sends a byte now and then holds its reader as
long as it likes, in headers as in bodies, and nothing but the end of the connection lets the reader go. An
answer that is an error is read whole by every client, however long it is.
"""

from __future__ import annotations

import io
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, Final

__all__ = ["Connections"]

_MOST_OF_AN_ERROR: Final = 1 << 18


class Connections:
    """The connections of one load.

    Clients are told of it where they make connections: `watch_session` for those on requests, `watched_pools`
    for those on urllib3. Both are imported by the clients alone.
    """

    def __init__(self) -> None:
        """None yet."""
        self._lock = threading.Lock()
        self._made: list[tuple[Any, socket.socket]] = []
        self._ended = False

    def end(self) -> None:
        """End all of them, under whoever still reads, and let none be made from now on."""
        with self._lock:
            self._ended = True
            for _, twin in self._made:
                with suppress(OSError):
                    twin.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End them, and close what the client left open; to be called where it was used, when it is done."""
        self.end()
        with self._lock:
            for made, twin in self._made:
                twin.close()
                if isinstance(made, socket.socket) and made.fileno() >= 0:
                    # Its own close() waits for every file that was made of it, which may lie about for long.
                    socket.close(made.detach())
            self._made.clear()

    def check(self) -> None:
        """Make sure that a connection may still be made.

        Raises:
            TimeoutError: The load has ended.
        """
        if self._ended:
            raise TimeoutError("the load has ended")

    def add(self, made: Any) -> None:
        """Take note of a connected socket.

        Raises:
            TimeoutError: The load has ended.
        """
        with self._lock:
            if not self._ended:
                # A twin keeps its number: that of a socket which its client closed may be another's by then.
                twin = socket.fromfd(made.fileno(), socket.AF_INET, socket.SOCK_STREAM)
                self._made.append((made, twin))
                return
        made.close()
        self.check()

    def watched_pools(self, pools: Mapping[str, Any]) -> dict[str, Any]:
        """Classes of connection pools by scheme, as urllib3 has them, with connections noted and bounded."""
        return {scheme: _watched_pool(pool, self) for scheme, pool in pools.items()}

    def watch_session(self, session: Any) -> None:
        """Note and bound what a fresh session of requests connects to; it follows no redirect from now on."""
        session.max_redirects = 0
        for adapter in session.adapters.values():
            self._watch_manager(adapter.poolmanager)
            adapter.proxy_manager_for = self._through_proxies(adapter.proxy_manager_for)

    def _watch_manager(self, manager: Any) -> None:
        manager.pool_classes_by_scheme = self.watched_pools(manager.pool_classes_by_scheme)

    def _through_proxies(self, manager_for: Callable[..., Any]) -> Callable[..., Any]:
        known: set[int] = set()

        def watched(*args: Any, **options: Any) -> Any:
            manager = manager_for(*args, **options)
            if id(manager) not in known:  # the adapter keeps those it made
                known.add(id(manager))
                self._watch_manager(manager)
            return manager

        return watched


def _watched_pool(pool: Any, connections: Connections) -> Any:
    class Connection(pool.ConnectionCls):  # type: ignore[misc]
        response_class = _answer()

        def _new_conn(self) -> Any:  # urllib3's; a proxy and TLS come after it, and may take their time too
            made = super()._new_conn()
            connections.add(made)
            return made

        def connect(self) -> None:
            connections.check()
            super().connect()
            connections.add(self.sock)

    return type(pool.__name__, (pool,), {"ConnectionCls": Connection})


@cache
def _answer() -> Any:
    """The class of an answer of which no more than a part is read where it is no success."""
    from http.client import HTTPResponse  # with all of TLS, which whoever loads nothing does without

    class Answer(HTTPResponse):
        def begin(self) -> None:
            super().begin()
            fp: Any = self.fp
            if self.status >= 300 and fp is not None:
                self.fp = io.BufferedReader(_Part(fp, _MOST_OF_AN_ERROR))

    return Answer


class _Part(io.RawIOBase):
    """The first bytes of what a reader has to give, as they come."""

    def __init__(self, whole: io.BufferedReader, size: int) -> None:
        super().__init__()
        self._whole = whole
        self._left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        found = self._whole.read1(min(len(buffer), self._left)) if self._left else b""
        buffer[: len(found)] = found
        self._left -= len(found)
        return len(found)

    def close(self) -> None:
        self._whole.close()
        super().close()
