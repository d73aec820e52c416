"""From six signals to one graph: normalisation, weights, fusion, sparsification."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from indx_graph.fitting import fit_weights
from indx_graph.options import SIGNALS, GraphSettings
from indx_graph.pairs import Adjacency, Edges, Floats, no_edges

__all__ = ["fuse", "normalized", "signal_weights"]

_FLOOR: Final = 0.01
_DIGITS: Final = 9


def fuse(signals: Mapping[str, Edges], nodes: int, settings: GraphSettings) -> tuple[Edges, dict[str, float]]:
    """The fused graph, and the weights that made it."""
    scaled = {name: normalized(signals[name], nodes, settings.normalization) for name in SIGNALS}
    weights = signal_weights(scaled, nodes, settings)
    rows = [scaled[name] * (1, 1, weights[name]) for name in SIGNALS if weights[name] and len(scaled[name])]
    if not rows:
        return no_edges(), weights
    edges = _summed(np.concatenate(rows), nodes)
    if settings.sparsify == "published":
        edges[:, 2] = np.round(edges[:, 2], 4)
        return edges[edges[:, 2] >= settings.edge_threshold], weights
    edges = _strongest(edges, nodes, settings.max_neighbors)
    edges[:, 2] = np.round(edges[:, 2] / edges[:, 2].max(), _DIGITS)
    return edges[edges[:, 2] > 0], weights


def normalized(edges: Edges, nodes: int, way: str) -> Edges:
    """A signal made comparable with the others.

    By strength: a chunk that the signal ties at all has edges that sum to 1 on average, whatever the scale
    and however many. As published: from 0 for the weakest edge to 1 for the strongest.
    """
    scaled = edges.copy()
    if not len(edges):
        return scaled
    scores = edges[:, 2]
    if way == "published":
        low, high = scores.min(), scores.max()
        scaled[:, 2] = (scores - low) / (high - low) if high > low else 1.0
        return scaled
    strengths = np.bincount(
        edges[:, :2].T.ravel().astype(np.int64), weights=np.tile(scores, 2), minlength=nodes
    )
    mean = strengths[strengths > 0].mean() if (strengths > 0).any() else 1.0
    scaled[:, 2] = scores / mean
    return scaled


def signal_weights(scaled: Mapping[str, Edges], nodes: int, settings: GraphSettings) -> dict[str, float]:
    """What each signal counts.

    The weights of signals without an edge are shared out among the others, so that no graph falls apart
    because a signal is missing; as published they are not.
    """
    prior = settings.weights.model_dump()
    if settings.weighting == "calibrated":
        prior = _calibrated(scaled, prior)
    elif settings.weighting == "fitted":
        prior = fit_weights(scaled, nodes, prior, settings.seed)
    if settings.sparsify == "published":
        return {name: float(prior[name]) for name in SIGNALS}
    live = {name: prior[name] if len(scaled[name]) else 0.0 for name in SIGNALS}
    total = sum(live.values())
    return {name: round(weight / total, 12) if total else 0.0 for name, weight in live.items()}


def _calibrated(scaled: Mapping[str, Edges], prior: Mapping[str, float]) -> dict[str, float]:
    """Weights by how many edges a signal has and how much they differ; adjacency keeps its own."""
    importance = {
        name: float(np.sqrt(len(edges)) * edges[:, 2].std()) if len(edges) > 1 else 0.0
        for name, edges in scaled.items()
        if name != "adjacency"
    }
    total, budget = sum(importance.values()), 1 - prior["adjacency"]
    if not total:
        return dict(prior)
    shares = {
        name: max(_FLOOR, budget * value / total) if len(scaled[name]) else 0.0
        for name, value in importance.items()
    }
    scale = budget / sum(shares.values())
    return {"adjacency": prior["adjacency"], **{name: share * scale for name, share in shares.items()}}


def _summed(edges: Edges, nodes: int) -> Edges:
    """Edges with the weights of each pair added up, in order."""
    keys = edges[:, 0].astype(np.int64) * nodes + edges[:, 1].astype(np.int64)
    unique, places = np.unique(keys, return_inverse=True)
    weights = np.bincount(places, weights=edges[:, 2])
    return np.column_stack((unique // nodes, unique % nodes, weights)).astype(np.float64)


def _strongest(edges: Edges, nodes: int, most: int) -> Edges:
    """The edges that are among the strongest of either of their ends: no chunk loses its last one."""
    graph = Adjacency.of(edges, nodes)
    counts = np.diff(graph.starts)
    if not len(edges) or counts.max() <= most:
        return edges
    owners = np.repeat(np.arange(nodes), counts)
    order = np.lexsort((graph.neighbors, -np.round(graph.weights, _DIGITS), owners))
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order)) - np.repeat(graph.starts[:-1], counts)
    kept = ranks < most
    low, high = np.minimum(owners, graph.neighbors)[kept], np.maximum(owners, graph.neighbors)[kept]
    keys: Floats = edges[:, 0] * nodes + edges[:, 1]
    return edges[np.isin(keys.astype(np.int64), low * nodes + high)]
