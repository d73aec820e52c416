"""Stores that name the same database share a backend from the first open to the last close."""

import pytest

from indx_core.errors import ConfigurationError
from indx_store_sql import SqlStore
from indx_testkit.lazy import assert_light_import


class Backend:
    """Says what became of it."""

    def __init__(self, made):
        self.closed = False
        made.append(self)

    def close(self):
        self.closed = True

    def transaction(self):
        return "a transaction"


@pytest.fixture
def made():
    """The backends made so far."""
    return []


@pytest.fixture
def store(made):
    """A function that declares a store of a port and a database."""

    def declare(port="documents", database="one", name="dummy"):
        return SqlStore(port, name, lambda: (database, lambda: Backend(made)))

    return declare


def test_it_imports_nothing_heavy():
    assert_light_import("indx_store_sql")


def test_siblings_share_and_the_last_to_close_disconnects(store, made):
    first, second = store("documents"), store("labels")
    first.open()
    first.open()
    second.open()
    assert len(made) == 1
    assert first.transaction() == second.transaction() == "a transaction"
    first.close()
    first.close()
    assert not made[0].closed
    second.close()
    assert made[0].closed
    first.open()
    assert len(made) == 2
    first.close()


def test_another_database_or_another_kind_is_another_backend(store, made):
    stores = [store(), store(database="two"), store(name="other")]
    for one in stores:
        one.open()
    assert len(made) == 3
    for one in stores:
        one.close()
    assert all(backend.closed for backend in made)


def test_before_it_is_open_it_says_so(store):
    one = store()
    assert one.declaration.id == "dummy"
    assert one.declaration.shared
    assert not hasattr(one, "availability")
    with pytest.raises(AttributeError, match=r"'put' before open\(\)"):
        one.put()


def test_a_store_that_cannot_connect_can_be_opened_later(store, made):
    def refuse():
        raise ConfigurationError("not yet", code="store_not_configured")

    answers = [refuse, lambda: Backend(made)]
    one = SqlStore("documents", "dummy", lambda: ("one", answers.pop(0)))
    with pytest.raises(ConfigurationError):
        one.open()
    one.close()
    one.open()
    assert len(made) == 1
    one.close()
    assert made[0].closed
