"""Ranking is exact, rounds before it orders, and breaks ties by place."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.errors import InvalidEmbeddingSpace
from indx_core.ranking import (
    Postings,
    best,
    check_lengths,
    check_vector,
    is_odd,
    nearest,
    norms,
    rank_words,
    similarities,
)
from indx_core.text import index_terms

METRICS = ("cosine", "dot", "euclidean")


@given(st.lists(st.lists(st.sampled_from(["a", "b", "東京", "é", "-", "a_b"]), max_size=6).map(" ".join)))
def test_postings_count_every_term_of_every_chunk(texts):
    made = Postings.of_texts(texts)
    found = {}
    for term, data in made:
        for chunk, length, times in np.frombuffer(data, dtype="<u4").reshape(-1, 3).tolist():
            found[term, chunk] = (length, times)
    words = [index_terms(text) for text in texts]
    expected = {(term, n): (len(w), w.count(term)) for n, w in enumerate(words) for term in w}
    assert found == expected
    assert list(made.terms) == sorted({term for term, _ in expected})
    assert made.length == sum(map(len, words))


def test_a_term_counts_at_most_so_often():
    made = Postings.of_texts(["a " * 70_000])
    assert made.rows.tolist() == [[0, 70_000, 65_535]]
    assert made.length == 70_000


def test_words_rank_over_several_documents_with_ties_by_place():
    first, second = Postings.of_texts(["a b", "b a"]), Postings.of_texts(["c", "a b"])
    rows = {number: dict(made) for number, made in enumerate((first, second))}
    found = [([0, 1], [rows[0][term], rows[1][term]]) for term in ("a", "b")]
    hits = rank_words(found, [2, 2], chunks=4, length=7, limit=9)
    assert [hit[:2] for hit in hits] == [(0, 0), (0, 1), (1, 1)]
    assert len({hit[2] for hit in hits}) == 1
    rarity = math.log(1 + (4 - 3 + 0.5) / (3 + 0.5))
    assert hits[0][2] == round(2 * rarity * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 1.75)), 6)
    assert rank_words([], [2, 2], chunks=4, length=7, limit=9) == []
    assert rank_words(found, [2, 2], chunks=4, length=7, limit=2) == hits[:2]


@given(
    st.lists(st.sampled_from([0.1, 0.1000000001, 0.1000004, 0.1000006, -0.0, 3.0, 1e9])), st.integers(0, 9)
)
def test_the_best_are_those_of_a_whole_sort(values, limit):
    scores = np.array(values, dtype=np.float64)
    expected = sorted(
        ((round(value, 6) + 0.0, n) for n, value in enumerate(values)), key=lambda p: (-p[0], p[1])
    )
    assert best(scores, limit) == [(n, score) for score, n in expected][:limit]


def test_a_chunk_that_holds_a_word_is_found_however_little_it_says():
    size = 2_000_000
    rows = np.stack([np.arange(size), np.full(size, 9), np.ones(size)], axis=1).astype("<u4").tobytes()
    hits = rank_words([([0], [rows])], [size], chunks=size, length=9 * size, limit=3)
    assert hits == [(0, 0, 0.0), (0, 1, 0.0), (0, 2, 0.0)]
    assert best(np.array([0.0, 3e-7, 0.0]), 5, positive=True) == [(1, 0.0)]
    assert best(np.array([0.0, 3e-7, 0.0]), 1, positive=True) == [(1, 0.0)]


NUMBERS = st.floats(-2, 2, width=32) | st.sampled_from([0.0, 1e-30, 1e30, 3e38, -3e38, 1.0])
ROWS = st.lists(st.lists(NUMBERS, min_size=3, max_size=3), max_size=8)


@given(st.lists(ROWS, max_size=4), st.lists(NUMBERS, min_size=3, max_size=3), st.integers(0, 12))
def test_the_nearest_are_those_of_double_precision(blocks, asked, limit):
    query = np.array(asked, dtype=np.float32)
    rows = [np.array(block, dtype=np.float32).reshape(-1, 3) for block in blocks]
    for metric in METRICS:
        found = nearest(metric, [(block, norms(block)) for block in rows], query, limit)
        scores = np.concatenate([similarities(metric, block, query) for block in rows] or [np.empty(0)])
        offsets = np.cumsum([0, *map(len, rows)])
        assert np.isfinite(scores).all()
        assert [(int(offsets[b]) + r, s) for b, r, s in found] == best(scores, limit)


@pytest.mark.parametrize("metric", METRICS)
def test_near_ties_are_told_apart_as_double_precision_does(metric):
    rng = np.random.default_rng(7)
    query = rng.standard_normal(64).astype(np.float32)
    rows = (query + 1e-4 * rng.standard_normal((500, 64))).astype(np.float32)
    found = nearest(metric, [(rows[:200], norms(rows[:200])), (rows[200:], norms(rows[200:]))], query, 10)
    expected = best(similarities(metric, rows, query), 10)
    assert [(200 * block + row, score) for block, row, score in found] == expected


def test_zeros_are_near_nothing():
    zeros = np.zeros((2, 3), dtype=np.float32)
    one = np.array([1, 0, 0], dtype=np.float32)
    assert nearest("cosine", [(zeros, norms(zeros))], one, 5) == [(0, 0, 0.0), (0, 1, 0.0)]
    assert is_odd(0.0)
    assert not is_odd(1.0)


def test_vectors_of_another_length_are_named():
    check_lengths("s", [3, 3], 3)
    check_lengths("s", [], 3)
    with pytest.raises(InvalidEmbeddingSpace, match=r"'s'.* 4 values .* 3"):
        check_lengths("s", [3, 4], 3)


@pytest.mark.parametrize("values", [[], [[1.0]], [float("nan")], [float("inf")], [1.0, float("-inf")]])
def test_what_is_no_vector_is_refused(values):
    with pytest.raises(ValueError, match="finite"):
        check_vector(np.array(values, dtype=np.float32))
