"""A broken connection, a killed process, two that wait for each other: typed errors, and nothing torn."""

import os
import signal
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import numpy as np
import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from sqlalchemy import Engine, event
from sqlalchemy.exc import ProgrammingError

from indx_core.errors import Unavailable
from indx_core.ports import IndexedChunk
from indx_store_postgres import provider
from indx_testkit.kept import NOW, digest_of, document_type, stored_document

SOON = NOW + timedelta(hours=1)


def cut_off(server):
    """End every connection of the stores, as a restart of the server does."""
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'indx'"
        )


def test_a_broken_connection_is_replaced(server):
    store = provider.types()
    store.open()
    store.put("k", document_type("k"))
    cut_off(server)
    assert store.get("k") == document_type("k")
    store.close()


def test_a_transaction_whose_connection_breaks_is_busy_and_leaves_nothing(server):
    store = provider.types()
    store.open()

    def broken():
        with store.transaction():
            store.put("k", document_type("k"))
            cut_off(server)
            store.put("l", document_type("l"))

    with pytest.raises(Unavailable) as caught:
        broken()
    assert caught.value.code == "busy"
    assert list(store.list()) == []
    store.put("k", document_type("k"))
    assert len(store.list()) == 1
    store.close()


def test_transactions_that_wait_for_each_other_end():
    store = provider.documents()
    store.open()
    gate = threading.Barrier(2, timeout=30)

    def both(first, second):
        with store.transaction():
            store.put(first, stored_document(first), expires_at=SOON)
            gate.wait()
            store.put(second, stored_document(first), expires_at=SOON)
        return first

    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(both, "a", "b"), pool.submit(both, "b", "a")]
    failed = [future.exception() for future in futures]
    assert sorted(type(error).__name__ for error in failed) == ["NoneType", "Unavailable"]
    (won,) = [future.result() for future in futures if future.exception() is None]
    for owner in ("a", "b"):
        assert [one.summary.digest for one in store.list(owner, now=NOW)] == [digest_of(won)]
    store.close()


def killed_at(point, work):
    """Run `work` in a child that dies at its event number `point`; whether it came so far."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        assert code in (0, -signal.SIGKILL)
        return code != 0
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # that of the tests would have to wait for its turn
        signal.alarm(120)  # that end is none that it is killed by here
        left = [point]

        def count(*_, **__):
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        for name in ("before_cursor_execute", "commit"):
            event.listen(Engine, name, count)
        work()
        os._exit(0)
    finally:
        os._exit(1)


def keep(text):
    documents, vectors = provider.documents(), provider.vectors()
    documents.open()
    vectors.open()
    row = np.ones(2, dtype=np.float32)
    with documents.transaction():
        documents.put("o", stored_document("a", text=text), expires_at=SOON)
        chunks = [IndexedChunk("c", text, 1, (), None, {"s": row})]
        vectors.put("o", digest_of("a"), chunks, expires_at=SOON)
    documents.close()
    vectors.close()


def test_a_process_killed_at_any_statement_leaves_old_or_new():
    documents, vectors = provider.documents(), provider.vectors()
    seen = []
    for point in range(100):
        came_so_far = killed_at(point, lambda: keep(f"text{len(seen)}"))
        documents.open()
        vectors.open()
        found = documents.get("o", digest_of("a"), now=NOW)
        text = found and found.result.blocks[1].text
        assert [chunk.text for chunk in vectors.get("o", digest_of("a"))] == ([text] if text else [])
        near = vectors.search_vector("o", "s", np.ones(2, dtype=np.float32), limit=9, now=NOW)
        assert len(near) == (1 if text else 0)
        documents.close()
        vectors.close()
        seen.append(text)
        if not came_so_far:
            break
    assert seen[0] is None
    assert seen[-1] == f"text{len(seen) - 1}"
    assert len(seen) > 12


def test_what_a_part_of_a_transaction_locked_is_locked_again_after_it_failed(server):
    store = provider.documents()
    store.open()

    def part():
        with store.transaction():
            store.put("owner", stored_document("a"), expires_at=SOON)
            raise RuntimeError("stop")

    with store.transaction():
        with pytest.raises(RuntimeError, match="stop"):
            part()
        store.put("owner", stored_document("b"), expires_at=SOON)
        with psycopg.connect(server) as other:
            held = other.execute(
                "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) "
                "WHERE locktype = 'advisory' AND application_name = 'indx'"
            ).fetchone()
    store.close()
    assert held == (1,), "another writer of the owner would not wait"


def test_an_error_of_the_database_does_not_tell_what_was_kept(server, schema):
    store = provider.documents()
    store.open()
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(SQL("DROP TABLE {}.documents").format(Identifier(schema)))
    with pytest.raises(ProgrammingError) as caught:
        store.put("owner", stored_document("a", text="a secret"), expires_at=SOON)
    store.close()
    assert "INSERT" in str(caught.value) or "DELETE" in str(caught.value)
    assert "owner'" not in str(caught.value)
    assert "secret" not in str(caught.value)
