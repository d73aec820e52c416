"""Document types of the workspace. Not `Document.doc_type` of a space, nor the facet `document_type`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field

from indx_core.contracts._base import Key, Name, RequestModel, Timestamp, Title, WireModel, refuse_repeated


class TypeField(RequestModel):
    """One field of a document type, answered by an entity label or a facet of that name."""

    key: Key = Field(description="The field's key.")
    label: Title = Field(description="The name people see.")
    kind: Literal["entity", "facet"] = Field(description="Filled by an entity or a facet.")
    name: Name = Field(description="The entity label or facet it is read from.")


def _distinct(fields: tuple[TypeField, ...]) -> tuple[TypeField, ...]:
    refuse_repeated("field key", (field.key for field in fields))
    return fields


class DocumentTypeSpec(RequestModel):
    """A document type as a person writes it."""

    label: Title = Field(description="The name people see.")
    fields: Annotated[tuple[TypeField, ...], AfterValidator(_distinct)] = Field(
        default=(), description="What a document of this type tells."
    )
    signature: Name | None = Field(default=None, description="The parser whose signature recognises it.")


class DocumentType(DocumentTypeSpec):
    """A document type the workspace holds."""

    model_config = ConfigDict(extra="ignore")

    id: Key = Field(description="Its key.")
    created_at: Timestamp = Field(description="When it was made.")
    updated_at: Timestamp = Field(description="When it last changed.")


class TypeList(WireModel):
    """The document types, by key."""

    types: tuple[DocumentType, ...] = Field(description="By key.")
    writable: bool = Field(description="Whether this deployment takes writes.")
