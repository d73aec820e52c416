"""Reviewers' verdicts on what lanes answered. A label copies the answer it judges."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from indx_core.canonical import content_id
from indx_core.contracts._base import (
    BBox,
    Digest,
    Key,
    Name,
    Ordinal,
    RequestModel,
    Text,
    Timestamp,
    Title,
    Unit,
    WireModel,
)
from indx_core.contracts.annotations import CharacterRange

Verdict = Literal["approved", "corrected", "rejected"]


class EntityTarget(RequestModel):
    """An entity that was judged."""

    kind: Literal["entity"] = "entity"
    block_id: Name
    page: Ordinal | None = None
    bbox: BBox | None = None
    label: Name
    range: CharacterRange
    surface: Annotated[Text, Field(min_length=1)]


class FacetTarget(RequestModel):
    """A facet's label that was judged. A page or chunk is named by its block."""

    kind: Literal["facet"] = "facet"
    unit: Unit
    block_id: Name | None = None
    page: Ordinal | None = None
    facet: Name
    label: Name

    @model_validator(mode="before")
    @classmethod
    def _name_the_block(cls, value: Any) -> Any:
        """Give a page target its block ID, so that one answer has one identity however it is named."""
        if isinstance(value, dict) and value.get("unit") == "page" and value.get("block_id") is None:
            page = value.get("page")
            return {**value, "block_id": f"p{page}"} if isinstance(page, int) else value
        return value

    @model_validator(mode="after")
    def _block_fits_unit(self) -> Self:
        if self.unit == "document" and self.block_id not in {None, "doc"}:
            raise PydanticCustomError(
                "target_unfit",
                "block_id {block_id} is not the document: leave it out",
                {"block_id": repr(self.block_id)},
            )
        if self.unit != "document" and self.block_id is None:
            raise PydanticCustomError(
                "target_unfit", "a facet target of a {unit} needs block_id", {"unit": self.unit}
            )
        return self


LabelTarget = Annotated[EntityTarget | FacetTarget, Field(discriminator="kind")]
"""The answer that was judged, told apart by `kind`."""


class Correction(RequestModel):
    """What the answer should have been: another label, another surface, or both."""

    label: Name | None = None
    surface: Annotated[Text, Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.label is None and self.surface is None:
            raise PydanticCustomError("correction_empty", "a correction gives label, surface or both", {})
        return self


class LabelSpec(RequestModel):
    """A verdict as a reviewer gives it."""

    digest: Digest
    document_name: Title
    target: LabelTarget
    verdict: Verdict
    correction: Correction | None = Field(default=None, description="Given with `corrected`, and only then.")
    type_id: Key | None = None
    field: Key | None = Field(default=None, description="The field of that type the answer fills.")
    reviewer: Title | None = None

    @model_validator(mode="after")
    def _correction_fits_verdict(self) -> Self:
        if (self.verdict == "corrected") != (self.correction is not None):
            raise PydanticCustomError(
                "correction_unfit",
                "verdict {verdict}: a corrected verdict, and no other, has a correction",
                {"verdict": repr(self.verdict)},
            )
        return self

    def label_id(self) -> str:
        """Return the ID of the label: the digest of the document and of the answer judged.

        Neither the verdict nor the box and page, which are for people, take part; a second verdict on the
        same answer therefore replaces the first.
        """
        unnamed = {"bbox", "page"}
        if isinstance(self.target, FacetTarget) and self.target.unit == "document":
            unnamed.add("block_id")
        target = self.target.model_dump(mode="json", exclude=unnamed)
        return content_id({"digest": self.digest, "target": target})


class Label(LabelSpec):
    """A verdict the workspace holds."""

    model_config = ConfigDict(extra="ignore")

    id: Digest
    created_at: Timestamp
    updated_at: Timestamp


class LabelList(WireModel):
    """Labels by document digest, then ID."""

    labels: tuple[Label, ...]
    writable: bool | None = Field(default=None, description="Whether this deployment takes writes.")
