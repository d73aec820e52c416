"""Where chunks stand in the graph: spectral coordinates of its normalised Laplacian, and clusters.

The Laplacian of a graph with several components has as many zero eigenvalues, whose vectors only tell the
components apart. So every component is solved on its own, its zero is dropped, and the smallest eigenvalues
of all are kept: each column lives on one component and is 0 elsewhere. The sign of a column is fixed: its
largest entry, the first of equal ones, is positive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from indx_graph.pairs import Edges, Floats, Ints

if TYPE_CHECKING:
    import scipy.sparse as sp

__all__ = ["clusters", "coordinates"]

Rows = npt.NDArray[np.float32]

_DENSE: Final = 600
"""Components of so many chunks at most are solved in full."""
_TOLERANCE: Final = 1e-4
_RESTARTS: Final = 400
_EQUAL: Final = 1e-6
_ROUNDS: Final = 50


def coordinates(edges: Edges, nodes: int, dims: int, spectrum: str = "components") -> tuple[Rows, Floats]:
    """Coordinates of each chunk and the eigenvalue of each column, ascending.

    Args:
        edges: The fused graph.
        nodes: How many chunks there are.
        dims: How many columns at most; a small or scattered graph has fewer.
        spectrum: `components` as above; `published` solves the graph as one and drops one column.
    """
    if not len(edges):
        return np.zeros((nodes, 0), np.float32), np.zeros(0)
    import scipy.sparse as sp
    from scipy.sparse.csgraph import connected_components

    i, j, w = edges[:, 0].astype(np.int64), edges[:, 1].astype(np.int64), edges[:, 2]
    graph = sp.csr_array((np.tile(w, 2), (np.concatenate((i, j)), np.concatenate((j, i)))), (nodes, nodes))
    if spectrum == "published":
        values, vectors = _smallest(graph, min(dims + 1, nodes - 1) or 1)
        return _oriented(vectors[:, 1:]), values[1:]
    count, labels = connected_components(graph, directed=False)
    order = np.argsort(labels, kind="stable")
    bounds = np.searchsorted(labels[order], np.arange(count + 1))
    found: list[tuple[float, int, Ints, Floats]] = []
    for component in range(count):
        members = order[bounds[component] : bounds[component + 1]]
        if len(members) < 2:
            continue
        values, vectors = _smallest(graph[members][:, members], min(dims + 1, len(members)))
        found += [
            (float(value), component, members, vectors[:, column + 1])
            for column, value in enumerate(values[1:])
        ]
    found.sort(key=lambda one: (round(one[0], 9), one[1]))
    columns = np.zeros((nodes, min(dims, len(found))))
    for column, (_, _, members, vector) in enumerate(found[:dims]):
        columns[members, column] = vector
    return _oriented(columns), np.array([max(0.0, one[0]) for one in found[:dims]])


def _smallest(graph: sp.csr_array, k: int) -> tuple[Floats, Floats]:
    """The smallest eigenvalues of the normalised Laplacian of a graph, ascending, with their vectors.

    They are found as the largest of the normalised adjacency, which needs no factorisation.
    """
    strengths = np.asarray(graph.sum(axis=1)).ravel()
    roots = np.where(strengths > 0, 1 / np.sqrt(np.maximum(strengths, 1e-300)), 0.0)
    if graph.shape[0] <= max(_DENSE, k + 1):
        dense = graph.toarray() * roots[:, None] * roots[None, :]
        values, vectors = np.linalg.eigh(np.diag((strengths > 0).astype(np.float64)) - dense)
        return values[:k], vectors[:, :k]
    import scipy.sparse as sp
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh

    scaled = sp.diags_array(roots) @ graph @ sp.diags_array(roots)
    start = np.sqrt(strengths) + np.linspace(0, 1, graph.shape[0])
    try:
        values, vectors = eigsh(
            scaled.tocsr(), k=k, which="LA", v0=start, tol=_TOLERANCE, maxiter=_RESTARTS, ncv=2 * k + 20
        )
    except ArpackNoConvergence as partial:  # what has converged is used
        values, vectors = partial.eigenvalues, partial.eigenvectors
    order = np.argsort(-values, kind="stable")
    return np.maximum(1 - values[order], 0.0), vectors[:, order]


def _oriented(columns: Any) -> Rows:
    """Columns with their sign fixed."""
    if columns.shape[0] and columns.shape[1]:
        sizes = np.abs(columns)
        first = (sizes >= sizes.max(axis=0) * (1 - _EQUAL)).argmax(axis=0)
        signs = np.sign(columns[first, np.arange(columns.shape[1])])
        columns = columns * np.where(signs == 0, 1, signs)
    return np.asarray(columns, dtype=np.float32)


def clusters(places: Rows, wanted: int, seed: int) -> Ints:
    """The group of each chunk by k-means over directions of its coordinates, numbered by first member.

    Args:
        places: Spectral coordinates.
        wanted: How many groups; 0 chooses by the number of chunks.
        seed: Of the first centres.
    """
    nodes = len(places)
    count = min(nodes, wanted or min(16, max(2, int(np.sqrt(nodes / 2)))))
    if nodes < 2 or not places.shape[1]:
        return np.zeros(nodes, dtype=np.int64)
    points = places.astype(np.float64)
    points /= np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-12)
    draw = np.random.default_rng(seed)
    centers = points[[int(draw.integers(nodes))]]
    while len(centers) < count:
        far = np.maximum(_distances(points, centers).min(axis=1), 0)
        if far.sum() <= _EQUAL:
            break
        spot = np.searchsorted(np.cumsum(far), draw.random() * far.sum())
        centers = np.vstack((centers, points[min(int(spot), nodes - 1)]))
    labels = np.zeros(nodes, dtype=np.int64)
    for turn in range(_ROUNDS):
        nearest = np.round(_distances(points, centers), 9).argmin(axis=1)
        if turn and np.array_equal(nearest, labels):
            break
        labels = nearest
        sums = np.zeros_like(centers)
        np.add.at(sums, labels, points)
        sizes = np.bincount(labels, minlength=len(centers))[:, None]
        centers = np.where(sizes > 0, sums / np.maximum(sizes, 1), centers)
    _, first, numbers = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[numbers]


def _distances(points: Floats, centers: Floats) -> Floats:
    squares = (points**2).sum(axis=1)[:, None] + (centers**2).sum(axis=1)[None, :]
    distances: Floats = squares - 2 * points @ centers.T
    return distances
