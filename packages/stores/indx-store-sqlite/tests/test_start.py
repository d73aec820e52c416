"""What is wrong with the file is said at the start, and nothing in it is touched."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import create_engine, inspect

from indx_core.errors import ConfigurationError, Unavailable
from indx_store_sql.tables import METADATA
from indx_store_sqlite import _database, _vectors, provider
from indx_testkit.kept import document_type


def refused(code):
    with pytest.raises(ConfigurationError) as caught:
        provider.documents().open()
    assert caught.value.code == code
    assert "INDX_STORE_SQLITE_PATH" in caught.value.message
    return caught.value.message


PRAGMAS = _database._PRAGMAS


def test_what_was_answered_is_on_the_disk_and_readers_do_not_wait(database, monkeypatch):
    monkeypatch.setattr(_database, "_PRAGMAS", PRAGMAS)
    backend = _database.connect(database)
    with backend.writing("o") as mine:
        ask = mine.connection.exec_driver_sql
        told = [ask(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous", "foreign_keys")]
    assert told == ["wal", 2, 1]
    backend.close()


def test_without_a_path_it_does_not_start(monkeypatch):
    monkeypatch.delenv("INDX_STORE_SQLITE_PATH")
    refused("store_not_configured")


def test_a_folder_that_is_not_there_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("INDX_STORE_SQLITE_PATH", str(tmp_path / "none" / "store.db"))
    assert "none/store.db" in refused("store_not_configured")


def test_the_home_of_a_user_that_is_none_is_a_folder_that_is_not_there(monkeypatch):
    monkeypatch.setenv("INDX_STORE_SQLITE_PATH", "~nobody-is-called-so/store.db")
    assert "~nobody-is-called-so/store.db' cannot be used" in refused("store_not_configured")


def test_a_folder_is_no_file(tmp_path, monkeypatch):
    monkeypatch.setenv("INDX_STORE_SQLITE_PATH", str(tmp_path))
    refused("store_not_configured")


@pytest.mark.parametrize("content", [b"no database " * 100, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_file_that_is_no_database_is_refused_and_kept(database, content):
    database.write_bytes(content)
    refused("store_not_configured")
    assert database.read_bytes() == content


def test_the_database_of_another_program_is_refused_and_kept(database):
    with sqlite3.connect(database) as other:
        other.execute("CREATE TABLE documents (x)")
    other.close()
    assert "another program" in refused("invalid_setting")
    engine = create_engine(f"sqlite:///{database}")
    assert inspect(engine).get_table_names() == ["documents"]
    engine.dispose()


def test_a_file_of_a_newer_indx_is_refused(database):
    store = provider.types()
    store.open()
    store.close()
    with sqlite3.connect(database) as newer:
        newer.execute("UPDATE indx_version SET number = 99")
    newer.close()
    assert "version 99" in refused("invalid_setting")


def test_a_file_of_an_older_indx_is_brought_up_to_date_with_what_it_holds(database, monkeypatch):
    with monkeypatch.context() as older:
        older.setattr(_database, "STEPS", _database.STEPS[:1])
        store = provider.types()
        store.open()
        store.put("k", document_type("k"))
        store.close()
    for _ in range(2):
        store = provider.types()
        store.open()
        assert list(store.list()) == [document_type("k")]
        store.close()
    with sqlite3.connect(database) as now:
        assert now.execute("SELECT number FROM indx_version").fetchall() == [(len(_database.STEPS),)]
        assert now.execute("SELECT 1 FROM sqlite_master WHERE name = 'sources_expire'").fetchall() == [(1,)]
    now.close()


def test_the_tables_are_those_that_queries_see(database):
    store = provider.documents()
    store.open()
    store.close()
    engine = create_engine(f"sqlite:///{database}")
    there = inspect(engine)
    for name, table in {**METADATA.tables, "vectors": _vectors.vector}.items():
        assert [column["name"] for column in there.get_columns(name)] == [c.name for c in table.columns]
    engine.dispose()


@pytest.mark.parametrize("name", [":memory:", "a 'quoted' %20 name?.db", "設計.db"])
def test_any_name_is_the_name_of_a_file(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INDX_STORE_SQLITE_PATH", name)
    store = provider.types()
    store.open()
    store.put("k", document_type("k"))
    store.close()
    assert (tmp_path / name).stat().st_size
    store.open()
    assert store.get("k") == document_type("k")
    store.close()


def test_many_threads_may_start_at_once():
    stores = [provider.types() for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda store: store.open(), stores))
    stores[0].put("k", document_type("k"))
    assert all(store.get("k") for store in stores)
    for store in stores:
        store.close()


def test_a_file_that_another_program_holds_is_busy(database, monkeypatch):
    monkeypatch.setattr(_database, "_PRAGMAS", ("PRAGMA busy_timeout = 1", "PRAGMA foreign_keys = ON"))
    store = provider.types()
    store.open()
    other = sqlite3.connect(database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable) as caught:
        store.put("k", document_type("k"))
    assert caught.value.code == "busy"
    assert "locked" in str(caught.value.__cause__)
    with pytest.raises(Unavailable), store.transaction():
        pass
    assert store.get("k") is None, "readers wait for nobody"
    other.execute("COMMIT")
    other.close()
    store.put("k", document_type("k"))
    store.close()
