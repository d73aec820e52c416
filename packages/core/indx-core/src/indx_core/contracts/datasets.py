"""Datasets: reviewed documents gathered for training or for evaluation."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field

from indx_core.contracts._base import (
    Count,
    Digest,
    Key,
    RequestModel,
    Timestamp,
    Title,
    WireModel,
    refuse_repeated,
)


class DatasetDocument(RequestModel):
    """A member: a document by digest, with its name copied."""

    digest: Digest = Field(description="The digest of the document's bytes.")
    name: Title = Field(description="Its name, for people.")


def _distinct(documents: tuple[DatasetDocument, ...]) -> tuple[DatasetDocument, ...]:
    refuse_repeated("document", (document.digest for document in documents))
    return documents


class DatasetSpec(RequestModel):
    """A dataset as a person writes it."""

    label: Title = Field(description="The name people see.")
    purpose: Literal["training", "evaluation"] = Field(
        description="For training or for evaluation; a document serves one of the two."
    )
    type_id: Key | None = Field(default=None, description="The document type.")
    documents: Annotated[tuple[DatasetDocument, ...], AfterValidator(_distinct)] = Field(
        default=(), description="The documents named."
    )


class DatasetRecord(DatasetSpec):
    """A dataset as a store keeps it: without examples, which are the labels its documents hold now."""

    model_config = ConfigDict(extra="ignore")

    id: Key = Field(description="Its key.")
    created_at: Timestamp = Field(description="When it was made.")
    updated_at: Timestamp = Field(description="When it last changed.")


class Dataset(DatasetRecord):
    """A dataset as it is answered."""

    examples: Count = Field(description="Labels its documents hold now.")
    readable: Count = Field(description="Documents whose source the installation kept.")


class DatasetList(WireModel):
    """The datasets, by key."""

    datasets: tuple[Dataset, ...] = Field(description="By key.")
    writable: bool = Field(description="Whether this deployment takes writes.")
