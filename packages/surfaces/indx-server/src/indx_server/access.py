"""Who may call: bearer tokens, compared without telling by time how much of one was right."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from indx_core.errors import HttpError, Unauthorized
from indx_server.answers import failure

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["OPEN_PATHS", "ApiTokens", "KnownHosts", "bearer", "matches"]

OPEN_PATHS: Final = frozenset({"/health", "/ready"})
"""Paths that probes ask without a token."""

_PORT: Final = re.compile(r":[0-9]*$")


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def bearer(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """The bearer token of a request, if it carries one."""
    for name, value in headers:
        if name == b"authorization":
            # As variables of the environment are, so that what an operator wrote is what a caller sends.
            scheme, _, token = value.decode("utf-8", "surrogateescape").strip().partition(" ")
            return token.strip() if scheme.lower() == "bearer" else None
    return None


def matches(token: str | None, known: Iterable[str]) -> bool:
    """Whether a token is one of those known. Every one is looked at, whichever it is."""
    given = _digest(token or "")
    found = [hmac.compare_digest(given, _digest(one)) for one in known]
    return token is not None and any(found)


class KnownHosts:
    """Lets through what is asked of a name the server has; an ASGI layer around everything.

    A page on the web can make a name of its own mean this machine, and so have a browser on it ask a server
    that listens to nobody else. The browser tells the name.

    Args:
        app: What is protected.
        names: Those the server has, without a port.
    """

    def __init__(self, app: ASGIApp, names: tuple[str, ...]) -> None:
        """Keep the names of this deployment."""
        self._app, self._names = app, frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 404, or pass on."""
        if scope["type"] == "http" and _host(scope["headers"]) not in self._names:
            message = "this server is not known by that name; INDX_SERVER_HOSTS lists those it has"
            await failure(HttpError(message))(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _host(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The name a request was sent to, in lower case and without the port."""
    given = next((value.decode("latin-1") for name, value in headers if name == b"host"), "")
    return _PORT.sub("", given.strip().lower())


class ApiTokens:
    """Lets through what bears a token; an ASGI layer around everything that is answered.

    Args:
        app: What is protected.
        tokens: Those that are known.
    """

    def __init__(self, app: ASGIApp, tokens: tuple[str, ...]) -> None:
        """Keep the tokens of this deployment."""
        self._app, self._tokens = app, tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401, or pass on."""
        if self._refuses(scope):
            message = "send a token of this deployment in the header Authorization, after the word Bearer"
            await failure(Unauthorized(message))(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refuses(self, scope: Scope) -> bool:
        if scope["type"] != "http" or scope["path"] in OPEN_PATHS:
            return False
        return not matches(bearer(scope["headers"]), self._tokens)
