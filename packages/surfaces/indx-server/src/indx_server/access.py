"""Who may call: bearer tokens, compared without telling by time how much of one was right."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from indx_core.errors import Unauthorized
from indx_server.answers import failure

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["OPEN_PATHS", "ApiTokens", "bearer", "matches"]

OPEN_PATHS: Final = frozenset({"/health", "/ready"})
"""Paths that probes ask without a token."""


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def bearer(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """The bearer token of a request, if it carries one."""
    for name, value in headers:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").strip().partition(" ")
            return token.strip() if scheme.lower() == "bearer" else None
    return None


def matches(token: str | None, known: Iterable[str]) -> bool:
    """Whether a token is one of those known. Every one is looked at, whichever it is."""
    given = _digest(token or "")
    found = [hmac.compare_digest(given, _digest(one)) for one in known]
    return token is not None and any(found)


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
            message = "send `Authorization: Bearer TOKEN` with a token of this deployment"
            await failure(Unauthorized(message))(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refuses(self, scope: Scope) -> bool:
        if scope["type"] != "http" or scope["path"] in OPEN_PATHS:
            return False
        return not matches(bearer(scope["headers"]), self._tokens)
