"""The tables' history: numbered steps, each applied once, in order, by whoever opens the database first.

A step that was released never changes; what is to be otherwise is a new step. A database that is ahead of the
code is refused, because older code would take its tables for what they no longer are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from sqlalchemy import Connection, insert, select, text

from indx_core.errors import ConfigurationError
from indx_store_sql.tables import version

__all__ = ["FIRST", "SECOND", "Step", "applied", "migrate"]

Step: TypeAlias = Sequence[str]
"""Statements. `{bytes}`, `{serial}` and `{compact}` stand for what a dialect says."""

FIRST: Final[Step] = (
    """CREATE TABLE documents (
        owner {bytes} NOT NULL, digest {bytes} NOT NULL,
        updated_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
        summary {bytes} NOT NULL, result {bytes} NOT NULL, PRIMARY KEY (owner, digest))""",
    "CREATE INDEX documents_expire ON documents (expires_at)",
    """CREATE TABLE sources (
        owner {bytes} NOT NULL, digest {bytes} NOT NULL, media_type {bytes} NOT NULL, filename {bytes},
        expires_at BIGINT, data {bytes} NOT NULL, PRIMARY KEY (owner, digest))""",
    """CREATE TABLE indexed (
        id {serial}, owner {bytes} NOT NULL, digest {bytes} NOT NULL, expires_at BIGINT NOT NULL,
        chunks BIGINT NOT NULL, terms BIGINT NOT NULL, block_ids {bytes} NOT NULL, UNIQUE (owner, digest))""",
    """CREATE TABLE chunk (
        document_id BIGINT NOT NULL REFERENCES indexed (id) ON DELETE CASCADE, number BIGINT NOT NULL,
        position BIGINT NOT NULL, place {bytes} NOT NULL, text {bytes} NOT NULL,
        PRIMARY KEY (document_id, number))""",
    """CREATE TABLE posting (
        owner_key BIGINT NOT NULL, term {bytes} NOT NULL,
        document_id BIGINT NOT NULL REFERENCES indexed (id) ON DELETE CASCADE, rows {bytes} NOT NULL,
        PRIMARY KEY (owner_key, term, document_id)){compact}""",
    "CREATE INDEX posting_of_document ON posting (document_id)",
    """CREATE TABLE records (
        noun {bytes} NOT NULL, key {bytes} NOT NULL, body {bytes} NOT NULL, PRIMARY KEY (noun, key))""",
    """CREATE TABLE labels (
        key {bytes} NOT NULL, digest {bytes} NOT NULL, type_id {bytes}, body {bytes} NOT NULL,
        PRIMARY KEY (key))""",
    "CREATE INDEX labels_of_document ON labels (digest, key)",
    """CREATE TABLE routers (
        key {bytes} NOT NULL, version BIGINT NOT NULL, body {bytes} NOT NULL, PRIMARY KEY (key, version))""",
    "CREATE TABLE experiments (key {bytes} NOT NULL, body {bytes} NOT NULL, PRIMARY KEY (key))",
    """CREATE TABLE cells (
        key {bytes} NOT NULL, digest {bytes} NOT NULL, candidate {bytes} NOT NULL, body {bytes} NOT NULL,
        PRIMARY KEY (key, digest, candidate))""",
)
"""The first step of every dialect, less the table of vectors, which each has in its own way."""

SECOND: Final[Step] = (
    "CREATE INDEX sources_expire ON sources (expires_at)",
    "CREATE INDEX indexed_expire ON indexed (expires_at)",
)
"""The second step of every dialect: a sweep looks for what has expired in every table."""


def applied(connection: Connection, *, known: bool) -> int:
    """How many steps a database has had.

    Args:
        connection: To it.
        known: Whether it has the table that says so.
    """
    return (connection.scalar(select(version.c.number)) or 0) if known else 0


def migrate(
    connection: Connection, steps: Sequence[Step], words: Mapping[str, str], *, known: bool, where: str
) -> None:
    """Apply the steps that are missing. The caller holds a lock, and commits.

    Args:
        connection: To the database.
        steps: All steps there are.
        words: What the placeholders stand for.
        known: Whether the database has had any.
        where: How to name it in an error.

    Raises:
        ConfigurationError: It has had more than there are.
    """
    done = applied(connection, known=known)
    if done > len(steps):
        raise ConfigurationError(
            f"{where} was written by a newer indx: its tables have version {done} and this one knows "
            f"{len(steps)}; upgrade indx, or name another database",
            code="invalid_setting",
        )
    if done == len(steps):
        return
    if not known:
        connection.execute(text("CREATE TABLE indx_version (number INTEGER NOT NULL PRIMARY KEY)"))
    for step in steps[done:]:
        for statement in step:
            connection.exec_driver_sql(statement.format(**words))
    connection.execute(version.delete())
    connection.execute(insert(version).values(number=len(steps)))
