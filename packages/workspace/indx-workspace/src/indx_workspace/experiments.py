"""Experiments: candidate branches for a type, scored on reviewed documents against the branch in use.

Everything measured is frozen when an experiment is made. A run fills cells, a document read as a candidate,
one at a time, each stored as soon as it is there: a run that was stopped or lost goes on where it stood.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.contracts import (
    PRODUCTION,
    Candidate,
    Experiment,
    ExperimentList,
    ExperimentReport,
    ExperimentSpec,
    ExperimentSummary,
    Origin,
    Router,
)
from indx_core.contracts.datasets import DatasetRecord
from indx_core.errors import (
    ExperimentConflict,
    InvalidRecord,
    NotFound,
    StoreDisabled,
)
from indx_workspace import settings
from indx_workspace.checks import Clock, is_key, require_key, writable
from indx_workspace.installed import check_branch
from indx_workspace.reporting import reported, summarised
from indx_workspace.runs import JOB, Runs
from indx_workspace.scoring import is_scored, sum_rows
from indx_workspace.stores import Stores, together

if TYPE_CHECKING:
    from indx_core.ports import ExperimentStore, JobRunner
    from indx_runtime import Engine
    from indx_workspace.datasets import Datasets
    from indx_workspace.routers import Routers

__all__ = ["Experiments"]


class Experiments:
    """The experiments of an installation."""

    def __init__(
        self,
        store: ExperimentStore,
        stores: Stores,
        engine: Engine,
        datasets: Datasets,
        routers: Routers,
        *,
        clock: Clock,
    ) -> None:
        """Serve the experiments of an open store."""
        self._store, self._registry, self._clock = store, engine.registry, clock
        self._datasets, self._routers = datasets, routers
        self._stores = stores
        self._runner, self._types = stores.runner, stores.types
        self._runs = Runs(store, stores.sources, engine, routers, clock=clock)

    def prepare(self) -> None:
        """Tell the job runner what a run does; before the first is submitted."""
        if self._runner is not None:
            self._runner.register(JOB, self._runs.run)

    def abandon(self) -> None:
        """End the run in the middle of its document, which is then read again by whoever resumes it."""
        self._runs.abandon()

    def list(self) -> ExperimentList:
        """All experiments by key, with their states."""
        found = (self._find(key) for key in self._store.list())
        summaries = tuple(self._summary(one) for one in found if one is not None)
        return ExperimentList(experiments=summaries, writable=writable())

    def get(self, key: str) -> ExperimentReport:
        """An experiment with everything measured so far.

        Raises:
            NotFound: `experiment_not_found`.
        """
        return self._report(self._experiment(key))

    def create(self, key: str, spec: ExperimentSpec) -> ExperimentReport:
        """Freeze what is to be measured under a new key.

        Raises:
            InvalidRequest: `validation_error`: the key is none.
            ExperimentConflict: `experiment_exists`.
            InvalidRecord: `invalid_experiment`: its dataset grades nothing or cannot be read, its router is
                unknown, or a candidate names what is not installed.
        """
        require_key(key)
        for place, candidate in enumerate(spec.candidates):
            where = f"candidates.{place}.branch"
            check_branch(candidate.branch, self._registry, code="invalid_experiment", param=where)
        beside = self._stores
        read = (beside.types, beside.labels, beside.datasets, beside.routers, beside.sources)
        with together(self._store, *read):
            if self._store.get(key) is not None:
                raise _exists(key)
            experiment = self._frozen(key, spec)
            if not self._store.put(key, experiment.model_dump(mode="json")):
                raise _exists(key)
        return self._report(experiment)

    def run(self, key: str) -> ExperimentReport:
        """Start the run, or resume it, in the background.

        Raises:
            NotFound: `experiment_not_found`.
            StoreDisabled: The deployment names no job runner.
        """
        runner = self._need_runner()
        experiment = self._experiment(key)
        if len(self._store.cells(key)) < _size(experiment):
            runner.submit(JOB, _job_key(experiment), {"experiment": key})
        return self._report(experiment)

    def stop(self, key: str) -> ExperimentReport:
        """Ask the run to stop before its next document; nothing happens when it does not run.

        Raises:
            NotFound: `experiment_not_found`.
        """
        experiment = self._experiment(key)
        if self._runner is not None:
            self._runner.cancel(_job_key(experiment))
        return self._report(experiment)

    def promote(self, key: str, candidate: str) -> Router:
        """Publish the router's next version with a candidate as the branch of the type.

        Raises:
            NotFound: `experiment_not_found`.
            InvalidRecord: `invalid_experiment`: there is no such candidate, or it is the branch in use.
            ExperimentConflict: `experiment_incomplete` or `experiment_stale`.
        """
        experiment = self._experiment(key)
        chosen = _candidate(experiment, candidate)
        self._require_measured(experiment, candidate)
        branch = chosen.branch.model_copy(update={"type_id": experiment.type_id})
        origin = Origin(experiment_id=key, candidate=candidate)
        published = self._routers.promote(experiment.router, branch, origin)
        if published is None:
            raise ExperimentConflict(
                f"router {experiment.router.id!r} is no longer at version {experiment.router.version}, which "
                "this experiment measured; make another experiment",
                code="experiment_stale",
            )
        return published

    def _require_measured(self, experiment: Experiment, candidate: str) -> None:
        """Refuse a candidate of which a document, or all verdicts of a field, were not scored."""
        cells = [cell for cell in self._runs.cells(experiment.id) if cell.candidate == candidate]
        scored = sum(map(is_scored, cells))
        if scored < len(experiment.documents):
            raise ExperimentConflict(
                f"candidate {candidate!r} scored {scored} of {len(experiment.documents)} documents; run the "
                "experiment to its end, and make another where documents failed or no verdict was answered",
                code="experiment_incomplete",
            )
        unmeasured = [row.field or row.name for row in sum_rows(cells) if row.unanswered and not row.expected]
        if unmeasured:
            names = ", ".join(map(repr, unmeasured))
            raise ExperimentConflict(
                f"candidate {candidate!r} was scored by no verdict of {names}, since what "
                "answers them failed on all; make another experiment once that works",
                code="experiment_incomplete",
            )

    def delete(self, key: str) -> None:
        """Stop the run and drop the experiment with its cells; nothing happens when there is none."""
        with together(self._store):
            experiment = self._find(key)
            if experiment is not None:
                self._store.delete(key)
        if experiment is not None and self._runner is not None:
            self._runner.cancel(_job_key(experiment))

    # What is frozen.

    def _frozen(self, key: str, spec: ExperimentSpec) -> Experiment:
        dataset = self._datasets.find(spec.dataset_id)
        if dataset is None:
            raise _refuse(f"the workspace holds no dataset {spec.dataset_id!r}; make it first", "dataset_id")
        type_id = self._graded_type(dataset)
        labels = self._datasets.examples(dataset)
        if not labels:
            raise _refuse(
                f"the documents of dataset {dataset.id!r} hold no verdict to score by; label some first",
                "dataset_id",
            )
        router = self._routers.find(spec.router_id)
        if router is None:
            raise _refuse(f"the workspace holds no router {spec.router_id!r}; publish it first", "router_id")
        return Experiment(
            id=key,
            label=spec.label,
            dataset_id=dataset.id,
            type_id=type_id,
            documents=dataset.documents,
            labels=labels,
            router=router,
            candidates=(_production(router, type_id), *spec.candidates),
            created_at=self._clock(),
        )

    def _graded_type(self, dataset: DatasetRecord) -> str:
        """The type a dataset grades, if it can be graded by it."""
        if dataset.purpose != "evaluation":
            raise _refuse(f"dataset {dataset.id!r} is for training; name one for evaluation", "dataset_id")
        if dataset.type_id is None:
            raise _refuse(f"dataset {dataset.id!r} is of no document type; give it one", "dataset_id")
        if self._types is None or self._types.get(dataset.type_id) is None:
            raise _refuse(
                f"dataset {dataset.id!r} is of the document type {dataset.type_id!r}, which the workspace no "
                "longer holds; make that again, or put the dataset with another",
                "dataset_id",
            )
        readable = self._datasets.readable()
        for document in dataset.documents:
            if document.digest not in readable:
                raise _refuse(
                    f"the source of {document.name!r} ({document.digest}) is not stored: keep it again with "
                    "a source store, and put the dataset again",
                    "dataset_id",
                )
        return dataset.type_id

    # What is known.

    def _summary(self, experiment: Experiment) -> ExperimentSummary:
        cells = self._store.cells(experiment.id)
        versions = self._routers.history(experiment.router.id)
        return summarised(experiment, len(cells), running=self._is_running(experiment), versions=versions)

    def _report(self, experiment: Experiment) -> ExperimentReport:
        running = self._is_running(experiment)
        cells = self._runs.cells(experiment.id)
        versions = self._routers.history(experiment.router.id)
        return reported(experiment, cells, running=running, versions=versions)

    def _is_running(self, experiment: Experiment) -> bool:
        return self._runner is not None and self._runner.running(_job_key(experiment))

    def _find(self, key: str) -> Experiment | None:
        found = self._store.get(key) if is_key(key) else None
        return None if found is None else Experiment.model_validate(found)

    def _experiment(self, key: str) -> Experiment:
        found = self._find(key)
        if found is None:
            raise NotFound(
                f"no experiment {key[:200]!r}; list them to see those there are", code="experiment_not_found"
            )
        return found

    def _need_runner(self) -> JobRunner:
        if self._runner is None:
            raise StoreDisabled(
                f"this deployment runs no experiments; its operator sets {settings.JOB_RUNNER.name}"
            )
        return self._runner


def _production(router: Router, type_id: str) -> Candidate:
    branch = next((b for b in router.branches if b.type_id == type_id), router.default)
    return Candidate(key=PRODUCTION, label="Production", branch=branch.model_copy(update={"type_id": None}))


def _candidate(experiment: Experiment, key: str) -> Candidate:
    found = next((candidate for candidate in experiment.candidates if candidate.key == key), None)
    if found is None or key == PRODUCTION:
        known = ", ".join(c.key for c in experiment.candidates if c.key != PRODUCTION) or "none"
        what = "is the branch in use already" if found is not None else "is no candidate"
        raise _refuse(f"{key!r} {what}; candidates that can be promoted: {known}", "candidate")
    return found


def _size(experiment: Experiment) -> int:
    return len(experiment.documents) * len(experiment.candidates)


def _job_key(experiment: Experiment) -> str:
    """One for each experiment made, so that another made under its key does not meet the run of the first."""
    return f"{experiment.id}@{experiment.created_at.isoformat()}"


def _refuse(message: str, param: str) -> InvalidRecord:
    return InvalidRecord(message, code="invalid_experiment", param=param)


def _exists(key: str) -> ExperimentConflict:
    return ExperimentConflict(
        f"there is an experiment {key!r}, and experiments never change; choose another key or delete it",
        code="experiment_exists",
    )
