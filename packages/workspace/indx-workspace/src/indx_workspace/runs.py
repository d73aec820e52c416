"""Runs: the cells of an experiment, a document read as a candidate, filled one at a time.

Each cell is stored as soon as it is there and never computed again: a run that was stopped or lost goes on
where it stood.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from indx_core.contracts import (
    PRODUCTION,
    Candidate,
    EncodeRequest,
    EncodeResult,
    Experiment,
    ExperimentCell,
    InlineSource,
    Label,
    ResolvedRouter,
    RouterRef,
)
from indx_core.deadline import Deadline
from indx_core.errors import IndxError, InternalError, NotFound, Unavailable
from indx_workspace.checks import Clock
from indx_workspace.routers import Routers, with_branch
from indx_workspace.scoring import RowKey, failed_cell, row_keys, scored_cell
from indx_workspace.stores import together

if TYPE_CHECKING:
    from indx_core.ports import ExperimentStore, SourceStore
    from indx_runtime import Engine

__all__ = ["JOB", "Runs"]

JOB: Final = "experiment"
"""The name of the job that runs an experiment."""

_log = logging.getLogger("indx.experiments")


class Runs:
    """What the job that runs experiments does."""

    def __init__(
        self,
        store: ExperimentStore,
        sources: SourceStore | None,
        engine: Engine,
        routers: Routers,
        *,
        clock: Clock,
    ) -> None:
        """Read what experiments name, through an engine, into a store."""
        self._store, self._sources, self._engine = store, sources, engine
        self._routers, self._clock = routers, clock
        self._time = Deadline()  # no request's: a run has all the time until the workspace is closed

    def abandon(self) -> None:
        """End the run in the middle of its document, which is then read again by whoever resumes it."""
        self._time.cancel()

    def cells(self, key: str) -> tuple[ExperimentCell, ...]:
        """The cells that are stored of an experiment."""
        return tuple(ExperimentCell.model_validate(cell) for cell in self._store.cells(key))

    def run(self, job: str, payload: Mapping[str, Any], cancelled: Callable[[], bool]) -> None:  # noqa: ARG002
        """Fill the cells that are not there yet: production first, then one candidate after another.

        Raises:
            Unavailable: `busy`: it cannot go on here now, and can later or elsewhere.
        """
        key = payload["experiment"]
        frozen = self._store.get(key)
        if frozen is None:
            return
        experiment = Experiment.model_validate(frozen)
        labels: dict[str, list[Label]] = {}
        for label in experiment.labels:
            labels.setdefault(label.digest, []).append(label)
        keys = row_keys(experiment.labels, experiment.type_id)
        done = {(cell.digest, cell.candidate) for cell in self.cells(key)}
        for candidate in experiment.candidates:
            for document in experiment.documents:
                if (document.digest, candidate.key) in done:
                    continue
                if cancelled():
                    return
                cell = self._cell(
                    experiment, candidate, document.digest, labels.get(document.digest, []), keys
                )
                if not self._keep_cell(key, frozen, cell):
                    return

    def _keep_cell(self, key: str, frozen: Mapping[str, Any], cell: ExperimentCell) -> bool:
        """Store a cell, unless the experiment is no longer the one that was measured."""
        with together(self._store):
            if self._store.get(key) != frozen:
                return False
            self._store.put_cell(key, cell.digest, cell.candidate, cell.model_dump(mode="json"))
            return True

    def _cell(
        self,
        experiment: Experiment,
        candidate: Candidate,
        digest: str,
        labels: Sequence[Label],
        keys: Mapping[str, RowKey],
    ) -> ExperimentCell:
        """Read a document as a candidate.

        Raises:
            Unavailable: `busy`: it cannot be tried now.
        """
        try:
            result = self._encoded(experiment, candidate, digest)
        except IndxError as error:
            if error.code == "busy" or self._time.cancelled:
                raise Unavailable(
                    f"experiment {experiment.id} stops here: {error.message}", code="busy"
                ) from None
            return failed_cell(digest, candidate.key, error.code, error.message)
        except Exception:
            _log.exception("experiment %s: %s as %s", experiment.id, digest, candidate.key)
            generic = InternalError("the document could not be read; the log says why")
            return failed_cell(digest, candidate.key, generic.code, generic.message)
        if result.plan.status == "unsatisfied":
            return failed_cell(digest, candidate.key, "unsatisfied", "; ".join(result.plan.unsatisfied))
        return scored_cell(digest, candidate.key, result, labels, keys)

    def _encoded(self, experiment: Experiment, candidate: Candidate, digest: str) -> EncodeResult:
        now = self._clock()
        source = None if self._sources is None else self._sources.get(None, digest, now=now)
        if source is None:
            raise NotFound(
                "the installation no longer stores this source; keep the document again",
                code="source_not_kept",
            )
        routing = self._as_candidate(experiment, candidate)
        request = EncodeRequest(
            source=InlineSource(data=source.data, media_type=source.media_type, filename=source.filename),
            granularities=("DOCUMENT", "PAGE", "CHUNK"),
            router=RouterRef(id=routing.id, version=routing.version),
        )
        return self._engine.encode(request, deadline=self._time, routing=routing)

    def _as_candidate(self, experiment: Experiment, candidate: Candidate) -> ResolvedRouter:
        """The router version that a candidate would become, with the type of every page given."""
        router = experiment.router
        if candidate.key != PRODUCTION:
            branch = candidate.branch.model_copy(update={"type_id": experiment.type_id})
            spec = with_branch(router, branch)
            router = router.model_copy(update={"branches": spec.branches, "version": router.version + 1})
        resolved = self._routers.resolved(router)
        return resolved.model_copy(update={"given": experiment.type_id})
