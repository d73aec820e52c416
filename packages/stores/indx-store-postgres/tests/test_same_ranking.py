"""Memory, SQLite and Postgres rank alike, to the last place of the score."""

from contextlib import ExitStack
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indx_core.ports import IndexedChunk
from indx_core.text import query_terms
from indx_store_memory import provider as memory
from indx_store_postgres import provider as postgres
from indx_store_sqlite import provider as sqlite
from indx_testkit.kept import NOW

SOON, PAST = NOW + timedelta(hours=1), NOW - timedelta(hours=1)
METRICS = ("cosine", "dot", "euclidean")
WORDS = st.sampled_from(
    ["alpha", "beta", "Größe", "東京タワー", "設備", "C++", "it's", "38.101", "NEAR", "-", "%", "x"]
)
TEXTS = st.lists(WORDS, max_size=12).map(" ".join)
NUMBERS = st.floats(-3, 3, width=32) | st.sampled_from([0.0, 1.0, 1e-30, 1e30, 3e38])
ROWS = st.lists(NUMBERS, min_size=4, max_size=4)
DOCUMENTS = st.lists(st.lists(st.tuples(TEXTS, ROWS | st.none()), max_size=15), max_size=5)
SETTINGS = settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture
def indexes(tmp_path, monkeypatch):
    """An index of each kind, open and empty."""
    monkeypatch.setenv("INDX_STORE_SQLITE_PATH", str(tmp_path / "store.db"))
    with ExitStack() as stack:
        made = [module.vectors() for module in (memory, sqlite, postgres)]
        for one in made:
            one.open()
            stack.callback(one.close)
        yield made


def fill(index, documents):
    for digest in list(index.list("o")):
        index.delete("o", digest)
    for number, chunks in enumerate(documents):
        made = [
            IndexedChunk(f"p1.c{place}", text, 1, (), None, {} if row is None else {"s": np.float32(row)})
            for place, (text, row) in enumerate(chunks)
        ]
        index.put("o", f"sha256:{7 * number % 5}", made, expires_at=PAST if number == 3 else SOON)


def alike(answers):
    assert answers[1] == answers[0], "SQLite differs from memory"
    assert answers[2] == answers[0], "Postgres differs from memory"


@given(documents=DOCUMENTS, query=TEXTS, asked=ROWS, limit=st.integers(0, 20))
@SETTINGS
def test_words_and_vectors_rank_alike(indexes, documents, query, asked, limit):
    for index in indexes:
        fill(index, documents)
    terms = query_terms(query)
    alike([list(index.search_text("o", terms, limit=limit, now=NOW)) for index in indexes])
    row = np.float32(asked)
    for metric in METRICS:
        alike(
            [
                list(index.search_vector("o", "s", row, limit=limit, now=NOW, metric=metric))
                for index in indexes
            ]
        )


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("scale", [1.0, 1000.0])
def test_near_ties_of_long_vectors_rank_alike(indexes, metric, scale):
    rng = np.random.default_rng(11)
    asked = (scale * rng.standard_normal(700)).astype(np.float32)
    rows = (asked + scale * 2e-4 * rng.standard_normal((60, 700))).astype(np.float32)
    rows[17] = rows[5]
    for index in indexes:
        fill(index, [[("x", row) for row in rows[:30]], [("x", row) for row in rows[30:]]])
    for limit in (1, 7, 1000):
        alike(
            [
                list(index.search_vector("o", "s", asked, limit=limit, now=NOW, metric=metric))
                for index in indexes
            ]
        )


def test_a_space_of_another_embedder_is_another_space(indexes):
    for index in indexes:
        fill(index, [[("x", [1, 0, 0, 0])]])
        row = np.float32([1, 0, 0, 0])
        assert index.search_vector("o", "s", row, limit=5, now=NOW)[0].score == 1.0
        assert list(index.search_vector("o", "other", row, limit=5, now=NOW)) == []
