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

    role: ComponentRole = Field(description="What part it had.")
    distribution: str = Field(description="The installed package that declares it.")
    id: str | None = Field(default=None, description="A chunker's or classifier's public ID.")
    version: int | None = Field(default=None, ge=1, description="A chunker's version; no other role has one.")
    pages: tuple[PageNumber, ...] | None = Field(default=None, description="Pages it cut or answered for.")
    facets: tuple[str, ...] | None = Field(default=None, description="Facets a classifier won.")


class Route(WireModel):
    """One ladder of readers: the selected one, then its fallbacks in order."""

    capability_id: str = Field(description="The reader asked first.")
    fallbacks: tuple[str, ...] = Field(default=(), description="Those asked after it, in turn.")


class PageRoute(WireModel):
    """The route of one page that differs from the default."""

    page: PageNumber = Field(description="The page, counted from 1.")
    route: Route = Field(description="Its route.")


class RegionRoute(WireModel):
    """The route of one region of a page."""

    page: PageNumber = Field(description="The page, counted from 1.")
    bbox: BBox = Field(description="Its place on the page.")
    route: Route = Field(description="Its route.")


class Reason(WireModel):
    """One observed reason for a decision."""

    code: str = Field(description="A word for programs.")
    message: str = Field(description="A sentence for people.")
    pages: tuple[PageNumber, ...] | None = Field(
        default=None, description="The pages it was seen on; absent where it is about the document."
    )


class SignatureMatch(WireModel):
    """A parser recognised the document or some of its pages."""

    signature: str = Field(description="The name of what was recognised.")
    scope: Scope = Field(description="What it is about.")
    pages: tuple[PageNumber, ...] = Field(description="The pages it covers.")
    evidence: tuple[str, ...] = Field(description="The signals that matched, as public phrases.")
    confidence: Fraction = Field(description="The share of independent signals matched; not calibrated.")
    capability_id: str = Field(description="The capability it nominates.")
    installed: bool = Field(description="False: reported only; the route is unchanged.")


class Estimates(WireModel):
    """What the plan is expected to cost."""

    cost_usd: Cost = Field(description="US dollars expected over all pages.")
    latency_ms: Count = Field(description="Milliseconds expected over all pages.")
    quality: Fraction = Field(description="The quality expected, averaged over the pages.")


class PlanRouter(WireModel):
    """The router version a plan was decided under."""

    id: Key = Field(description="The router.")
    version: Ordinal = Field(description="Its version.")


class TypedPage(WireModel):
    """A page whose document type was known before reading, and by what."""

    page: PageNumber = Field(description="The page, counted from 1.")
    type_id: Key = Field(description="The document type.")
    by: Literal["signature", "approved", "given"] = Field(
        description="How it is known: a parser's signature, an approved label, or the branch given."
    )


class Branch(WireModel):
    """The planned form of one branch of a router. The default branch has no `type_id` and stands last."""

    type_id: Key | None = Field(
        default=None, description="The type it serves; absent for the default branch."
    )
    default: Route = Field(description="The route of every page without its own.")
    pages: tuple[PageRoute, ...] = Field(default=(), description="Pages whose route differs.")
    chunkers: tuple[ChunkerRef, ...] = Field(
        default=(), description="The chunkers asked first, in this order."
    )
    classification: LaneSelection | None = Field(default=None, description="The classifiers asked, by unit.")
    extraction: ExtractionSelection | None = Field(
        default=None, description="The entity extractors asked, by unit."
    )
    enrichment: LaneSelection | None = Field(default=None, description="The enrichers asked, by unit.")
    embedding_space_ids: tuple[str, ...] = Field(default=(), description="The spaces chunks are embedded in.")


class Plan(ContentAddressed):
    """A decision that can be inspected, kept and supplied back. Its ID covers all but the request ID."""

    ID_FIELD: ClassVar[str] = "plan_id"
    UNHASHED: ClassVar[frozenset[str]] = frozenset({"request_id"})

    plan_id: Digest = Field(description="The plan's identity: the digest of its content.")
    request_id: str | None = Field(default=None, description="The caller's own identifier.")
    status: Literal["ready", "unsatisfied"] = Field(description="Whether it can be carried out.")
    unsatisfied: tuple[str, ...] = Field(default=(), description="Why nothing satisfies it, line by line.")
    source_digest: Digest = Field(description="The digest of the document's bytes.")
    media_type: str = Field(description="What the bytes are taken for.")
    snapshot_id: Digest = Field(description="The digest of what is installed and configured.")
    policy_version: str = Field(description="The version of the rules that decided it.")
    granularities: tuple[Scope, ...] = Field(description="How deep the answer goes, in the fixed order.")
    embedding_space_ids: tuple[str, ...] = Field(default=(), description="The spaces chunks are embedded in.")
    reasons: tuple[Reason, ...] = Field(default=(), description="What was seen that decided it.")
    signature_matches: tuple[SignatureMatch, ...] = Field(
        default=(), description="Documents that parsers recognised."
    )
    default: Route | None = Field(default=None, description="The route of every page without its own.")
    pages: tuple[PageRoute, ...] = Field(
        default=(), description="Pages whose route differs from the default."
    )
    regions: tuple[RegionRoute, ...] = Field(default=(), description="Regions with a route of their own.")
    estimates: Estimates | None = Field(
        default=None, description="What it is expected to cost; absent when unsatisfied."
    )
    router: PlanRouter | None = Field(default=None, description="The router version it was decided under.")
    branches: tuple[Branch, ...] | None = Field(
        default=None, description="The router's branches as planned, the default last."
    )
    typed_pages: tuple[TypedPage, ...] | None = Field(
        default=None, description="Pages whose type was known before reading."
    )
    recognizer: Recognizer | None = Field(default=None, description="Who tells the type of the other pages.")

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

    plan: Plan = Field(description="The plan.")
    components: tuple[Component, ...] = Field(
        default=(), description="Who loaded, named and observed the document."
    )
