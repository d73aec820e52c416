"""Asking: seeds, walk, scores, selection within a budget, and why each chunk was chosen."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.errors import ConfigurationError, InvalidRequest
from indx_graph.asking import Asker, top
from indx_graph.chunks import GraphChunk
from indx_graph.graph import make_graph
from indx_graph.options import GraphSettings
from indx_graph.pairs import Adjacency
from indx_graph.selecting import choose
from indx_graph.walking import expand, page_rank

DEFAULT = GraphSettings()
HOPS = "What is the seat of the county in which Van Hook Township lies?"


@pytest.fixture
def opened(making):
    making.ingest()
    return making.open()


def ids(found):
    return [one.chunk.id for one in found]


# The answer


def test_a_chunk_that_only_the_graph_connects_is_found_before_what_matches_by_words(opened):
    with_graph = ids(opened.search(HOPS, k=3))
    without = ids(opened.search(HOPS, k=3, graph_share=0.0, title_boost=0.0))
    assert with_graph[:2] == ["township", "county"]
    assert "county" in with_graph
    assert with_graph != without


def test_a_chunk_whose_title_the_question_names_comes_first(opened):
    assert ids(opened.search("little muddy river", k=1)) == ["river"]
    named = opened.search("little muddy river", k=1)[0].reason
    assert named.title == "Little Muddy River"
    assert "named in the question: Little Muddy River" in named.text


@pytest.mark.parametrize("query", ["", "  ", "--", "\x00", "?!"])
def test_a_question_without_a_word_finds_nothing(opened, query):
    found = opened.retrieve(query)
    assert (found.chosen, found.tokens) == ([], 0)
    assert opened.search(query) == []


@given(st.text(max_size=120))
@settings(max_examples=60, deadline=None)
def test_any_text_is_a_question(query):
    found = ASKER.ask(query, None, DEFAULT)
    assert np.isfinite(found.scores).all()
    assert ((found.scores >= 0) & (found.scores <= 1)).all()


def small(count=5):
    return [
        GraphChunk(f"c{n}", f"d{n}", 0, f"Alpha{n} Road meets Alpha{n + 1} Road.", tokens=8)
        for n in range(count)
    ]


ASKER = Asker(make_graph(small(), np.eye(5, 8), DEFAULT))


@pytest.mark.parametrize("count", [0, 1, 2])
def test_tiny_graphs_are_built_opened_and_asked(making, count):
    info = making.ingest(making.numbered(count))
    opened = making.open()
    found = opened.retrieve("Town1 Road")
    assert info["chunks"] == len(opened.chunks) == count
    assert len(found.chosen) == count
    assert opened.info["spectral_dims"] == max(count - 1, 0)


def test_identical_texts_are_kept_apart_and_chosen_once(making):
    making.ingest([{"id": f"t{n}", "text": "The same words."} for n in range(3)])
    found = making.open().retrieve("same words")
    assert ids(found.chosen) == ["t0"]
    assert found.repeated == {"t1": "t0", "t2": "t0"}
    assert len(making.open().search("same words", k=5)) == 3


def test_a_corpus_in_a_script_without_spaces_is_found_by_its_words(making):
    making.ingest(
        [{"id": "a", "text": "東京の天気は晴れです。"}, {"id": "b", "text": "大阪の食べ物は安い。"}]
    )
    assert ids(making.open().search("天気", k=1)) == ["a"]


def test_a_question_is_embedded_once_as_a_query_and_documents_are_not(making, opened):
    embed = making.Toy()
    again = making.open(embed_fn=embed)
    again.retrieve("Where is Stanley?")
    assert embed.asked[1:] == ["Where is Stanley?"]


def test_utility_questions_bring_their_chunk(making):
    nodes = small(3)
    nodes[2].utility_questions = ["zzz"]
    row = np.zeros((1, 8), np.float32)
    row[0, 7] = 1.0
    graph = make_graph(
        nodes, np.eye(3, 8), DEFAULT, question_vectors=row, question_owners=np.array([2], np.int64)
    )
    found = Asker(graph).ask("zzz", row[0], DEFAULT)
    assert int(found.scores.argmax()) == 2
    assert found.lists["question"].tolist() == [2]
    assert found.lists["meaning"].tolist() == []


def test_spectral_proximity_lifts_what_lies_near_the_seeds():
    nodes = [GraphChunk(f"c{n}", "d", n, f"text {n}") for n in range(20)]
    asker = Asker(make_graph(nodes, np.eye(20), DEFAULT.replaced(semantic_threshold=1.0, spectral_dims=3)))
    asked = DEFAULT.replaced(spectral_share=0.9, graph_share=0.0)
    scores = asker.ask("nothing in common", np.eye(20, dtype=np.float32)[0], asked).scores
    assert scores[1] > scores[4] > scores[12]


def test_the_same_question_gives_the_same_answer(opened, making):
    first = opened.retrieve(HOPS).wire()
    assert opened.retrieve(HOPS).wire() == first
    assert making.open().retrieve(HOPS).wire() == first


# Lists and walk


@given(st.lists(st.integers(0, 5), max_size=40), st.integers(1, 10))
@settings(max_examples=80, deadline=None)
def test_the_top_is_the_start_of_the_sorted_list(values, k):
    scores = np.array(values, dtype=np.float64)
    expected = sorted((place for place in range(len(values)) if values[place]), key=lambda p: (-values[p], p))
    assert top(scores, k).tolist() == expected[:k]


def path(count):
    return Adjacency.of(np.array([[i, i + 1, 1.0] for i in range(count - 1)]), count)


def test_the_walk_goes_by_weight_and_no_farther_than_its_hops():
    star = Adjacency.of(np.array([[0, j, j / 10] for j in range(1, 9)]), 9)
    seeds, shares = np.array([0]), np.array([1.0])
    assert expand(star, seeds, shares, DEFAULT.replaced(candidates=3, hops=1)).tolist() == [0, 7, 8]
    assert expand(path(20), seeds, shares, DEFAULT.replaced(hops=2)).tolist() == [0, 1, 2]
    published = DEFAULT.replaced(expansion="published", hops=1)
    assert expand(path(20), seeds, shares, published).tolist() == [0, 1, 2]


def test_the_published_expansion_stops_at_200_in_an_order_that_no_hash_seed_changes():
    star = Adjacency.of(np.array([[0, j, j / 1000] for j in range(1, 500)]), 500)
    found = expand(star, np.array([0]), np.array([1.0]), DEFAULT.replaced(expansion="published"))
    assert found.tolist() == list(range(200))


def test_ranks_are_those_of_the_restarted_walk():
    graph = path(4)
    matrix = np.zeros((4, 4))
    for node in range(4):
        for other in graph.neighbors[graph.starts[node] : graph.starts[node + 1]]:
            matrix[other, node] = 1 / (graph.starts[node + 1] - graph.starts[node])
    restart = np.array([1.0, 0, 0, 0])
    expected = restart
    for _ in range(12):
        expected = 0.4 * restart + 0.6 * matrix @ expected
    found = page_rank(graph, np.arange(4), np.array([0]), np.array([1.0]), 0.6)
    np.testing.assert_allclose(found, expected)
    assert found[0] > found[2] > found[3] > 0


def test_a_seed_without_an_edge_keeps_its_rank():
    lonely = Adjacency.of(np.array([[0, 1, 1.0]]), 3)
    seeds, shares = np.array([2]), np.array([1.0])
    places = expand(lonely, seeds, shares, DEFAULT)
    assert places.tolist() == [2]
    assert page_rank(lonely, places, seeds, shares, 0.5).tolist() == [0.5]


# Selection


@pytest.mark.parametrize("budget", [0, 1, 20, 40, 60, 10_000])
def test_the_budget_is_never_exceeded(opened, budget):
    found = opened.retrieve(HOPS, token_budget=budget)
    assert found.tokens == sum(one.tokens for one in found.chosen) <= budget
    assert found.token_budget == budget
    assert bool(found.chosen) == (budget >= 20)


def test_a_smaller_chunk_is_taken_where_a_larger_one_does_not_fit(making):
    making.ingest(
        [
            {"id": "long", "text": "alpha beta gamma " + "filler " * 200},
            {"id": "short", "text": "alpha beta only"},
        ]
    )
    opened = making.open()
    first = opened.search("alpha beta gamma", k=1)[0]
    found = opened.retrieve("alpha beta gamma", token_budget=20)
    assert ids(found.chosen) == ["short"]
    assert found.too_long == (["long"] if first.chunk.id == "long" else [])


def test_a_limit_bounds_the_number_of_chunks(opened):
    assert len(opened.retrieve(HOPS, limit=2).chosen) == 2
    assert opened.retrieve(HOPS, limit=0).chosen == []


def test_what_the_question_still_lacks_is_preferred():
    texts = ("apples and pears", "apples and pears again", "plums")
    nodes = [GraphChunk(f"c{n}", "d", n, text, tokens=3) for n, text in enumerate(texts)]
    asker = Asker(make_graph(nodes, np.eye(3), DEFAULT))
    answer = asker.ask("apples pears plums", None, DEFAULT)
    answer.scores = np.array([0.9, 0.8, 0.5])

    def chosen(share):
        changed = DEFAULT.replaced(coverage_share=share)
        return choose(asker, answer, "apples pears plums", changed, budget=99)

    assert chosen(0.0).places == [0, 1, 2]
    assert chosen(0.5).places == [0, 2, 1]
    assert chosen(0.5).covered == [["apples", "pears"], ["plums"], []]


def test_near_repeats_are_left_out_below_a_limit(making):
    making.ingest(
        [
            {"id": "a", "text": "one two three four five six"},
            {"id": "b", "text": "one two three four five six six"},
        ]
    )
    opened = making.open()
    assert len(opened.retrieve("one two", redundancy=1.0).chosen) == 2
    found = opened.retrieve("one two", redundancy=0.9)
    assert len(found.chosen) == 1
    assert len(found.repeated) == 1


def test_a_floor_leaves_out_what_is_far_below_the_best(opened):
    every = opened.retrieve(HOPS)
    strict = opened.retrieve(HOPS, score_floor=0.9)
    assert 1 <= len(strict.chosen) < len(every.chosen)


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 9)), min_size=1, max_size=12), st.integers(0, 60)
)
@settings(max_examples=60, deadline=None)
def test_selection_fills_a_budget_so_that_nothing_left_would_fit(rows, budget):
    nodes = [GraphChunk(f"c{n}", "d", n, f"text {n}", tokens=size) for n, (size, _) in enumerate(rows)]
    asker = Asker(make_graph(nodes, np.eye(len(nodes)), DEFAULT, spectrum=False))
    answer = asker.ask("text", None, DEFAULT)
    answer.scores = np.array([score / 10 for _, score in rows])
    choice = choose(asker, answer, "text", DEFAULT, budget=budget)
    assert choice.tokens == sum(rows[place][0] for place in choice.places) <= budget
    for place, (size, score) in enumerate(rows):
        if place not in choice.places and score:
            assert size > budget - choice.tokens


# Reasons


def test_every_chosen_chunk_says_why(opened):
    for one in opened.retrieve(HOPS).chosen:
        reason = one.reason
        assert reason.text
        assert reason.ranks or reason.connection or reason.relevance


def test_a_chunk_that_the_walk_reached_names_what_connects_it(opened):
    found = {one.chunk.id: one.reason for one in opened.search(HOPS, k=6, restart_seeds=1)}
    (link,) = found["county"].links
    assert link.chunk == "township"
    assert "mountrail county" in link.shared
    assert "entity" in link.signals
    assert "connected with township by" in found["county"].text
    assert found["township"].seed == 1.0
    assert found["county"].seed == 0.0


def test_reasons_name_documents_and_citations(making):
    making.ingest(making.guide)
    opened = making.open()
    found = {one.chunk.text: one.reason for one in opened.search("Install the tool", k=4, restart_seeds=1)}
    beside = found["Then set INDX_PLUGINS to none."].links[0]
    assert {"adjacency", "section"} <= set(beside.signals)
    cited = found["Use it from Python or the shell [1]."].links[0]
    assert "ref:1" in cited.shared


# Refusals


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"query": 7}, "query is 7"),
        ({"query": "x", "token_budget": -1}, "token_budget is -1"),
        ({"query": "x", "token_budget": True}, "token_budget is True"),
        ({"query": "x", "limit": 1.5}, "limit is 1.5"),
    ],
)
def test_a_question_asked_wrongly_is_refused(opened, arguments, says):
    with pytest.raises(InvalidRequest, match=says):
        opened.retrieve(**arguments)


def test_an_unknown_setting_is_refused(opened):
    with pytest.raises(ConfigurationError, match="dampin"):
        opened.retrieve("x", dampin=0.5)
