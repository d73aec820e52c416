"""The plan: how a document will be read, why, and by what in turn if that fails."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from indx_core.contracts._base import (
    BBox,
    ContentAddressed,
    Cost,
    Count,
    Digest,
    Fraction,
    Key,
    Ordinal,
    PageNumber,
    Scope,
    WireModel,
)
from indx_core.contracts.selection import ChunkerRef, ExtractionSelection, LaneSelection, Recognizer

ComponentRole = Literal["loader", "sniffer", "observer", "chunker", "language_detector", "classifier"]
"""The part a component took. An observer stands in a plan's components only, never in a trace."""


class Component(WireModel):
    """One installed part that took part without a capability ID of its own."""

    role: ComponentRole
    distribution: str = Field(description="The installed package that declares it.")
    id: str | None = Field(default=None, description="A chunker's or classifier's public ID.")
    version: int | None = Field(default=None, ge=1, description="A chunker's version; no other role has one.")
    pages: tuple[PageNumber, ...] | None = Field(default=None, description="Pages it cut or answered for.")
    facets: tuple[str, ...] | None = Field(default=None, description="Facets a classifier won.")


class Route(WireModel):
    """One ladder of readers: the selected one, then its fallbacks in order."""

    capability_id: str
    fallbacks: tuple[str, ...] = ()


class PageRoute(WireModel):
    """The route of one page that differs from the default."""

    page: PageNumber
    route: Route


class RegionRoute(WireModel):
    """The route of one region of a page."""

    page: PageNumber
    bbox: BBox
    route: Route


class Reason(WireModel):
    """One observed reason for a decision."""

    code: str
    message: str
    pages: tuple[PageNumber, ...] | None = None


class SignatureMatch(WireModel):
    """A parser recognised the document or some of its pages."""

    signature: str
    scope: Scope
    pages: tuple[PageNumber, ...]
    evidence: tuple[str, ...] = Field(description="The signals that matched, as public phrases.")
    confidence: Fraction = Field(description="The share of independent signals matched; not calibrated.")
    capability_id: str = Field(description="The capability it nominates.")
    installed: bool = Field(description="False: reported only; the route is unchanged.")


class Estimates(WireModel):
    """What the plan is expected to cost."""

    cost_usd: Cost
    latency_ms: Count
    quality: Fraction


class PlanRouter(WireModel):
    """The router version a plan was decided under."""

    id: Key
    version: Ordinal


class TypedPage(WireModel):
    """A page whose document type was known before reading, and by what."""

    page: PageNumber
    type_id: Key
    by: Literal["signature", "approved", "given"]


class Branch(WireModel):
    """The planned form of one branch of a router. The default branch has no `type_id` and stands last."""

    type_id: Key | None = None
    default: Route
    pages: tuple[PageRoute, ...] = ()
    chunkers: tuple[ChunkerRef, ...] = ()
    classification: LaneSelection | None = None
    extraction: ExtractionSelection | None = None
    enrichment: LaneSelection | None = None
    embedding_space_ids: tuple[str, ...] = ()


class Plan(ContentAddressed):
    """A decision that can be inspected, kept and supplied back. Its ID covers all but the request ID."""

    ID_FIELD: ClassVar[str] = "plan_id"
    UNHASHED: ClassVar[frozenset[str]] = frozenset({"request_id"})

    plan_id: Digest
    request_id: str | None = Field(default=None, description="The caller's own identifier.")
    status: Literal["ready", "unsatisfied"]
    unsatisfied: tuple[str, ...] = Field(default=(), description="Why nothing satisfies it, line by line.")
    source_digest: Digest
    media_type: str
    snapshot_id: Digest
    policy_version: str
    granularities: tuple[Scope, ...]
    embedding_space_ids: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    signature_matches: tuple[SignatureMatch, ...] = ()
    default: Route | None = Field(default=None, description="The route of every page without its own.")
    pages: tuple[PageRoute, ...] = ()
    regions: tuple[RegionRoute, ...] = ()
    estimates: Estimates | None = None
    router: PlanRouter | None = None
    branches: tuple[Branch, ...] | None = None
    typed_pages: tuple[TypedPage, ...] | None = None
    recognizer: Recognizer | None = None

    @model_validator(mode="after")
    def _status_agrees(self) -> Self:
        if self.status == "ready":
            sound = self.default is not None and not self.unsatisfied
        else:
            routed = self.default or self.pages or self.regions or self.estimates
            sound = bool(self.unsatisfied) and not routed
        if not sound:
            raise PydanticCustomError(
                "plan_status",
                "a {status} plan does not fit its members: a ready plan has a default route and no "
                "unsatisfied line, an unsatisfied plan has lines and no routes or estimates",
                {"status": self.status},
            )
        return self


class PlanResult(WireModel):
    """A plan, and beside it the parts that produced it. Only the plan is hashed and supplied back."""

    plan: Plan
    components: tuple[Component, ...] = ()
