"""Declares the stores `sqlite`: one file, shared by the processes of a machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indx_core.errors import ConfigurationError
from indx_store_sqlite.settings import PATH

if TYPE_CHECKING:
    from indx_core.ports import (
        DatasetStore,
        DocumentStore,
        ExperimentStore,
        LabelStore,
        RouterStore,
        SchemaStore,
        SourceStore,
        VectorIndex,
    )
    from indx_store_sql import Port
    from indx_store_sql.backend import Backend

__all__ = ["datasets", "documents", "experiments", "labels", "routers", "sources", "types", "vectors"]


def _connect() -> tuple[Hashable, Callable[[], Backend]]:
    named = PATH.get()
    if named is None:
        raise ConfigurationError(
            f"{PATH.name} is not set: name the file that the stores keep their tables in",
            code="store_not_configured",
        )
    path = Path(os.path.expanduser(named)).absolute()  # noqa: PTH111  (a Path raises at a user nobody is)

    def connected() -> Backend:
        from indx_store_sqlite._database import connect

        return connect(path)

    return path, connected


def _store(port: Port) -> Any:
    from indx_store_sql import SqlStore

    return SqlStore(port, "sqlite", _connect)


def documents() -> DocumentStore:
    """The store of kept documents."""
    return _store("documents")  # type: ignore[no-any-return]


def vectors() -> VectorIndex:
    """The index of their chunks."""
    return _store("vectors")  # type: ignore[no-any-return]


def sources() -> SourceStore:
    """The store of what they were read from."""
    return _store("sources")  # type: ignore[no-any-return]


def types() -> SchemaStore:
    """The store of document types."""
    return _store("types")  # type: ignore[no-any-return]


def labels() -> LabelStore:
    """The store of labels."""
    return _store("labels")  # type: ignore[no-any-return]


def datasets() -> DatasetStore:
    """The store of datasets."""
    return _store("datasets")  # type: ignore[no-any-return]


def routers() -> RouterStore:
    """The store of routers."""
    return _store("routers")  # type: ignore[no-any-return]


def experiments() -> ExperimentStore:
    """The store of experiments and their cells."""
    return _store("experiments")  # type: ignore[no-any-return]
