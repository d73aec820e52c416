"""The records of a workspace in memory: types, labels, datasets, routers, experiments."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from indx_store_memory._memory import MemoryStore

if TYPE_CHECKING:
    from indx_core.contracts.datasets import DatasetRecord  # noqa: F401  (named in a string below)
    from indx_core.contracts.labels import Label
    from indx_core.contracts.routers import Router
    from indx_core.contracts.types import DocumentType  # noqa: F401  (named in a string below)

__all__ = ["MemoryDatasets", "MemoryExperiments", "MemoryLabels", "MemoryRouters", "MemoryTypes"]

R = TypeVar("R")


class _Records(MemoryStore, Generic[R]):
    """Records of one noun, by key."""

    _table: str

    def put(self, key: str, record: R) -> None:
        """Create or replace."""
        memory = self._memory
        with memory.lock:
            memory.table(self._table)[key] = record

    def get(self, key: str) -> R | None:
        """The record, or None."""
        memory = self._memory
        with memory.lock:
            found: R | None = memory.table(self._table).get(key)
            return found

    def delete(self, key: str) -> None:
        """Drop it; nothing happens when there is none."""
        memory = self._memory
        with memory.lock:
            memory.table(self._table).pop(key, None)

    def list(self) -> Sequence[R]:
        """All records by key."""
        memory = self._memory
        with memory.lock:
            table = memory.table(self._table)
            return [table[key] for key in sorted(table)]


class MemoryTypes(_Records["DocumentType"]):
    """Keeps document types."""

    _table = "types"


class MemoryDatasets(_Records["DatasetRecord"]):
    """Keeps datasets."""

    _table = "datasets"


class MemoryLabels(_Records["Label"]):
    """Keeps labels, by label ID."""

    _table = "labels"

    def list_for(self, *, digest: str | None, type_id: str | None) -> Sequence[Label]:
        """Labels by digest, then ID, narrowed by what is given."""
        found = [
            label
            for label in self.list()
            if digest in (None, label.digest) and type_id in (None, label.type_id)
        ]
        return sorted(found, key=lambda label: (label.digest, label.id))


class MemoryRouters(MemoryStore):
    """Keeps router versions, which never change once put."""

    def put(self, key: str, router: Router) -> None:
        """Publish a version.

        Raises:
            ValueError: It is there already.
        """
        memory = self._memory
        with memory.lock:
            table = memory.table("routers")
            if (key, router.version) in table:
                raise ValueError(f"router {key!r} has a version {router.version}: publish the next one")
            table[key, router.version] = router

    def get(self, key: str, version: int | None = None) -> Router | None:
        """A version, the latest when none is given."""
        versions = self.versions(key)
        if version is None:
            return versions[-1] if versions else None
        return next((one for one in versions if one.version == version), None)

    def delete(self, key: str) -> None:
        """Drop every version."""
        memory = self._memory
        with memory.lock:
            table = memory.table("routers")
            for name in [name for name in table if name[0] == key]:
                del table[name]

    def list(self) -> Sequence[Router]:
        """The latest version of each router, by key."""
        memory = self._memory
        with memory.lock:
            latest = {
                key: router for (key, _), router in sorted(memory.table("routers").items(), key=_by_key)
            }
        return list(latest.values())

    def versions(self, key: str) -> Sequence[Router]:
        """One router's versions, oldest first."""
        memory = self._memory
        with memory.lock:
            items = sorted(memory.table("routers").items(), key=_by_key)
        return [router for (name, _), router in items if name == key]


class MemoryExperiments(MemoryStore):
    """Keeps experiments, which never change, and their cells, each computed once."""

    def put(self, key: str, experiment: Mapping[str, Any]) -> bool:
        """Create; False when the key is taken."""
        return self._once("experiments", key, experiment)

    def get(self, key: str) -> Mapping[str, Any] | None:
        """The experiment as put, or None."""
        memory = self._memory
        with memory.lock:
            found = memory.table("experiments").get(key)
        return None if found is None else json.loads(found)

    def delete(self, key: str) -> None:
        """Drop it and its cells."""
        memory = self._memory
        with memory.lock:
            memory.table("experiments").pop(key, None)
            cells = memory.table("cells")
            for name in [name for name in cells if name[0] == key]:
                del cells[name]

    def list(self) -> Sequence[str]:
        """Keys in order."""
        memory = self._memory
        with memory.lock:
            return sorted(memory.table("experiments"))

    def put_cell(self, key: str, digest: str, candidate: str, cell: Mapping[str, Any]) -> bool:
        """Keep a cell; False when it was there already."""
        return self._once("cells", (key, digest, candidate), cell)

    def cells(self, key: str) -> Sequence[Mapping[str, Any]]:
        """All cells, by digest and candidate."""
        memory = self._memory
        with memory.lock:
            found = sorted((name, cell) for name, cell in memory.table("cells").items() if name[0] == key)
        return [json.loads(cell) for _, cell in found]

    def _once(self, table: str, name: Any, value: Mapping[str, Any]) -> bool:
        # As text: what the caller does to its mapping afterwards changes nothing here.
        text = json.dumps(dict(value), allow_nan=False)
        memory = self._memory
        with memory.lock:
            kept = memory.table(table)
            is_new = name not in kept
            kept.setdefault(name, text)
        return is_new


def _by_key(item: tuple[tuple[str, int], Router]) -> tuple[str, int]:
    return item[0]
