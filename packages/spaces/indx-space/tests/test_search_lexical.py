"""Search by words: BM25 as published, the same with numpy and without, mapped or made."""

from __future__ import annotations

import sys
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.text import index_terms, query_terms
from indx_space import KnowledgeSpace
from indx_space.search import bm25
from indx_space.search.bm25 import LexicalIndex
from indx_space.search.ranking import rounded
from indx_space.terms import TermTable

words = st.sampled_from(["alpha", "beta", "gamma", "the", "東京", "京都タワー", "Café", "ﬁne", "x", "—"])
texts = st.lists(words, max_size=12).map(" ".join)
corpora = st.lists(texts, max_size=12)


def published(corpus: list[str], query: str) -> dict[int, float]:
    """BM25 with k1 1.2 and b 0.75, written down as the formula stands."""
    documents = [index_terms(text) for text in corpus]
    average = sum(map(len, documents)) / len(documents) if documents else 1
    scores: dict[int, float] = {}
    for term in dict.fromkeys(query_terms(query)):
        holding = [place for place, terms in enumerate(documents) if term in terms]
        rarity = log(1 + (len(documents) - len(holding) + 0.5) / (len(holding) + 0.5))
        for place in holding:
            count, length = documents[place].count(term), len(documents[place])
            share = rarity * count * 2.2 / (count + 1.2 * (1 - 0.75 + 0.75 * length / average))
            scores[place] = scores.get(place, 0) + share
    return scores


@given(corpora, texts)
def test_scores_are_those_of_the_formula(corpus: list[str], query: str) -> None:
    index = LexicalIndex.of_texts(corpus)
    terms = query_terms(query)
    expected = published(corpus, query)
    found = index.rank(terms, 99)
    assert dict(found) == pytest.approx(
        {place: round(score, 6) for place, score in expected.items()}, abs=1.1e-6
    )
    assert found == sorted(found, key=lambda one: (-one[1], one[0]))
    assert index.rank(terms, 3) == found[:3]


@given(corpora, texts)
def test_numpy_changes_no_digit(corpus: list[str], query: str) -> None:
    index = LexicalIndex.of_texts(corpus)
    spans = index._spans(query_terms(query))
    dense = index._dense(spans)
    sparse = index._sparse(spans)
    assert sparse == {place: dense[place] for place in range(len(corpus)) if dense[place]}
    by_hand = sorted(
        ((place, rounded(score)) for place, score in sparse.items()), key=lambda o: (-o[1], o[0])
    )
    assert index.rank(query_terms(query), 99) == by_hand


def test_few_postings_are_read_without_numpy_and_many_with_it(monkeypatch) -> None:
    index = LexicalIndex.of_texts(["alpha beta", "alpha"])
    used = []
    monkeypatch.setattr(
        LexicalIndex, "_dense", lambda self, spans: used.append(spans) or pytest.fail("numpy")
    )
    monkeypatch.delitem(sys.modules, "numpy")
    assert [place for place, _ in index.rank(["alpha"], 5)] == [1, 0]
    monkeypatch.setattr(bm25, "_MANY", 1)
    with pytest.raises(pytest.fail.Exception):
        index.rank(["alpha"], 5)


@given(corpora)
def test_every_term_is_found_and_no_other(corpus: list[str]) -> None:
    index = LexicalIndex.of_texts(corpus)
    present = {term for text in corpus for term in index_terms(text)}
    assert index.manifest()["terms"] == len(present)
    for term in present:
        assert [p for p, _ in index.rank([term], 99)].count(0) == (term in index_terms(corpus[0]))
    for term in ("", "a", "zzz", "\U0010ffff", "alph", "alphaa"):
        assert index.rank([term], 99) == [] or term in present


def test_a_word_that_stands_twice_in_a_query_counts_once() -> None:
    index = LexicalIndex.of_texts(["alpha", "beta"])
    assert index.rank(["alpha", "alpha"], 5) == index.rank(["alpha"], 5)


def test_a_count_beyond_sixteen_bits_is_the_largest() -> None:
    index = LexicalIndex.of_texts(["a " * 70_000, "b"])
    assert max(index._columns["tf.u16"]) == 65_535
    assert index.rank(["a"], 1)[0][0] == 0


def test_ties_are_in_the_order_of_chunks(making) -> None:
    space = making.space({"a.md": ["same words"] * 5, "b.md": ["same words"]}, embed=False)
    hits = space.search("same words", k=4, mode="lexical")
    assert [hit.chunk.ordinal for hit in hits] == [0, 1, 2, 3]


def test_words_are_found_in_any_script_case_and_form(making) -> None:
    files = {"a.md": ["Le CAFÉ est ouvert", "ﬁne print", "設備の本文", "ﾃｽﾄ", "Straße"]}
    space = making.space(files, embed=False)
    for place, query in enumerate(["cafe", "FINE", "設備", "テスト", "strasse"]):
        assert [hit.chunk.ordinal for hit in space.search(query, mode="lexical")] == [place]
    assert [hit.chunk.ordinal for hit in space.search("本", mode="lexical")] == [2]


def test_the_mapped_index_is_the_one_that_was_made(making) -> None:
    space = making.space()
    opened = KnowledgeSpace.load(making.pack(space))
    made, mapped = space.lexical_index(), opened.lexical_index()
    assert {n: bytes(v) for n, v in made.members()} == {n: bytes(v) for n, v in mapped.members()}
    assert mapped is opened.lexical_index()
    assert mapped.chunks == 7


def test_opening_an_archive_makes_no_index_of_words(making, monkeypatch) -> None:
    archive = making.pack()
    monkeypatch.setattr(LexicalIndex, "of_texts", lambda *_: pytest.fail("made anew"))
    assert KnowledgeSpace.load(archive).search("alpha", mode="lexical")


def test_the_index_follows_chunks_put_in_and_taken_out(making) -> None:
    space = KnowledgeSpace.load(making.pack())
    assert space.search("fresh", mode="lexical") == []
    making.add(space, "new.md", ["a fresh text"])
    assert [hit.chunk.text for hit in space.search("fresh", mode="lexical")] == ["a fresh text"]
    del space.chunks[1]
    assert space.search("alpha", mode="lexical") == []


def test_columns_of_a_machine_of_the_other_byte_order_are_read(making, monkeypatch) -> None:
    import array

    index = LexicalIndex.of_texts(["alpha beta", "beta"])
    little = dict(index.members())
    monkeypatch.setattr(bm25.sys, "byteorder", "big")
    swapped = bm25._native(memoryview(little["postings.i32"]), "i")
    assert isinstance(swapped, array.array)
    swapped.byteswap()
    assert swapped.tolist() == list(index._postings)


@given(st.lists(texts, min_size=1, max_size=12), st.data())
def test_an_amended_index_is_the_index_of_the_texts_there_are_now(corpus: list[str], data) -> None:
    places = data.draw(st.sets(st.integers(0, len(corpus) - 1)))
    changed = {place: data.draw(texts) for place in places}
    amended = LexicalIndex.of_texts(corpus).amended(changed)
    now = [changed.get(place, text) for place, text in enumerate(corpus)]
    made = LexicalIndex.of_texts(now)
    assert amended.manifest() == made.manifest()
    assert [(name, bytes(part)) for name, part in amended.members()] == [
        (name, bytes(part)) for name, part in made.members()
    ]


@given(st.lists(texts, max_size=12), st.data())
def test_texts_cut_before_are_indexed_as_if_they_were_not(corpus: list[str], data) -> None:
    table = TermTable()
    table.words([*corpus, data.draw(texts), "Über ガ"])  # words that are no terms of the index take no part
    known = LexicalIndex.of_texts(corpus, table)
    assert [bytes(part) for _, part in known.members()] == [
        bytes(part) for _, part in LexicalIndex.of_texts(corpus).members()
    ]
