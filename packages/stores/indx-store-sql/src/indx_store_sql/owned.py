"""One owner's rows. Stores reach the tables through this alone, so that no query can leave the owner out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    CursorResult,
    Delete,
    Insert,
    Row,
    Select,
    Table,
    and_,
    delete,
    insert,
    select,
)

from indx_store_sql.tables import indexed

__all__ = ["BATCH", "Owned", "live"]

BATCH: Final = 400
"""Values in one IN list; databases bound their number."""


class Owned:
    """The rows of one owner, on a connection in a transaction.

    Tables that name the owner are narrowed by it. Those that hang on a row of `indexed` are joined with it,
    and narrowed there. Tables without either hold what is the installation's.

    Attributes:
        connection: For what a dialect does with its own tables, by statements made here.
        key: The number that the owner's postings and vectors stand under.
    """

    def __init__(self, connection: Connection, owner: bytes, key: int) -> None:
        self.connection = connection
        self.key = key
        self._owner = owner

    def mine(self, table: Table) -> ColumnElement[bool]:
        """The condition that a row is this owner's."""
        if "owner" in table.c:
            return table.c.owner == self._owner
        if "document_id" not in table.c:
            raise ValueError(f"{table.name} has no owner: use `shared`")
        mine = and_(table.c.document_id == indexed.c.id, indexed.c.owner == self._owner)
        return and_(mine, table.c.owner_key == self.key) if "owner_key" in table.c else mine

    def select(self, table: Table, *columns: ColumnElement[Any]) -> Select[Any]:
        """A query of this owner's rows; columns of `indexed` may stand beside those of what hangs on it."""
        return select(*columns).where(self.mine(table))

    def rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        """What a query made by `select` finds."""
        return self.connection.execute(query).all()

    def row(self, query: Select[Any]) -> Row[Any] | None:
        """The first row that a query made by `select` finds."""
        return self.connection.execute(query).first()

    def insert(self, table: Table, values: Mapping[str, Any], *returning: ColumnElement[Any]) -> Any:
        """Insert a row of this owner's; the value of the column asked for, if one is."""
        made: Insert = insert(table).values(owner=self._owner, **values)
        if returning:
            return self.connection.execute(made.returning(*returning)).scalar_one()
        self.connection.execute(made)
        return None

    def delete(self, table: Table, **values: Any) -> None:
        """Delete this owner's rows that have these values."""
        gone: Delete = delete(table).where(self.mine(table))
        for name, value in values.items():
            gone = gone.where(table.c[name] == value)
        self.connection.execute(gone)

    def shared(self, statement: Any) -> CursorResult[Any]:
        """Run a statement on a table of the installation, which has no owners."""
        return self.connection.execute(statement)


def live(now: datetime) -> ColumnElement[bool]:
    """The condition that a document's chunks have not expired."""
    return indexed.c.expires_at > now
