"""Reports of experiments: what stored cells add up to. A state is derived from them and never kept."""

from __future__ import annotations

from collections.abc import Sequence

from indx_core.contracts import (
    CandidateReport,
    Experiment,
    ExperimentCell,
    ExperimentReport,
    ExperimentResult,
    ExperimentState,
    ExperimentSummary,
    Promotion,
    Router,
)
from indx_workspace.scoring import is_scored, sum_rows

__all__ = ["reported", "summarised"]


def summarised(
    experiment: Experiment, done: int, *, running: bool, versions: Sequence[Router]
) -> ExperimentSummary:
    """An experiment with its state.

    Args:
        experiment: What was frozen.
        done: How many cells are stored.
        running: Whether a run is under way.
        versions: The versions its router has now.
    """
    size = len(experiment.documents) * len(experiment.candidates)
    state: ExperimentState = "complete" if done >= size else "running" if running else "stopped"
    return ExperimentSummary(
        id=experiment.id,
        label=experiment.label,
        state=state,
        type_id=experiment.type_id,
        router_id=experiment.router.id,
        router_version=experiment.router.version,
        cells=size,
        done=done,
        promotion=_promotion(experiment, versions),
        created_at=experiment.created_at,
    )


def reported(
    experiment: Experiment, cells: Sequence[ExperimentCell], *, running: bool, versions: Sequence[Router]
) -> ExperimentReport:
    """An experiment with everything measured so far; results in the order in which they are measured."""
    summary = summarised(experiment, len(cells), running=running, versions=versions)
    candidates = {candidate.key: place for place, candidate in enumerate(experiment.candidates)}
    documents = {document.digest: place for place, document in enumerate(experiment.documents)}
    ordered = sorted(cells, key=lambda cell: (candidates[cell.candidate], documents[cell.digest]))
    return ExperimentReport(
        **{name: getattr(summary, name) for name in ExperimentSummary.model_fields},
        documents=experiment.documents,
        candidates=tuple(_candidate(experiment, place, ordered) for place in range(len(candidates))),
        results=tuple(
            ExperimentResult(**{name: getattr(cell, name) for name in ExperimentResult.model_fields})
            for cell in ordered
        ),
    )


def _candidate(experiment: Experiment, place: int, cells: Sequence[ExperimentCell]) -> CandidateReport:
    candidate = experiment.candidates[place]
    own = [cell for cell in cells if cell.candidate == candidate.key]
    failed = sum(cell.error is not None for cell in own)
    return CandidateReport(
        key=candidate.key,
        label=candidate.label,
        branch=candidate.branch,
        documents=sum(map(is_scored, own)),
        failed=failed,
        expected=sum(cell.expected for cell in own),
        right=sum(cell.right for cell in own),
        unanswered=sum(cell.unanswered or 0 for cell in own) or None,
        pages=sum(cell.pages for cell in own),
        needs_person=sum(cell.needs_person for cell in own),
        cost_usd=round(sum(cell.cost_usd for cell in own), 6),
        latency_ms=sum(cell.latency_ms for cell in own),
        rows=sum_rows(own),
    )


def _promotion(experiment: Experiment, versions: Sequence[Router]) -> Promotion | None:
    """The version that came of it: the one after the version measured, if it says so itself."""
    for router in versions:
        origin = router.origin
        if origin is None or origin.experiment_id != experiment.id:
            continue
        if router.version == experiment.router.version + 1:
            return Promotion(router_id=router.id, version=router.version, candidate=origin.candidate)
    return None
