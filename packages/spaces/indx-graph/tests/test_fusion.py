"""Six signals become one graph that does not fall apart, and its coordinates mean something."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.errors import ConfigurationError
from indx_graph import GraphSettings, IndexError_, rebuild_graph
from indx_graph.fusion import fuse, normalized
from indx_graph.options import SIGNALS
from indx_graph.spectral import clusters, coordinates

DEFAULT = GraphSettings()


def signals(**given):
    return {name: np.array(given.get(name, [])).reshape(-1, 3) for name in SIGNALS}


def ties(edges):
    return {(int(i), int(j)): round(float(w), 6) for i, j, w in edges}


def ring(count, weight=1.0):
    return np.array([[i, i + 1, weight] for i in range(count - 1)] + [[0, count - 1, weight]])


def moved(edges, by):
    return edges + np.array([by, by, 0])


# Normalisation and fusion


def test_by_strength_a_chunk_has_edges_that_sum_to_1_on_average():
    edges = np.array([[0, 1, 0.2], [1, 2, 0.4], [3, 4, 0.05]])
    scaled = normalized(edges, 9, "strength")
    assert scaled[:, 2].sum() * 2 / 5 == pytest.approx(1)
    np.testing.assert_allclose(scaled[:, 2] / scaled[0, 2], edges[:, 2] / edges[0, 2])


def test_as_published_the_weakest_edge_is_0_and_equal_ones_are_1():
    assert normalized(np.array([[0, 1, 0.2], [1, 2, 0.4]]), 3, "published")[:, 2].tolist() == [0, 1]
    assert normalized(np.array([[0, 1, 0.2], [1, 2, 0.2]]), 3, "published")[:, 2].tolist() == [1, 1]


def test_weights_of_signals_without_edges_are_shared_out():
    edges, weights = fuse(signals(semantic=[[0, 1, 0.8]], adjacency=[[1, 2, 1]]), 3, DEFAULT)
    assert weights["semantic"] == pytest.approx(1 / 3)
    assert weights["adjacency"] == pytest.approx(2 / 3)
    assert sum(weights.values()) == pytest.approx(1)
    assert set(ties(edges)) == {(0, 1), (1, 2)}
    assert edges[:, 2].max() == 1


def test_as_published_missing_signals_let_the_graph_fall_apart():
    given_signals = signals(semantic=[[0, 1, 0.75], [1, 2, 0.8], [2, 3, 0.99]])
    published = DEFAULT.replaced(
        normalization="published", sparsify="published", weights={"semantic": 0.15, "entity": 0.25}
    )
    assert set(ties(fuse(given_signals, 4, published)[0])) == {(2, 3)}
    assert len(fuse(given_signals, 4, DEFAULT)[0]) == 3


def test_edges_of_several_signals_add_up():
    edges, _ = fuse(
        signals(semantic=[[0, 1, 1.0], [2, 3, 1.0]], entity=[[0, 1, 1.0], [4, 5, 1.0]]),
        6,
        DEFAULT.replaced(weights={"semantic": 0.5, "entity": 0.5}),
    )
    assert ties(edges) == {(0, 1): 1.0, (2, 3): 0.5, (4, 5): 0.5}


def test_sparsifying_keeps_the_strongest_of_either_end_and_leaves_nobody_alone():
    star = np.array([[0, j, j / 100] for j in range(1, 50)])
    edges, _ = fuse(signals(semantic=star), 50, DEFAULT.replaced(max_neighbors=3))
    assert len(edges) == 49  # each leaf asks for its only edge
    clique = np.array([[i, j, 1 / (1 + i + j)] for i in range(20) for j in range(i + 1, 20)])
    kept, _ = fuse(signals(semantic=clique), 20, DEFAULT.replaced(max_neighbors=2))
    assert len(kept) <= 40
    assert set(range(20)) == {int(n) for n in kept[:, :2].ravel()}


def test_no_signal_at_all_is_a_graph_without_edges():
    edges, weights = fuse(signals(), 5, DEFAULT)
    assert edges.shape == (0, 3)
    assert set(weights.values()) == {0.0}


def test_calibrated_weights_follow_how_much_a_signal_tells_apart():
    given_signals = signals(
        semantic=[[i, i + 1, 0.1 + 0.8 * (i % 2)] for i in range(20)],
        entity=[[i, i + 2, 0.5] for i in range(20)],
        adjacency=[[0, 1, 1]],
    )
    _, weights = fuse(given_signals, 30, DEFAULT.replaced(weighting="calibrated"))
    assert weights["semantic"] > 10 * weights["entity"] > 0
    assert weights["adjacency"] == pytest.approx(0.1)
    assert sum(weights.values()) == pytest.approx(1)


def test_fitted_weights_prefer_the_signal_that_foretells_neighbours():
    draw = np.random.default_rng(0)
    noise = [[i, j, 0.5] for i, j in draw.integers(0, 80, (200, 2)).tolist() if i < j]
    given_signals = signals(
        adjacency=[[i, i + 1, 1] for i in range(79)],
        entity=[[i, i + 1, 0.9] for i in range(79)],
        semantic=sorted({(i, j): [i, j, s] for i, j, s in noise}.values()),
    )
    fitted = DEFAULT.replaced(weighting="fitted")
    _, weights = fuse(given_signals, 80, fitted)
    assert weights["entity"] > 5 * weights["semantic"]
    assert fuse(given_signals, 80, fitted)[1] == weights
    assert fuse(signals(semantic=[[0, 1, 1.0]]), 3, fitted)[1]["semantic"] == 1.0  # too little to learn from


def test_all_weights_0_are_refused():
    with pytest.raises(ConfigurationError, match="at least one signal"):
        DEFAULT.replaced(weights=dict.fromkeys(SIGNALS, 0))


# Coordinates


@pytest.mark.parametrize("nodes", [0, 1, 2, 3, 33, 34])
def test_coordinates_are_defined_for_every_size(nodes):
    edges = ring(nodes) if nodes > 2 else np.array([[0, 1, 1.0]]) if nodes == 2 else np.zeros((0, 3))
    places, values = coordinates(edges, nodes, 32)
    assert places.shape == (nodes, min(32, max(nodes - 1, 0)))
    assert len(values) == places.shape[1]
    assert np.isfinite(places).all()
    assert len(clusters(places, 0, 0)) == nodes


def test_two_components_have_columns_of_their_own_and_no_eigenvalue_0():
    left, right = ring(6), moved(ring(5), 6)
    places, values = coordinates(np.vstack((left, right)), 12, 32)
    assert (values > 0.01).all()
    for column in places.T:
        assert (column[:6] == 0).all() or (column[6:] == 0).all()
    assert not places[11].any()  # alone
    _, published = coordinates(np.vstack((left, right)), 12, 32, "published")
    assert published[0] < 1e-9  # what the other way avoids


def test_more_components_than_columns_still_tell_chunks_of_one_apart():
    edges = np.vstack([moved(ring(4), 4 * n) for n in range(50)])
    places, values = coordinates(edges, 200, 32)
    assert places.shape == (200, 32)
    assert (values > 0.5).all()


def test_eigenvalues_are_those_of_the_normalised_laplacian():
    draw = np.random.default_rng(3)
    edges = np.array([[i, j, draw.random()] for i in range(12) for j in range(i + 1, 12) if (i + j) % 3])
    matrix = np.zeros((12, 12))
    for i, j, w in edges:
        matrix[int(i), int(j)] = matrix[int(j), int(i)] = w
    roots = 1 / np.sqrt(matrix.sum(axis=0))
    laplacian = np.eye(12) - roots[:, None] * matrix * roots[None, :]
    places, values = coordinates(edges, 12, 5)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(laplacian)[1:6], atol=1e-9)
    for column, value in zip(places.T.astype(np.float64), values, strict=True):
        np.testing.assert_allclose(laplacian @ column, value * column, atol=1e-5)


def test_a_large_component_is_solved_without_a_factorisation():
    count = 1500
    edges = np.vstack((ring(count), np.array([[i, i + 7, 0.5] for i in range(count - 7)])))
    places, values = coordinates(edges, count, 6)
    assert places.shape == (count, 6)
    assert (np.diff(values) >= 0).all()
    assert 0 < values[0] < 1e-3
    np.testing.assert_array_equal(places, coordinates(edges, count, 6)[0])


@given(st.integers(3, 30), st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_the_largest_entry_of_a_column_is_positive(nodes, seed):
    draw = np.random.default_rng(seed)
    edges = ring(nodes)
    edges[:, 2] = draw.random(len(edges)) + 0.1
    places, _ = coordinates(edges, nodes, 8)
    largest = np.abs(places).max(axis=0)
    assert (places.max(axis=0) >= largest * (1 - 1e-5)).all()


def test_clusters_are_what_hangs_together_and_are_numbered_by_first_member():
    clique = np.array([[i, j, 1.0] for i in range(8) for j in range(i + 1, 8)])
    bridge = np.array([[7, 8, 0.01], [15, 16, 0.01]])
    edges = np.vstack((clique, moved(clique, 8), moved(clique, 16), bridge))
    labels = clusters(coordinates(edges, 24, 2)[0], 3, 0)
    assert labels[0] == 0
    assert labels.tolist() == [0] * 8 + [1] * 8 + [2] * 8


def test_fewer_distinct_points_than_clusters():
    assert clusters(np.ones((5, 2), np.float32), 4, 0).tolist() == [0] * 5


# Fusing again


def test_fusing_again_embeds_nothing_and_changes_edges_and_settings(making):
    embed = making.Toy()
    making.ingest(embed_fn=embed)
    asked, before = list(embed.asked), np.load(making.folder / "edges.npy")
    info = rebuild_graph(making.folder, weights={"entity": 0.0}, spectral_dims=2)
    assert embed.asked == asked
    assert info["weights"]["entity"] == 0
    after = np.load(making.folder / "edges.npy")
    assert not np.array_equal(after, before)
    assert np.load(making.folder / "spectral.npy").shape[1] == 2
    opened = making.open(embed_fn=embed)
    assert (opened.settings.weights.entity, opened.settings.spectral_dims) == (0.0, 2)


def test_fusing_again_under_the_same_settings_gives_the_same_bytes(making, files, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    making.ingest()
    before = files(making.folder)
    rebuild_graph(making.folder)
    assert files(making.folder) == before


def test_fusing_again_needs_only_the_signals(making):
    making.ingest()
    (making.folder / "signals.npz").unlink()
    with pytest.raises(IndexError_, match=r"signals\.npz is missing"):
        rebuild_graph(making.folder)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"embedder": "hash"}, "ingest again"),
        ({"nothing": 1}, "no setting 'nothing'; there are .*damping.*, weights$"),
        ({"weights": {"nothing": 1}}, r"no setting 'weights\.nothing'; there are adjacency, citation"),
        ({"damping": 1.0}, "damping"),
        ({"weights": {"entity": 2}}, "weights.entity"),
    ],
)
def test_a_change_that_cannot_be_made_is_refused_and_nothing_is_touched(making, files, changes, says):
    making.ingest()
    before = files(making.folder)
    with pytest.raises(ConfigurationError, match=says):
        rebuild_graph(making.folder, **changes)
    assert files(making.folder) == before
