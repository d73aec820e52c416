"""The OpenAPI document: operations described where they are routed, shapes taken from the contract."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from http import HTTPStatus
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from fastapi.openapi.utils import get_openapi
from starlette.responses import Response

from indx_core.contracts.schema import wire_schemas
from indx_core.errors import (
    IndxError,
    InputTooLarge,
    InternalError,
    InvalidRequest,
    TimedOut,
    Unauthorized,
    Unavailable,
    UnsupportedMediaType,
    WorkspaceReadOnly,
)

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = ["COMMON", "FORMS", "WRITES", "described", "document", "problems"]

Codes = tuple[type[IndxError], tuple[str, ...]]

COMMON: Final[tuple[type[IndxError], ...]] = (Unauthorized, InternalError, Unavailable, TimedOut)
"""What any operation may answer: no token, a bug, no room, no time."""

WRITES: Final[tuple[type[IndxError] | Codes, ...]] = (
    WorkspaceReadOnly,
    InputTooLarge,
    (UnsupportedMediaType, ("unsupported_content_type",)),
    (InvalidRequest, ("validation_error",)),
)
"""What a write of a record may answer: no token (first), too much, no JSON, no such record."""

FORMS: Final = {
    "PlanForm": ("PlanRequestPart", False),
    "EncodeForm": ("EncodeRequestPart", False),
    "EmbedForm": ("EmbedRequestPart", True),
}
"""Multipart bodies: the schema of the part beside the file, and whether it must be there."""

_REF: Final = "#/components/schemas/"
_SUMMARY: Final = "Plans, reads and searches documents by routes it can explain."
_HEADERS: Final = {"X-Request-ID": {"$ref": "#/components/headers/X-Request-ID"}}
_CORRELATION: Final = {
    "name": "X-Request-ID",
    "in": "header",
    "description": "Your correlation ID, up to 128 visible characters of ASCII; anything else is replaced.",
    "required": False,
    "schema": {"type": "string"},
}


def described(
    operation_id: str,
    summary: str,
    *,
    gives: str | dict[str, Any] | None,
    status: int = 200,
    body: str | None = None,
    form: str | None = None,
    refuses: Iterable[type[IndxError] | Codes] = (),
    security: tuple[str, ...] = ("apiToken",),
) -> dict[str, Any]:
    """What a route's decorator is told.

    Args:
        operation_id: The operation's name, for clients and metrics.
        summary: One line.
        gives: The schema of the answer, the whole of its content, or None for no content.
        status: The status of success.
        body: The schema of a JSON body.
        form: The schema of the multipart body it may also have.
        refuses: Errors it may answer beside the common ones; of one, perhaps only some codes.
        security: Names of the security schemes that apply; none is ever needed unless the operator says so.
    """
    content = _json(gives) if isinstance(gives, str) else gives
    success: dict[str, Any] = {"description": HTTPStatus(status).phrase, "headers": _HEADERS}
    if content is not None:
        success["content"] = content
    extra: dict[str, Any] = {
        "parameters": [_CORRELATION],
        "security": [{}, *({name: []} for name in security)] if security else [],
    }
    if body is not None:
        taken = _json(body)
        if form is not None:
            encoding = {"request": {"contentType": "application/json"}}
            taken["multipart/form-data"] = {"schema": {"$ref": _REF + form}, "encoding": encoding}
        extra["requestBody"] = {"required": True, "content": taken}
    return {
        "operation_id": operation_id,
        "summary": summary,
        "status_code": status,
        "response_model": None,
        "response_class": Response,
        "responses": {status: success, **problems((*refuses, *COMMON))},
        "openapi_extra": extra,
    }


def problems(errors: Iterable[type[IndxError] | Codes]) -> dict[int | str, dict[str, Any]]:
    """Responses for errors, one a status, naming every code."""
    codes: dict[int, list[str]] = {}
    for entry in errors:
        kind, named = entry if isinstance(entry, tuple) else (entry, entry.codes)
        codes.setdefault(kind.status, [])
        codes[kind.status] += [f"`{code}`" for code in named if f"`{code}`" not in codes[kind.status]]
    responses: dict[int | str, dict[str, Any]] = {}
    for status, told in sorted(codes.items()):
        headers: dict[str, Any] = dict(_HEADERS)
        if status == Unavailable.status:
            headers["Retry-After"] = {"$ref": "#/components/headers/Retry-After"}
        responses[status] = {
            "description": ", ".join(told),
            "headers": headers,
            "content": _json("ErrorEnvelope"),
        }
    return responses


def document(app: FastAPI) -> dict[str, Any]:
    """The whole document; made once for an application."""
    if app.openapi_schema is None:
        whole = get_openapi(title="indx", version=version("indx-server"), summary=_SUMMARY, routes=app.routes)
        _drop_unanswered(whole)
        whole["components"] = {
            "schemas": _shapes(whole["paths"]),
            "headers": {
                "X-Request-ID": {
                    "description": "The correlation ID: the caller's own, or one made here.",
                    "schema": {"type": "string"},
                },
                "Retry-After": {
                    "description": "Seconds after which to try again; with `busy`.",
                    "schema": {"type": "integer", "minimum": 1},
                },
            },
            "securitySchemes": {
                "apiToken": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "Where INDX_API_TOKENS is set.",
                },
                "workspaceToken": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "INDX_WORKSPACE_TOKEN.",
                },
                "owner": {"type": "apiKey", "in": "cookie", "name": "indx_owner"},
            },
        }
        app.openapi_schema = whole
    return app.openapi_schema


def _json(schema: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": _REF + schema}}}


def _drop_unanswered(whole: dict[str, Any]) -> None:
    """Drop the framework's own answer for parameters; what is answered stands under 422 where it can be."""
    for operations in whole["paths"].values():
        for operation in operations.values():
            answered = operation["responses"].get("422")
            if answered is not None and "HTTPValidationError" in json.dumps(answered):
                del operation["responses"]["422"]


@cache
def _contract() -> dict[str, Any]:
    """Every wire schema under the name that a client's class gets, and the multipart bodies made of them.

    What is written in one way and answered in another has two schemas: `PlanInput` and `Plan`.
    """
    text = json.dumps(wire_schemas()["$defs"]).replace("#/$defs/", _REF)
    schemas: dict[str, Any] = json.loads(text.replace('-Input"', 'Input"').replace('-Output"', '"'))
    for name, schema in schemas.items():
        schema["title"] = name
    for name, (part, needed) in FORMS.items():
        schemas[name] = {
            "type": "object",
            "title": name,
            "description": "A file, and beside it the request without the member that the file supplies.",
            "properties": {
                "file": {"type": "string", "format": "binary"},
                "request": {"$ref": _REF + part},
            },
            "required": ["file", "request"] if needed else ["file"],
            "additionalProperties": False,
        }
    return schemas


def _shapes(paths: dict[str, Any]) -> dict[str, Any]:
    """The schemas that the operations name, and those these name."""
    schemas, found, new = _contract(), {}, {"ErrorEnvelope"}
    new |= _named(paths)
    while new:
        found.update({name: schemas[name] for name in new})
        new = {name for shape in found.values() for name in _named(shape)} - found.keys()
    return dict(sorted(found.items()))


def _named(value: Any) -> set[str]:
    return set(re.findall(re.escape(_REF) + r"([A-Za-z0-9_.-]+)", json.dumps(value)))
