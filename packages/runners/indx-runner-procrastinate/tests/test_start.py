"""What is wrong with the database is said at the start, and no secret with it; its tables are made once."""

import contextlib
import importlib.util
import threading

import psycopg
import pytest
from procrastinate.schema import SchemaManager
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Identifier

from indx_core.errors import ConfigurationError, Unavailable
from indx_core.ports.declarations import Unavailability
from indx_runner_procrastinate import provider
from indx_runner_procrastinate._schema import conninfo_of


def refused(code):
    with pytest.raises(ConfigurationError) as caught:
        provider.runner().running("k")
    assert caught.value.code == code
    assert "s3cret" not in str(caught.value)
    return caught.value.message


def used():
    made = provider.runner()
    assert not made.running("k")
    made.close()


def test_without_a_connection_string_it_does_not_start(monkeypatch):
    monkeypatch.delenv("INDX_RUNNER_PROCRASTINATE_URL")
    assert "INDX_RUNNER_PROCRASTINATE_URL" in refused("store_not_configured")


@pytest.mark.parametrize("text", ["s3cret nonsense", "postgresql://u:s3cret@h:port/x?y", "host='s3cret"])
def test_what_is_no_connection_string_is_refused(monkeypatch, text):
    monkeypatch.setenv("INDX_RUNNER_PROCRASTINATE_URL", text)
    refused("invalid_setting")


def test_a_server_that_does_not_answer_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("INDX_RUNNER_PROCRASTINATE_URL", f"host={tmp_path} user=u password=s3cret dbname=d")
    assert str(tmp_path) in refused("store_not_configured")


@pytest.mark.parametrize("name", ["pg_mine", "x" * 64, "ü" * 32])
def test_a_schema_that_cannot_be_made_is_refused(monkeypatch, name):
    monkeypatch.setenv("INDX_RUNNER_PROCRASTINATE_SCHEMA_NAME", name)
    assert name in refused("invalid_setting" if len(name.encode()) > 63 else "store_not_configured")


def test_processes_that_start_at_one_moment_make_the_tables_once():
    together, wrong = threading.Barrier(4), []

    def start():
        made = provider.runner()
        together.wait(30)
        try:
            assert not made.running("k")
            made.close()
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.fixture
def releases(tmp_path, monkeypatch):
    """The library's changes to its tables, to which a test may add one: `releases(name, text)`."""
    for name in ("00.00.00_01_initial.sql", "03.04.00_50_last.sql"):
        (tmp_path / name).write_text("SELECT 1 / 0")  # those that the tables have had are not applied again
    monkeypatch.setattr(SchemaManager, "get_migrations_path", staticmethod(lambda: str(tmp_path)))
    return lambda name, text: (tmp_path / name).write_text(text)


def test_what_a_newer_release_changes_is_applied_once(releases, server, schema):
    used()
    releases("04.00.00_02_more.sql", "CREATE TABLE more (x INT); -- 100%")
    releases("04.00.00_01_first.sql", "CREATE TABLE first (x INT)")
    used()
    used()
    with psycopg.connect(server) as connection:
        tables = "SELECT tablename FROM pg_tables WHERE schemaname = %s"
        names = {name for (name,) in connection.execute(tables, (schema,))}
    assert {"first", "more", "procrastinate_jobs"} <= names


def test_the_tables_of_a_newer_release_are_refused(server, schema):
    used()
    with psycopg.connect(server) as newer:
        newer.execute(SQL("INSERT INTO {}.indx_applied VALUES ('99.sql')").format(Identifier(schema)))
    assert "99.sql" in refused("invalid_setting")


def test_tables_of_somebody_else_are_refused(server, schema):
    with psycopg.connect(server) as other:
        name = Identifier(schema)
        other.execute(SQL("CREATE SCHEMA {0}; CREATE TABLE {0}.procrastinate_jobs (x INT)").format(name))
    assert "procrastinate_jobs" in refused("store_not_configured")


def test_two_schemas_of_a_database_are_two_installations(monkeypatch, schema):
    one = provider.runner()
    one.submit("work", "k", {})
    monkeypatch.setenv("INDX_RUNNER_PROCRASTINATE_SCHEMA_NAME", schema + "2")
    two, started, told = provider.runner(), threading.Event(), threading.Event()

    def work(key, payload, cancelled):
        started.set()
        while not cancelled():
            pass
        told.set()

    assert not two.running("k")
    two.register("work", work)
    two.submit("work", "k", {})
    assert started.wait(30)
    one.register("work", lambda *_: started.clear())  # the first job of each has the same number
    one.cancel("k")
    assert not told.wait(0.2)
    two.cancel("k")
    assert told.wait(30)
    one.close()
    two.close()


def test_a_database_that_went_away_is_busy_and_found_again(server, schema):
    ran = threading.Event()
    made = provider.runner()
    made.register("work", lambda *_: ran.set())
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'indx' AND pid <> pg_backend_pid()"
        )
    for _ in range(2):  # the first may meet a connection that is gone
        with contextlib.suppress(Unavailable):
            made.submit("work", "k", {})
    assert ran.wait(30)
    made.close()


@pytest.mark.parametrize("absent", ["psycopg", "psycopg_pool", "procrastinate"])
def test_without_its_extra_it_says_what_to_install(monkeypatch, absent):
    there = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == absent else there(name))
    made = provider.runner()
    assert isinstance(made, Unavailability)
    assert absent in made.reason
    assert made.fix == 'pip install "indx-runner-procrastinate[jobs]"'


def test_a_server_that_vanishes_is_given_up_and_the_operator_may_say_when():
    given = conninfo_to_dict(conninfo_of("host=db tcp_user_timeout=5000"))
    assert 0 < int(given["keepalives_idle"]) <= 60
    assert given["tcp_user_timeout"] == "5000"
    assert 0 < int(conninfo_to_dict(conninfo_of("host=db"))["tcp_user_timeout"]) <= 60_000
