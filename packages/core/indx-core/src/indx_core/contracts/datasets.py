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

    digest: Digest
    name: Title


def _distinct(documents: tuple[DatasetDocument, ...]) -> tuple[DatasetDocument, ...]:
    refuse_repeated("document", (document.digest for document in documents))
    return documents


class DatasetSpec(RequestModel):
    """A dataset as a person writes it."""

    label: Title
    purpose: Literal["training", "evaluation"]
    type_id: Key | None = None
    documents: Annotated[tuple[DatasetDocument, ...], AfterValidator(_distinct)] = ()


class DatasetRecord(DatasetSpec):
    """A dataset as a store keeps it: without examples, which are the labels its documents hold now."""

    model_config = ConfigDict(extra="ignore")

    id: Key
    created_at: Timestamp
    updated_at: Timestamp


class Dataset(DatasetRecord):
    """A dataset as it is answered."""

    examples: Count = Field(description="Labels its documents hold now.")
    readable: Count = Field(description="Documents whose source the installation kept.")


class DatasetList(WireModel):
    """The datasets, by key."""

    datasets: tuple[Dataset, ...]
    writable: bool = Field(description="Whether this deployment takes writes.")
