"""Walks over the graph: which chunks to look at, and how much of a walk from the seeds comes to each."""

from __future__ import annotations

from typing import Final

import numpy as np

from indx_graph.options import GraphSettings
from indx_graph.pairs import Adjacency, Floats, Ints

__all__ = ["expand", "page_rank"]

_STEPS: Final = 12
_PUBLISHED_CANDIDATES: Final = 200
_PUBLISHED_HOPS: Final = 2


def expand(graph: Adjacency, seeds: Ints, shares: Floats, settings: GraphSettings) -> Ints:
    """The candidates: the seeds and what lies within some hops of them, ascending.

    By weight, what a walk brings most to is kept, however far. As published, whatever is met first is kept up
    to a number, in the order of places.
    """
    if settings.expansion == "published":
        return _breadth_first(graph, seeds)
    mass: Floats = np.zeros(len(graph))
    mass[seeds] = shares
    reached = mass.copy()
    for _ in range(settings.hops):
        nodes = np.flatnonzero(mass)
        owners, edges = graph.edges_of(nodes)
        if not len(edges):
            break
        leaving = np.bincount(owners, weights=graph.weights[edges], minlength=len(nodes))
        flow = graph.weights[edges] * (mass[nodes] / np.maximum(leaving, 1e-300))[owners]
        arrived = np.bincount(graph.neighbors[edges], weights=flow, minlength=len(graph))
        mass = _largest(settings.damping * arrived.astype(np.float64), settings.candidates)
        reached += mass
    reached[seeds] += 1.0  # seeds always stay
    return np.flatnonzero(_largest(reached, max(settings.candidates, len(seeds))))


def _largest(mass: Floats, most: int) -> Floats:
    """The `most` largest values, the rest 0; of equal ones the first."""
    there = np.flatnonzero(mass)
    if len(there) <= most:
        return mass
    order = np.lexsort((there, -np.round(mass[there], 12)))
    kept = np.zeros_like(mass)
    chosen = there[order[:most]]
    kept[chosen] = mass[chosen]
    return kept


def _breadth_first(graph: Adjacency, seeds: Ints) -> Ints:
    seen = dict.fromkeys(seeds.tolist())
    frontier = sorted(seen)
    for _ in range(_PUBLISHED_HOPS):
        following: dict[int, None] = {}
        for node in frontier:
            for other in graph.neighbors[graph.starts[node] : graph.starts[node + 1]].tolist():
                if len(seen) >= _PUBLISHED_CANDIDATES:
                    return np.array(sorted(seen), dtype=np.int64)
                if other not in seen:
                    seen[other] = following[other] = None
        frontier = sorted(following)
    return np.array(sorted(seen), dtype=np.int64)


def page_rank(graph: Adjacency, candidates: Ints, seeds: Ints, shares: Floats, damping: float) -> Floats:
    """How much of a walk that keeps returning to the seeds is at each candidate, over candidates alone."""
    local = np.full(len(graph), -1, dtype=np.int64)
    local[candidates] = np.arange(len(candidates))
    owners, edges = graph.edges_of(candidates)
    targets = local[graph.neighbors[edges]]
    inside = targets >= 0
    owners, targets, weights = owners[inside], targets[inside], graph.weights[edges][inside]
    leaving = np.bincount(owners, weights=weights, minlength=len(candidates))
    flows = weights / leaving[owners]
    restart = np.zeros(len(candidates))
    restart[local[seeds]] = shares
    ranks = restart.copy()
    for _ in range(_STEPS):
        arrived = np.bincount(targets, weights=flows * ranks[owners], minlength=len(candidates))
        ranks = (1 - damping) * restart + damping * arrived
    return ranks
