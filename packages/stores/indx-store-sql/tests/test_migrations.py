"""Steps are applied once, in order; a database that is ahead is refused and left as it is."""

import pytest
from sqlalchemy import create_engine, inspect, text

from indx_core.errors import ConfigurationError
from indx_store_sql.migrations import FIRST, applied, migrate
from indx_store_sql.tables import METADATA

WORDS = {"bytes": "BLOB", "serial": "INTEGER PRIMARY KEY", "compact": ""}


@pytest.fixture
def connection():
    """An empty database."""
    engine = create_engine("sqlite://")
    with engine.connect() as made:
        yield made
    engine.dispose()


def brought_up(connection, *steps):
    known = "indx_version" in inspect(connection).get_table_names()
    migrate(connection, steps, WORDS, known=known, where="the database 'x'")
    return applied(connection, known=True)


def test_the_first_step_makes_the_tables_that_queries_see(connection):
    assert brought_up(connection, FIRST) == 1
    there = inspect(connection)
    assert set(there.get_table_names()) == set(METADATA.tables)
    for name, table in METADATA.tables.items():
        columns = there.get_columns(name)
        assert [column["name"] for column in columns] == [column.name for column in table.columns]
        keys = [column.name for column in table.primary_key]
        assert there.get_pk_constraint(name)["constrained_columns"] == keys
        for column in columns:
            expected = table.c[column["name"]]
            assert column["nullable"] == expected.nullable or expected.primary_key, f"{name}.{column['name']}"
            assert str(column["type"]) in (str(expected.type), "BIGINT", "INTEGER")


def test_a_step_is_applied_once_and_later_ones_follow(connection):
    second = ("CREATE TABLE more (x INTEGER)",)
    third = ("INSERT INTO more VALUES (1)", "INSERT INTO more VALUES (2)")
    assert brought_up(connection, FIRST) == 1
    assert brought_up(connection, FIRST) == 1
    assert brought_up(connection, FIRST, second, third) == 3
    assert brought_up(connection, FIRST, second, third) == 3
    assert connection.execute(text("SELECT x FROM more")).scalars().all() == [1, 2]


def test_a_newer_database_is_refused_and_left_alone(connection):
    brought_up(connection, FIRST, ())
    with pytest.raises(ConfigurationError, match=r"'x' was written by a newer indx.* version 2 .* knows 1"):
        brought_up(connection, FIRST)
    assert applied(connection, known=True) == 2


def test_a_database_that_was_never_seen_has_had_no_step(connection):
    assert applied(connection, known=False) == 0
