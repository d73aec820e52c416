"""Document types of the workspace. Not `Document.doc_type` of a space, nor the facet `document_type`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field

from indx_core.contracts._base import Key, Name, RequestModel, Timestamp, Title, WireModel, refuse_repeated


class TypeField(RequestModel):
    """One field of a document type, answered by an entity label or a facet of that name."""

    key: Key
    label: Title
    kind: Literal["entity", "facet"]
    name: Name = Field(description="The entity label or facet it is read from.")


def _distinct(fields: tuple[TypeField, ...]) -> tuple[TypeField, ...]:
    refuse_repeated("field key", (field.key for field in fields))
    return fields


class DocumentTypeSpec(RequestModel):
    """A document type as a person writes it."""

    label: Title
    fields: Annotated[tuple[TypeField, ...], AfterValidator(_distinct)] = ()
    signature: Name | None = Field(default=None, description="The parser whose signature recognises it.")


class DocumentType(DocumentTypeSpec):
    """A document type the workspace holds."""

    model_config = ConfigDict(extra="ignore")

    id: Key
    created_at: Timestamp
    updated_at: Timestamp


class TypeList(WireModel):
    """The document types, by key."""

    types: tuple[DocumentType, ...]
    writable: bool = Field(description="Whether this deployment takes writes.")
