"""Search by both: words first, then meaning, each group by the ranks of the legs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.text import query_terms

WORDS = ["alpha", "beta", "gamma", "delta", "東京", "of", "12"]
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


def test_one_exact_word_beats_any_number_of_near_vectors(making, toys) -> None:
    files = {"a.md": [f"Nearby text number {n} in words" for n in range(30)] + ["zebra"]}
    space = making.space(files)
    for chunk in space.chunks[:30]:
        chunk.embedding = toys.vector("zebra crossing")
    space.chunks[30].embedding = -toys.vector("zebra crossing")
    hits = space.search("zebra crossing", k=5, mode="hybrid")
    assert hits[0].chunk.text == "zebra"
    assert hits[0].score > 1 > hits[1].score
    assert hits[0].vector_score == -1.0
    assert hits[1].vector_score == 1.0


def test_the_scores_of_the_legs_stay_beside_the_order(making, toys) -> None:
    space, query = making.space(), "Then configure the alpha setting"
    hits = space.search(query, k=9, mode="hybrid")
    lexical = {hit.chunk.id: hit.score for hit in space.search(query, k=9, mode="lexical")}
    near = {hit.chunk.id: hit.score for hit in space.search(query, k=9)}
    assert {hit.chunk.id: hit.text_score for hit in hits if "text_score" in hit.model_dump()} == lexical
    assert {hit.chunk.id: hit.vector_score for hit in hits} == near
    assert hits[0].score == pytest.approx(1 + 1 / 61 + 1 / 61)


def test_without_vectors_words_alone_answer(making) -> None:
    space = making.space(embed=False)
    hits = space.search("the alpha", k=9, mode="hybrid")
    assert [hit.chunk.ordinal for hit in hits] == [1, 0]
    assert [hit.score for hit in hits] == [1 + 1 / 61, 1 + 1 / 62]
    assert {hit.mode for hit in hits} == {"hybrid"}
    assert "vector_score" not in hits[0].model_dump()


def test_a_chunk_without_a_vector_is_found_by_its_words(making, toys) -> None:
    space = making.space({"a.md": ["alpha", "beta"]})
    space.chunks[0].embedding = None
    hits = space.search("alpha", k=9, mode="hybrid")
    assert [hit.chunk.ordinal for hit in hits] == [0, 1]
    assert "vector_score" not in hits[0].model_dump()


def test_the_order_is_that_of_the_rule(making, toys) -> None:
    @settings(max_examples=40)
    @given(st.lists(texts, min_size=1, max_size=10), texts)
    def check(corpus: list[str], query: str) -> None:
        space = making.space({"a.md": corpus})
        words = {hit.chunk.ordinal: hit.score for hit in space.search(query, k=99, mode="lexical")}
        every = space.search(" ".join(WORDS[:5]) + " " + query, k=99, mode="lexical")
        assert len(every) <= len(corpus)
        hits = space.search(query, k=99, mode="hybrid")
        near = {hit.chunk.ordinal: hit.vector_score for hit in hits if "vector_score" in hit.model_dump()}
        found = [hit.chunk.ordinal for hit in hits]
        assert found[: len(words)] == [place for place in found if place in words]
        assert set(words) <= set(found)
        rest = found[len(words) :]
        assert rest == sorted(rest, key=lambda place: (-near[place], place))
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        for k in (1, 2, 3):
            assert [h.chunk.ordinal for h in space.search(query, k=k, mode="hybrid")] == found[:k]
        assert query_terms(query)

    check()


def test_within_the_words_both_legs_decide(making, toys) -> None:
    space = making.space({"a.md": ["alpha beta", "alpha gamma gamma gamma gamma", "alpha"]})
    query = "alpha"
    space.chunks[0].embedding = -toys.vector(query)
    space.chunks[1].embedding = toys.vector(query)
    space.chunks[2].embedding = toys.vector("gamma")
    lexical = [hit.chunk.ordinal for hit in space.search(query, mode="lexical")]
    assert lexical == [2, 0, 1]
    near = [hit.chunk.ordinal for hit in space.search(query)]
    assert near[0] == 1
    ranks = {p: 1 / (61 + lexical.index(p)) + 1 / (61 + near.index(p)) for p in range(3)}
    hits = space.search(query, mode="hybrid")
    assert [hit.chunk.ordinal for hit in hits] == sorted(ranks, key=lambda p: (-ranks[p], p))
    assert [hit.score for hit in hits] == pytest.approx(sorted((1 + r for r in ranks.values()), reverse=True))
