"""Kits for the stores of a workspace: types, labels, datasets, routers, experiments."""

from __future__ import annotations

from typing import Any

import pytest

from indx_testkit.kept import (
    HOSTILE,
    cell,
    dataset,
    digest_of,
    document_type,
    experiment,
    label,
    router,
)
from indx_testkit.stores import StoreKit

__all__ = [
    "DatasetStoreKit",
    "ExperimentStoreKit",
    "LabelStoreKit",
    "RecordStoreKit",
    "RouterStoreKit",
    "SchemaStoreKit",
]


class RecordStoreKit(StoreKit):
    """Rules of `RecordStore`. For a noun of your own, override `record`."""

    def key(self, number: int) -> str:
        """The key of sample `number`."""
        return f"k{number:02}"

    def record(self, number: int, variant: int) -> Any:  # noqa: ARG002
        """Sample `number`; another `variant` is other content under the same key."""
        raise AssertionError("override record(): a record of your noun whose ID is self.key(number)")

    def put_sample(self, store: Any, number: int, *, variant: int = 0) -> None:
        """Put a record."""
        store.put(self.key(number), self.record(number, variant))

    def delete_sample(self, store: Any, number: int) -> None:
        """Drop it."""
        store.delete(self.key(number))

    def state(self, store: Any) -> list[Any]:
        """All records."""
        return list(store.list())

    def test_a_record_comes_back_as_it_was_put(self) -> None:
        """Equal, and of its own class; another put under its key replaces it."""
        with self.opened() as store:
            assert store.get(self.key(1)) is None
            for variant in (0, 1):
                expected = self.record(1, variant)
                store.put(self.key(1), expected)
                found = store.get(self.key(1))
                assert type(found) is type(expected), f"a {type(found).__name__} came back"
                assert found == expected
                assert list(store.list()) == [expected]

    def test_any_string_is_a_key(self) -> None:
        """A caller asks by what a path holds: it is found, or it is not there."""
        with self.opened() as store:
            for key in HOSTILE:
                assert store.get(key) is None
                store.delete(key)
            assert list(store.list()) == []

    def test_records_are_listed_by_key(self) -> None:
        """In the order of their keys, whatever the order of putting."""
        with self.opened() as store:
            numbers = (5, 1, 4, 2, 10, 3)
            for number in numbers:
                self.put_sample(store, number)
            ordered = sorted(numbers, key=self.key)
            assert list(store.list()) == [self.record(number, 0) for number in ordered]


class SchemaStoreKit(RecordStoreKit):
    """Rules of `SchemaStore`."""

    def record(self, number: int, variant: int) -> Any:
        """A document type."""
        return document_type(self.key(number), title=f"variant {variant}")


class DatasetStoreKit(RecordStoreKit):
    """Rules of `DatasetStore`."""

    def record(self, number: int, variant: int) -> Any:
        """A dataset as it is kept."""
        return dataset(self.key(number), title=f"variant {variant}")


class LabelStoreKit(RecordStoreKit):
    """Rules of `LabelStore`."""

    def key(self, number: int) -> str:
        """The label's ID."""
        return self.record(number, 0).id  # type: ignore[no-any-return]

    def record(self, number: int, variant: int) -> Any:
        """A label on one of two documents, under one of two types or none."""
        kind = (None, "report", "letter")[number % 3]
        return label(f"doc{number % 2}", f"facet-{number}", type_id=kind, reviewer=f"variant {variant}")

    def test_labels_are_narrowed_by_document_and_type(self) -> None:
        """By digest, then ID; either condition, both, or none."""
        with self.opened() as store:
            records = [self.record(number, 0) for number in range(12)]
            for record in records:
                store.put(record.id, record)
            records.sort(key=lambda record: (record.digest, record.id))
            for digest in (None, digest_of("doc0"), digest_of("doc1"), digest_of("other")):
                for kind in (None, "report", "letter", "other"):
                    expected = [
                        record
                        for record in records
                        if digest in (None, record.digest) and kind in (None, record.type_id)
                    ]
                    found = list(store.list_for(digest=digest, type_id=kind))
                    assert found == expected, f"digest {digest}, type {kind}"


class RouterStoreKit(StoreKit):
    """Rules of `RouterStore`."""

    def put_sample(self, store: Any, number: int, *, variant: int = 0) -> None:
        """Publish a version; a variant is the next one."""
        key = f"k{number:02}"
        store.put(key, router(key, 1 + variant))

    def delete_sample(self, store: Any, number: int) -> None:
        """Drop every version."""
        store.delete(f"k{number:02}")

    def state(self, store: Any) -> list[Any]:
        """All versions of all routers."""
        return [store.versions(latest.id) for latest in store.list()]

    def test_versions_are_kept_and_the_latest_is_the_router(self) -> None:
        """Every version stays as published; without a number the latest answers."""
        with self.opened() as store:
            assert store.get("r") is None
            versions = [router("r", number, title=f"version {number}") for number in range(1, 12)]
            for one in versions:
                store.put("r", one)
            store.put("another", router("another"))
            assert store.get("r") == versions[-1]
            assert [store.get("r", number) for number in range(1, 12)] == versions
            assert store.get("r", 12) is None
            assert store.get("r", 0) is None
            assert list(store.versions("r")) == versions
            assert list(store.versions("none")) == []
            assert list(store.list()) == [router("another"), versions[-1]]

    def test_a_version_never_changes(self) -> None:
        """Publishing a version that is there is a conflict, and the store goes on."""
        with self.opened() as store:
            store.put("r", router("r", 1, title="first"))
            with pytest.raises(ValueError):  # noqa: PT011  the port leaves the words to the store
                store.put("r", router("r", 1, title="second"))
            assert store.get("r", 1) == router("r", 1, title="first")
            store.put("r", router("r", 2))
            assert len(store.versions("r")) == 2

    def test_a_deleted_router_starts_anew(self) -> None:
        """Deleting drops every version, of that router alone."""
        with self.opened() as store:
            for key in ("r", "r2"):
                store.put(key, router(key, 1))
                store.put(key, router(key, 2))
            store.delete("r")
            assert store.get("r") is None
            assert list(store.versions("r")) == []
            assert len(store.versions("r2")) == 2
            store.put("r", router("r", 1))
            assert store.get("r") == router("r", 1)


class ExperimentStoreKit(StoreKit):
    """Rules of `ExperimentStore`."""

    def put_sample(self, store: Any, number: int, *, variant: int = 0) -> None:
        """Create an experiment; a variant adds a cell."""
        key = f"k{number:02}"
        store.put(key, experiment(key))
        if variant:
            store.put_cell(key, digest_of("member"), f"candidate-{variant}", cell(digest_of("member"), "c"))

    def delete_sample(self, store: Any, number: int) -> None:
        """Drop it."""
        store.delete(f"k{number:02}")

    def state(self, store: Any) -> list[Any]:
        """All experiments with their cells."""
        return [(key, dict(store.get(key)), [dict(one) for one in store.cells(key)]) for key in store.list()]

    def test_an_experiment_never_changes(self) -> None:
        """The first to take a key has it."""
        with self.opened() as store:
            assert store.get("e") is None
            assert store.put("e", experiment("e", title="first")) is True
            assert store.put("e", experiment("e", title="second")) is False
            assert dict(store.get("e")) == experiment("e", title="first")
            store.put("d", experiment("d"))
            assert list(store.list()) == ["d", "e"]

    def test_a_cell_is_computed_once(self) -> None:
        """The first to fill a cell has it; cells come by digest, then candidate."""
        with self.opened() as store:
            store.put("e", experiment("e"))
            store.put("f", experiment("f"))
            assert list(store.cells("e")) == []
            digests = [digest_of(name) for name in "cab"]
            for digest in digests:
                for candidate in ("production", "a", "b"):
                    assert store.put_cell("e", digest, candidate, cell(digest, candidate)) is True
            assert store.put_cell("e", digests[0], "a", cell(digests[0], "a", right=9)) is False
            assert store.put_cell("g", digests[0], "a", {}) is True
            assert store.put_cell("g", digests[0], "a", {}) is False, "an empty cell is kept once too"
            expected = [cell(d, c) for d in sorted(digests) for c in ("a", "b", "production")]
            assert [dict(one) for one in store.cells("e")] == expected
            assert list(store.cells("f")) == []

    def test_any_string_is_data(self) -> None:
        """What cells and experiments say comes back as it was put, and a key asked for may be anything."""
        with self.opened() as store:
            store.put("e", experiment("e") | {"notes": list(HOSTILE)})
            assert store.get("e")["notes"] == list(HOSTILE)
            for number, text in enumerate(HOSTILE):
                assert (
                    store.put_cell("e", digest_of("a"), f"c{number:02}", cell(digest_of("a"), text)) is True
                )
                assert store.get(text) is None
                assert list(store.cells(text)) == []
            assert [one["candidate"] for one in store.cells("e")] == list(HOSTILE)

    def test_deleting_an_experiment_drops_its_cells(self) -> None:
        """One made later under the same key starts with none."""
        with self.opened() as store:
            for key in ("e", "f"):
                store.put(key, experiment(key))
                store.put_cell(key, digest_of("a"), "a", cell(digest_of("a"), "a"))
            store.delete("e")
            assert store.get("e") is None
            assert list(store.list()) == ["f"]
            assert store.put("e", experiment("e")) is True
            assert list(store.cells("e")) == []
            assert len(store.cells("f")) == 1
