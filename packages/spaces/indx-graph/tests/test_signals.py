"""The six signals: which chunks each ties, how strongly, and what it is bounded by."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_graph.chunks import GraphChunk
from indx_graph.nearest import nearest_pairs
from indx_graph.options import GraphSettings
from indx_graph.pairs import Adjacency, pairs
from indx_graph.reading import citation_terms, citations_in, entity_terms
from indx_graph.shared import shared_terms
from indx_graph.signals import adjacency, questions, section, semantic

DEFAULT = GraphSettings()


def chunk(number, text="", *, doc="d", position=None, section=(), references=()):
    place = number if position is None else position
    return GraphChunk(f"c{number}", doc, place, text, list(section), references=list(references))


def ties(edges):
    return {(int(i), int(j)): round(float(w), 6) for i, j, w in edges}


# Pairs


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 100)), max_size=60))
@settings(max_examples=60, deadline=None)
def test_pairs_are_ordered_unique_without_loops_and_keep_the_largest_score(rows):
    edges = pairs([r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows])
    largest = {}
    for a, b, score in rows:
        if a != b:
            key = (min(a, b), max(a, b))
            largest[key] = max(score, largest.get(key, 0))
    assert ties(edges) == {key: float(score) for key, score in largest.items()}
    assert list(ties(edges)) == sorted(largest)


@given(st.sets(st.tuples(st.integers(0, 6), st.integers(7, 12)), max_size=20))
@settings(max_examples=40, deadline=None)
def test_every_neighbour_is_found_from_both_ends(found):
    edges = np.array([[i, j, 1.0] for i, j in sorted(found)]).reshape(-1, 3)
    graph = Adjacency.of(edges, 13)
    both = sorted([*found, *((j, i) for i, j in found)])
    listed = [
        (node, int(other))
        for node in range(13)
        for other in graph.neighbors[graph.starts[node] : graph.starts[node + 1]]
    ]
    assert listed == both
    assert graph.strengths().sum() == 2 * len(found)


# Semantic


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_semantic_ties_the_nearest_that_are_near_enough_with_their_cosine():
    rows = unit(np.array([[1, 0, 0], [1, 0.1, 0], [0, 0, 1], [0.9, 0, 0.5]]))
    found = ties(semantic(rows, DEFAULT.replaced(semantic_neighbors=1, semantic_threshold=0.5)))
    assert set(found) == {(0, 1), (0, 3)}
    assert found[0, 1] == pytest.approx(0.995037, abs=1e-5)


def test_a_chunk_without_a_vector_is_tied_to_nothing():
    assert ties(semantic(np.zeros((3, 4), np.float32), DEFAULT.replaced(semantic_threshold=-1))) == {}


@pytest.mark.parametrize("count", [0, 1])
def test_one_chunk_or_none_has_no_neighbour(count):
    assert len(semantic(np.ones((count, 3), np.float32), DEFAULT)) == 0


def test_cells_find_nearly_all_that_comparing_everything_finds():
    draw = np.random.default_rng(1)
    topics = draw.normal(size=(40, 24))
    rows = unit(topics[np.arange(2400) % 40] + 0.6 * draw.normal(size=(2400, 24)))
    exact = {(int(a), int(b)) for a, b, _ in zip(*nearest_pairs(rows, 5), strict=True)}
    celled = {(int(a), int(b)) for a, b, _ in zip(*nearest_pairs(rows, 5, limit=100), strict=True)}
    assert len(celled) == len(exact)
    assert len(exact & celled) > 0.9 * len(exact)
    again = nearest_pairs(rows, 5, limit=100)
    assert celled == {(int(a), int(b)) for a, b, _ in zip(*again, strict=True)}


# Adjacency and section


def test_adjacency_ties_neighbours_in_a_document_only():
    chunks = [chunk(0, position=0), chunk(1, position=1), chunk(2, position=3), chunk(3, doc="e", position=4)]
    assert ties(adjacency(chunks)) == {(0, 1): 1.0}


def test_section_scores_by_shared_depth():
    chunks = [
        chunk(0, section=["A", "B", "C"]),
        chunk(1, section=["A", "B", "D"]),
        chunk(2, section=["A"]),
        chunk(3, section=[]),
    ]
    found = ties(section(chunks, DEFAULT))
    assert found == {(0, 1): round(2 / 3, 6), (0, 2): round(1 / 3, 6), (1, 2): round(1 / 3, 6)}


def test_equal_headings_of_two_documents_tie_nothing_unless_asked_for():
    chunks = [chunk(0, doc="a", section=["Introduction"]), chunk(1, doc="b", section=["Introduction"])]
    assert ties(section(chunks, DEFAULT)) == {}
    assert ties(section(chunks, DEFAULT.replaced(section_scope="corpus"))) == {(0, 1): 1.0}


def test_a_long_section_ties_each_chunk_to_those_that_follow_up_to_a_number():
    found = ties(
        section([chunk(n, section=["A"]) for n in range(200)], DEFAULT.replaced(section_neighbors=3))
    )
    assert len(found) == 3 * 200 - 6
    assert all(j - i <= 3 for i, j in found)


# Entities


def entities(texts, **change):
    chunks = [chunk(n, text, section=[title] if title else []) for n, (title, text) in enumerate(texts)]
    changed = DEFAULT.replaced(**change)
    return shared_terms(
        entity_terms(chunks, mentions=changed.title_mentions),
        weighting=changed.entity_weighting,
        most=100,
        neighbors=changed.entity_neighbors,
    )


def test_a_rare_name_ties_more_than_a_frequent_one():
    texts = [
        ("", "there Ada Lovelace met Town Hall."),
        ("", "it was Ada Lovelace who wrote."),
        *(("", f"we saw Town Hall again, in the year {n}.") for n in range(20)),
    ]
    found = ties(entities(texts))
    assert found[0, 1] > 3 * found[0, 2]
    counted = ties(entities(texts, entity_weighting="count"))
    assert counted[0, 1] == counted[0, 2]


def test_a_title_is_tied_to_the_chunks_that_mention_it():
    texts = [("Stanley", "It is a small town."), ("Other", "The seat is Stanley now."), ("Third", "No more.")]
    assert set(ties(entities(texts))) == {(0, 1)}


def test_a_heading_of_a_common_word_is_not_mentioned_where_a_sentence_begins_with_it():
    texts = [("Use", "here."), ("", "Use it now; we use it, they use it."), ("Stanley", "A town by Stanley.")]
    assert ties(entities(texts)) == {}
    assert set(ties(entities([*texts, ("", "near Stanley")]))) == {(2, 3)}


def test_a_term_of_every_chunk_makes_no_square_of_edges():
    terms = [{"everywhere": 1.0, f"own{n // 2}": 1.0} for n in range(400)]
    found = shared_terms(terms, weighting="rarity", most=100, neighbors=8)
    assert len(found) == 200
    every = shared_terms(terms, weighting="rarity", most=400, neighbors=8)
    assert len(every) <= 400 * 8


def test_scores_lie_between_0_and_1_and_the_largest_is_1():
    found = entities([("", f"Town{n} Road meets Town{n + 1} Road.") for n in range(9)])
    assert found[:, 2].max() == 1.0
    assert (found[:, 2] > 0).all()


def test_equal_ties_are_cut_by_place():
    found = shared_terms([{"a": 1.0}] * 6, weighting="rarity", most=9, neighbors=2)
    assert ties(found) == {(0, j): 1.0 for j in range(1, 6)} | {(1, j): 1.0 for j in range(2, 6)} | {
        (0, 1): 1.0
    }


# Citations


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("as shown [3, 7-9] and [12]", ["ref:3", "ref:7", "ref:8", "ref:9", "ref:12"]),
        ("see [1–3; 5]", ["ref:1", "ref:2", "ref:3", "ref:5"]),
        ("a list [1-9000] is none", ["ref:1", "ref:9000"]),
        ("(Kipf & Welling, 2017; Smith et al., 2019)", ["ref:kipf & welling 2017", "ref:smith et al. 2019"]),
        ("DOI: 10.1000/ABC.5.", ["doi:10.1000/abc.5"]),
        ("at https://example.org/a?b=1).", ["url:https://example.org/a?b=1"]),
        ("[x] and (in 2019) and 3.14", []),
    ],
)
def test_citations_are_read(text, found):
    assert citations_in(text) == found


def test_an_endless_run_of_words_is_read_in_bounded_time():
    assert citations_in("(" + "a " * 50_000) == []
    assert citations_in("[" + "1," * 50_000) == []


def test_the_same_number_in_two_documents_is_not_the_same_reference():
    chunks = [
        chunk(0, doc="a", references=["ref:1", "doi:10.1/x"]),
        chunk(1, doc="b", references=["ref:1", "doi:10.1/x"]),
        chunk(2, doc="a", references=["ref:1"]),
        chunk(3, doc="c", references=["ref:1"]),
    ]

    def tied(scope):
        return set(
            ties(shared_terms(citation_terms(chunks, scope=scope), weighting="count", most=9, neighbors=9))
        )

    assert tied("document") == {(0, 1), (0, 2)}
    assert tied("corpus") == {(a, b) for a in range(4) for b in range(a + 1, 4)}


# Utility questions


def test_like_questions_tie_their_chunks_by_the_nearest_pair():
    rows = unit(np.array([[1, 0], [1, 0.05], [0, 1], [1, 0.4]]))
    owners = np.array([0, 1, 1, 0])
    assert ties(questions(rows, owners, DEFAULT)) == {(0, 1): pytest.approx(0.99875, abs=1e-4)}
    assert ties(questions(rows[[0, 3]], np.array([2, 2]), DEFAULT)) == {}
