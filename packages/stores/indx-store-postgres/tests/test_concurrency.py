"""Threads and processes on one database lose nothing and double nothing."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import numpy as np

from indx_core.ports import IndexedChunk
from indx_store_postgres import provider
from indx_testkit.kept import NOW, cell, digest_of, document_type, experiment, label, router, stored_document

SOON = NOW + timedelta(hours=1)


def opened(*ports):
    stores = [getattr(provider, port)() for port in ports]
    for store in stores:
        store.open()
    return stores


def closed(stores):
    for store in stores:
        store.close()


def publish(store, times):
    """Publish the next version so often, as a workspace does."""
    for _ in range(times):
        with store.transaction():
            latest = store.get("r")
            store.put("r", router("r", 1 if latest is None else latest.version + 1))


def keep(documents, vectors, owner, name, text):
    row = np.full(2, len(text), dtype=np.float32)
    chunks = [IndexedChunk(f"c{number}", text, 1, (), None, {"s": row}) for number in range(3)]
    with documents.transaction():
        documents.put(owner, stored_document(name, text=text), expires_at=SOON)
        vectors.put(owner, digest_of(name), chunks, expires_at=SOON)


def work(number):
    stores = opened("documents", "vectors", "labels", "routers", "experiments")
    documents, vectors, labels, routers, experiments = stores
    for turn in range(4):
        keep(documents, vectors, f"owner-{number}", f"own-{turn}", f"mine {number}")
        keep(documents, vectors, "everyone", "same", f"from{number} turn{turn}")
        mark = label(f"d{number}", f"facet-{turn}")
        labels.put(mark.id, mark)
        publish(routers, 1)
        experiments.put("e", experiment("e", title=f"by {number}"))
        experiments.put_cell("e", digest_of("d"), f"c{turn}", cell(digest_of("d"), f"c{turn}", right=number))
    closed(stores)


def check(count):
    stores = opened("documents", "vectors", "labels", "routers", "experiments")
    documents, vectors, labels, routers, experiments = stores
    for number in range(count):
        assert len(documents.list(f"owner-{number}", now=NOW)) == 4
        hits = vectors.search_text(f"owner-{number}", ["mine"], limit=99, now=NOW)
        assert len(hits) == 12
    assert len(documents.list("everyone", now=NOW)) == 1
    texts = {chunk.text for chunk in vectors.get("everyone", digest_of("same"))}
    assert texts == {documents.list("everyone", now=NOW)[0].result.blocks[1].text}, (
        "one keep's, not a mixture"
    )
    assert len(vectors.search_text("everyone", [texts.pop().split()[0]], limit=99, now=NOW)) == 3
    row = np.ones(2, dtype=np.float32)
    assert len(vectors.search_vector("everyone", "s", row, limit=99, now=NOW)) == 3
    assert len(labels.list()) == 4 * count
    versions = [one.version for one in routers.versions("r")]
    assert versions == list(range(1, 4 * count + 1))
    assert len(experiments.cells("e")) == 4
    closed(stores)


def test_processes_that_start_at_once_on_nothing(in_processes):
    in_processes(4, work)
    check(4)


def test_threads_at_once():
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    check(4)


def test_a_search_sees_one_state_while_documents_change():
    stores = documents, vectors = opened("documents", "vectors")
    keep(documents, vectors, "o", "a", "word here")

    def change(turn):
        keep(documents, vectors, "o", "a", f"word here {'more ' * turn}")

    def search(_):
        row = np.ones(2, dtype=np.float32)
        found = vectors.search_text("o", ["word"], limit=9, now=NOW)
        near = vectors.search_vector("o", "s", row, limit=9, now=NOW, metric="dot")
        return len(found), len({hit.score for hit in found}), len(near), len({hit.score for hit in near})

    with ThreadPoolExecutor(4) as pool:
        changes = pool.map(change, range(15))
        assert set(pool.map(search, range(60))) == {(3, 1, 3, 1)}
        list(changes)
    closed(stores)


def test_types_of_two_processes_are_both_there(in_processes):
    def put(number):
        (types,) = opened("types")
        types.put(f"k{number}", document_type(f"k{number}"))
        closed([types])

    in_processes(2, put)
    (types,) = opened("types")
    assert [one.id for one in types.list()] == ["k0", "k1"]
    closed([types])
