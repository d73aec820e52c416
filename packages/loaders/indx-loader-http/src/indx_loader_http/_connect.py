"""Connections to addresses that were checked, bounded in time as a whole.

httpcore asks this backend for every connection it makes, redirects included, and gives TLS the name of the
host. So the name is looked up once, and what was looked at is what is connected to.
"""

from __future__ import annotations

import logging
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Sequence
from ipaddress import ip_address
from typing import Any, Final

import httpcore

from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_loader_http._addresses import is_public
from indx_loader_http.settings import ALLOW_PRIVATE_HOSTS, TIMEOUT_SECONDS

__all__ = ["Budget", "GuardedBackend", "Lookup"]

Lookup = Callable[[str, int], Sequence[str]]

_log: Final = logging.getLogger("indx.loader.http")


class Budget:
    """The time that a whole fetch has."""

    def __init__(self, deadline: Deadline, seconds: float, clock: Callable[[], float]) -> None:
        """Start counting now; `deadline` is the caller's own."""
        self._given = deadline
        self._own = Deadline(seconds, clock=clock)
        self._seconds = seconds

    def left(self) -> float:
        """Seconds left.

        Raises:
            TimedOut: The caller's deadline has passed.
            SourceError: `source_unreadable`, the loader's own time is up.
        """
        self._given.check()
        own, given = self._own.remaining(), self._given.remaining()
        if not own:
            raise self.used_up()
        return own if given is None else min(own, max(given, 0.001))

    def used_up(self) -> SourceError:
        """The error for a server that took too long."""
        return SourceError(
            f"the server took longer than {self._seconds:g} s; raise {TIMEOUT_SECONDS.name} or try later"
        )


class GuardedBackend(httpcore.NetworkBackend):
    """Connects to public addresses only, unless the setting permits others."""

    def __init__(self, lookup: Lookup | None, budget: Budget) -> None:
        """Look names up with `lookup`, the system's when None."""
        self._lookup = lookup or _system_lookup
        self._budget = budget
        self._plain = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002  the budget is what counts
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first address of `host` that answers, once all of them are found to be public."""
        failure: Exception | None = None
        for address in self._addresses(host, port):
            try:
                stream = self._plain.connect_tcp(
                    address, port, self._budget.left(), local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
                continue
            return BudgetedStream(stream, self._budget)
        raise failure or httpcore.ConnectError("the host has no address")

    def _addresses(self, host: str, port: int) -> Sequence[str]:
        addresses = [host] if _is_address(host) else self._look_up(host, port)
        refused = [address for address in addresses if not is_public(address)]
        if refused and not ALLOW_PRIVATE_HOSTS.get():
            _log.warning(
                "%r resolves to %s: not public, refused (%s)", host, addresses, ALLOW_PRIVATE_HOSTS.name
            )
            raise SourceError(
                f"the host {host!r} is not at a public address; {ALLOW_PRIVATE_HOSTS.name}=true permits it",
                code="source_forbidden",
            )
        return addresses

    def _look_up(self, host: str, port: int) -> Sequence[str]:
        """Look a name up in a thread of its own: the system's resolver cannot be told when to stop."""
        found: list[Sequence[str]] = []
        failed: list[Exception] = []

        def run() -> None:
            try:
                found.append(self._lookup(host, port))
            except (OSError, UnicodeError) as error:
                failed.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(self._budget.left())
        if found and found[0]:
            return found[0]
        if failed or found:
            _log.info("%r cannot be looked up: %s", host, failed)
            raise SourceError(f"there is no host {host!r}; check its name")
        self._budget.left()
        raise self._budget.used_up()


class BudgetedStream(httpcore.NetworkStream):
    """A connection that ends when the time of the fetch is used up, however busy it is."""

    def __init__(self, stream: httpcore.NetworkStream, budget: Budget) -> None:
        """Wrap `stream`."""
        self._stream = stream
        self._budget = budget

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        """Read what is there."""
        return self._stream.read(max_bytes, self._budget.left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        """Write all of `buffer`."""
        self._stream.write(buffer, self._budget.left())

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        """Go on encrypted, with the certificate checked for the name of the host."""
        stream = self._stream.start_tls(ssl_context, server_hostname, self._budget.left())
        return BudgetedStream(stream, self._budget)

    def get_extra_info(self, info: str) -> Any:
        """What the connection knows of itself."""
        return self._stream.get_extra_info(info)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _system_lookup(host: str, port: int) -> Sequence[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))
