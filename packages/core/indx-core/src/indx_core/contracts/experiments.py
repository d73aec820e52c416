"""Experiments: candidate branches scored on an evaluation dataset, and promoted."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from indx_core.contracts._base import (
    Cost,
    Count,
    Digest,
    Key,
    RequestModel,
    Timestamp,
    Title,
    WireModel,
    refuse_repeated,
)
from indx_core.contracts.datasets import DatasetDocument
from indx_core.contracts.labels import Label
from indx_core.contracts.routers import Router, RouterBranch
from indx_core.contracts.trace import TraceFailure

PRODUCTION: Final = "production"
"""The key of the first candidate: the branch the router has for the type."""

ExperimentState = Literal["running", "stopped", "complete"]
"""Derived from the stored cells, never kept. A run never started is `stopped`."""

_EXPECTED: Final = "Verdicts of people that were scored; a rejected answer is met by its absence."
_UNANSWERED: Final = (
    "Verdicts that were not scored, since a lane that could have met them failed there; absent where none."
)


def _untyped(branch: RouterBranch) -> RouterBranch:
    if branch.type_id is not None:
        raise PydanticCustomError("branch_unfit", "a candidate's branch names no type_id", {})
    return branch


class Candidate(RequestModel):
    """One branch to score."""

    key: Key = Field(description="Its key in the experiment.")
    label: Title = Field(description="The name people see.")
    branch: Annotated[RouterBranch, AfterValidator(_untyped)] = Field(description="How it reads and labels.")


def _distinct(candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    refuse_repeated("candidate key", (candidate.key for candidate in candidates))
    return candidates


def _without_production(candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    if any(candidate.key == PRODUCTION for candidate in candidates):
        raise PydanticCustomError(
            "candidate_reserved", "'production' is the router's own branch: choose another key", {}
        )
    return _distinct(candidates)


class ExperimentSpec(RequestModel):
    """An experiment as a person writes it."""

    label: Title = Field(description="The name people see.")
    dataset_id: Key = Field(description="An evaluation dataset.")
    router_id: Key = Field(description="The router to better.")
    candidates: Annotated[tuple[Candidate, ...], AfterValidator(_without_production)] = Field(
        description="The branches to compare with the one in use."
    )


class Experiment(WireModel):
    """An experiment as a store keeps it: everything it measures, frozen. `production` stands first."""

    id: Key = Field(description="Its key.")
    label: str = Field(description="The name people see.")
    dataset_id: Key = Field(description="The evaluation dataset.")
    type_id: Key = Field(description="The document type.")
    documents: tuple[DatasetDocument, ...] = Field(description="Its documents when the experiment was made.")
    labels: tuple[Label, ...] = Field(description="Its labels when the experiment was made.")
    router: Router = Field(description="The router when the experiment was made.")
    candidates: Annotated[tuple[Candidate, ...], AfterValidator(_distinct)] = Field(
        description="The branches compared."
    )
    created_at: Timestamp = Field(description="When it was made.")


class ScoreRow(WireModel):
    """Verdicts expected and met for one assigned field, or one unassigned entity label or facet."""

    kind: Literal["entity", "facet"] = Field(description="Entity or facet.")
    name: str = Field(description="The entity's label, or the facet.")
    field: Key | None = Field(default=None, description="The field of the type it fills.")
    expected: Count = Field(description=_EXPECTED)
    right: Count = Field(description="Those of them that were met.")
    unanswered: Count | None = Field(default=None, description=_UNANSWERED)


class CellError(WireModel):
    """Why a document could not be scored."""

    code: str = Field(description="A word for programs.")
    message: str = Field(description="A sentence for people.")


class ExperimentResult(WireModel):
    """One document read as one candidate: what was right, and what it took."""

    digest: Digest = Field(description="The digest of the document's bytes.")
    candidate: Key = Field(description="The candidate's key.")
    pages: Count = Field(description="Pages read.")
    needs_person: Count = Field(description="Pages that ended in manual review.")
    expected: Count = Field(description=_EXPECTED)
    right: Count = Field(description="Those of them that were met.")
    unanswered: Count | None = Field(default=None, description=_UNANSWERED)
    cost_usd: Cost = Field(description="US dollars.")
    latency_ms: Count = Field(description="Milliseconds, of the clock.")
    error: CellError | None = Field(default=None, description="Why the document failed.")
    failures: tuple[TraceFailure, ...] | None = Field(
        default=None,
        description="Chunkers, lanes, language detectors and embedders that failed on something of it.",
    )


class ExperimentCell(ExperimentResult):
    """A result as a store keeps it, with its rows."""

    rows: tuple[ScoreRow, ...] = Field(default=(), description="The score of each field.")


class CandidateReport(WireModel):
    """A candidate and the sums over its stored cells."""

    key: Key = Field(description="Its key; `production` is the branch in use.")
    label: str = Field(description="The name people see.")
    branch: RouterBranch = Field(description="How it reads and labels.")
    documents: Count = Field(description="Documents scored.")
    failed: Count = Field(description="Documents it failed on.")
    expected: Count = Field(description=_EXPECTED)
    right: Count = Field(description="Those of them that were met.")
    unanswered: Count | None = Field(default=None, description=_UNANSWERED)
    pages: Count = Field(description="Pages read.")
    needs_person: Count = Field(description="Pages that ended in manual review.")
    cost_usd: Cost = Field(description="US dollars.")
    latency_ms: Count = Field(description="Milliseconds, of the clock.")
    rows: tuple[ScoreRow, ...] = Field(description="The score of each field.")


class Promotion(WireModel):
    """The router version a candidate was published as."""

    router_id: Key = Field(description="The router.")
    version: int = Field(ge=1, description="The version that the promotion published.")
    candidate: Key = Field(description="The candidate's key.")


class PromotionRequest(RequestModel):
    """Which candidate to publish."""

    candidate: Key = Field(description="The candidate's key.")


class ExperimentSummary(WireModel):
    """An experiment with its state, without its cells."""

    NULLABLE: ClassVar[frozenset[str]] = frozenset({"promotion"})

    id: Key = Field(description="Its key.")
    label: str = Field(description="The name people see.")
    state: ExperimentState = Field(description="Whether it runs, is complete, or was stopped.")
    type_id: Key = Field(description="The document type.")
    router_id: Key = Field(description="The router to better.")
    router_version: int = Field(ge=1, description="The version in use when the experiment was made.")
    cells: Count = Field(description="Documents times candidates.")
    done: Count = Field(description="Cells stored.")
    promotion: Promotion | None = Field(default=None, description="What was promoted; null until then.")
    created_at: Timestamp = Field(description="When it was made.")


class ExperimentReport(ExperimentSummary):
    """An experiment with everything measured so far."""

    documents: tuple[DatasetDocument, ...] = Field(description="The documents measured on.")
    candidates: tuple[CandidateReport, ...] = Field(description="Production first, then the others as given.")
    results: tuple[ExperimentResult, ...] = Field(
        description="One for each document and candidate that is done."
    )


class ExperimentList(WireModel):
    """The experiments, by key."""

    experiments: tuple[ExperimentSummary, ...] = Field(description="Latest first.")
    writable: bool | None = Field(default=None, description="Whether this deployment takes writes.")
