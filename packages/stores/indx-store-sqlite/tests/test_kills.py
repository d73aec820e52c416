"""A process that is killed at any statement leaves the old state or the new one."""

import os
import signal
import sqlite3
from datetime import timedelta

import numpy as np
import pytest
from sqlalchemy import Engine, event

from indx_core.ports import IndexedChunk, StoredSource
from indx_store_sqlite import provider
from indx_testkit.kept import NOW, digest_of, document_type, stored_document

SOON = NOW + timedelta(hours=1)
EVENTS = ("before_cursor_execute", "after_cursor_execute", "commit")


def killed_at(point, work):
    """Run `work` in a child that dies at its event number `point`; whether it came so far."""
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

        for name in EVENTS:
            event.listen(Engine, name, count)
        work()
        os._exit(0)
    finally:
        os._exit(1)


def stores():
    made = [provider.documents(), provider.vectors(), provider.sources()]
    for store in made:
        store.open()
    return made


def keep(text):
    documents, vectors, sources = stores()
    digest = digest_of("a")
    row = np.full(3, len(text), dtype=np.float32)
    chunks = [IndexedChunk(f"c{number}", f"{text} {number}", 1, (), None, {"s": row}) for number in range(3)]
    with documents.transaction():
        documents.put("o", stored_document("a", text=text), expires_at=SOON)
        vectors.put("o", digest, chunks, expires_at=SOON)
        sources.put("o", StoredSource(digest, "text/plain", None, text.encode()), expires_at=SOON)
    for store in (documents, vectors, sources):
        store.close()


def kept():
    """The text that each store has, in every form in which it has it."""
    documents, vectors, sources = made = stores()
    digest = digest_of("a")
    document = documents.get("o", digest, now=NOW)
    source = sources.get("o", digest, now=NOW)
    found = [document and document.result.blocks[1].text, source and source.data.decode()]
    found += [chunk.text.split()[0] for chunk in vectors.get("o", digest)] or [None]
    for word in ("old", "brandnew"):
        hits = vectors.search_text("o", [word], limit=9, now=NOW)
        if hits:
            found += [word] * (1 if len(hits) == 3 else 0) or ["half"]
    near = vectors.search_vector("o", "s", np.ones(3, dtype=np.float32), limit=9, now=NOW, metric="dot")
    found += [{9.0: "old", 24.0: "brandnew"}[hit.score] for hit in near]
    for store in made:
        store.close()
    assert len(set(found)) == 1, f"neither the old state nor the new one: {found}"
    return found[0]


@pytest.mark.parametrize("before", [None, "old"])
def test_a_keep_is_whole_or_not_at_all(before, database):
    seen = []
    for point in range(200):
        for name in (database, *database.parent.glob("store.db-*")):
            name.unlink(missing_ok=True)
        if before:
            keep(before)
        came_so_far = killed_at(point, lambda: keep("brandnew"))
        seen.append(kept())
        if not came_so_far:
            break
    assert seen[-1] == "brandnew"
    assert set(seen) == {before, "brandnew"}
    assert len(seen) > 20
    assert seen == sorted(seen, key=lambda text: text == "brandnew"), "once new, always new"


def test_a_start_that_is_killed_is_finished_by_the_next(database):
    def start():
        store = provider.types()
        store.open()
        store.put("k", document_type("k"))

    for point in range(200):
        database.unlink(missing_ok=True)
        for name in database.parent.glob("store.db-*"):
            name.unlink()
        came_so_far = killed_at(point, start)
        store = provider.types()
        store.open()
        assert store.get("k") in (None, document_type("k"))
        store.close()
        with sqlite3.connect(database) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()
        if not came_so_far:
            break
    assert point > 20
