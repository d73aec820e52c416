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

PRODUCTION: Final = "production"
"""The key of the first candidate: the branch the router has for the type."""

ExperimentState = Literal["running", "stopped", "complete"]
"""Derived from the stored cells, never kept. A run never started is `stopped`."""


def _untyped(branch: RouterBranch) -> RouterBranch:
    if branch.type_id is not None:
        raise PydanticCustomError("branch_unfit", "a candidate's branch names no type_id", {})
    return branch


class Candidate(RequestModel):
    """One branch to score."""

    key: Key
    label: Title
    branch: Annotated[RouterBranch, AfterValidator(_untyped)]


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

    label: Title
    dataset_id: Key
    router_id: Key
    candidates: Annotated[tuple[Candidate, ...], AfterValidator(_without_production)]


class Experiment(WireModel):
    """An experiment as a store keeps it: everything it measures, frozen. `production` stands first."""

    id: Key
    label: str
    dataset_id: Key
    type_id: Key
    documents: tuple[DatasetDocument, ...]
    labels: tuple[Label, ...]
    router: Router
    candidates: Annotated[tuple[Candidate, ...], AfterValidator(_distinct)]
    created_at: Timestamp


class ScoreRow(WireModel):
    """Verdicts expected and met for one assigned field, or one unassigned entity label or facet."""

    kind: Literal["entity", "facet"]
    name: str
    field: Key | None = None
    expected: Count
    right: Count


class CellError(WireModel):
    """Why a document could not be scored."""

    code: str
    message: str


class ExperimentResult(WireModel):
    """One document read as one candidate: what was right, and what it took."""

    digest: Digest
    candidate: Key
    pages: Count
    needs_person: Count = Field(description="Pages that ended in manual review.")
    expected: Count
    right: Count
    cost_usd: Cost
    latency_ms: Count
    error: CellError | None = None


class ExperimentCell(ExperimentResult):
    """A result as a store keeps it, with its rows."""

    rows: tuple[ScoreRow, ...] = ()


class CandidateReport(WireModel):
    """A candidate and the sums over its stored cells."""

    key: Key
    label: str
    branch: RouterBranch
    documents: Count = Field(description="Documents scored.")
    failed: Count
    expected: Count
    right: Count
    pages: Count
    needs_person: Count
    cost_usd: Cost
    latency_ms: Count
    rows: tuple[ScoreRow, ...]


class Promotion(WireModel):
    """The router version a candidate was published as."""

    router_id: Key
    version: int = Field(ge=1)
    candidate: Key


class PromotionRequest(RequestModel):
    """Which candidate to publish."""

    candidate: Key


class ExperimentSummary(WireModel):
    """An experiment with its state, without its cells."""

    NULLABLE: ClassVar[frozenset[str]] = frozenset({"promotion"})

    id: Key
    label: str
    state: ExperimentState
    type_id: Key
    router_id: Key
    router_version: int = Field(ge=1)
    cells: Count = Field(description="Documents times candidates.")
    done: Count = Field(description="Cells stored.")
    promotion: Promotion | None = None
    created_at: Timestamp


class ExperimentReport(ExperimentSummary):
    """An experiment with everything measured so far."""

    documents: tuple[DatasetDocument, ...]
    candidates: tuple[CandidateReport, ...]
    results: tuple[ExperimentResult, ...]


class ExperimentList(WireModel):
    """The experiments, by key."""

    experiments: tuple[ExperimentSummary, ...]
    writable: bool | None = Field(default=None, description="Whether this deployment takes writes.")
