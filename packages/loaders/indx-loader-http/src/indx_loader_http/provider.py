"""What this distribution offers: loaders of `http:`, `https:` and `data:` URIs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from indx_core.ports import PORT_VERSION, Loaded, LoaderDeclaration, Unavailability

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

__all__ = ["DataLoader", "HttpLoader", "data_loader", "http_loader"]


class HttpLoader:
    """Fetches from public addresses.

    Args:
        lookup: What turns a host and a port into addresses; the system's by default.
        clock: The monotonic clock, for tests.
    """

    port_version = PORT_VERSION
    declaration = LoaderDeclaration("http", ("http", "https"))

    def __init__(
        self,
        *,
        lookup: Callable[[str, int], Sequence[str]] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Make a loader; it keeps no connection and no cookie between fetches."""
        self._lookup = lookup
        self._clock = clock

    def availability(self) -> Unavailability | None:
        """Always ready."""
        return None

    def load(self, uri: str, *, limit: int, deadline: Deadline) -> Loaded:
        """Fetch `uri`, under the rules of the port."""
        from indx_loader_http._fetch import Fetch

        return Fetch(uri, limit, deadline, self._lookup, self._clock).run()


class DataLoader:
    """Decodes `data:` URIs."""

    port_version = PORT_VERSION
    declaration = LoaderDeclaration("data", ("data",))

    def availability(self) -> Unavailability | None:
        """Always ready."""
        return None

    def load(self, uri: str, *, limit: int, deadline: Deadline) -> Loaded:
        """Decode `uri`, under the rules of the port."""
        from indx_loader_http._data import load

        return load(uri, limit, deadline)


def http_loader() -> HttpLoader:
    """The loader of `http:` and `https:` URIs."""
    return HttpLoader()


def data_loader() -> DataLoader:
    """The loader of `data:` URIs."""
    return DataLoader()
