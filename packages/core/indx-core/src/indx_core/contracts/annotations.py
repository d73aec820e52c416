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
    confidence: Fraction


class LabelScore(WireModel):
    """A label and how confident its lane is of it."""

    label: str
    confidence: Fraction


Classification = dict[str, tuple[LabelScore, ...]]
"""Facet to labels, the most confident first."""


class EntitySpan(WireModel):
    """One entity where it stands: the block's text in `range` is `surface`."""

    label: str
    surface: str
    range: CharacterRange
    confidence: Fraction


class EntityCount(WireModel):
    """How often one label and NFKC form was found, with the forms as they were written. Not an identity."""

    label: str
    form: str
    count: int = Field(ge=1)
    surfaces: tuple[str, ...]


class Entities(WireModel):
    """The entities of a document: spans by the ID of the block they stand in, and counts beside them."""

    spans: dict[str, tuple[EntitySpan, ...]]
    counts: tuple[EntityCount, ...]


class Enrichment(WireModel):
    """What enrichers answered: only the parts answered."""

    summary: str | None = None
    tags: tuple[LabelScore, ...] | None = None


class LaneAnswer(WireModel):
    """One lane's whole answer, under the keys it answered, whether or not it won them."""

    classification: Classification | None = None
    chunk_classification: dict[str, Classification] | None = None
    entities: Entities | None = None
    enrichment: Enrichment | None = None
    chunk_enrichment: dict[str, Enrichment] | None = None


class Member(WireModel):
    """A file inside a container: an attachment, a nested mail, an archive entry."""

    name: str
    media_type: str | None = None


class Annotations(LaneAnswer):
    """All keys of a block's metadata that indx writes. A caller's labels are ignored on reading.

    The keys inherited from `LaneAnswer` hold the merge: what each lane won. Maps of `chunk_…` are keyed by
    chunk block ID.
    """

    languages: tuple[LanguageScore, ...] | None = Field(default=None, description="Highest first.")
    lanes: dict[str, LaneAnswer] | None = Field(default=None, description="Lane ID to its whole answer.")
    invoice: Invoice | None = None
    process_chart: ProcessChart | None = None
    members: tuple[Member, ...] | None = None
