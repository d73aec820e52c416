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

    kind: Literal["entity"] = Field(default="entity", description="An entity.")
    block_id: Name = Field(description="The block whose text it stands in.")
    page: Ordinal | None = Field(default=None, description="The page, counted from 1.")
    bbox: BBox | None = Field(default=None, description="Its place on the page.")
    label: Name = Field(description="The kind of entity answered.")
    range: CharacterRange = Field(description="Start and end in the block's text.")
    surface: Annotated[Text, Field(min_length=1)] = Field(
        description="The text as it stands in the document."
    )


class FacetTarget(RequestModel):
    """A facet's label that was judged. A page or chunk is named by its block."""

    kind: Literal["facet"] = Field(default="facet", description="A facet.")
    unit: Unit = Field(description="Document, page or chunk.")
    block_id: Name | None = Field(default=None, description="The chunk, where the unit is one.")
    page: Ordinal | None = Field(default=None, description="The page, counted from 1.")
    facet: Name = Field(description="The facet.")
    label: Name = Field(description="The label answered.")

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

    label: Name | None = Field(default=None, description="What it should have been called.")
    surface: Annotated[Text, Field(min_length=1)] | None = Field(
        default=None, description="What the text should have been."
    )

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.label is None and self.surface is None:
            raise PydanticCustomError("correction_empty", "a correction gives label, surface or both", {})
        return self


class LabelSpec(RequestModel):
    """A verdict as a reviewer gives it."""

    digest: Digest = Field(description="The digest of the document's bytes.")
    document_name: Title = Field(description="The document's name, for people.")
    target: LabelTarget = Field(description="The answer judged.")
    verdict: Verdict = Field(description="Approved, corrected or rejected.")
    correction: Correction | None = Field(default=None, description="Given with `corrected`, and only then.")
    type_id: Key | None = Field(default=None, description="The document type.")
    field: Key | None = Field(default=None, description="The field of that type the answer fills.")
    reviewer: Title | None = Field(default=None, description="Who judged.")

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

    id: Digest = Field(description="The digest of the answer judged.")
    created_at: Timestamp = Field(description="When it was made.")
    updated_at: Timestamp = Field(description="When it last changed.")


class LabelList(WireModel):
    """Labels by document digest, then ID."""

    labels: tuple[Label, ...] = Field(description="By document, then ID.")
    writable: bool | None = Field(default=None, description="Whether this deployment takes writes.")
