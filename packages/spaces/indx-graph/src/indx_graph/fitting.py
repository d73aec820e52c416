"""Weights learned from the graph itself: which signals foretell that two chunks stand together.

Pairs that adjacency or section ties are the examples, as many random other pairs the counterexamples, and
a logistic regression over the remaining signals weighs these.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

import numpy as np

from indx_graph.pairs import Edges, Floats, Ints

__all__ = ["fit_weights"]

_log = logging.getLogger("indx.graph")

_FEATURES: Final = ("semantic", "entity", "utility_question", "citation")
_LEAST_PAIRS: Final = 20
_LEAST_NODES: Final = 4
_TRIES: Final = 50
_STEPS: Final = 50
_RIDGE: Final = 1.0
_FLOOR: Final = 0.01


def fit_weights(
    scaled: Mapping[str, Edges], nodes: int, prior: Mapping[str, float], seed: int
) -> dict[str, float]:
    """Learned weights; those of `prior` where there is too little to learn from.

    Args:
        scaled: The signals, normalised.
        nodes: How many chunks there are.
        prior: The weights of adjacency and section, which are not learned, and of the rest in default.
        seed: Of the random pairs.
    """
    together = np.unique(np.concatenate([_keys(scaled[one], nodes) for one in ("adjacency", "section")]))
    apart = _random_pairs(together, nodes, seed)
    if len(together) < _LEAST_PAIRS or nodes < _LEAST_NODES or not len(apart):
        return dict(prior)
    features = np.column_stack([_looked_up(scaled[one], nodes, together, apart) for one in _FEATURES])
    labels = np.concatenate((np.ones(len(together)), np.zeros(len(apart))))
    coefficients = np.maximum(_logistic(features, labels), 0)
    if not coefficients.any():
        return dict(prior)
    budget = 1 - prior["adjacency"] - prior["section"]
    shares = coefficients / coefficients.sum() * budget
    shares = np.where(shares > 0, np.maximum(shares, _FLOOR), 0)
    shares *= budget / shares.sum()
    learned = dict(zip(_FEATURES, shares.tolist(), strict=True))
    _log.info("fitted weights: %s", {name: round(weight, 3) for name, weight in learned.items()})
    return {**prior, **learned}


def _keys(edges: Edges, nodes: int) -> Ints:
    return edges[:, 0].astype(np.int64) * nodes + edges[:, 1].astype(np.int64)


def _random_pairs(together: Ints, nodes: int, seed: int) -> Ints:
    """As many pairs outside a set as it has, as far as they are found."""
    if nodes < _LEAST_NODES or not len(together):
        return np.zeros(0, np.int64)
    draw = np.random.default_rng(seed)
    found: Ints = np.zeros(0, np.int64)
    for _ in range(_TRIES):
        ends = np.sort(draw.integers(0, nodes, size=(2 * len(together), 2)), axis=1)
        keys = ends[ends[:, 0] < ends[:, 1]] @ np.array([nodes, 1])
        keys = keys[~np.isin(keys, together)]
        merged = np.concatenate((found, keys))
        _, first = np.unique(merged, return_index=True)
        found = merged[np.sort(first)]
        if len(found) >= len(together):
            break
    return found[: len(together)]


def _looked_up(edges: Edges, nodes: int, *asked: Ints) -> Floats:
    """The scores of pairs in a signal; 0 where it does not tie them."""
    wanted = np.concatenate(asked)
    if not len(edges):
        return np.zeros(len(wanted))
    keys = _keys(edges, nodes)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, edges[places, 2], 0.0)


def _logistic(features: Floats, labels: Floats) -> Floats:
    """The coefficients of a ridge logistic regression with balanced classes, by Newton's method."""
    scale = features.std(axis=0)
    table = np.column_stack((features / np.where(scale > 0, scale, 1), np.ones(len(labels))))
    sides = np.bincount(labels.astype(np.int64), minlength=2)
    importance = len(labels) / (2 * sides[labels.astype(np.int64)])
    ridge = np.diag([_RIDGE] * features.shape[1] + [1e-9])
    beta = np.zeros(table.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(table @ beta, -30, 30)))
        slope = table.T @ (importance * (labels - chance)) - ridge @ beta
        bend = (table * (importance * chance * (1 - chance))[:, None]).T @ table + ridge
        step = np.linalg.solve(bend, slope)
        beta += step
        if np.abs(step).max() < 1e-8:
            break
    return beta[:-1] / np.where(scale > 0, scale, 1)
