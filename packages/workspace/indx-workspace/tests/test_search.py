"""Search over kept chunks: words first, then meaning, fused inside each group, each caller's own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.contracts import EncodeRequest, InlineSource, SearchRequest
from indx_core.errors import InvalidEmbeddingSpace
from indx_core.text import query_terms
from indx_workspace import Workspace, searching

ANN = "ann"


@pytest.fixture
def find(workspace):
    def found(query, owner=ANN, **more):
        return workspace.documents.search(owner, SearchRequest(query=query, **more)).hits

    return found


def texts(hits):
    return [hit.text for hit in hits]


def test_chunks_kept_without_vectors_are_found_by_their_words(keep, find):
    keep(ANN, "the cat sat\nthe dog ran", name="pets")
    (hit,) = find("cat")
    assert (hit.text, hit.name, hit.block_id, hit.page, hit.section) == (
        "the cat sat",
        "pets",
        "p1.c0",
        1,
        ("Top",),
    )
    assert (hit.lanes, hit.vector_score, hit.bbox) == (("text",), None, None)
    assert hit.text_score > 0


def test_another_callers_chunks_never_appear(keep, find):
    keep("bob", "the cat sat", embedding_space_ids=["sense"])
    assert find("cat", embedding_space_id="sense") == ()
    assert find("cat", owner=None) == ()
    assert find("cat", owner="bob", embedding_space_id="sense") != ()


def test_another_callers_chunks_change_no_score(keep, find):
    keep(ANN, "cat one\ndog two")
    alone = find("cat")
    for number in range(5):
        keep("bob", f"cat cat {number}")
    assert find("cat") == alone


def test_a_callers_chunk_is_found_among_thousands_of_another(keep, find):
    keep("bob", "\n".join(f"cat {number}" for number in range(2000)), embedding_space_ids=["sense"])
    keep(ANN, "one cat", embedding_space_ids=["sense"])
    assert texts(find("feline", embedding_space_id="sense", limit=1)) == ["one cat"]


def test_a_space_adds_what_resembles_behind_everything_the_words_found(keep, find):
    keep(ANN, "feline\ncats and a hound\nhound\nfeline feline", embedding_space_ids=["sense"])
    plain = find("hound")
    assert texts(plain) == ["hound", "cats and a hound"]
    hits = find("hound", embedding_space_id="sense")
    assert texts(hits)[:2] == ["hound", "cats and a hound"]
    assert sorted(texts(hits)[2:]) == ["feline", "feline feline"]
    words = [hit for hit in hits if "text" in hit.lanes]
    assert min(hit.score for hit in words) > max(hit.score for hit in hits if hit not in words)


def test_one_word_hit_stands_before_many_nearer_vectors(keep, find):
    lines = [f"feline {number}" for number in range(50)]
    keep(ANN, "\n".join([*lines, "a hound with the word zebra"]), embedding_space_ids=["sense"])
    assert texts(find("cat feline zebra-like", embedding_space_id="sense", limit=100))
    hits = find("zebra cat", embedding_space_id="sense", limit=3)
    assert hits[0].text == "a hound with the word zebra"


def test_the_lanes_say_which_legs_found_a_hit(keep, find):
    keep(ANN, "hound one\nfeline", embedding_space_ids=["sense"])
    keep(ANN, "hound two")
    hits = {hit.text: hit for hit in find("hound", embedding_space_id="sense")}
    assert hits["hound one"].lanes == ("text", "vector")
    assert hits["hound two"].lanes == ("text",)
    assert hits["feline"].lanes == ("vector",)
    assert hits["feline"].text_score is None
    assert hits["hound two"].vector_score is None


def test_inside_a_group_the_legs_are_fused_by_reciprocal_rank(keep, find):
    lines = [
        "hound",
        "hound hound cat cat cat cat",
        "a hound in a longer line",
        "hound dog",
        "dog",
        "cat",
        "dog cat",
    ]
    keep(ANN, "\n".join(lines), embedding_space_ids=["sense"])
    hits = find("hound", embedding_space_id="sense")
    for words in (True, False):
        group = [hit for hit in hits if ("text" in hit.lanes) is words]
        fused = {}
        for leg in ("text_score", "vector_score"):
            ranked = sorted(
                (hit for hit in group if getattr(hit, leg) is not None),
                key=lambda hit: (-getattr(hit, leg), hit.digest, hit.block_id),
            )
            for rank, hit in enumerate(ranked, 1):
                fused[hit.block_id] = fused.get(hit.block_id, 0) + 1 / (60 + rank)
        ordered = sorted(group, key=lambda hit: (-round(fused[hit.block_id], 6), hit.digest, hit.block_id))
        assert ordered == group
        assert [hit.score for hit in group] == [round(words + fused[hit.block_id], 6) for hit in group]


def test_scores_only_fall(keep, find):
    keep(ANN, "hound one two\nhound one\nhound\nfeline\ndog", embedding_space_ids=["sense"])
    scores = [hit.score for hit in find("hound one", embedding_space_id="sense")]
    assert scores == sorted(scores, reverse=True)


def test_a_distance_is_turned_round_so_that_higher_is_nearer(keep, find):
    keep(ANN, "cat cat cat\ndog", embedding_space_ids=["apart"])
    hits = find("feline", embedding_space_id="apart")
    assert texts(hits) == ["dog", "cat cat cat"], "by distance a single dog is nearer than three cats"
    assert hits[0].vector_score == pytest.approx(-(2**0.5), abs=1e-5)
    assert hits[1].vector_score == pytest.approx(-2, abs=1e-5)


def test_the_score_of_the_cosine_is_the_cosine(keep, find):
    keep(ANN, "cat", embedding_space_ids=["sense"])
    (hit,) = find("feline", embedding_space_id="sense")
    assert hit.vector_score == pytest.approx(1.0)


def test_punctuation_is_never_offered_on_resemblance_alone(keep, find):
    keep(ANN, "---\n--- cat ---\n…?!\n---____", embedding_space_ids=["sense"])
    assert texts(find("feline", embedding_space_id="sense")) == ["--- cat ---"]


def test_hits_that_punctuation_would_have_taken_go_to_others(keep, find):
    keep(ANN, "\n".join(["---"] * 30 + ["a cat", "a dog"]), embedding_space_ids=["sense"])
    assert texts(find("feline", embedding_space_id="sense", limit=2)) == ["a cat", "a dog"]


@pytest.mark.parametrize("query", ["---", "?", "…", " ", "()[]{}", "👍", "__", "_%"])
def test_a_query_without_a_word_finds_nothing(keep, find, query):
    keep(ANN, "---\ncat", embedding_space_ids=["sense"])
    assert find(query, embedding_space_id="sense") == ()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("設備", "設備の点検"),
        ("備", "設備の点検"),
        ("本文", "本文はこちら"),
        ("ＡＢＣ", "abc def"),
        ("Grosse", "Größe"),
    ],
)
def test_words_of_japanese_and_english_are_found_however_they_are_written(keep, find, query, expected):
    keep(ANN, "設備の点検\n本文はこちら\nabc def\nGröße")
    if query != "Grosse":
        assert texts(find(query)) == [expected]
    else:
        assert texts(find("grösse")) == [expected]


@pytest.mark.parametrize(
    "query",
    [
        "BENCH-100821",
        "it's",
        "C++",
        "38.101",
        '"NEAR"',
        "a AND b OR",
        "NOT x",
        "(cat",
        "cat*",
        "^cat",
        "cat:dog",
        "';--",
        "%_ cat",
        "\\",
    ],
)
def test_what_a_user_writes_is_literal_text_and_never_an_error(keep, find, query):
    keep(ANN, "BENCH-100821\nit's C++\nsection 38.101 NEAR a AND b OR NOT x\n(cat cat* ^cat cat:dog")
    hits = find(query)
    if query_terms(query):
        assert hits, f"{query!r} stands there"


def test_no_more_than_the_limit_come_back_and_ten_by_default(keep, find):
    keep(ANN, "\n".join(f"cat {number}" for number in range(40)), embedding_space_ids=["sense"])
    assert len(find("cat", embedding_space_id="sense")) == 10
    assert len(find("cat", limit=100)) == 40
    assert find("cat", limit=100)[:10] == find("cat")


@pytest.mark.parametrize("query", ["cat", "---"])
def test_a_space_that_embeds_no_query_text_is_refused_as_for_embedding(keep, find, query):
    for space, code in (("mute", "no_query_embedder"), ("none", "unknown_embedding_space")):
        with pytest.raises(InvalidEmbeddingSpace) as refused:
            find(query, embedding_space_id=space, request_id="r1")
        assert (refused.value.code, refused.value.request_id) == (code, "r1")


def test_a_replaced_document_is_found_as_it_is_now(workspace, keep, find):
    digest = keep(ANN, "cat one\ncat two").summary.digest
    keep(ANN, "cat one\ncat two")
    assert len(find("cat")) == 2, "chunks are not there twice"
    workspace.documents.delete(ANN, digest)
    assert find("cat") == ()


def test_deleted_documents_use_up_no_hits(workspace, keep, find):
    digests = [
        keep(ANN, f"cat {number}", embedding_space_ids=["sense"]).summary.digest for number in range(8)
    ]
    for digest in digests[:4]:
        workspace.documents.delete(ANN, digest)
    assert len(find("feline", embedding_space_id="sense", limit=4)) == 4


def test_stores_rank_alike(choose, engine, clock):
    answers = []
    for backend in ("memory", "sqlite"):
        choose(backend)
        with Workspace.open(engine(), clock=clock) as workspace:
            for text in ("the cat sat\nfeline\nhound", "cat cat dog\nthe the the cat", "設備 cat"):
                source = InlineSource(data=text.encode(), media_type="text/plain")
                asked = EncodeRequest(source=source, granularities=["CHUNK"], embedding_space_ids=["sense"])
                workspace.documents.keep(ANN, workspace.engine.encode(asked), source=source)
            request = SearchRequest(query="the cat", embedding_space_id="sense", limit=50)
            answers.append(workspace.documents.search(ANN, request))
    assert answers[0] == answers[1]


# The fusion itself

PLACES = st.lists(
    st.tuples(st.just("d"), st.integers(0, 40).map("p1.c{:02}".format)), unique=True, max_size=30
)


@given(words=PLACES, near=PLACES)
def test_every_chunk_found_by_words_ranks_above_every_other(words, near):
    ranked = searching.rank(dict.fromkeys(words, 1.0), dict.fromkeys(near, 0.5))
    places = [place for place, _ in ranked]
    assert sorted(places) == sorted({*words, *near})
    assert [score for _, score in ranked] == sorted((score for _, score in ranked), reverse=True)
    assert set(places[: len(words)]) == set(words)
    assert places[len(words) :] == [place for place in near if place not in words]


def test_behind_a_thousand_chunks_that_say_nothing_the_others_are_found(keep, find, monkeypatch):
    monkeypatch.setattr(searching, "_DEPTH", 4)
    keep(ANN, "\n".join(["---"] * 40 + ["a cat", "a dog"]), embedding_space_ids=["sense"])
    assert texts(find("feline", embedding_space_id="sense", limit=2)) == ["a cat", "a dog"]
    assert texts(find("feline", embedding_space_id="sense", limit=3)) == ["a cat", "a dog"]


def test_words_go_before_what_is_nearer_however_deep_a_leg_looks(keep, find, monkeypatch):
    monkeypatch.setattr(searching, "_DEPTH", 5)
    keep(
        ANN,
        "\n".join([f"feline {n}" for n in range(20)] + [f"hound {n}" for n in range(20)]),
        embedding_space_ids=["sense"],
    )
    hits = find("hound cat", embedding_space_id="sense", limit=5)
    assert all("hound" in hit.text for hit in hits)
