"""The file: how it is opened, brought up to date, and shared between threads and processes."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from indx_core.errors import ConfigurationError
from indx_store_sql.backend import Backend, Dialect
from indx_store_sql.migrations import FIRST, SECOND, migrate
from indx_store_sql.tables import version
from indx_store_sqlite import _vectors
from indx_store_sqlite.settings import PATH

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.ports.embedding import Metric
    from indx_store_sql.backend import Found, Spaces
    from indx_store_sql.owned import Owned

__all__ = ["STEPS", "WORDS", "SqliteDialect", "connect"]

STEPS: Final = ((*FIRST, _vectors.TABLE), SECOND)
WORDS: Final = {
    "bytes": "BLOB",
    "serial": "INTEGER PRIMARY KEY AUTOINCREMENT",
    "compact": " WITHOUT ROWID",
}

_PATIENCE_MS: Final = 30_000
_ATTEMPTS: Final = 100
_PRAGMAS: Final = (
    f"PRAGMA busy_timeout = {_PATIENCE_MS}",
    # A keep that was answered is on the disk: with NORMAL a power cut could take the last ones back.
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -16384",
    "PRAGMA mmap_size = 1073741824",
)


class SqliteDialect(Dialect):
    """Writers queue in the process, then on the file; readers wait for nobody."""

    name = "sqlite"

    def __init__(self) -> None:
        self._writers = threading.RLock()

    def begin(self, engine: Engine, *, write: bool) -> Connection:
        """A connection in a transaction; one that may write holds the file's only lock from its start."""
        connection = engine.connect().execution_options(begin="IMMEDIATE" if write else "DEFERRED")
        try:
            connection.begin()
        except BaseException:
            connection.close()
            raise
        return connection

    def hold(self, connection: Connection, scope: bytes) -> None:
        """Nothing to do: a transaction that may write is the only one."""

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Writers of this process take turns, rather than poll for the file."""
        with self._writers:
            yield

    def put_vectors(self, mine: Owned, document_id: int, spaces: Spaces) -> None:
        """Keep the vectors of a document."""
        _vectors.put(mine, document_id, spaces)

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


def connect(path: Path) -> Backend:
    """Open a file, making it when missing, and bring its tables up to date.

    Raises:
        ConfigurationError: It cannot be opened, is no database of indx, or is one of a newer indx.
    """
    engine = create_engine(
        "sqlite://",
        creator=lambda: _opened(path),
        poolclass=QueuePool,
        max_overflow=-1,
        hide_parameters=True,  # errors are logged, and documents are not
    )
    event.listen(engine, "begin", _begin)
    dialect = SqliteDialect()
    try:
        _use_a_log(engine)
        with dialect.begin(engine, write=True) as connection:
            tables = inspect(connection).get_table_names()
            known = version.name in tables
            if tables and not known:
                raise ConfigurationError(
                    f"{PATH.name}: {str(path)!r} is the database of another program; name another file",
                    code="invalid_setting",
                )
            migrate(connection, STEPS, WORDS, known=known, where=f"{PATH.name}: {str(path)!r}")
            connection.commit()
    except (DBAPIError, sqlite3.Error) as error:
        engine.dispose()
        reason = getattr(error, "orig", error)
        raise ConfigurationError(
            f"{PATH.name}: {str(path)!r} cannot be used: {reason}; name a file that may be written, in a "
            "folder that is there, or one that indx made",
            code="store_not_configured",
        ) from error
    except BaseException:
        engine.dispose()
        raise
    return Backend(engine, dialect)


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    for pragma in _PRAGMAS:
        connection.execute(pragma)
    return connection


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(f"BEGIN {connection.get_execution_options().get('begin', 'DEFERRED')}")


def _use_a_log(engine: Engine) -> None:
    """Have readers and a writer side by side; the file remembers it.

    Two processes that open a new file at once may find each other in the way, whatever their patience.
    """
    for attempt in range(_ATTEMPTS):
        raw: Any = engine.raw_connection()
        try:
            raw.driver_connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or attempt == _ATTEMPTS - 1:
                raise
            sleep(0.05)
        else:
            return
        finally:
            raw.close()
