"""The records of a workspace: types, labels, datasets, routers, experiments."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from sqlalchemy import Select, Table, delete, select

from indx_core.contracts.labels import Label
from indx_core.contracts.routers import Router
from indx_store_sql.backend import Backend
from indx_store_sql.kept import Stored
from indx_store_sql.tables import cells, experiments, labels, read, records, routers, written

__all__ = ["SqlExperiments", "SqlLabels", "SqlRecords", "SqlRouters"]

R = TypeVar("R")


class _Installation(Stored):
    """A store of what is the installation's."""

    def _rows(self, query: Select[Any]) -> Sequence[Any]:
        with self._backend.reading(None) as mine:
            return mine.shared(query).all()

    def _run(self, *statements: Any) -> None:
        with self._backend.writing(None) as mine:
            for statement in statements:
                mine.shared(statement)

    def _once(self, table: Table, body: Mapping[str, Any], **key: Any) -> bool:
        """Insert a row; False when its key is taken. Nobody else writes between question and insert."""
        taken = select(table.c.body).where(*(table.c[name] == value for name, value in key.items()))
        with self._backend.writing(None) as mine:
            if mine.shared(taken).first() is not None:
                return False
            mine.shared(table.insert().values(**key, **body))
            return True


class SqlRecords(_Installation, Generic[R]):
    """Records of one noun, by key."""

    def __init__(self, backend: Backend, noun: str, kind: type[R]) -> None:
        super().__init__(backend)
        self._noun = noun
        self._kind = kind

    def put(self, key: str, record: R) -> None:
        """Create or replace."""
        body = written(record)
        self._run(
            self._at(delete(records), key), records.insert().values(noun=self._noun, key=key, body=body)
        )

    def get(self, key: str) -> R | None:
        """The record, or None."""
        found = self._rows(self._at(select(records.c.body), key))
        return read(self._kind, found[0].body) if found else None

    def delete(self, key: str) -> None:
        """Drop it; nothing happens when there is none."""
        self._run(self._at(delete(records), key))

    def list(self) -> Sequence[R]:
        """All records by key."""
        query = select(records.c.body).where(records.c.noun == self._noun).order_by(records.c.key)
        return [read(self._kind, row.body) for row in self._rows(query)]

    def _at(self, statement: Any, key: str) -> Any:
        return statement.where(records.c.noun == self._noun, records.c.key == key)


class SqlLabels(_Installation):
    """Keeps labels, by label ID."""

    def put(self, key: str, record: Label) -> None:
        """Create or replace."""
        values = {"key": key, "digest": record.digest, "type_id": record.type_id, "body": written(record)}
        self._run(delete(labels).where(labels.c.key == key), labels.insert().values(**values))

    def get(self, key: str) -> Label | None:
        """The label, or None."""
        found = self._rows(select(labels.c.body).where(labels.c.key == key))
        return read(Label, found[0].body) if found else None

    def delete(self, key: str) -> None:
        """Drop it; nothing happens when there is none."""
        self._run(delete(labels).where(labels.c.key == key))

    def list(self) -> Sequence[Label]:
        """All labels by ID."""
        return self._read(select(labels.c.body).order_by(labels.c.key))

    def list_for(self, *, digest: str | None, type_id: str | None) -> Sequence[Label]:
        """Labels by digest, then ID, narrowed by what is given."""
        query = select(labels.c.body).order_by(labels.c.digest, labels.c.key)
        if digest is not None:
            query = query.where(labels.c.digest == digest)
        if type_id is not None:
            query = query.where(labels.c.type_id == type_id)
        return self._read(query)

    def _read(self, query: Select[Any]) -> Sequence[Label]:
        return [read(Label, row.body) for row in self._rows(query)]


class SqlRouters(_Installation):
    """Keeps router versions, which never change once put."""

    def put(self, key: str, router: Router) -> None:
        """Publish a version.

        Raises:
            ValueError: It is there already.
        """
        if not self._once(routers, {"body": written(router)}, key=key, version=router.version):
            raise ValueError(f"router {key!r} has a version {router.version}: publish the next one")

    def get(self, key: str, version: int | None = None) -> Router | None:
        """A version, the latest when none is given."""
        query = select(routers.c.body).where(routers.c.key == key)
        if version is not None:
            query = query.where(routers.c.version == version)
        found = self._rows(query.order_by(routers.c.version.desc()).limit(1))
        return read(Router, found[0].body) if found else None

    def delete(self, key: str) -> None:
        """Drop every version."""
        self._run(delete(routers).where(routers.c.key == key))

    def list(self) -> Sequence[Router]:
        """The latest version of each router, by key."""
        rows = self._rows(select(routers.c.key, routers.c.body).order_by(routers.c.key, routers.c.version))
        return [read(Router, body) for body in {row.key: row.body for row in rows}.values()]

    def versions(self, key: str) -> Sequence[Router]:
        """One router's versions, oldest first."""
        query = select(routers.c.body).where(routers.c.key == key).order_by(routers.c.version)
        return [read(Router, row.body) for row in self._rows(query)]


class SqlExperiments(_Installation):
    """Keeps experiments, which never change, and their cells, each computed once."""

    def put(self, key: str, experiment: Mapping[str, Any]) -> bool:
        """Create; False when the key is taken."""
        return self._once(experiments, _json(experiment), key=key)

    def get(self, key: str) -> Mapping[str, Any] | None:
        """The experiment as put, or None."""
        found = self._rows(select(experiments.c.body).where(experiments.c.key == key))
        return json.loads(found[0].body) if found else None

    def delete(self, key: str) -> None:
        """Drop it and its cells."""
        self._run(
            delete(cells).where(cells.c.key == key), delete(experiments).where(experiments.c.key == key)
        )

    def list(self) -> Sequence[str]:
        """Keys in order."""
        return [row.key for row in self._rows(select(experiments.c.key).order_by(experiments.c.key))]

    def put_cell(self, key: str, digest: str, candidate: str, cell: Mapping[str, Any]) -> bool:
        """Keep a cell; False when it was there already."""
        return self._once(cells, _json(cell), key=key, digest=digest, candidate=candidate)

    def cells(self, key: str) -> Sequence[Mapping[str, Any]]:
        """All cells, by digest and candidate."""
        query = select(cells.c.body).where(cells.c.key == key).order_by(cells.c.digest, cells.c.candidate)
        return [json.loads(row.body) for row in self._rows(query)]


def _json(value: Mapping[str, Any]) -> dict[str, bytes]:
    return {"body": json.dumps(dict(value), allow_nan=False).encode()}
