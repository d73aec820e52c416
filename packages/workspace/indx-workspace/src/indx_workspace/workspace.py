"""`Workspace`: what a deployment keeps, opened once, with one service for each noun."""

from __future__ import annotations

from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from indx_core.errors import ConfigurationError, StoreDisabled
from indx_workspace import settings
from indx_workspace.checks import Clock, authorize, now, writable
from indx_workspace.datasets import Datasets
from indx_workspace.documents import KeptDocuments
from indx_workspace.experiments import Experiments
from indx_workspace.labels import Labels
from indx_workspace.routers import Routers
from indx_workspace.stores import STORES, Stores
from indx_workspace.types import Types

if TYPE_CHECKING:
    from indx_core.contracts import ResolvedRouter, RouterRef
    from indx_core.discovery import Registry
    from indx_core.ports import ExperimentStore, StoreDeclaration
    from indx_core.settings import Setting
    from indx_runtime import Engine

__all__ = ["Workspace", "require_shared_jobs"]

S = TypeVar("S")


class Workspace:
    """Kept documents, types, labels, datasets, routers and experiments over the stores of a deployment.

    A service whose store is not configured raises `StoreDisabled` when it is asked for: `workspace.types`.
    Writes to the records of the workspace are the operator's: a transport calls `authorize` first.
    All calls are synchronous and may come from several threads at once.

    Args:
        engine: Plans, reads and embeds.
        stores: Open stores; whoever makes a workspace this way closes it all the same.
        runs: Whether this process takes jobs of a runner that is shared; those of one that is not run here
            anyway.
        clock: Says what time it is.
    """

    def __init__(self, engine: Engine, stores: Stores, *, runs: bool = False, clock: Clock = now) -> None:
        """Put the services over open stores."""
        self.engine = engine
        self._stores = stores
        self._clock = clock
        if self._runs_experiments() and (runs or not self.runner.shared):
            self.experiments.prepare()

    @classmethod
    def open(cls, engine: Engine, *, runs: bool = False, clock: Clock = now) -> Self:
        """Choose stores by the settings `INDX_…_STORE`, `INDX_VECTOR_INDEX` and `INDX_JOB_RUNNER`; open them.

        The arguments are those of a workspace.

        Raises:
            ConfigurationError: `unknown_store` or `store_not_configured`, naming the setting.
        """
        for setting in settings.SETTINGS:
            setting.get()
        stores = Stores.chosen(engine.registry)
        stores.open()
        try:
            workspace = cls(engine, stores, runs=runs, clock=clock)
            workspace.expire()
        except BaseException:
            stores.close()
            raise
        return workspace

    def close(self) -> None:
        """Stop a run in the middle of its document, wait until it has, and release the stores."""
        if self._runs_experiments():
            self.experiments.abandon()
        self._stores.close()

    def __enter__(self) -> Self:
        """Use as a block that closes at its end."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @cached_property
    def documents(self) -> KeptDocuments:
        """Kept documents and the search over them."""
        documents = _need(self._stores.documents, settings.DOCUMENT_STORE, "documents")
        index = _need(self._stores.index, settings.VECTOR_INDEX, "documents")
        return KeptDocuments(self.engine, documents, index, self._stores.sources, clock=self._clock)

    @cached_property
    def types(self) -> Types:
        """Document types."""
        store = _need(self._stores.types, settings.SCHEMA_STORE, "document types")
        return Types(store, self.engine.registry, clock=self._clock)

    @cached_property
    def labels(self) -> Labels:
        """Reviewers' verdicts."""
        store = _need(self._stores.labels, settings.LABEL_STORE, "labels")
        types = _need(self._stores.types, settings.SCHEMA_STORE, "document types, which labels go with")
        return Labels(store, types, clock=self._clock)

    @cached_property
    def datasets(self) -> Datasets:
        """Documents gathered for training or evaluation."""
        store = _need(self._stores.datasets, settings.DATASET_STORE, "datasets")
        return Datasets(store, self._stores, clock=self._clock)

    @cached_property
    def routers(self) -> Routers:
        """Routers in versions that never change."""
        store = _need(self._stores.routers, settings.ROUTER_STORE, "routers")
        return Routers(store, self._stores, self.engine.registry, clock=self._clock)

    @cached_property
    def experiments(self) -> Experiments:
        """Candidate branches, scored and promoted."""
        store = _need_experiments(self._stores)
        return Experiments(store, self._stores, self.engine, self.datasets, self.routers, clock=self._clock)

    @property
    def runner(self) -> StoreDeclaration:
        """The facts of the job runner.

        Raises:
            StoreDisabled: The deployment names none.
        """
        return _need(self._stores.runner, settings.JOB_RUNNER, "jobs to run").declaration

    @property
    def writable(self) -> bool:
        """Whether this deployment takes writes to the workspace: whether INDX_WORKSPACE_TOKEN is set."""
        return writable()

    def authorize(self, token: str | None) -> None:
        """Refuse a write that does not bear the operator's token; `token` is what follows `Bearer `.

        Raises:
            WorkspaceReadOnly: The deployment set no token.
            Unauthorized: The token is missing or another.
        """
        authorize(token)

    def resolve(self, router: RouterRef | None) -> ResolvedRouter | None:
        """A router as the engine takes it: `engine.plan(request, routing=workspace.resolve(request.router))`.

        Raises:
            StoreDisabled: The deployment keeps no routers.
            NotFound: `router_not_found`.
            InvalidRecord: `invalid_router`: it names a type that was deleted meanwhile.
        """
        return None if router is None else self.routers.resolve(router)

    def expire(self) -> int:
        """Drop what is past its time, a bounded number of documents; how many those were."""
        return 0 if self._stores.documents is None else self.documents.expire()

    def _runs_experiments(self) -> bool:
        needed = ("experiments", "runner", *_BESIDE_EXPERIMENTS)
        return all(getattr(self._stores, role) is not None for role in needed)


_BESIDE_EXPERIMENTS = {
    "types": "document types",
    "labels": "labels",
    "datasets": "datasets",
    "routers": "routers",
}


def _need(store: S | None, setting: Setting[str | None], what: str) -> S:
    if store is None:
        raise StoreDisabled(f"this deployment keeps no {what}; its operator sets {setting.name}")
    return store


def _need_experiments(stores: Stores) -> ExperimentStore:
    store = _need(stores.experiments, settings.EXPERIMENT_STORE, "experiments")
    for role, what in _BESIDE_EXPERIMENTS.items():
        _need(getattr(stores, role), STORES[role][0], f"{what}, which experiments go with")
    return store


def require_shared_jobs(registry: Registry) -> None:
    """Refuse settings by which no process can run the jobs of others; nothing is opened for it.

    Raises:
        StoreDisabled: They name no job runner, or keep nothing that jobs are of.
        ConfigurationError: The runner is not shared, or as `Workspace.open`.
    """
    stores = Stores.chosen(registry)
    runner = _need(stores.runner, settings.JOB_RUNNER, "jobs to run").declaration
    if not runner.shared:
        raise ConfigurationError(
            f"the job runner {runner.id!r} runs its jobs in the process that submits them, and no other "
            f"can take them; name a shared one in {settings.JOB_RUNNER.name}",
            code="store_not_configured",
        )
    _need_experiments(stores)
