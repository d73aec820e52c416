"""What is wrong with the database is said at the start, and no secret with it."""

import importlib.util

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Identifier
from sqlalchemy import create_engine, inspect

from indx_core.errors import ConfigurationError
from indx_core.ports import Unavailability
from indx_store_postgres import _database, _vectors, provider
from indx_store_sql.tables import METADATA
from indx_testkit.kept import document_type


def refused(code):
    with pytest.raises(ConfigurationError) as caught:
        provider.documents().open()
    assert caught.value.code == code
    assert "s3cret" not in str(caught.value)
    return caught.value.message


def test_without_a_connection_string_it_does_not_start(monkeypatch):
    monkeypatch.delenv("INDX_STORE_POSTGRES_URL")
    assert "INDX_STORE_POSTGRES_URL" in refused("store_not_configured")


@pytest.mark.parametrize("text", ["s3cret nonsense", "postgresql://u:s3cret@h:port/x?y", "host='s3cret"])
def test_what_is_no_connection_string_is_refused(monkeypatch, text):
    monkeypatch.setenv("INDX_STORE_POSTGRES_URL", text)
    refused("invalid_setting")


def test_a_server_that_vanishes_is_given_up_and_the_operator_may_say_when():
    given = conninfo_to_dict(_database._conninfo("host=db tcp_user_timeout=5000"))
    assert 0 < int(given["keepalives_idle"]) <= 60
    assert given["tcp_user_timeout"] == "5000"
    assert 0 < int(conninfo_to_dict(_database._conninfo("host=db"))["tcp_user_timeout"]) <= 60_000


def test_a_server_that_does_not_answer_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("INDX_STORE_POSTGRES_URL", f"host={tmp_path} user=u password=s3cret dbname=d")
    assert str(tmp_path) in refused("store_not_configured")


@pytest.mark.parametrize("name", ["pg_mine", "x" * 64, "ü" * 32])
def test_a_schema_that_cannot_be_made_is_refused(monkeypatch, name):
    monkeypatch.setenv("INDX_STORE_POSTGRES_SCHEMA_NAME", name)
    assert name in refused("invalid_setting" if len(name.encode()) > 63 else "store_not_configured")


def test_a_database_of_a_newer_indx_is_refused(server, schema):
    store = provider.types()
    store.open()
    store.close()
    with psycopg.connect(server) as newer:
        newer.execute(SQL("UPDATE {}.indx_version SET number = 99").format(Identifier(schema)))
    assert "version 99" in refused("invalid_setting")


def test_a_schema_with_tables_of_another_program_is_refused(server, schema):
    with psycopg.connect(server) as other:
        name = Identifier(schema)
        other.execute(SQL("CREATE SCHEMA {0}; CREATE TABLE {0}.documents (x INT)").format(name))
    assert "documents" in refused("store_not_configured")


def tables(server, schema):
    """Columns and keys of each table as they are there."""
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(server))
    there = inspect(engine)
    found = {
        name: (
            [column["name"] for column in there.get_columns(name, schema=schema)],
            there.get_pk_constraint(name, schema=schema)["constrained_columns"],
        )
        for name in there.get_table_names(schema=schema)
    }
    engine.dispose()
    return found


def test_the_tables_are_those_that_queries_see(server, schema):
    store = provider.documents()
    store.open()
    store.close()
    with pytest.warns(match="type 'vector'"):
        found = tables(server, schema)
    assert found == {
        table.name: ([c.name for c in table.columns], [c.name for c in table.primary_key])
        for table in (*METADATA.sorted_tables, _vectors.vector)
    }


def test_two_schemas_of_a_database_are_two_installations(monkeypatch, schema):
    one = provider.types()
    one.open()
    monkeypatch.setenv("INDX_STORE_POSTGRES_SCHEMA_NAME", schema + "2")
    two = provider.types()
    two.open()
    one.put("k", document_type("k", title="one"))
    assert two.get("k") is None
    two.put("k", document_type("k", title="two"))
    assert one.get("k").label == "one"
    with one.transaction():  # the lock of one is not that of the other
        one.list()
        with two.transaction():
            two.put("k", document_type("k", title="again"))
    one.close()
    two.close()


def test_the_extension_may_live_in_another_schema(server, monkeypatch):
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute("CREATE DATABASE elsewhere")
    there = server.replace("/postgres?", "/elsewhere?")
    with psycopg.connect(there, autocommit=True) as admin:
        admin.execute('CREATE SCHEMA "Ext"; CREATE EXTENSION vector SCHEMA "Ext"')
    monkeypatch.setenv("INDX_STORE_POSTGRES_URL", there)
    store = provider.vectors()
    store.open()
    assert list(store.list("o")) == []
    store.close()


@pytest.mark.parametrize("absent", ["psycopg", "pgvector"])
def test_without_its_extra_it_says_what_to_install(monkeypatch, absent):
    there = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == absent else there(name))
    for port in provider.__all__:
        made = getattr(provider, port)()
        assert isinstance(made, Unavailability)
        assert absent in made.reason
        assert made.fix == 'pip install "indx-store-postgres[postgres]"'
