"""The cache: what is put in comes out, or nothing does; it stays within its bound."""

import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from indx_space.cache import BuildCache, cache_key, texts_key


def test_what_is_put_in_comes_out_in_another_process_too(tmp_path):
    with BuildCache(tmp_path) as cache:
        cache.put({b"a": b"one", b"b": b""})
        cache.flush()
        assert cache.get([b"a", b"b", b"c"]) == {b"a": b"one", b"b": b""}
    with BuildCache(tmp_path) as cache:
        assert cache.get_one(b"a") == b"one"
        assert cache.get_one(b"c") is None


def test_many_keys_are_asked_for_at_once(tmp_path):
    values = {n.to_bytes(2, "big"): n.to_bytes(3, "big") for n in range(1500)}
    with BuildCache(tmp_path) as cache:
        cache.put(values)
        cache.flush()
        assert cache.get(values) == values


def test_a_cache_without_a_folder_keeps_nothing():
    with BuildCache(None) as cache:
        cache.put({b"a": b"one"})
        cache.flush()
        assert cache.get([b"a"]) == {}


def test_what_was_not_used_longest_is_dropped_above_the_limit(tmp_path):
    day = 86_400
    for number in range(6):
        with BuildCache(tmp_path, limit=10**9, clock=lambda n=number: day * n) as cache:
            cache.put({bytes([number]): bytes([number]) * 300_000})
    with BuildCache(tmp_path, limit=10**9, clock=lambda: day * 10) as cache:
        assert cache.get_one(b"\0") is not None
    with BuildCache(tmp_path, limit=1_000_000, clock=lambda: day * 11):
        pass
    with BuildCache(tmp_path, limit=1_000_000, clock=lambda: day * 11) as cache:
        left = cache.get([bytes([n]) for n in range(6)])
    assert b"\0" in left, "used a day ago"
    assert sorted(left)[1:] == [b"\5"]
    assert (tmp_path / "builds-1.sqlite3").stat().st_size < 1_300_000


def test_a_lock_that_is_not_let_go_costs_the_cache_and_not_the_build(tmp_path, monkeypatch):
    with BuildCache(tmp_path) as cache:
        cache.put({b"a": b"one"})
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path, timeout: connect(path, timeout=0))
    other = connect(tmp_path / "builds-1.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with BuildCache(tmp_path) as cache:
        assert cache.get_one(b"a") == b"one"
        cache.put({b"b": b"two"})
        cache.flush()
        assert cache.get_one(b"a") is None
    other.execute("ROLLBACK")
    other.close()
    with BuildCache(tmp_path) as cache:
        assert cache.get_one(b"a") == b"one", "another's lock is no damage"


@given(st.lists(st.text(max_size=5), max_size=4), st.lists(st.text(max_size=5), max_size=4))
def test_keys_are_equal_only_for_equal_parts(one, two):
    assert (cache_key(*one) == cache_key(*two)) == (one == two)
    assert (texts_key(one) == texts_key(two)) == (one == two)


def test_a_new_cache_is_not_asked_for_what_it_cannot_hold(tmp_path):
    with BuildCache(tmp_path) as cache:
        asked = []
        cache._database.set_trace_callback(asked.append)
        assert cache.get([b"a", b"b"]) == {}
        assert asked == []
        cache.put({b"a": b"one"})
        cache.flush()
        assert cache.get([b"a", b"b"]) == {b"a": b"one"}
    with BuildCache(tmp_path) as cache:
        assert cache.get([b"a", b"b"]) == {b"a": b"one"}
