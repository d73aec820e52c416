"""What the SQL stores share: tables, migrations and queries over SQLAlchemy Core.

A library for stores of one database each. Such a store declares itself with `SqlStore`, connects with a
`Backend` of its own `Dialect`, and gets every port from `indx_store_sql.ports`. SQLAlchemy is imported when
a store is opened.
"""

from __future__ import annotations

from indx_store_sql.declared import Port, SqlStore

__all__ = ["Port", "SqlStore"]
