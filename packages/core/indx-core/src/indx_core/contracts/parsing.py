"""From what a caller wrote to a model, or to the one error every surface answers when it does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from indx_core.contracts._saying import said
from indx_core.contracts.requests import RESERVED_METADATA_KEY
from indx_core.errors import InvalidRequest

__all__ = ["parse", "parse_json"]

M = TypeVar("M", bound=BaseModel)


def parse(model: type[M], value: Mapping[str, Any] | BaseModel) -> M:
    """Validate a mapping, or another model of the same shape; any other value is refused as a whole.

    Raises:
        InvalidRequest: `validation_error` or `reserved_metadata_key`, with the first field at fault as
            `param` and the body's own `request_id` where it carries one.
    """
    data = value.model_dump() if isinstance(value, BaseModel) else value
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise _refusal(model, error, data.get("request_id") if isinstance(data, Mapping) else None) from None


def parse_json(model: type[M], text: bytes | str) -> M:
    """Validate JSON text; text that is not JSON names `body` as the field at fault.

    Raises:
        InvalidRequest: As `parse`.
    """
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        request_id = None
        if error.errors(include_url=False)[0]["type"] != "json_invalid":
            import json

            body = json.loads(text)
            request_id = body.get("request_id") if isinstance(body, dict) else None
        raise _refusal(model, error, request_id) from None


def _refusal(model: type[BaseModel], error: ValidationError, request_id: Any) -> InvalidRequest:
    first = error.errors(include_url=False)[0]
    place = "body" if first["type"] == "json_invalid" else ".".join(map(str, first["loc"])) or "body"
    code = RESERVED_METADATA_KEY if first["type"] == RESERVED_METADATA_KEY else "validation_error"
    return InvalidRequest(
        f"{place}: {said(first, model)}",
        code=code,
        param=place,
        request_id=request_id if isinstance(request_id, str) else None,
    )
