"""Answers: contract models as JSON, and every failure as the one envelope."""

from __future__ import annotations

import json
import logging
from typing import Any, Final

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response

from indx_core.errors import (
    HttpError,
    IndxError,
    InternalError,
    InvalidRequest,
    MethodNotAllowed,
    Unauthorized,
    Unavailable,
    UnsupportedMediaType,
)
from indx_server.gate import Busy

__all__ = ["answer", "empty", "failure", "on_bug", "on_error", "on_http_error", "on_invalid"]

_log = logging.getLogger("indx.server")

_SOON: Final = 1  # seconds, for what is busy and cannot tell how long


def answer(model: BaseModel, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A model as JSON."""
    return Response(
        model.__pydantic_serializer__.to_json(model), status, headers, media_type="application/json"
    )


def empty() -> Response:
    """Done, and nothing to say."""
    return Response(status_code=204)


def failure(error: IndxError, headers: dict[str, str] | None = None) -> Response:
    """A failure as its envelope, under its status. What is not for callers is only logged."""
    if error.status == 0:  # wrong settings, found while at work: the operator's to know
        _log.error("%s: %s", error.code, error.message)
        error = unforeseen()
    told = dict(headers or {})
    if isinstance(error, Unauthorized):
        told["WWW-Authenticate"] = "Bearer"
    if error.code == "busy":
        told["Retry-After"] = str(error.retry_after if isinstance(error, Busy) else _SOON)
    text = json.dumps(error.envelope(), ensure_ascii=False, separators=(",", ":"))
    return Response(text, error.status, told, media_type="application/json")


def unforeseen() -> InternalError:
    """What a caller is told of a failure nobody foresaw."""
    return InternalError("an unexpected error; the log line with this X-Request-ID says what happened")


async def on_bug(request: Request, error: Exception) -> Response:  # noqa: ARG001
    """What nobody foresaw; it is raised again, and logged by the layer around."""
    return failure(unforeseen())


async def on_error(request: Request, error: Exception) -> Response:  # noqa: ARG001
    """An error of the tree."""
    assert isinstance(error, IndxError)
    if isinstance(error, InternalError):
        _log.error("internal_error: %s", error.message)
        error = unforeseen()
    if isinstance(error, Unavailable) and error.__cause__ is not None:
        _log.warning("%s: %s", error.code, error.message, exc_info=error.__cause__)
    return failure(error)


async def on_http_error(request: Request, error: Exception) -> Response:
    """What the framework refuses: an unknown path, a wrong method."""
    assert isinstance(error, HTTPException)
    headers: dict[str, Any] = dict(error.headers or {})
    if error.status_code == 404:
        path = request.url.path[:200]
        return failure(HttpError(f"there is nothing at {path!r}; operations are under /v1, as /v1/encode"))
    if error.status_code == 405:
        allowed = ", ".join(request.app.state.methods(request.url.path)) or headers.get("Allow", "")
        message = f"{request.method[:20]} is not answered here; use {allowed}"
        return failure(MethodNotAllowed(message), {**headers, "Allow": allowed})
    if error.status_code == 415:
        return failure(UnsupportedMediaType(str(error.detail), code="unsupported_content_type"))
    _log.error("the framework refused with %d: %s", error.status_code, error.detail)
    return failure(unforeseen())


async def on_invalid(request: Request, error: Exception) -> Response:  # noqa: ARG001
    """A parameter of a path or a query that is none."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(name) for name in first["loc"][1:]) or "query"
    return failure(InvalidRequest(f"{place}: {first['msg']}", param=place))
