"""The rules of the stores of a workspace bite; small stores in memory keep them."""

import copy
import re
import threading
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from indx_core.ports import StoreDeclaration
from indx_testkit import (
    DatasetStoreKit,
    ExperimentStoreKit,
    HostileNamesKit,
    LabelStoreKit,
    RouterStoreKit,
    SchemaStoreKit,
)


class Backend:
    """A dictionary with transactions: a copy is put back when a block raises."""

    port_version = 1
    declaration = StoreDeclaration("dictionary", shared=False)

    def __init__(self):
        self.kept = {}
        self.lock = threading.RLock()

    def open(self):
        pass

    def close(self):
        pass

    @contextmanager
    def transaction(self):
        with self.lock:
            before = copy.copy(self.kept)
            try:
                yield
            except BaseException:
                self.kept = before
                raise

    def items(self):
        with self.lock:
            return sorted(self.kept.items(), key=lambda item: repr(item[0]))


class Records(Backend):
    def put(self, key, record):
        self.kept[key] = record

    def get(self, key):
        return self.kept.get(key)

    def delete(self, key):
        self.kept.pop(key, None)

    def list(self):
        return [record for _, record in self.items()]

    def list_for(self, *, digest, type_id):
        found = [
            one for one in self.list() if digest in (None, one.digest) and type_id in (None, one.type_id)
        ]
        return sorted(found, key=lambda one: (one.digest, one.id))


class Routers(Backend):
    def put(self, key, router):
        if (key, router.version) in self.kept:
            raise ValueError("that version is published")
        self.kept[key, router.version] = router

    def get(self, key, version=None):
        versions = self.versions(key)
        if version is None:
            return versions[-1] if versions else None
        return self.kept.get((key, version))

    def delete(self, key):
        for name in [name for name in self.kept if name[0] == key]:
            del self.kept[name]

    def list(self):
        with self.lock:
            return [self.get(key) for key in sorted({key for key, _ in self.kept})]

    def versions(self, key):
        with self.lock:
            return [self.kept[name] for name in sorted(self.kept) if name[0] == key]


class Experiments(Backend):
    def put(self, key, experiment):
        return self.once((key, ""), experiment)

    def once(self, name, value):
        if name in self.kept:
            return False
        self.kept[name] = value
        return True

    def get(self, key):
        return self.kept.get((key, ""))

    def delete(self, key):
        for name in [name for name in self.kept if name[0] == key]:
            del self.kept[name]

    def list(self):
        with self.lock:
            return sorted(name[0] for name in self.kept if len(name) == 2)

    def put_cell(self, key, digest, candidate, cell):
        return self.once((key, digest, candidate), cell)

    def cells(self, key):
        with self.lock:
            return [self.kept[name] for name in sorted(self.kept) if len(name) == 3 and name[0] == key]


KITS = {Records: SchemaStoreKit, Routers: RouterStoreKit, Experiments: ExperimentStoreKit}


class TestTypes(SchemaStoreKit):
    factory = staticmethod(Records)
    module = "indx_core.ports"


class TestDatasets(DatasetStoreKit):
    factory = staticmethod(Records)
    module = "indx_core.ports"


class TestLabels(LabelStoreKit):
    factory = staticmethod(Records)
    module = "indx_core.ports"


class TestRouters(RouterStoreKit):
    factory = staticmethod(Routers)
    module = "indx_core.ports"


class TestExperiments(ExperimentStoreKit):
    factory = staticmethod(Experiments)
    module = "indx_core.ports"


def kit(store, base=None, **changes):
    provider = type("Changed", (store,), changes)
    return type("Kit", (base or KITS[store],), {"factory": staticmethod(provider)})


@contextmanager
def careless(self):
    yield


@pytest.mark.parametrize("store", KITS)
def test_a_store_without_transactions_is_refused(store, refuted):
    refuted(kit(store, transaction=careless), "test_a_failed_transaction_leaves_nothing", "left something")


def latest_only(self, key):
    return Routers.versions(self, key)[-1:]


@pytest.mark.parametrize(
    ("store", "base", "changes", "rule"),
    [
        (
            Records,
            SchemaStoreKit,
            {"put": lambda self, key, record: self.kept.setdefault(key, record)},
            "test_a_record_comes_back_as_it_was_put",
        ),
        (
            Records,
            DatasetStoreKit,
            {"get": lambda self, key: self.kept[key].model_dump() if key in self.kept else None},
            "test_a_record_comes_back_as_it_was_put",
        ),
        (
            Records,
            SchemaStoreKit,
            {"list": lambda self: list(self.kept.values())},
            "test_records_are_listed_by_key",
        ),
        (
            Records,
            LabelStoreKit,
            {"list_for": lambda self, *, digest, type_id: self.list()},
            "test_labels_are_narrowed_by_document_and_type",
        ),
        (
            Records,
            LabelStoreKit,
            {"list_for": lambda self, **wanted: Records.list_for(self, **wanted)[::-1]},
            "test_labels_are_narrowed_by_document_and_type",
        ),
        (
            Routers,
            None,
            {"put": lambda self, key, router: self.kept.__setitem__((key, router.version), router)},
            "test_a_version_never_changes",
        ),
        (Routers, None, {"versions": latest_only}, "test_versions_are_kept_and_the_latest_is_the_router"),
        (
            Routers,
            None,
            {"delete": lambda self, key: self.kept.pop((key, 1), None)},
            "test_a_deleted_router_starts_anew",
        ),
        (
            Experiments,
            None,
            {"once": lambda self, name, value: self.kept.__setitem__(name, value) or True},
            "test_an_experiment_never_changes",
        ),
        (
            Experiments,
            None,
            {"put_cell": lambda self, *name: self.kept.__setitem__(name[:3], name[3]) or True},
            "test_a_cell_is_computed_once",
        ),
        (
            Experiments,
            None,
            {"delete": lambda self, key: self.kept.pop((key, ""), None)},
            "test_deleting_an_experiment_drops_its_cells",
        ),
    ],
)
def test_a_bad_workspace_store_is_refused(store, base, changes, rule, refuted):
    refuted(kit(store, base, **changes), rule)


class Patterned(Records):
    """Deletes as LIKE would, where the name was put into the statement."""

    def delete(self, key):
        pattern = re.escape(key).replace("%", ".*").replace("_", ".")
        for name in [name for name in self.kept if re.fullmatch(pattern, name)]:
            del self.kept[name]


def keys(types):
    stores = SimpleNamespace(types=types, labels=Records, routers=Routers, experiments=Experiments)
    return type("Kit", (HostileNamesKit,), {"provider": stores})().test_a_key_is_that_key_and_no_pattern


def test_a_store_that_takes_a_key_for_a_pattern_is_refused():
    keys(Records)("%")
    keys(Patterned)("metadata")
    with pytest.raises(AssertionError):
        keys(Patterned)("%")
