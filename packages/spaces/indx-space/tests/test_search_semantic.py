"""Search by meaning: the exact cosine over all vectors, with an embedder that compares with them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from indx_core.errors import ArchiveError, InvalidRequest, Unavailable
from indx_core.ports import Unavailability
from indx_core.ports.embedding import Embedded
from indx_space import KnowledgeSpace
from indx_space.search import ranking
from indx_space.search.modes import search
from indx_space.search.ranking import best
from indx_space.search.semantic import Rows


def ids(hits) -> list[str]:
    return [hit.chunk.id for hit in hits]


def test_the_score_is_the_cosine(making, toys) -> None:
    space = making.space()
    query = toys.vector("alpha data")
    for hit in space.search("alpha data", k=9):
        expected = float(np.dot(query, hit.chunk.embedding))
        assert hit.score == pytest.approx(expected, abs=2e-6)


@given(
    hnp.arrays(
        np.float32, st.tuples(st.integers(1, 30), st.just(3)), elements=st.sampled_from([-1, 0, 0.5, 1, 2])
    ),
    st.integers(1, 40),
)
def test_the_best_are_those_of_a_full_sort(values, k: int) -> None:
    scores = values @ np.array([0.6, 0.8, 0.0], dtype=np.float32)
    places = np.arange(len(values))[::-1].copy()
    expected = sorted(
        zip(np.round(scores.astype(float), 6) + 0.0, places.tolist(), strict=True),
        key=lambda o: (-o[0], o[1]),
    )
    keep = [(place, score) for score, place in expected if place % 3 != 1]
    assert best(scores, places, k, lambda place: place % 3 != 1) == keep[:k]


def test_scores_that_differ_below_six_places_are_a_tie() -> None:
    scores = np.array([0.5, 0.5 + 1e-7, 0.5 - 1e-7, 0.4], dtype=np.float64)
    assert best(scores, np.arange(4), 2, lambda _: True) == [(0, 0.5), (1, 0.5)]
    assert best(scores, np.arange(4), 2, lambda _: True, digits=None)[0][0] == 1
    many = np.full(200, 0.3)
    many[150] += 2e-7
    assert best(many, np.arange(200), 3, lambda _: True) == [(0, 0.3), (1, 0.3), (2, 0.3)]


def test_unfit_chunks_do_not_use_up_the_hits() -> None:
    scores = np.linspace(1, 0, 500)
    assert best(scores, np.arange(500), 2, lambda place: place > 480) == [
        (481, round(scores[481], 6)),
        (482, round(scores[482], 6)),
    ]
    assert best(scores, np.arange(500), 2, lambda _: False) == []


def test_vectors_of_any_length_are_compared_by_direction(making, toys) -> None:
    space = making.space()
    expected = ids(space.search("alpha retained", k=9))
    for place, chunk in enumerate(space.chunks):
        if chunk.embedding is not None:
            chunk.embedding = np.asarray(chunk.embedding) * (place + 1) * 7
    hits = space.search("alpha retained", k=9)
    assert ids(hits) == expected
    assert max(hit.score for hit in hits) <= 1


def test_a_vector_without_direction_scores_zero(making, toys) -> None:
    space = making.space()
    space.chunks[0].embedding = np.zeros(16)
    space.chunks[1].embedding = np.full(16, np.nan)
    scores = {hit.chunk.ordinal: hit.score for hit in space.search("install first", k=9)}
    assert (scores[0], scores[1]) == (0.0, 0.0)


def test_a_query_without_direction_finds_nothing(making, monkeypatch) -> None:
    class Blank(type(making.embedder())):
        def embed(self, batch, *, role, deadline):
            return Embedded(np.zeros((len(batch), 16), dtype=np.float32))

    assert search(making.space(), "alpha", 5, "semantic", making.registry(Blank())) == []


def test_the_embedder_is_asked_for_the_query_alone(making, toys) -> None:
    space = making.space()
    toys.asked.clear()
    space.search("alpha \x00 setting", k=2)
    assert toys.asked == ["alpha \ufffd setting"]


def test_what_the_space_knows_of_its_rows_is_made_once(making, toys, monkeypatch) -> None:
    space = KnowledgeSpace.load(making.pack())
    space.search("alpha")
    known = Rows.of(space, space.vectors())
    assert Rows.of(space, space.vectors()) is known
    assert known.values is space.vectors().values
    space.chunks[0].embedding = toys.vector("alpha")
    assert Rows.of(space, space.vectors()) is not known
    assert space.search("alpha", k=1)[0].chunk.ordinal == 0


def test_a_space_without_vectors_says_which_modes_there_are(making, toys) -> None:
    space = making.space(embed=False)
    with pytest.raises(InvalidRequest, match="'lexical' or 'hybrid'") as caught:
        space.search("alpha")
    assert caught.value.param == "mode"
    assert space.search("alpha", mode="hybrid")[0].chunk.ordinal == 1


def refused(making, *embedders, message: str, modes=("semantic", "hybrid")) -> None:
    archive = making.pack()
    before = archive.read_bytes()
    space = KnowledgeSpace.load(archive)
    for mode in modes:
        with pytest.raises(ArchiveError, match=message) as caught:
            search(space, "alpha", 5, mode, making.registry(*embedders))
        assert caught.value.code == "embedder_mismatch"
        assert "build the space again" in str(caught.value)
    assert search(space, "alpha", 5, "lexical", making.registry(*embedders))
    assert archive.read_bytes() == before


def test_an_embedder_that_is_not_installed_is_named(making) -> None:
    refused(making, making.embedder("other"), message="space 'toy'.*installed: other")
    refused(making, message="installed: none")


def test_a_space_for_documents_alone_embeds_no_query(making) -> None:
    refused(making, making.embedder(roles=("document",)), message="nothing here embeds queries")


def test_vectors_of_another_length_are_refused(making) -> None:
    refused(making, making.embedder("toy", 32), message="have 16 numbers, and 'toy' has 32 here")


def test_vectors_of_another_model_of_the_same_length_are_refused(making) -> None:
    refused(making, making.embedder(fingerprint="toy-2"), message="'toy-1', here 'toy-2'")


def test_documents_and_queries_may_have_embedders_of_their_own(making) -> None:
    maker = making.embedder(roles=("document",))
    asker = making.embedder(id="asker", roles=("query",), fingerprint="toy-1-query")
    hits = search(making.space(), "alpha", 1, "semantic", making.registry(maker, asker))
    assert hits[0].chunk.ordinal == 1
    assert (maker.asked, asker.asked) == ([], ["alpha"])


def test_vectors_of_unknown_origin_are_compared_by_space_and_length(making, toys) -> None:
    space = making.space()
    path = making.folder / "by-hand.indx"
    bare = KnowledgeSpace.model_validate(space.model_dump(mode="json"))
    for chunk, original in zip(bare.chunks, space.chunks, strict=True):
        chunk.embedding = original.embedding
    bare.save(path)
    opened = KnowledgeSpace.load(path)
    assert opened.vector_facts.space == "toy"
    assert opened.vector_facts.fingerprint == ""
    assert ids(opened.search("alpha")) == ids(space.search("alpha"))


def test_an_embedder_that_cannot_run_says_why(making) -> None:
    class Absent(type(making.embedder())):
        def availability(self):
            return Unavailability("the model is missing", "pip install model")

    with pytest.raises(Unavailable, match="the model is missing; pip install model") as caught:
        search(making.space(), "alpha", 5, "semantic", making.registry(Absent()))
    assert caught.value.code == "embedder_unavailable"


def test_a_query_that_cannot_be_embedded_is_an_error_and_not_an_empty_answer(making) -> None:
    class Failing(type(making.embedder())):
        def embed(self, batch, *, role, deadline):
            return Embedded(np.zeros((1, 16), dtype=np.float32), {0: "too long"})

    with pytest.raises(Unavailable, match="cannot embed the query: too long"):
        search(making.space(), "alpha", 5, "semantic", making.registry(Failing()))


def test_a_space_that_is_no_knowledge_space_is_searched_too(making, toys) -> None:
    from indx_testkit import MemorySpace

    space = MemorySpace({"a.md": ["alpha one", "beta two"]}, dimension=16)
    space.metadata["embedder"] = {"name": "toy", "dim": 16}
    hits = search(space, "alpha", 5, "semantic", None)
    assert len(hits) == 2
    assert search(space, "beta", 1, "hybrid", None)[0].chunk.text == "beta two"
    space.metadata.pop("embedder")
    with pytest.raises(ArchiveError, match="'None'"):
        search(space, "alpha", 5, "semantic", None)
    assert ranking.DIGITS == 6
