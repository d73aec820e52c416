"""What does not fit a model, in words for whoever wrote it: the value, and what to write instead."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, Literal, get_args, get_origin

from pydantic import BaseModel

from indx_core.contracts._base import DIGEST, KEY
from indx_core.contracts.source import SHA256

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo
    from pydantic_core import ErrorDetails

__all__ = ["FORMS", "said"]

_SHOWN: Final = 100

FORMS: Final = {
    DIGEST: "'sha256:' and 64 hex digits in lower case",
    KEY: "1 to 64 of a-z, 0-9, '.', '_' and '-', the first a-z or 0-9",
    SHA256: "64 hex digits in lower case, with or without 'sha256:' before them",
}
"""The patterns of what a caller writes, each in words."""


def said(first: ErrorDetails, model: type[BaseModel] | None = None) -> str:
    """What is wrong: the validator's words, but where they are of patterns, or leave out what there is.

    Args:
        first: The fault.
        model: What was validated, if that was a model.
    """
    kind, told = first["type"], first.get("ctx", {})
    if kind == "string_pattern_mismatch" and told["pattern"] in FORMS:
        return f"{_shown(first)} does not fit; write {FORMS[told['pattern']]}"
    if model is None:
        return first["msg"]
    if kind == "extra_forbidden":
        return _unknown(str(first["loc"][-1]), _at(model, first["loc"][:-1])) or first["msg"]
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        member = told["discriminator"].strip("'")
        tags = sorted(repr(tag) for one in _at(model, first["loc"]) for tag in _tags(one, member))
        fault = f"is {told['tag'][:_SHOWN]!r}" if kind == "union_tag_invalid" else "is missing"
        return f"{member} {fault}; give one of {', '.join(tags)}"
    return first["msg"]


def _shown(first: ErrorDetails) -> str:
    value = first["input"]
    return repr(value[:_SHOWN]) if isinstance(value, str) else "it"


def _unknown(name: str, models: list[type[BaseModel]]) -> str | None:
    known = list(dict.fromkeys(member for one in models for member in _members(one)))
    if not known:
        return None
    nearest = get_close_matches(name, known, n=1)
    hint = f"did you mean {nearest[0]!r}?" if nearest else f"there are {', '.join(known)}"
    return f"there is no member {name[:_SHOWN]!r}; {hint}"


def _members(model: type[BaseModel]) -> dict[str, FieldInfo]:
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _tags(model: type[BaseModel], member: str | None = None) -> tuple[Any, ...]:
    """The values by which a model of a union is known, of one member or of any."""
    return tuple(
        value
        for name, field in _members(model).items()
        if member in (None, name) and get_origin(field.annotation) is Literal
        for value in get_args(field.annotation)
    )


def _at(model: type[BaseModel], place: tuple[int | str, ...]) -> list[type[BaseModel]]:
    """The models that may stand at a place, in the order of their union."""
    models = [model]
    for name in place:
        if isinstance(name, int):
            continue
        chosen = [one for one in models if name in _tags(one)] if len(models) > 1 else []
        models = chosen or [
            inner
            for one in models
            if name in _members(one)
            for inner in _models(_members(one)[name].annotation)
        ]
    return models


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models that an annotation admits, whatever stands around them."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _models(inner)
