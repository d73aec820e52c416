"""Which stores a deployment has: chosen by settings among those installed, opened and closed together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, Self

from indx_core.discovery import Registry, State
from indx_core.errors import ConfigurationError
from indx_workspace import settings

if TYPE_CHECKING:
    from indx_core.ports import (
        DatasetStore,
        DocumentStore,
        ExperimentStore,
        JobRunner,
        LabelStore,
        RouterStore,
        SchemaStore,
        SourceStore,
        VectorIndex,
    )
    from indx_core.settings import Setting

__all__ = ["RUNNERS_BY", "STORES", "STORES_BY", "Stores", "together", "unshared"]

STORES: Final = {
    "documents": (settings.DOCUMENT_STORE, "indx.document_stores"),
    "index": (settings.VECTOR_INDEX, "indx.vector_indexes"),
    "sources": (settings.SOURCE_STORE, "indx.source_stores"),
    "types": (settings.SCHEMA_STORE, "indx.schema_stores"),
    "labels": (settings.LABEL_STORE, "indx.label_stores"),
    "datasets": (settings.DATASET_STORE, "indx.dataset_stores"),
    "routers": (settings.ROUTER_STORE, "indx.router_stores"),
    "experiments": (settings.EXPERIMENT_STORE, "indx.experiment_stores"),
    "runner": (settings.JOB_RUNNER, "indx.job_runners"),
}
"""Each store, and the runner, with the setting that chooses it and the group it is chosen from."""

RUNNERS_BY: Final = {"memory": "indx-runner-memory", "procrastinate": "indx-runner-procrastinate[jobs]"}
STORES_BY: Final = {
    "memory": "indx-store-memory",
    "postgres": "indx-store-postgres[postgres]",
    "sqlite": "indx-store-sqlite",
}
"""What brings the runners and the stores of indx itself, as it is installed."""


@dataclass(frozen=True, slots=True)
class Stores:
    """The stores of a deployment and its job runner; None where it named none."""

    documents: DocumentStore | None = None
    index: VectorIndex | None = None
    sources: SourceStore | None = None
    types: SchemaStore | None = None
    labels: LabelStore | None = None
    datasets: DatasetStore | None = None
    routers: RouterStore | None = None
    experiments: ExperimentStore | None = None
    runner: JobRunner | None = None

    @classmethod
    def chosen(cls, registry: Registry) -> Self:
        """What the settings name, not open yet.

        Raises:
            ConfigurationError: `unknown_store`, or `store_not_configured` where one store lacks another.
        """
        if settings.DOCUMENT_STORE.is_set() != settings.VECTOR_INDEX.is_set():
            raise ConfigurationError(
                f"{settings.DOCUMENT_STORE.name} and {settings.VECTOR_INDEX.name} are set together or not at "
                "all: what is kept is searched; indx serve --store sets them, and what they need",
                code="store_not_configured",
            )
        return cls(**{role: _choose(setting, group, registry) for role, (setting, group) in STORES.items()})

    def open(self) -> None:
        """Connect every store; if one cannot, those before it are closed again.

        Raises:
            ConfigurationError: `store_not_configured`, naming what is missing.
        """
        with ExitStack() as opened:
            if self.runner is not None:
                opened.callback(self.runner.close)
                self.runner.running("")  # it connects when it is asked: one that cannot is refused now,
            for role, store in self._present():  # before a store makes the file that it is to keep things in
                if role != "runner":
                    store.open()
                    opened.callback(store.close)
            opened.pop_all()

    def close(self) -> None:
        """Stop the runner at its next step, then release the stores, each whatever became of the others."""
        with ExitStack() as closing:
            for _, store in self._present():  # the last one called back first: the runner, before its stores
                closing.callback(store.close)

    def _present(self) -> Iterator[tuple[str, Any]]:
        for field in fields(self):
            store = getattr(self, field.name)
            if store is not None:
                yield field.name, store


def _choose(setting: Setting[str | None], group: str, registry: Registry) -> Any:
    name = setting.get()
    if name is None:
        return None
    provider = registry.find(group, name)
    if provider is None:
        known = ", ".join(p.item.declaration.id for p in registry.usable(group)) or "none"
        broken = [p for p in registry.providers(group) if p.item is None and p.candidate.name == name]
        why = f" ({broken[0].reason}; {broken[0].fix})" if broken else _how_to_get(group, name)
        raise ConfigurationError(
            f"{setting.name}: no {name!r} is installed{why}; installed: {known}", code="unknown_store"
        )
    if provider.state is not State.AVAILABLE:
        raise ConfigurationError(
            f"{setting.name}: {name} cannot be used: {provider.reason}; {provider.fix}",
            code="store_not_configured",
        )
    return provider.item


def _how_to_get(group: str, name: str) -> str:
    """How to install a store or runner of a name, if it is one of indx itself."""
    brought_by = (RUNNERS_BY if group == STORES["runner"][1] else STORES_BY).get(name)
    return f' (pip install "{brought_by}")' if brought_by else ""


def unshared(registry: Registry) -> tuple[str, ...]:
    """The settings that name a store, or runner, which lives in one process and is not shared with others.

    A host that runs several processes refuses to start when there are any.

    Raises:
        ConfigurationError: As `Stores.chosen`.
    """
    stores = Stores.chosen(registry)
    return tuple(
        setting.name
        for role, (setting, _) in STORES.items()
        if (store := getattr(stores, role)) is not None and not store.declaration.shared
    )


@contextmanager
def together(*stores: Any) -> Iterator[None]:
    """A block whose calls to these stores take effect together or, where it raises, not at all."""
    with ExitStack() as stack:
        # In one order everywhere, so that two blocks over two backends never wait for each other.
        for store in sorted((s for s in stores if s is not None), key=lambda s: s.declaration.id):
            stack.enter_context(store.transaction())
        yield
