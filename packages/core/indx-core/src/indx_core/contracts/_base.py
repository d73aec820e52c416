"""What all wire models share: frozen bases, the rule for absent members, and the annotated types.

The rule for absent members is applied once, here: a field whose default is None is left out of every dump
while it is None, unless its class names it in `NULLABLE`, in which case it is always written. The JSON Schema
says the same: in answers an optional member is not required and never null, a nullable one is required.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from datetime import UTC, datetime
from functools import partial
from math import isfinite
from operator import is_
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, Self, TypeVar

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    JsonValue,
    StrictBool,
    StrictFloat,
    StrictInt,
)
from pydantic_core import CoreSchema, PydanticCustomError

from indx_core.canonical import clean_text, content_id

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaValue

T = TypeVar("T", bound=Hashable)

_IS_NONE: Final = partial(is_, None)
MAX_JSON_DEPTH: Final = 64
"""How deep a free JSON object may be nested; serialisers and databases have limits of their own."""

_NOT_JSON: Final = object()
_NO_NUL: Final[dict[str, JsonValue]] = {"pattern": "^[^\\u0000]*$"}


class OmitsAbsent(BaseModel):
    """The mechanism behind absent members, shared by the frozen wire models and the mutable space models."""

    NULLABLE: ClassVar[frozenset[str]] = frozenset()
    """Names of the fields whose None is written as null."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Mark every optional field so that the serializer leaves it out while it is None."""
        for name, field in cls.__pydantic_fields__.items():
            if field.default is None:
                field.exclude_if = None if name in cls.NULLABLE else _IS_NONE
        return handler(source)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Describe an answer's optional member as what is written: a value, or nothing, and never null."""
        schema = handler(core_schema)
        described = handler.resolve_ref_schema(schema)
        properties = described.get("properties", {})
        if handler.mode == "validation":
            # A tag has a default for Python only: on the wire a union cannot do without it.
            tags = [name for name, member in properties.items() if "const" in member]
            if tags:
                needed = {*tags, *described.get("required", ())}
                described["required"] = [name for name in properties if name in needed]
            return schema
        absent = {
            field.serialization_alias or name
            for name, field in cls.__pydantic_fields__.items()
            if field.exclude_if is _IS_NONE
        }
        for name in absent & properties.keys():
            _drop_null(properties[name])
        written = [name for name in described.pop("required", ()) if name not in absent]
        if written:
            described["required"] = written
        return schema


class WireModel(OmitsAbsent):
    """A frozen model that travels: answers, and the parts of them. Unknown keys are ignored on reading."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        allow_inf_nan=False,
        json_schema_serialization_defaults_required=True,
    )


class RequestModel(WireModel):
    """A frozen model that a caller writes. An unknown key is refused rather than dropped."""

    model_config = ConfigDict(extra="forbid")


class ContentAddressed(WireModel):
    """A model that carries the digest of its own content.

    `ID_FIELD` names the member that holds the digest, `HASHED` the members it covers (None: all but the ID
    itself and `UNHASHED`).
    """

    ID_FIELD: ClassVar[str]
    HASHED: ClassVar[frozenset[str] | None] = None
    UNHASHED: ClassVar[frozenset[str]] = frozenset()

    def content_id(self) -> str:
        """Return the digest over the canonical JSON of the members this model's ID covers."""
        left_out = self.UNHASHED | {self.ID_FIELD}
        covered = self.HASHED if self.HASHED is not None else frozenset(type(self).model_fields) - left_out
        return content_id(self.model_dump(mode="json", include=set(covered)))

    @classmethod
    def create(cls, **members: Any) -> Self:
        """Build the model from all members but its ID, which is computed."""
        draft = cls(**members, **{cls.ID_FIELD: "sha256:" + "0" * 64})
        return draft.model_copy(update={cls.ID_FIELD: draft.content_id()})


def _drop_null(schema: dict[str, Any]) -> None:
    """Remove the null alternative and the null default from the schema of one property, in place."""
    if schema.get("default", schema) is None:
        del schema["default"]
    options = [option for option in schema.get("anyOf", ()) if option != {"type": "null"}]
    if len(options) == 1:
        del schema["anyOf"]
        for key, value in options[0].items():
            schema.setdefault(key, value)
    elif options:
        schema["anyOf"] = options


def _utc(value: datetime) -> datetime:
    return value.astimezone(UTC)


def _box(value: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = value
    if x0 > x1 or y0 > y1:
        raise PydanticCustomError(
            "box_order", "box {box} has its corners swapped: give x0 <= x1 and y0 <= y1", {"box": list(value)}
        )
    return value


def given(model: BaseModel, *, but: str) -> dict[str, Any]:
    """Return the members a model was given, without the one named `but`."""
    return {name: getattr(model, name) for name in model.model_fields_set if name != but}


def unique(values: Iterable[T]) -> tuple[T, ...]:
    """Return the values in order, each once."""
    return tuple(dict.fromkeys(values))


def refuse_repeated(what: str, values: Iterable[str]) -> None:
    """Refuse values of which one stands twice, naming it."""
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise PydanticCustomError(
                "repeated", "{what} {value} stands twice: keep one", {"what": what, "value": repr(value)}
            )
        seen.add(value)


def _written(value: str) -> str:
    if clean_text(value) is not value:
        raise PydanticCustomError(
            "text_unfit", "text holds a NUL character or a lone surrogate: remove it", {}
        )
    return value


def _json_object(value: dict[str, Any]) -> dict[str, Any]:
    _require_json(value, "", 1)
    return value


def _require_json(value: Any, where: str, depth: int) -> None:
    """Refuse what JSON, or a database that keeps it, cannot carry, naming the place."""
    reason = _unfit(value, depth)
    if reason:
        place = clean_text(where).removeprefix(".")[:200] or "the object"
        raise PydanticCustomError(
            "json_unfit", "{place} holds {reason}", {"place": repr(place), "reason": reason}
        )
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str) or clean_text(key) is not key:
                _require_json(_NOT_JSON, f"{where}.{key}", depth)
            _require_json(item, f"{where}.{key}", depth + 1)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            _require_json(item, f"{where}.{index}", depth + 1)


def _unfit(value: Any, depth: int) -> str | None:
    """Return why a value is not JSON in itself, whatever it contains."""
    if isinstance(value, str):
        return None if clean_text(value) is value else "a NUL character or a lone surrogate"
    if isinstance(value, float):
        return None if isfinite(value) else "a number that is not finite"
    if isinstance(value, dict | list | tuple):
        return None if depth <= MAX_JSON_DEPTH else f"more than {MAX_JSON_DEPTH} levels"
    if isinstance(value, int):
        return None if -(2**63) <= value < 2**64 else "a whole number beyond 64 bits"
    return None if value is None else "a key or value that is not JSON"


DIGEST: Final = r"^sha256:[0-9a-f]{64}$"
KEY: Final = r"^[a-z0-9][a-z0-9._-]{0,63}$"

Digest = Annotated[str, Field(pattern=DIGEST)]
"""`sha256:` and 64 lowercase hex digits."""

Key = Annotated[str, Field(pattern=KEY)]
"""A key a person chose for a type, dataset, router or experiment."""

Name = Annotated[str, Field(min_length=1, json_schema_extra=_NO_NUL), AfterValidator(_written)]
"""An ID of a capability, lane, chunker, space or the like: not empty."""

Text = Annotated[str, Field(json_schema_extra=_NO_NUL), AfterValidator(_written)]
"""Text a caller wrote: NUL and lone surrogates are refused, not replaced."""

Title = Annotated[
    str, Field(min_length=1, max_length=512, json_schema_extra=_NO_NUL), AfterValidator(_written)
]
"""A line a person reads: 1 to 512 characters."""

Names = Annotated[tuple[Name, ...], AfterValidator(unique)]
"""IDs in the order asked; a repeated one counts once."""

Timestamp = Annotated[AwareDatetime, AfterValidator(_utc)]
"""An instant in UTC; written as RFC 3339 with `Z`."""

Fraction = Annotated[float, Field(ge=0, le=1)]
"""A number from 0 to 1: a quality, a confidence, a page coordinate."""

BBox = Annotated[tuple[Fraction, Fraction, Fraction, Fraction], AfterValidator(_box)]
"""`[x0, y0, x1, y1]` in 0..1 of the page as displayed, origin top left, `x0 <= x1` and `y0 <= y1`."""

PageNumber = Annotated[int, Field(ge=1)]
"""A page, counted from 1: a PDF page, a slide, a worksheet, a TIFF frame."""

Count = Annotated[int, Field(ge=0)]
"""How many, or a number of whole milliseconds."""

Cost = Annotated[float, Field(ge=0)]
"""US dollars."""

JsonObject = Annotated[dict[str, Any], AfterValidator(_json_object)]
"""A free JSON object: string keys, finite numbers (whole ones of 64 bits), text fit for UTF-8, at most 64
levels deep."""

Flag = StrictBool
"""A boolean a caller writes; strings and numbers are refused."""

Whole = Annotated[StrictInt, Field(ge=0)]
"""A whole number a caller writes, 0 or more."""

Ordinal = Annotated[StrictInt, Field(ge=1)]
"""A page or version a caller writes, 1 or more."""

Amount = Annotated[StrictFloat, Field(ge=0)]
"""A number a caller writes, 0 or more."""

Scope = Literal["DOCUMENT", "PAGE", "REGION", "CHUNK"]
"""What a block, a match or an event is about; also the granularities a request asks for."""

SCOPES: Final[tuple[Scope, ...]] = ("DOCUMENT", "PAGE", "REGION", "CHUNK")
"""All scopes, in the order in which granularities are stored."""

Device = Literal["cpu", "gpu", "external"]
"""Where work runs; `external` sends the content to another machine."""

Modality = Literal["text", "image"]
"""What an embedder reads."""

Unit = Literal["document", "page", "chunk"]
"""What one answer of a lane is about."""
