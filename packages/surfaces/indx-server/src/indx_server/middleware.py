"""Around every answer: its request ID, its log line, headers that keep it harmless, no detail of a bug."""

from __future__ import annotations

import logging
import re
import time
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from indx_server.answers import failure, unforeseen
from indx_server.logs import REQUEST_ID

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Correspondence"]

_log = logging.getLogger("indx.server")

_ID: Final = re.compile(rb"[!-~]{1,128}")
_ALWAYS: Final = {
    b"x-content-type-options": b"nosniff",
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'; sandbox",
    b"cross-origin-resource-policy": b"same-origin",
    b"referrer-policy": b"no-referrer",
    b"cache-control": b"no-store",
}
_LONGEST_PATH: Final = 1000


class Correspondence:
    """The outermost layer of the application.

    Args:
        app: What answers.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whatever happens."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        request_id = _request_id(scope)
        status = 0

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = _dressed(message.get("headers", ()), request_id)
                if _is_ambiguous(scope):
                    message["headers"].append((b"connection", b"close"))
            await send(message)

        token = REQUEST_ID.set(request_id.decode("ascii"))
        try:
            try:
                await self._app(scope, receive, told)
            except Exception:  # the one place that decides what a caller sees of a bug
                _log.exception("an unexpected error")
                if not status:
                    await failure(unforeseen())(scope, receive, told)
        finally:
            _finished(scope, status or 499, (time.perf_counter() - began) * 1000)
            REQUEST_ID.reset(token)


def _is_ambiguous(scope: Scope) -> bool:
    """Whether a request states the end of its body twice, so that a proxy may see another one behind it.

    What follows on such a connection is not answered: RFC 9112, section 6.1.
    """
    names = {name for name, _ in scope["headers"]}
    return {b"content-length", b"transfer-encoding"} <= names


def _request_id(scope: Scope) -> bytes:
    """The caller's own correlation ID, where it is one short visible word; else a new one."""
    given: bytes = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
    return given if _ID.fullmatch(given) else uuid4().hex.encode()


def _dressed(headers: Any, request_id: bytes) -> list[tuple[bytes, bytes]]:
    """The headers of an answer with those that every answer has."""
    dressed = [(name, value) for name, value in headers if name.lower() != b"x-request-id"]
    present = {name.lower() for name, _ in dressed}
    dressed += [(name, value) for name, value in _ALWAYS.items() if name not in present]
    return [*dressed, (b"x-request-id", request_id)]


def _finished(scope: Scope, status: int, latency_ms: float) -> None:
    """Log a request and tell the hooks."""
    route = scope.get("route")
    operation = getattr(route, "operation_id", None) or "unknown"
    fields = {
        "operation": operation,
        "method": scope["method"][:20],
        "path": scope["path"][:_LONGEST_PATH],
        "client": (scope.get("client") or ("",))[0],
        "status": status,
        "latency_ms": round(latency_ms, 3),
    }
    _log.info("request", extra={"fields": fields})
    service = getattr(getattr(scope.get("app"), "state", None), "service", None)
    if service is not None:
        service.hooks.notify(
            "indx_request_finished", operation=operation, status=status, latency_ms=latency_ms
        )
