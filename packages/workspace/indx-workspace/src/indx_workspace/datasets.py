"""Datasets: reviewed documents gathered for one purpose, with the sources that experiments read again.

A dataset names documents; its examples are the labels those documents hold when it is looked at. The
installation keeps one copy of each source that a dataset names, and drops it with the last that does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from indx_core.contracts import Dataset, DatasetList, DatasetSpec, Label, LabelList
from indx_core.contracts.datasets import DatasetRecord
from indx_core.errors import InvalidRecord, NotFound
from indx_workspace.checks import Clock, is_key, require_key, writable
from indx_workspace.stores import Stores, together

if TYPE_CHECKING:
    from indx_core.ports import DatasetStore

__all__ = ["Datasets"]


class Datasets:
    """The datasets of an installation."""

    def __init__(self, store: DatasetStore, stores: Stores, *, clock: Clock) -> None:
        """Serve the datasets of an open store, with the labels, types and sources beside it."""
        self._store, self._clock = store, clock
        self._types, self._labels, self._sources = stores.types, stores.labels, stores.sources

    def list(self) -> DatasetList:
        """All datasets by key, each with what its documents hold now."""
        kept = self.readable()
        datasets = tuple(self._answer(record, kept) for record in self._store.list())
        return DatasetList(datasets=datasets, writable=writable())

    def get(self, key: str) -> Dataset:
        """One dataset, with what its documents hold now.

        Raises:
            NotFound: `dataset_not_found`.
        """
        return self._answer(self._record(key), self.readable())

    def labels(self, key: str) -> LabelList:
        """A dataset's examples: the labels its documents hold now, by digest, then ID.

        Raises:
            NotFound: `dataset_not_found`.
        """
        return LabelList(labels=self.examples(self._record(key)))

    def put(self, key: str, spec: DatasetSpec, *, owner: str | None = None) -> Dataset:
        """Create or replace a dataset; a replaced one keeps when it was first made.

        Args:
            key: The dataset's key.
            spec: What it holds.
            owner: The caller, whose kept sources of its documents are copied to the installation; without
                one, or where the caller kept none, a document joins unreadable.

        Raises:
            InvalidRequest: `validation_error`: the key is none.
            InvalidRecord: `invalid_dataset`: its type is unknown, or a document would teach and grade it.
            InputTooLarge: The source store is full of what datasets hold.
        """
        require_key(key)
        with together(self._types, self._store, self._sources):
            self._check(key, spec)
            known = self._store.get(key)
            now = self._clock()
            record = DatasetRecord(
                label=spec.label,
                purpose=spec.purpose,
                type_id=spec.type_id,
                documents=spec.documents,
                id=key,
                created_at=now if known is None else known.created_at,
                updated_at=now,
            )
            self._store.put(key, record)
            self._take_in(owner, (document.digest for document in spec.documents))
            if known is not None:
                self._let_go(document.digest for document in known.documents)
            return self._answer(record, self.readable())

    def delete(self, key: str) -> None:
        """Drop a dataset; nothing happens when there is none. The labels of its documents stay."""
        if not is_key(key):
            return
        with together(self._store, self._sources):
            known = self._store.get(key)
            if known is not None:
                self._store.delete(key)
                self._let_go(document.digest for document in known.documents)

    def readable(self) -> frozenset[str]:
        """Digests of the documents whose source the installation keeps."""
        if self._sources is None:
            return frozenset()
        return frozenset(self._sources.list(None, now=self._clock()))

    def examples(self, record: DatasetRecord) -> tuple[Label, ...]:
        """The labels that a dataset's documents hold now, by digest, then ID."""
        if self._labels is None:
            return ()
        digests = sorted(document.digest for document in record.documents)
        return tuple(label for d in digests for label in self._labels.list_for(digest=d, type_id=None))

    def find(self, key: str) -> DatasetRecord | None:
        """A dataset as it is kept, or None."""
        return self._store.get(key) if is_key(key) else None

    def _record(self, key: str) -> DatasetRecord:
        found = self.find(key)
        if found is None:
            raise NotFound(
                f"no dataset {key[:200]!r}; list them to see those there are", code="dataset_not_found"
            )
        return found

    def _answer(self, record: DatasetRecord, kept: frozenset[str]) -> Dataset:
        members = {name: getattr(record, name) for name in DatasetRecord.model_fields}
        readable = sum(document.digest in kept for document in record.documents)
        return Dataset(**members, examples=len(self.examples(record)), readable=readable)

    def _check(self, key: str, spec: DatasetSpec) -> None:
        if spec.type_id is None:
            return
        if self._types is None or self._types.get(spec.type_id) is None:
            raise InvalidRecord(
                f"the workspace holds no document type {spec.type_id!r}; make it first, or leave type_id out",
                code="invalid_dataset",
                param="type_id",
            )
        digests = {document.digest: document.name for document in spec.documents}
        for other in self._store.list():
            if other.id == key or other.type_id != spec.type_id or other.purpose == spec.purpose:
                continue
            for document in other.documents:
                if document.digest in digests:
                    raise InvalidRecord(
                        f"{digests[document.digest]!r} ({document.digest}) is in the {other.purpose} dataset "
                        f"{other.id!r}: a document does not both teach and grade the type {spec.type_id!r}",
                        code="invalid_dataset",
                        param="documents",
                    )

    def _take_in(self, owner: str | None, digests: Iterable[str]) -> None:
        """Copy what the caller kept of these to the installation, where it is not there already."""
        if self._sources is None or owner is None:
            return
        kept, now = self.readable(), self._clock()
        for digest in digests:
            source = None if digest in kept else self._sources.get(owner, digest, now=now)
            if source is not None:
                self._sources.put(None, source, expires_at=None)

    def _let_go(self, digests: Iterable[str]) -> None:
        """Drop the installation's sources of these that no dataset names any longer."""
        if self._sources is None:
            return
        named = {document.digest for record in self._store.list() for document in record.documents}
        for digest in digests:
            if digest not in named:
                self._sources.delete(None, digest)
