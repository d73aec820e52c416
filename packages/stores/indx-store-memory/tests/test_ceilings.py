"""The stores in memory stay within their ceilings, and what gives way goes whole."""

from datetime import timedelta

import numpy as np
import pytest

from indx_core.errors import ConfigurationError, InputTooLarge
from indx_core.ports import IndexedChunk, StoredSource
from indx_store_memory import _kept, provider
from indx_testkit.kept import NOW, digest_of, stored_document

SOON = NOW + timedelta(hours=1)
BYTES = "INDX_STORE_MEMORY_MAX_BYTES"


@pytest.fixture
def stores():
    """Documents, vectors and sources of one process, open."""
    made = [provider.documents(), provider.vectors(), provider.sources()]
    for store in made:
        store.open()
    yield made
    for store in made:
        store.close()


@pytest.fixture(autouse=True)
def unpressed(monkeypatch):
    monkeypatch.setattr(_kept, "share_in_use", lambda: 0.1)


def keep(stores, name, owner="a", text="word", size=10):
    documents, vectors, sources = stores
    digest = digest_of(name)
    with documents.transaction():
        documents.put(owner, stored_document(name, text=text), expires_at=SOON)
        vectors.put(owner, digest, [IndexedChunk("c", text, 1, (), None, {})], expires_at=SOON)
        sources.put(owner, StoredSource(digest, "text/plain", None, b"x" * size), expires_at=SOON)


def held(stores, owner="a"):
    """Names kept, by each of the three stores and by a search."""
    documents, vectors, sources = stores
    hits = vectors.search_text(owner, ["word"], limit=99, now=NOW)
    return [
        sorted(one.summary.digest for one in documents.list(owner, now=NOW)),
        list(vectors.list(owner)),
        list(sources.list(owner, now=NOW)),
        sorted(hit.digest for hit in hits),
    ]


def everywhere(*names):
    return [sorted(map(digest_of, names))] * 4


def test_over_the_number_the_least_recently_kept_goes_whatever_its_owner(stores, monkeypatch):
    monkeypatch.setenv("INDX_STORE_MEMORY_MAX_DOCUMENTS", "3")
    keep(stores, "one", owner="b")
    for name in ("two", "three"):
        keep(stores, name)
    keep(stores, "one", owner="b")
    keep(stores, "four")
    assert held(stores) == everywhere("three", "four")
    assert held(stores, "b") == everywhere("one")


def test_over_the_bytes_of_documents_the_least_recently_kept_goes(stores, monkeypatch):
    size = len(stored_document("one", text="word").model_dump_json())
    monkeypatch.setenv(BYTES, str(2 * size + 50))
    for name in ("one", "two", "six"):
        keep(stores, name)
    assert held(stores) == everywhere("two", "six")


def test_over_the_bytes_of_chunks_the_document_goes_with_them(stores, monkeypatch):
    monkeypatch.setenv(BYTES, "9000")
    documents, vectors, _ = stores
    for name in ("one", "two", "six"):
        documents.put("a", stored_document(name), expires_at=SOON)
        row = {"space": np.ones(1000, dtype=np.float32)}
        vectors.put("a", digest_of(name), [IndexedChunk("c", "word", 1, (), None, row)], expires_at=SOON)
    left = sorted(map(digest_of, ("two", "six")))
    assert [
        one.summary.digest for one in sorted(documents.list("a", now=NOW), key=lambda d: d.summary.digest)
    ] == left
    assert list(vectors.list("a")) == left


def test_keeping_again_counts_once(stores, monkeypatch):
    size = len(stored_document("one", text="word").model_dump_json())
    monkeypatch.setenv(BYTES, str(2 * size + 50))
    keep(stores, "one")
    for _ in range(5):
        keep(stores, "two")
    assert held(stores) == everywhere("one", "two")


def test_a_document_over_the_ceiling_alone_is_refused_and_nothing_goes(stores, monkeypatch):
    keep(stores, "one")
    monkeypatch.setenv(BYTES, "3000")
    with pytest.raises(InputTooLarge, match=BYTES):
        keep(stores, "two", text="long " * 1000)
    with pytest.raises(InputTooLarge, match="3000"):
        stores[1].put(
            "a", digest_of("two"), [IndexedChunk("c", "x" * 4000, 1, (), None, {})], expires_at=SOON
        )
    assert held(stores) == everywhere("one")


def test_a_document_that_has_no_utf8_is_counted(stores, monkeypatch):
    monkeypatch.setenv(BYTES, "3000")
    with pytest.raises(InputTooLarge):
        keep(stores, "two", text="\ud800" * 4000)


def test_only_sources_that_expire_give_way(stores, monkeypatch):
    documents, _, sources = stores
    monkeypatch.setenv(BYTES, "3000")

    def put(owner, name, size, expires_at=SOON):
        source = StoredSource(digest_of(name), "text/plain", None, b"x" * size)
        sources.put(owner, source, expires_at=expires_at)

    documents.put("a", stored_document("one"), expires_at=SOON)
    put("a", "one", 1000)
    put(None, "kept", 1000, None)
    put("a", "two", 1000)
    put(None, "more", 1000, None)
    assert list(sources.list("a", now=NOW)) == [digest_of("two")], "the least recently kept goes first"
    assert documents.get("a", digest_of("one"), now=NOW) is not None, "its document stays"
    put(None, "most", 900, None)
    assert list(sources.list("a", now=NOW)) == []
    for owner, expires_at in ((None, None), ("a", SOON)):
        with pytest.raises(InputTooLarge, match="2900 are held for datasets"):
            put(owner, "other", 101, expires_at)
    put(None, "most", 1000, None)
    assert list(sources.list(None, now=NOW)) == sorted(map(digest_of, ("kept", "more", "most")))


@pytest.mark.parametrize(("pressure", "left"), [("0.5", 18), ("0.8", 20), ("0", 20)])
def test_under_pressure_each_keep_drops_the_oldest_tenth(stores, monkeypatch, pressure, left):
    for number in range(19):
        keep(stores, f"d{number:02}")
    monkeypatch.setenv("INDX_STORE_MEMORY_PRESSURE", pressure)
    monkeypatch.setattr(_kept, "share_in_use", lambda: 0.7)
    keep(stores, "new")
    assert held(stores) == everywhere(*[f"d{number:02}" for number in range(20 - left, 19)], "new")


def test_under_pressure_the_last_one_stays(stores, monkeypatch):
    monkeypatch.setenv("INDX_STORE_MEMORY_PRESSURE", "0.01")
    for name in ("one", "two", "two"):
        keep(stores, name)
    assert held(stores) == everywhere("two")


def test_what_was_dropped_is_back_when_the_keep_fails(stores, monkeypatch):
    monkeypatch.setenv("INDX_STORE_MEMORY_MAX_DOCUMENTS", "2")
    keep(stores, "one")
    keep(stores, "two")
    before = held(stores)
    monkeypatch.setenv(BYTES, "5000")
    with pytest.raises(InputTooLarge):
        keep(stores, "three", size=6000)
    assert held(stores) == before
    keep(stores, "four")
    assert held(stores) == everywhere("two", "four"), "the order of keeping is back too"


def test_a_wrong_setting_is_named_and_nothing_is_lost(stores, monkeypatch):
    keep(stores, "one")
    monkeypatch.setenv("INDX_STORE_MEMORY_PRESSURE", "2")
    with pytest.raises(ConfigurationError, match="INDX_STORE_MEMORY_PRESSURE"):
        keep(stores, "one")
    assert held(stores) == everywhere("one")
