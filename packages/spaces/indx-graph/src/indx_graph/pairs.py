"""Edges as arrays: rows `[i, j, score]` with i < j, each pair once, in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Adjacency", "Edges", "Floats", "Ints", "no_edges", "pairs"]

Edges: TypeAlias = npt.NDArray[np.float64]
Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]


def no_edges() -> Edges:
    """No edge at all."""
    return np.zeros((0, 3))


def pairs(left: npt.ArrayLike, right: npt.ArrayLike, scores: npt.ArrayLike) -> Edges:
    """Edges of two columns of places: no loops, each pair once with its largest score, in order."""
    a, b = np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64)
    weights = np.asarray(scores, dtype=np.float64)
    low, high = np.minimum(a, b), np.maximum(a, b)
    apart = low != high
    low, high, weights = low[apart], high[apart], weights[apart]
    order = np.lexsort((-weights, high, low))
    low, high, weights = low[order], high[order], weights[order]
    first = np.ones(len(low), dtype=bool)
    first[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    return np.column_stack((low[first], high[first], weights[first])).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Adjacency:
    """The neighbours of every node, in both directions, by node.

    Attributes:
        starts: Where the neighbours of each node begin; one more at the end.
        neighbors: Nodes, ascending within each node.
        weights: The weight of each.
    """

    starts: Ints
    neighbors: Ints
    weights: Floats

    @classmethod
    def of(cls, edges: Edges, nodes: int) -> Adjacency:
        """The neighbours that edges make."""
        i, j, w = edges[:, 0].astype(np.int64), edges[:, 1].astype(np.int64), edges[:, 2]
        sources, targets, weights = np.concatenate((i, j)), np.concatenate((j, i)), np.concatenate((w, w))
        order = np.lexsort((targets, sources))
        counts = np.bincount(sources, minlength=nodes)
        starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        return cls(starts, targets[order], np.ascontiguousarray(weights[order]))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def edges_of(self, nodes: Ints) -> tuple[Ints, Ints]:
        """For the edges that leave nodes: the place of the node among `nodes`, and the place of the edge."""
        begins = self.starts[nodes]
        counts = self.starts[nodes + 1] - begins
        owners = np.repeat(np.arange(len(nodes)), counts)
        before = np.repeat(np.cumsum(counts) - counts, counts)
        return owners, np.arange(len(owners)) - before + np.repeat(begins, counts)

    def strengths(self) -> Floats:
        """The sum of the weights of each node."""
        owners = np.repeat(np.arange(len(self)), np.diff(self.starts))
        return np.bincount(owners, weights=self.weights, minlength=len(self)).astype(np.float64)
