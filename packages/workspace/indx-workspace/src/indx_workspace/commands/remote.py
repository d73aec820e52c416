"""Asking a running server: one request, and its refusal as the error it is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from indx_core import errors
from indx_core.errors import IndxError, InternalError, Unavailable, UsageError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from indx_workspace.commands.place import Place

__all__ = ["ask"]

_PATIENCE: Final = 60.0
_LARGEST: Final = 1 << 28


class _NoRedirect(HTTPRedirectHandler):
    """A server that sends elsewhere is not the one that was named, and gets no token."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def ask(
    place: Place,
    method: str,
    path: Sequence[str],
    *,
    body: BaseModel | None,
    query: Mapping[str, str | int | None],
) -> dict[str, Any] | None:
    """Send a request to the server of a place.

    Returns:
        The JSON object it answers; None where it answers nothing.

    Raises:
        UsageError: The server's address is none.
        IndxError: What the server refuses, of its own kind.
        Unavailable: It cannot be reached.
    """
    request = Request(_url(place.server or "", path, query), method=method)  # noqa: S310  (checked in _url)
    request.add_header("Accept", "application/json")
    if place.token is not None:
        request.add_header("Authorization", f"Bearer {place.token}")
    if place.owner is not None:
        request.add_header("Cookie", f"indx_owner={quote(place.owner, safe='')}")
    if body is not None:
        request.add_header("Content-Type", "application/json")
        request.data = body.model_dump_json().encode()
    try:
        with build_opener(_NoRedirect).open(request, timeout=_PATIENCE) as answer:
            return _read(answer.read(_LARGEST))
    except HTTPError as refused:
        with refused:
            raise _refusal(refused.code, refused.read(_LARGEST)) from None
    except (URLError, HTTPException, OSError) as error:
        reason = getattr(error, "reason", error)
        raise Unavailable(
            f"the server {place.server!r} cannot be reached: {reason}; start it with `indx serve`, or name "
            "another by --server",
            code="busy",
        ) from None


def _url(server: str, path: Sequence[str], query: Mapping[str, str | int | None]) -> str:
    try:
        scheme, host = urlsplit(server).scheme, urlsplit(server).hostname
    except ValueError:
        scheme, host = "", None
    if scheme not in ("http", "https") or not host:
        raise UsageError(f"--server {server!r} is no address: write http://HOST:PORT")
    given = {name: value for name, value in query.items() if value is not None}
    segments = "/".join(quote(segment, safe="", errors="replace") for segment in path)
    return f"{server.rstrip('/')}/v1/{segments}" + (f"?{urlencode(given)}" if given else "")


def _read(data: bytes) -> dict[str, Any] | None:
    if not data:
        return None
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise InternalError("the server answered something that is no JSON object; is it an indx server?")
    return value


def _refusal(status: int, data: bytes) -> IndxError:
    """The error of the tree that an envelope stands for."""
    try:
        envelope = json.loads(data)
        named, code, message = envelope["type"], envelope["code"], envelope["message"]
        kinds = [getattr(errors, name) for name in errors.__all__ if name[0].isupper()]
        for kind in kinds:
            if code in kind.codes and named in (kind.type, code) and kind.status == status:
                made = kind(str(message), code=code, param=envelope.get("param"))
                assert isinstance(made, IndxError)
                return made
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return InternalError(
            f"the server answered status {status} and nothing that says why; is it an indx server?"
        )
    return InternalError(f"the server answered status {status}, {named} {code}: {message}")
