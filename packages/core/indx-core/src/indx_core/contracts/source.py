"""Where a document comes from: a URI a loader resolves, or the bytes themselves."""

from __future__ import annotations

import binascii
from base64 import b64encode
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer
from pydantic_core import PydanticCustomError

from indx_core.contracts._base import RequestModel, Text


def _decode(value: Any) -> Any:
    """Decode base64 text; bytes given in Python are taken as they are."""
    if not isinstance(value, str):
        return value
    try:
        return binascii.a2b_base64(value, strict_mode=True)
    except ValueError as error:
        raise PydanticCustomError(
            "base64_invalid",
            "not base64 ({reason}): give the standard alphabet with padding and without line breaks",
            {"reason": str(error)},
        ) from error


def _encode(value: bytes) -> str:
    return b64encode(value).decode("ascii")


def _prefixed(value: str) -> str:
    return value if value.startswith("sha256:") else f"sha256:{value}"


Base64Bytes = Annotated[
    bytes,
    BeforeValidator(_decode),
    PlainSerializer(_encode, return_type=str, when_used="json"),
    Field(json_schema_extra={"format": "byte", "contentEncoding": "base64"}),
]
"""Bytes in memory, base64 (RFC 4648, strict) in JSON. Python may give bytes or base64 text."""

SHA256: Final = r"^(sha256:)?[0-9a-f]{64}$"
Sha256 = Annotated[str, Field(pattern=SHA256), AfterValidator(_prefixed)]
"""An expected digest, with or without its `sha256:` prefix; always kept with it."""


class UriSource(RequestModel):
    """A document that an installed loader fetches."""

    type: Literal["uri"] = Field(default="uri", description="A URI.")
    uri: Text = Field(min_length=1, description="The URI, with a scheme this installation resolves.")
    sha256: Sha256 | None = Field(default=None, description="The digest the bytes must have.")


class InlineSource(RequestModel):
    """A document given as bytes. It works on every installation."""

    type: Literal["inline"] = Field(default="inline", description="Bytes.")
    data: Base64Bytes = Field(repr=False, description="The file's bytes, base64 in JSON.")
    media_type: Text | None = Field(default=None, description="What the caller takes it for.")
    filename: Text | None = Field(default=None, description="The file's own name, without folders.")


SourceInput = Annotated[UriSource | InlineSource, Field(discriminator="type")]
"""The source of a request, told apart by `type`."""
