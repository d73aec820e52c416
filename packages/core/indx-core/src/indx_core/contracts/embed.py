"""Embedding a query: one text or image into one space."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from indx_core.contracts._base import RequestModel, Text, WireModel
from indx_core.contracts.blocks import Vector
from indx_core.contracts.requests import EmbedRequestPart
from indx_core.contracts.snapshot import EmbedderInfo, EmbeddingSpaceInfo
from indx_core.contracts.source import Base64Bytes


class TextInput(RequestModel):
    """A query in words."""

    type: Literal["text"] = "text"
    text: Text = Field(min_length=1)


class UriInput(RequestModel):
    """A query image that an installed loader fetches."""

    type: Literal["uri"] = "uri"
    uri: Text = Field(min_length=1)


class InlineInput(RequestModel):
    """A query image given as bytes."""

    type: Literal["inline"] = "inline"
    data: Base64Bytes = Field(repr=False, description="The image's bytes, base64 in JSON.")
    media_type: Text | None = None


EmbedInput = Annotated[TextInput | UriInput | InlineInput, Field(discriminator="type")]
"""The input of an embed request, told apart by `type`."""


class EmbedRequest(EmbedRequestPart):
    """A request to embed one query into one space."""

    input: EmbedInput


class EmbedResult(WireModel):
    """The vectors, the space they belong to, and the public configuration of what made them."""

    embedding_space: EmbeddingSpaceInfo
    embedder: EmbedderInfo
    vectors: tuple[Vector, ...]
    request_id: str | None = Field(default=None, description="The caller's own identifier.")
