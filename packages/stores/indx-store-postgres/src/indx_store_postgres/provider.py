"""Declares the stores `postgres`: one database, shared by every instance in front of it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from indx_core.errors import ConfigurationError
from indx_core.ports.declarations import Unavailability
from indx_store_postgres.settings import SCHEMA_NAME, URL

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

_LONGEST = 63


def _connect() -> tuple[Hashable, Callable[[], Backend]]:
    url, schema = URL.get(), SCHEMA_NAME.get()
    if not url:
        raise ConfigurationError(
            f"{URL.name} is not set: give the connection string of the database that the stores keep their "
            "tables in",
            code="store_not_configured",
        )

    if len(schema.encode()) > _LONGEST:
        raise ConfigurationError(
            f"{SCHEMA_NAME.name}: {schema!r} is longer than the {_LONGEST} bytes of a name in Postgres",
            code="invalid_setting",
        )

    def connected() -> Backend:
        from indx_store_postgres._database import connect

        return connect(url, schema)

    return (url, schema), connected


def _store(port: Port) -> Any:
    missing = [name for name in ("psycopg", "pgvector") if importlib.util.find_spec(name) is None]
    if missing:
        return Unavailability(
            f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed",
            'pip install "indx-store-postgres[postgres]"',
        )
    from indx_store_sql import SqlStore

    return SqlStore(port, "postgres", _connect)


def documents() -> DocumentStore | Unavailability:
    """The store of kept documents."""
    return _store("documents")  # type: ignore[no-any-return]


def vectors() -> VectorIndex | Unavailability:
    """The index of their chunks."""
    return _store("vectors")  # type: ignore[no-any-return]


def sources() -> SourceStore | Unavailability:
    """The store of what they were read from."""
    return _store("sources")  # type: ignore[no-any-return]


def types() -> SchemaStore | Unavailability:
    """The store of document types."""
    return _store("types")  # type: ignore[no-any-return]


def labels() -> LabelStore | Unavailability:
    """The store of labels."""
    return _store("labels")  # type: ignore[no-any-return]


def datasets() -> DatasetStore | Unavailability:
    """The store of datasets."""
    return _store("datasets")  # type: ignore[no-any-return]


def routers() -> RouterStore | Unavailability:
    """The store of routers."""
    return _store("routers")  # type: ignore[no-any-return]


def experiments() -> ExperimentStore | Unavailability:
    """The store of experiments and their cells."""
    return _store("experiments")  # type: ignore[no-any-return]
