"""What one call may take from the network, held where LiteLLM's requests leave this process.

LiteLLM lets its HTTP transport be replaced. The one here lets every request pass that is not made under
`bounded`, so that an application with calls of its own is not touched.
"""

from __future__ import annotations

import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import httpx

from indx_model_litellm._availability import is_local

__all__ = ["BoundedTransport", "Bounds", "bounded", "in_call"]

Fault = Literal["size", "time", "elsewhere", "unreachable"]


@dataclass(slots=True)
class Bounds:
    """The bounds of one call, and what it met.

    Attributes:
        end: The moment, on the monotonic clock, after which nothing more is received.
        limit: The most bytes of a response.
        local: Whether requests may only go to this machine.
        fault: The bound that was passed, or that there was no connection.
        status: The status of the last response.
        host: Where that came from.
        wait: Seconds after which that response asked to be called again.
        tail: The end of that response, where most servers say what was used.
    """

    end: float
    limit: int
    local: bool
    fault: Fault | None = None
    status: int | None = None
    host: str = ""
    wait: float = 0.0
    tail: bytes = b""


_TAIL: Final = 4096
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})

_current: ContextVar[Bounds | None] = ContextVar("bounds", default=None)


@contextmanager
def bounded(bounds: Bounds) -> Iterator[None]:
    """A block whose requests, made in this thread, are held to `bounds`."""
    token = _current.set(bounds)
    try:
        yield
    finally:
        _current.reset(token)


def in_call() -> bool:
    """Whether this is work of a call under bounds, in its thread or in one that works on for it."""
    return _current.get() is not None


class BoundedTransport(httpx.BaseTransport):
    """Sends requests as the environment says, proxies included; to this machine always directly."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request.

        Raises:
            httpx.TransportError: There is no connection, or a bound was passed.
        """
        bounds = _current.get()
        if bounds is None:
            return _transport(_proxy_for(request.url)).handle_request(request)
        sent_on = bounds.status in _REDIRECTS and request.url.host != bounds.host
        bounds.status, bounds.host, bounds.wait, bounds.tail = None, request.url.host, 0.0, b""
        here = is_local(str(request.url))
        if sent_on or (bounds.local and not here):
            bounds.fault = "elsewhere"
            raise httpx.ConnectError("a request to another host was refused", request=request)
        request.headers["accept-encoding"] = "identity"  # so that what is counted is what is kept
        try:
            response = _transport(None if here else _proxy_for(request.url)).handle_request(request)
        except httpx.TimeoutException:
            bounds.fault = "time"
            raise
        except httpx.TransportError:
            bounds.fault = "unreachable"
            raise
        bounds.status = response.status_code
        bounds.wait = _seconds(response.headers.get("retry-after", ""))
        assert isinstance(response.stream, httpx.SyncByteStream)
        return httpx.Response(
            response.status_code,
            headers=response.headers,
            stream=_Counted(response.stream, bounds, response.headers.get("content-encoding", "identity")),
            extensions=response.extensions,
        )


class _Counted(httpx.SyncByteStream):
    """A response's bytes, up to the bounds."""

    def __init__(self, stream: httpx.SyncByteStream, bounds: Bounds, encoding: str) -> None:
        self._stream, self._bounds, self._packed = stream, bounds, encoding != "identity"

    def __iter__(self) -> Iterator[bytes]:
        bounds, received = self._bounds, 0
        try:
            for part in self._stream:
                received += len(part)
                if self._packed or received > bounds.limit:  # how large it is unpacked cannot be told
                    bounds.fault = "size"
                    raise httpx.ReadError("the response is larger than is taken")
                if time.monotonic() > bounds.end:
                    bounds.fault = "time"
                    raise httpx.ReadTimeout("the response came too slowly")
                bounds.tail = (bounds.tail + part)[-_TAIL:]
                yield part
        except httpx.TransportError as error:
            if bounds.fault is None:
                bounds.fault = "time" if isinstance(error, httpx.TimeoutException) else "unreachable"
            raise

    def close(self) -> None:
        self._stream.close()


@lru_cache(maxsize=8)
def _transport(proxy: str | None) -> httpx.HTTPTransport:
    return httpx.HTTPTransport(proxy=proxy)


def _proxy_for(url: httpx.URL) -> str | None:
    proxy = urllib.request.getproxies().get(url.scheme) or urllib.request.getproxies().get("all")
    if proxy is None or urllib.request.proxy_bypass(url.host):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _seconds(text: str) -> float:
    """The seconds of a `Retry-After`; 0 for a date or nonsense."""
    return float(text) if text.isascii() and text.isdigit() and len(text) <= 9 else 0.0
