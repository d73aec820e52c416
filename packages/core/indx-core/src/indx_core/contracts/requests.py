"""What a caller asks: to plan, to encode, to embed; and the same with the upload in place of the source."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from indx_core.contracts._base import (
    SCOPES,
    Amount,
    Digest,
    Flag,
    JsonObject,
    Key,
    Names,
    Ordinal,
    RequestModel,
    Scope,
    Text,
    Whole,
    given,
)
from indx_core.contracts.plan import Plan
from indx_core.contracts.selection import Chunking, ExtractionSelection, LaneSelection
from indx_core.contracts.source import InlineSource, SourceInput, UriSource

RESERVED_LABELS: Final = frozenset(
    {
        "languages",
        "classification",
        "chunk_classification",
        "entities",
        "enrichment",
        "chunk_enrichment",
        "lanes",
    }
)
"""Keys of `EncodeRequest.metadata` that the executor writes itself, and so refuses from a caller."""

RESERVED_METADATA_KEY: Final = "reserved_metadata_key"
"""The type of the validation error for a reserved label; transports answer it as the code of that name."""


def _in_scope_order(values: tuple[Scope, ...]) -> tuple[Scope, ...]:
    return tuple(scope for scope in SCOPES if scope in values)


def _unreserved(labels: JsonObject) -> JsonObject:
    taken = sorted(RESERVED_LABELS.intersection(labels))
    if taken:
        raise PydanticCustomError(
            RESERVED_METADATA_KEY,
            "metadata key {keys} is written by indx itself: choose another name",
            {"keys": ", ".join(map(repr, taken))},
        )
    return labels


Granularities = Annotated[tuple[Scope, ...], Field(min_length=1), AfterValidator(_in_scope_order)]
"""The scopes to return blocks for, kept once each in the order of `SCOPES`."""

Labels = Annotated[
    JsonObject,
    AfterValidator(_unreserved),
    Field(json_schema_extra={"propertyNames": {"not": {"enum": [*sorted(RESERVED_LABELS)]}}}),
]
"""A caller's own labels; they come back unchanged on the document block."""


class Constraints(RequestModel):
    """What a route must respect. An absent member constrains nothing."""

    data_residency: Flag | None = Field(default=None, description="True: nothing leaves this machine.")
    maximum_cost_usd: Amount | None = Field(default=None, description="Estimated US dollars, at most.")
    maximum_latency_ms: Whole | None = Field(default=None, description="Estimated milliseconds, at most.")
    minimum_quality: Annotated[Amount, Field(le=1)] | None = Field(
        default=None, description="Estimated quality from 0 to 1, at least."
    )
    fallbacks_allowed: Flag = Field(default=True, description="False: a route has no second reader.")
    capability_ids: Names | None = Field(default=None, description="The only readers allowed.")


class RouterRef(RequestModel):
    """A router a request names; without a version, its latest."""

    id: Key = Field(description="The router.")
    version: Ordinal | None = Field(default=None, description="Its version; without one, the latest.")


class PlanRequestPart(RequestModel):
    """A plan request whose source is the uploaded file."""

    request_id: Text | None = Field(default=None, description="The caller's own identifier, echoed.")
    snapshot_id: Digest | None = Field(default=None, description="The snapshot the caller relies on.")
    granularities: Granularities = Field(
        default=("DOCUMENT", "PAGE"), description="How deep the answer goes."
    )
    embedding_space_ids: Names = Field(default=(), description="The spaces chunks are embedded in.")
    constraints: Constraints | None = Field(default=None, description="What a route must respect.")
    signature_detection: Flag = Field(default=False, description="Ask parsers whether they know it.")
    router: RouterRef | None = Field(default=None, description="The router whose branches to follow.")

    def with_source(self, source: UriSource | InlineSource) -> PlanRequest:
        """Return the whole request, now that the source is known."""
        return PlanRequest(source=source, **given(self, but="source"))


class PlanRequest(PlanRequestPart):
    """A request to decide how a document would be read, without reading it."""

    source: SourceInput = Field(description="The document.")


class EncodeRequestPart(PlanRequestPart):
    """An encode request whose source is the uploaded file."""

    plan: Plan | None = Field(default=None, description="A plan made earlier; it binds the execution.")
    metadata: Labels | None = Field(default=None, description="The caller's labels for the document.")
    classification: LaneSelection | None = Field(default=None, description="The classifiers asked, by unit.")
    extraction: ExtractionSelection | None = Field(
        default=None, description="The entity extractors asked, by unit."
    )
    enrichment: LaneSelection | None = Field(default=None, description="The enrichers asked, by unit.")
    chunking: Chunking | None = Field(default=None, description="Which chunkers are asked first.")

    def with_source(self, source: UriSource | InlineSource) -> EncodeRequest:
        """Return the whole request, now that the source is known."""
        return EncodeRequest(source=source, **given(self, but="source"))


class EncodeRequest(EncodeRequestPart, PlanRequest):
    """A request to read a document into blocks, by a plan given or made."""
