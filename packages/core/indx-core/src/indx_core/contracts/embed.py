"""Embedding a query: one text or image into one space."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from indx_core.contracts._base import Name, RequestModel, Text, WireModel, given
from indx_core.contracts.blocks import Vector
from indx_core.contracts.snapshot import EmbedderInfo, EmbeddingSpaceInfo
from indx_core.contracts.source import Base64Bytes


class TextInput(RequestModel):
    """A query in words."""

    type: Literal["text"] = Field(default="text", description="Text.")
    text: Text = Field(min_length=1, description="The text.")


class UriInput(RequestModel):
    """A query image that an installed loader fetches."""

    type: Literal["uri"] = Field(default="uri", description="A URI.")
    uri: Text = Field(min_length=1, description="Where it is.")


class InlineInput(RequestModel):
    """A query image given as bytes."""

    type: Literal["inline"] = Field(default="inline", description="Bytes.")
    data: Base64Bytes = Field(repr=False, description="The image's bytes, base64 in JSON.")
    media_type: Text | None = Field(default=None, description="What the bytes are taken for.")


EmbedInput = Annotated[TextInput | UriInput | InlineInput, Field(discriminator="type")]
"""The input of an embed request, told apart by `type`."""


class EmbedRequestPart(RequestModel):
    """A query-embedding request whose input is the uploaded image."""

    embedding_space_id: Name = Field(description="The space to embed into.")
    request_id: Text | None = Field(default=None, description="The caller's own identifier, echoed.")

    def with_input(self, query: TextInput | UriInput | InlineInput) -> EmbedRequest:
        """Return the whole request, now that the input is known."""
        return EmbedRequest(input=query, **given(self, but="input"))


class EmbedRequest(EmbedRequestPart):
    """A request to embed one query into one space."""

    input: EmbedInput = Field(description="What to embed.")


class EmbedResult(WireModel):
    """The vectors, the space they belong to, and the public configuration of what made them."""

    embedding_space: EmbeddingSpaceInfo = Field(description="The space.")
    embedder: EmbedderInfo = Field(description="Who embedded.")
    vectors: tuple[Vector, ...] = Field(description="One for each input.")
    request_id: str | None = Field(default=None, description="The caller's own identifier.")
