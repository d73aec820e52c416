"""The nearest rows of each row by inner product: exactly, in cells where there are many, or by an extra.

Cells keep the cost near linear: rows are parted around centres, and each row is compared with those of its
own cell and of the cells nearest to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from indx_core.errors import ConfigurationError
from indx_graph.pairs import Ints

__all__ = ["EXACT_ROWS", "MODULES", "approximate", "nearest_pairs", "require"]

Rows = npt.NDArray[np.float32]

EXACT_ROWS: Final = 20_000
"""More rows than these are compared in cells."""
_BLOCK: Final = 4_000_000
_CELL: Final = 400
_NEAR_CELLS: Final = 6
_ROUNDS: Final = 4
MODULES: Final = {"faiss": "faiss", "hnsw": "usearch.index"}
"""The module that each extra brings."""


def nearest_pairs(
    rows: Rows, k: int, *, backend: str = "exact", seed: int = 0, limit: int = EXACT_ROWS
) -> tuple[Ints, Ints, npt.NDArray[np.float32]]:
    """For each row its `k` nearest others: the row, the other and their product.

    Args:
        rows: Vectors of length 1.
        k: How many others of each.
        backend: `exact`, `faiss` or `hnsw`.
        seed: Where the centres of cells are drawn from.
        limit: Above how many rows `exact` compares in cells.
    """
    if len(rows) < 2:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32)
    if backend != "exact":
        found = approximate(backend, rows).search(rows, min(k + 1, len(rows)))
        near, products = found
        sources = np.repeat(np.arange(len(rows)), near.shape[1])
        kept = (near.ravel() >= 0) & (near.ravel() != sources)
        return sources[kept], near.ravel()[kept], products.ravel()[kept]
    parts = list(_compare(rows, k, seed, limit))
    left, right, products = (np.concatenate([part[place] for part in parts]) for place in range(3))
    return left, right, products


def _compare(rows: Rows, k: int, seed: int, limit: int) -> Iterator[tuple[Ints, Ints, Any]]:
    everything = np.arange(len(rows))
    if len(rows) <= limit:
        step = max(1, _BLOCK // len(rows))
        for start in range(0, len(rows), step):
            yield _block(rows, everything[start : start + step], everything, k)
        return
    for members, others in _cells(rows, seed):
        yield _block(rows, members, others, k)


def _block(rows: Rows, members: Ints, others: Ints, k: int) -> tuple[Ints, Ints, Any]:
    """The nearest among `others` of each of `members`, equal ones by place."""
    products = np.round(rows[members] @ rows[others].T, 6)
    products[members[:, None] == others[None, :]] = -np.inf
    k = min(k, len(others) - 1)
    if k < 1:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32)
    best = np.argpartition(-products, k - 1, axis=1)[:, :k]
    values = np.take_along_axis(products, best, axis=1)
    return np.repeat(members, k), others[best].ravel(), values.ravel()


def _cells(rows: Rows, seed: int) -> Iterator[tuple[Ints, Ints]]:
    """Each cell's members, and the rows they are compared with."""
    draw = np.random.default_rng(seed)
    count = len(rows) // _CELL
    centers = rows[np.sort(draw.choice(len(rows), count, replace=False))].copy()
    sample = rows[np.sort(draw.choice(len(rows), min(len(rows), 64 * count), replace=False))]
    for _ in range(_ROUNDS):
        owners = _owners(sample, centers)
        sums = np.zeros_like(centers)
        np.add.at(sums, owners, sample)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centers = np.where(lengths > 0, sums / np.maximum(lengths, 1e-12), centers).astype(np.float32)
    owners = _owners(rows, centers)
    order = np.argsort(owners, kind="stable")
    bounds = np.searchsorted(owners[order], np.arange(count + 1))
    cells = [np.sort(order[bounds[cell] : bounds[cell + 1]]) for cell in range(count)]
    near = np.argsort(-(centers @ centers.T), axis=1, kind="stable")[:, : _NEAR_CELLS + 1]
    for cell, members in enumerate(cells):
        others = np.sort(np.concatenate([cells[one] for one in near[cell]] + [members]))
        for start in range(0, len(members), 4 * _CELL):
            yield members[start : start + 4 * _CELL], np.unique(others)


def _owners(rows: Rows, centers: Rows) -> Ints:
    step = max(1, _BLOCK // len(centers))
    found = [np.argmax(rows[start : start + step] @ centers.T, axis=1) for start in range(0, len(rows), step)]
    return np.concatenate(found)


def require(backend: str) -> None:
    """Check that what a backend needs is installed.

    Raises:
        ConfigurationError: `unknown_component`.
    """
    from importlib.util import find_spec

    if backend != "exact" and find_spec(MODULES[backend].partition(".")[0]) is None:
        raise ConfigurationError(
            f'backend {backend!r} is not installed: pip install "indx-graph[{backend}]", or choose "exact"',
            code="unknown_component",
        )


def approximate(backend: str, rows: Rows) -> Any:
    """An approximate index of rows: `search(queries, k)` answers places and products, `save(path)` writes it.

    Raises:
        ConfigurationError: `unknown_component`.
    """
    require(backend)
    from indx_graph.backends import FaissIndex, HnswIndex

    return FaissIndex.of(rows) if backend == "faiss" else HnswIndex.of(rows)
