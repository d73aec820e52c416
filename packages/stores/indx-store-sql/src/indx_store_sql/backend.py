"""One database: connections, transactions of a thread, and what dialects do each in their own way."""

from __future__ import annotations

import hashlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from sqlalchemy import Connection, Engine, Table
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from indx_core.errors import Unavailable
from indx_store_sql.owned import Owned

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.ports.embedding import Metric

    Spaces: TypeAlias = Mapping[str, tuple[Sequence[int], npt.NDArray[np.float32]]]

__all__ = ["INSTALLATION", "Backend", "Dialect", "Found", "busy_when_unreachable", "key_of"]

INSTALLATION: Final = b"\xff"
"""Stands where an owner would for what is the installation's. UTF-8 has no such byte, so no owner is it."""

Found: TypeAlias = "tuple[int, str, int, float]"
"""Document, its digest, the number of its chunk, and the score."""


class Dialect(ABC):
    """What differs from database to database: locks, bulk inserts, and the whole of the vectors."""

    name: str

    @abstractmethod
    def begin(self, engine: Engine, *, write: bool) -> Connection:
        """A connection in a transaction: one that may write, or one that reads a single state."""

    @abstractmethod
    def hold(self, connection: Connection, scope: bytes) -> None:
        """Make others that hold `scope` wait until this transaction ends."""

    @abstractmethod
    @contextmanager
    def alone(self) -> Iterator[None]:
        """A block in which a writing transaction runs, where writers of a process must queue."""
        yield

    def insert(self, connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert many rows."""
        if rows:
            connection.execute(table.insert(), rows)

    @abstractmethod
    def put_vectors(self, mine: Owned, document_id: int, spaces: Spaces) -> None:
        """Keep the vectors of a document that has none yet."""

    @abstractmethod
    def vectors_of(self, mine: Owned, document_id: int) -> dict[int, dict[str, npt.NDArray[np.float32]]]:
        """The vectors of a document by number of chunk and space."""

    @abstractmethod
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
        """The owner's nearest vectors, exactly, best first; ties by digest and number."""


@dataclass(slots=True)
class _Unit:
    """A transaction that a thread has open."""

    connection: Connection
    held: set[bytes] = field(default_factory=set)


class Backend:
    """A database that all stores of a process share.

    Outside a transaction, each call of a store is one: what it reads is one state, what it writes is done
    when it returns. Inside, calls of the same thread use its connection, and hold what they touch.
    """

    def __init__(self, engine: Engine, dialect: Dialect) -> None:
        self.dialect = dialect
        self._engine = engine
        self._local = threading.local()

    def close(self) -> None:
        """Disconnect."""
        self._engine.dispose()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """A block whose calls take effect together or not at all; inside another, a part of it."""
        unit = self._unit
        if unit is not None:
            before = set(unit.held)
            try:
                with busy_when_unreachable(self.dialect.name), unit.connection.begin_nested():
                    yield
            except BaseException:
                unit.held = before  # what was locked inside, its end has released
                raise
            return
        with busy_when_unreachable(self.dialect.name), self._begun(write=True) as connection:
            self._local.unit = _Unit(connection)
            try:
                yield
            finally:
                self._local.unit = None

    @contextmanager
    def reading(self, owner: str | None) -> Iterator[Owned]:
        """The owner's rows, None for the installation's, in one state."""
        with self._joined(owner, write=False) as mine:
            yield mine

    @contextmanager
    def writing(self, owner: str | None) -> Iterator[Owned]:
        """The owner's rows, to be changed; nobody else changes them meanwhile."""
        with self._joined(owner, write=True) as mine:
            yield mine

    @contextmanager
    def everyone(self) -> Iterator[Connection]:
        """A connection that belongs to no owner: for the sweep of what has expired, and nothing else."""
        with busy_when_unreachable(self.dialect.name):
            unit = self._unit
            if unit is not None:
                yield unit.connection
            else:
                with self._begun(write=False) as connection:
                    yield connection

    @contextmanager
    def _joined(self, owner: str | None, *, write: bool) -> Iterator[Owned]:
        scope = INSTALLATION if owner is None else _named(owner)
        with busy_when_unreachable(self.dialect.name):
            unit = self._unit
            if unit is not None:
                # What a transaction has read stays true until it ends, so reading holds as writing does.
                if scope not in unit.held:
                    self.dialect.hold(unit.connection, scope)
                    unit.held.add(scope)
                yield Owned(unit.connection, scope, key_of(scope))
                return
            with self._begun(write=write) as connection:
                if write:
                    self.dialect.hold(connection, scope)
                yield Owned(connection, scope, key_of(scope))

    @contextmanager
    def _begun(self, *, write: bool) -> Iterator[Connection]:
        if not write:
            with self.dialect.begin(self._engine, write=False) as connection:
                yield connection
            return
        with self.dialect.alone(), self.dialect.begin(self._engine, write=True) as connection:
            yield connection
            connection.commit()

    @property
    def _unit(self) -> _Unit | None:
        unit: _Unit | None = getattr(self._local, "unit", None)
        return unit


@contextmanager
def busy_when_unreachable(name: str) -> Iterator[None]:
    """A block in which a database that does not answer, or makes one wait too long, is 503 `busy`.

    The reason is the exception's cause, for the log; it names hosts and users, so that callers do not see it.
    """
    try:
        yield
    except (OperationalError, InterfaceError, PoolTimeout) as error:
        raise Unavailable(f"the {name} store cannot be reached or is busy; try again", code="busy") from error


def key_of(scope: bytes) -> int:
    """A number that rows of one owner have in common, so that they stand together in an index.

    Two owners may share it: it finds rows, and the owner beside it decides.
    """
    return int.from_bytes(hashlib.sha256(scope).digest()[:8], "big", signed=True)


def _named(owner: str) -> bytes:
    return owner.encode("utf-8", "surrogatepass")
