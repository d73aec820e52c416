"""The database: connections, the schema and its history, and the locks that transactions hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

import psycopg
from pgvector.psycopg import register_vector
from psycopg import pq, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import Connection, Engine, Table, create_engine, text
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import NullPool

from indx_core.errors import ConfigurationError
from indx_store_postgres import _vectors
from indx_store_postgres.settings import SCHEMA_NAME, URL
from indx_store_sql.backend import Backend, Dialect
from indx_store_sql.migrations import FIRST, SECOND, migrate
from indx_store_sql.tables import exact

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.ports.embedding import Metric
    from indx_store_sql.backend import Found, Spaces
    from indx_store_sql.owned import Owned

__all__ = ["STEPS", "WORDS", "PostgresDialect", "connect"]

STEPS: Final = ((*FIRST, *_vectors.STATEMENTS), SECOND)
WORDS: Final = {
    "bytes": "BYTEA",
    "serial": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    "compact": "",
}

_TYPES: Final = {"BIGINT": "int8", "BLOB": "bytea", "FLOAT": "float8", "vector": "vector"}
"""How COPY calls the types of columns."""

_PATIENCE_SECONDS: Final = 10
_STARTING: Final = 7_203_318_521
"""One lock for all installations of a database: they share the extension."""


class _Cursor(psycopg.Cursor[Any]):
    """A cursor whose results are binary: bytes and vectors arrive as they are."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.format = pq.Format.BINARY


class PostgresDialect(Dialect):
    """Writers of one owner queue, and those of what is the installation's; readers wait for nobody."""

    name = "postgres"

    def __init__(self, schema: str) -> None:
        self._schema = schema.encode()

    def begin(self, engine: Engine, *, write: bool) -> Connection:
        """A connection in a transaction: each statement of a writer sees what it has waited for."""
        connection = engine.connect()
        try:
            if write:
                connection = connection.execution_options(isolation_level="READ COMMITTED")
            else:
                connection = connection.execution_options(
                    isolation_level="REPEATABLE READ", postgresql_readonly=True
                )
            connection.begin()
        except BaseException:
            connection.close()
            raise
        return connection

    def hold(self, connection: Connection, scope: bytes) -> None:
        """Take the scope's lock, which the end of the transaction releases."""
        number = int.from_bytes(sha256(self._schema + b"\0" + scope).digest()[:8], "big", signed=True)
        _lock(connection, number)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Writers of a process need not queue: the database has room for many."""
        yield

    def insert(self, connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert many rows by COPY, which takes a tenth of the time of as many statements."""
        if not rows:
            return
        names = list(rows[0])
        statement = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(
            sql.Identifier(table.name), sql.SQL(", ").join(map(sql.Identifier, names))
        )
        raw: Any = connection.connection.driver_connection
        try:
            with raw.cursor().copy(statement) as copy:
                copy.set_types([_TYPES[str(table.c[name].type)] for name in names])
                for row in rows:
                    copy.write_row([exact(v) if isinstance(v, str) else v for v in row.values()])
        except psycopg.OperationalError as error:
            raise OperationalError("COPY", None, error) from error

    def put_vectors(self, mine: Owned, document_id: int, spaces: Spaces) -> None:
        """Keep the vectors of a document."""
        self.insert(mine.connection, _vectors.vector, _vectors.rows_of(mine, document_id, spaces))

    def vectors_of(self, mine: Owned, document_id: int) -> dict[int, dict[str, npt.NDArray[np.float32]]]:
        """The vectors of a document by number of chunk and space."""
        return _vectors.vectors_of(mine, document_id)

    def nearest(
        self,
        mine: Owned,
        space_id: str,
        vector: npt.NDArray[np.float32],
        *,
        metric: Metric,
        limit: int,
        now: datetime,
    ) -> Sequence[Found]:
        """The owner's nearest vectors, exactly."""
        return _vectors.find(mine, space_id, vector, metric=metric, limit=limit, now=now)


def connect(url: str, schema: str) -> Backend:
    """Connect to a database, and bring the tables in its schema up to date.

    Raises:
        ConfigurationError: It cannot be reached or used, or is one of a newer indx.
    """
    conninfo = _conninfo(url)
    try:
        found = _prepared(conninfo, schema)
    except (DBAPIError, psycopg.Error) as error:
        reason = " ".join(str(getattr(error, "orig", error)).split("\n")[0].split())
        raise ConfigurationError(
            f"{URL.name}: the database cannot be used: {reason}; it must be reachable, offer the extension "
            f"pgvector, and let its user make the schema {schema!r} ({SCHEMA_NAME.name}) and tables in it",
            code="store_not_configured",
        ) from error

    def opened() -> psycopg.Connection[Any]:
        connection = psycopg.connect(conninfo, cursor_factory=_Cursor, autocommit=True)
        _point(connection, schema, found)
        register_vector(connection)
        connection.autocommit = False
        return connection

    engine = create_engine(
        "postgresql+psycopg://",
        creator=opened,
        pool_size=5,
        max_overflow=15,
        pool_timeout=_PATIENCE_SECONDS,
        pool_pre_ping=True,
        hide_parameters=True,  # errors are logged, and documents are not
    )
    return Backend(engine, PostgresDialect(schema))


def _conninfo(url: str) -> str:
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


def _prepared(conninfo: str, schema: str) -> str:
    """Make the extension, the schema and the tables where they are missing; the extension's schema."""
    engine = create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(conninfo), poolclass=NullPool
    )
    with engine.begin() as connection:
        raw: Any = connection.connection.driver_connection
        # Others that start now wait, and find everything made.
        _lock(connection, _STARTING)
        home = text(
            "SELECT nspname FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace "
            "WHERE extname = 'vector'"
        )
        found = connection.scalar(home)
        if found is None:
            connection.execute(text("CREATE EXTENSION vector"))
            found = connection.scalar(home)
        named = {"schema": schema}
        there = text("SELECT 1 FROM pg_namespace WHERE nspname = :schema")
        if connection.scalar(there, named) is None:
            raw.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
        _point(raw, schema, str(found))
        known = text("SELECT 1 FROM pg_tables WHERE schemaname = :schema AND tablename = 'indx_version'")
        migrate(
            connection,
            STEPS,
            WORDS,
            known=connection.scalar(known, named) is not None,
            where=f"the schema {schema!r} ({SCHEMA_NAME.name})",
        )
    return str(found)


def _point(connection: Any, schema: str, vectors: str) -> None:
    """Have names without a schema mean ours, then the extension's."""
    connection.execute(
        sql.SQL("SET search_path TO {}, {}").format(sql.Identifier(schema), sql.Identifier(vectors))
    )
    connection.execute(f"SET lock_timeout = '{3 * _PATIENCE_SECONDS}s'")


def _lock(connection: Connection, number: int) -> None:
    connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})
