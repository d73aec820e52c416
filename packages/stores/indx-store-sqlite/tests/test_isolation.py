"""Every statement on what belongs to somebody names the owner."""

import sqlite3
from contextlib import ExitStack
from datetime import timedelta

import numpy as np
import pytest
from sqlalchemy import Engine, event
from sqlalchemy.exc import IntegrityError

from indx_core.ports import IndexedChunk, StoredSource
from indx_store_sqlite import provider
from indx_testkit.kept import NOW, digest_of, stored_document

SOON = NOW + timedelta(hours=1)
OWNED = ("documents", "sources", "indexed", "chunk", "posting", "vectors")
DEPENDENT = ("INSERT INTO chunk", "INSERT INTO posting", "INSERT INTO vectors")
"""Rows of a document that the same transaction has just made under its owner."""


@pytest.fixture
def statements():
    """What is asked of the database, with its parameters."""
    seen = []

    def note(connection, cursor, statement, parameters, context, executemany):
        seen.append((statement.replace('"', ""), parameters))  # "indexed" is a word of SQLite's

    event.listen(Engine, "before_cursor_execute", note)
    yield seen
    event.remove(Engine, "before_cursor_execute", note)


def use_everything(owner):
    """Call every method of every store that keeps what belongs to somebody."""
    with ExitStack() as stack:
        stores = [provider.documents(), provider.vectors(), provider.sources()]
        for store in stores:
            store.open()
            stack.callback(store.close)
        documents, vectors, sources = stores
        digest = digest_of("a")
        row = np.array([1, 2], dtype=np.float32)
        documents.put(owner, stored_document("a"), expires_at=SOON)
        documents.get(owner, digest, now=NOW)
        documents.list(owner, now=NOW)
        documents.summaries(owner, now=NOW)
        vectors.put(owner, digest, [IndexedChunk("c", "word", 1, (), None, {"s": row})], expires_at=SOON)
        vectors.get(owner, digest)
        vectors.list(owner)
        vectors.chunks(owner, [(digest, "c")])
        vectors.search_text(owner, ["word"], limit=5, now=NOW)
        vectors.search_vector(owner, "s", row, limit=5, now=NOW)
        sources.put(owner, StoredSource(digest, "m", None, b"x"), expires_at=SOON)
        sources.get(owner, digest, now=NOW)
        sources.list(owner, now=NOW)
        for store in stores:
            store.delete(owner, digest)


def test_no_statement_leaves_the_owner_out(statements):
    use_everything("owner-a")
    statements[:] = [one for one in statements if any(f" {table}" in one[0] for table in OWNED)]
    asked = [one for one in statements if not one[0].lstrip().startswith(("CREATE", "PRAGMA", *DEPENDENT))]
    assert len(asked) > 15
    for statement, parameters in asked:
        assert "owner" in statement, statement
        assert any(bytes(p) == b"owner-a" for p in parameters if isinstance(p, bytes | memoryview)), statement


@pytest.mark.parametrize(
    ("port", "table"), [("documents", "documents"), ("vectors", "indexed"), ("sources", "sources")]
)
def test_the_sweep_alone_sees_every_owner(statements, port, table):
    store = getattr(provider, port)()
    store.open()
    statements.clear()
    store.expired(now=NOW, limit=3)
    assert len([one for one, _ in statements if "owner =" not in one and f"FROM {table}" in one]) == 1
    store.close()


def test_an_error_of_the_database_does_not_tell_what_was_kept(database):
    store = provider.documents()
    store.open()
    with sqlite3.connect(database) as other:
        other.execute("CREATE TRIGGER no BEFORE INSERT ON documents BEGIN SELECT RAISE(ABORT, 'no'); END")
    other.close()
    with pytest.raises(IntegrityError) as caught:
        store.put("owner", stored_document("a", text="a secret"), expires_at=SOON)
    store.close()
    assert "INSERT INTO documents" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "parameters hidden" in str(caught.value)
