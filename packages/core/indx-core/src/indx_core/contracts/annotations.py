"""The facts indx writes into a block's metadata, typed.

Metadata itself is a free JSON object, because a caller's labels stand beside these keys; `Annotations` reads
and writes the part that indx owns.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from indx_core.contracts._base import Count, Fraction, WireModel
from indx_core.contracts.invoice import Invoice
from indx_core.contracts.process_chart import ProcessChart


def _forward(value: tuple[int, int]) -> tuple[int, int]:
    if value[0] >= value[1]:
        raise PydanticCustomError(
            "range_empty", "range {range} covers nothing: give start < end", {"range": list(value)}
        )
    return value


CharacterRange = Annotated[tuple[Count, Count], AfterValidator(_forward)]
"""`[start, end)` in characters of one block's own text, from 0."""


class LanguageScore(WireModel):
    """A language a page or document is written in."""

    language: str = Field(description="ISO 639-1.")
    confidence: Fraction = Field(description="The detector's own claim.")


class LabelScore(WireModel):
    """A label and how confident its lane is of it."""

    label: str = Field(description="The label.")
    confidence: Fraction = Field(description="The lane's own claim; not calibrated between lanes.")


Classification = dict[str, tuple[LabelScore, ...]]
"""Facet to labels, the most confident first."""


class EntitySpan(WireModel):
    """One entity where it stands: the block's text in `range` is `surface`."""

    label: str = Field(description="The kind of entity.")
    surface: str = Field(description="The text as it stands in the document.")
    range: CharacterRange = Field(
        description="Start and end in the block's text, in characters, the end exclusive."
    )
    confidence: Fraction = Field(description="The extractor's own claim.")


class EntityCount(WireModel):
    """How often one label and NFKC form was found, with the forms as they were written. Not an identity."""

    label: str = Field(description="The kind of entity.")
    form: str = Field(description="The form that its spellings share.")
    count: int = Field(ge=1, description="How often it occurs.")
    surfaces: tuple[str, ...] = Field(description="Its spellings.")


class Entities(WireModel):
    """The entities of a document: spans by the ID of the block they stand in, and counts beside them."""

    spans: dict[str, tuple[EntitySpan, ...]] = Field(
        description="Entities by the ID of the block whose text they stand in."
    )
    counts: tuple[EntityCount, ...] = Field(description="The same, counted by label and form.")


class Enrichment(WireModel):
    """What enrichers answered: only the parts answered."""

    summary: str | None = Field(default=None, description="A summary in the document's own language.")
    tags: tuple[LabelScore, ...] | None = Field(default=None, description="Short labels, best first.")


class LaneAnswer(WireModel):
    """One lane's whole answer, under the keys it answered, whether or not it won them."""

    classification: Classification | None = Field(default=None, description="Labels by facet.")
    chunk_classification: dict[str, Classification] | None = Field(
        default=None, description="Labels by facet, by chunk ID."
    )
    entities: Entities | None = Field(default=None, description="Entities found.")
    enrichment: Enrichment | None = Field(default=None, description="Summary and tags.")
    chunk_enrichment: dict[str, Enrichment] | None = Field(
        default=None, description="Summary and tags, by chunk ID."
    )


class Member(WireModel):
    """A file inside a container: an attachment, a nested mail, an archive entry."""

    name: str = Field(description="As written in the container.")
    media_type: str | None = Field(default=None, description="As declared by the container.")
    size: Count | None = Field(default=None, description="Bytes, as far as the container states them.")


class Annotations(LaneAnswer):
    """All keys of a block's metadata that indx writes. A caller's labels are ignored on reading.

    The keys inherited from `LaneAnswer` hold the merge: what each lane won. Maps of `chunk_…` are keyed by
    chunk block ID.
    """

    languages: tuple[LanguageScore, ...] | None = Field(default=None, description="Highest first.")
    lanes: dict[str, LaneAnswer] | None = Field(default=None, description="Lane ID to its whole answer.")
    invoice: Invoice | None = Field(
        default=None, description="The fields of the invoice whose number this page prints."
    )
    process_chart: ProcessChart | None = Field(default=None, description="The process chart this page draws.")
    members: tuple[Member, ...] | None = Field(default=None, description="The documents inside this one.")
