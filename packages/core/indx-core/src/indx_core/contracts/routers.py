"""Routers: a branch for each document type, in versions that never change."""

from __future__ import annotations

from typing import ClassVar, Self

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from indx_core.contracts._base import (
    Key,
    Name,
    Names,
    Ordinal,
    RequestModel,
    Timestamp,
    Title,
    WireModel,
    refuse_repeated,
)
from indx_core.contracts.selection import ChunkerRef, ExtractionSelection, LaneSelection, Recognizer


class RouterBranch(RequestModel):
    """How documents of one type are read. A default branch and a candidate name no type."""

    type_id: Key | None = Field(default=None, description="The type it serves.")
    reader: Name | None = Field(default=None, description="The capability that leads the route.")
    chunkers: tuple[ChunkerRef, ...] | None = Field(
        default=None, description="The chunkers asked first, in this order."
    )
    classification: LaneSelection | None = Field(default=None, description="The classifiers asked, by unit.")
    extraction: ExtractionSelection | None = Field(
        default=None, description="The entity extractors asked, by unit."
    )
    enrichment: LaneSelection | None = Field(default=None, description="The enrichers asked, by unit.")
    embedding_space_ids: Names | None = Field(default=None, description="The spaces chunks are embedded in.")


class RouterSpec(RequestModel):
    """A router as a person writes it. Publishing it makes the next version."""

    label: Title = Field(description="The name people see.")
    branches: tuple[RouterBranch, ...] = Field(default=(), description="One for each type.")
    default: RouterBranch = Field(description="The branch of every other page.")
    recognizer: Recognizer | None = Field(default=None, description="Who tells the type of a page.")

    @model_validator(mode="after")
    def _each_type_once(self) -> Self:
        types = [branch.type_id for branch in self.branches]
        if None in types or self.default.type_id is not None:
            raise PydanticCustomError(
                "branch_unfit", "every branch names a type_id, and the default branch names none", {}
            )
        refuse_repeated("branch type_id", filter(None, types))
        return self


class Origin(WireModel):
    """The experiment and candidate a promoted version came from."""

    experiment_id: Key = Field(description="The experiment.")
    candidate: Key = Field(description="The candidate promoted.")


class Router(RouterSpec):
    """One published version of a router."""

    NULLABLE: ClassVar[frozenset[str]] = frozenset({"origin"})
    model_config = ConfigDict(extra="ignore")

    id: Key = Field(description="Its key.")
    version: Ordinal = Field(description="Counted from 1.")
    origin: Origin | None = Field(default=None, description="Null unless a promotion published it.")
    created_at: Timestamp = Field(description="When it was made.")


class RouterList(WireModel):
    """The latest version of each router, by key."""

    routers: tuple[Router, ...] = Field(description="The latest version of each, by key.")
    writable: bool = Field(description="Whether this deployment takes writes.")


class RouterVersionList(WireModel):
    """The versions of one router, oldest first."""

    versions: tuple[Router, ...] = Field(description="Oldest first.")
    writable: bool | None = Field(default=None, description="Whether this deployment takes writes.")
