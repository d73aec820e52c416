"""From what a caller wrote to a model, or to the one error every surface answers when it does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from indx_core.contracts.requests import RESERVED_METADATA_KEY
from indx_core.errors import InvalidRequest

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

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
    first = error.errors(include_url=False, include_input=False)[0]
    place = "body" if first["type"] == "json_invalid" else ".".join(map(str, first["loc"])) or "body"
    code = RESERVED_METADATA_KEY if first["type"] == RESERVED_METADATA_KEY else "validation_error"
    return InvalidRequest(
        f"{place}: {_said(model, first)}",
        code=code,
        param=place,
        request_id=request_id if isinstance(request_id, str) else None,
    )


def _said(model: type[BaseModel], first: ErrorDetails) -> str:
    """What is wrong, in the validator's words; of what a member tells apart, that member and its values."""
    if not first["type"].startswith("union_tag_"):
        return first["msg"]
    member = first["ctx"]["discriminator"].strip("'")
    values = ", ".join(repr(value) for value in _kinds(model, first["loc"]))
    if first["type"] == "union_tag_invalid":
        return f"{member} is {first['ctx']['tag'][:100]!r}; give one of {values}"
    return f"{member} is missing; give one of {values}"


def _kinds(model: type[BaseModel], place: tuple[int | str, ...]) -> tuple[str, ...]:
    """The values by which the models at a place are told apart."""
    whole = model.model_json_schema()
    schema = whole
    for name in place:
        schema = whole["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
        schema = schema["items"] if isinstance(name, int) else schema["properties"][name]
    return tuple(schema["discriminator"]["mapping"])
