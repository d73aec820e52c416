"""The database: reached with what the settings say, and its tables made or brought up to date once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import psycopg
from procrastinate.schema import SchemaManager
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from indx_core.errors import ConfigurationError
from indx_runner_procrastinate.settings import SCHEMA_NAME, URL

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["conninfo_of", "point", "prepare"]

_LONGEST: Final = 63
_PATIENCE_SECONDS: Final = 10
_STARTING: Final = 7_203_318_522
"""One lock for all installations of a database: starting is rare and short."""


def conninfo_of(url: str) -> str:
    """The connection string as libpq takes it.

    Raises:
        ConfigurationError: There is none, or it is none.
    """
    if not url:
        raise ConfigurationError(
            f"{URL.name} is not set: give the connection string of the database that jobs wait in",
            code="store_not_configured",
        )
    try:
        given = conninfo_to_dict(url)
    except psycopg.Error:
        raise ConfigurationError(  # without the reason, which quotes the password
            f"{URL.name} is not a connection string: write postgresql://user@host:port/database, or "
            "host=… dbname=… user=…",
            code="invalid_setting",
        ) from None
    defaults: dict[str, Any] = {
        "application_name": "indx",
        "connect_timeout": _PATIENCE_SECONDS,
        # A server that vanishes without a word is given up, where TCP by itself would wait for hours.
        "keepalives_idle": _PATIENCE_SECONDS,
        "keepalives_interval": _PATIENCE_SECONDS,
        "keepalives_count": 3,
        "tcp_user_timeout": 3000 * _PATIENCE_SECONDS,
    }
    return make_conninfo("", **(defaults | given))


def point(schema: str) -> sql.Composed:
    """The statement that has names without a schema mean those of ours."""
    return sql.SQL("SET search_path TO {}").format(sql.Identifier(schema))


def prepare(conninfo: str, schema: str) -> None:
    """Make the schema and the tables where they are missing, and apply what a newer release changes.

    Raises:
        ConfigurationError: The database cannot be used, or its tables are those of a newer release.
    """
    if len(schema.encode()) > _LONGEST:
        raise ConfigurationError(
            f"{SCHEMA_NAME.name}: {schema!r} is longer than the {_LONGEST} bytes of a name in Postgres",
            code="invalid_setting",
        )
    try:
        with psycopg.connect(conninfo) as connection:
            # Others that start now wait, and find everything made.
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_STARTING,))
            there = "SELECT 1 FROM pg_namespace WHERE nspname = %s"
            if connection.execute(there, (schema,)).fetchone() is None:
                connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
            connection.execute(point(schema))
            _migrate(connection, schema)
    except psycopg.Error as error:
        reason = " ".join(str(error).split("\n")[0].split())
        raise ConfigurationError(
            f"{URL.name}: the database cannot be used: {reason}; it must be reachable, and let its user make "
            f"the schema {schema!r} ({SCHEMA_NAME.name}) and tables in it",
            code="store_not_configured",
        ) from error


def _migrate(connection: psycopg.Connection[Any], schema: str) -> None:
    """Make the tables as they are now, or apply the changes that those there have not had."""
    known = "SELECT 1 FROM pg_tables WHERE schemaname = %s AND tablename = 'indx_applied'"
    steps = sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))
    if connection.execute(known, (schema,)).fetchone() is None:
        connection.execute(SchemaManager.get_schema())
        connection.execute("CREATE TABLE indx_applied (name TEXT PRIMARY KEY)")
        _note(connection, (step.name for step in steps))
        return
    applied = {name for (name,) in connection.execute("SELECT name FROM indx_applied")}
    newer = applied - {step.name for step in steps}
    if newer:
        raise ConfigurationError(
            f"the schema {schema!r} ({SCHEMA_NAME.name}) is that of a newer procrastinate, which changed "
            f"{max(newer)!r}; install that release here, or name another schema",
            code="invalid_setting",
        )
    for step in steps:
        if step.name not in applied:
            connection.execute(step.read_text("utf-8"))
            _note(connection, [step.name])


def _note(connection: psycopg.Connection[Any], names: Iterable[str]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO indx_applied VALUES (%s)", [(name,) for name in names])
