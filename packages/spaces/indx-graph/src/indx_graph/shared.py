"""Which chunks share terms: a sparse table of chunks and terms, and the edges that it makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from indx_graph.pairs import Edges, Floats, no_edges, pairs

if TYPE_CHECKING:
    import scipy.sparse as sp

__all__ = ["shared_terms", "strongest"]

_BLOCK: Final = 2_000
_DIGITS: Final = 9


def shared_terms(
    terms: Sequence[Mapping[str, float]],
    *,
    weighting: Literal["rarity", "count"],
    most: int,
    neighbors: int,
) -> Edges:
    """Edges between chunks that share terms, each chunk with those it shares most with.

    By rarity a term counts the more the fewer chunks have it, and what passes from a chunk over a term is
    parted among those that have it. By count each shared term counts 1.

    Args:
        terms: The terms of each chunk and how much each belongs to it.
        weighting: How a shared term counts.
        most: Terms of more chunks than these tie nothing together.
        neighbors: How many edges a chunk asks for; it may be asked by others for more.

    Returns:
        Edges with scores in 0..1, the largest 1.
    """
    table = _table(terms, weighting, most)
    if table is None:
        return no_edges()
    over = table.T.tocsr()
    if weighting == "rarity":
        import scipy.sparse as sp

        over = sp.diags(1 / np.asarray(over.sum(axis=1)).ravel()) @ over
    left, right, scores = [], [], []
    for start in range(0, table.shape[0], _BLOCK):
        rows, columns, values = strongest((table[start : start + _BLOCK] @ over).tocsr(), neighbors, start)
        left.append(rows)
        right.append(columns)
        scores.append(values)
    edges = pairs(np.concatenate(left), np.concatenate(right), np.concatenate(scores))
    if len(edges):
        edges[:, 2] = np.round(edges[:, 2] / edges[:, 2].max(), _DIGITS)
    return edges


def _table(terms: Sequence[Mapping[str, float]], weighting: str, most: int) -> sp.csr_array | None:
    """Chunks by terms that tie chunks together; None where there are none."""
    import scipy.sparse as sp

    counts: dict[str, int] = {}
    for mine in terms:
        for term in mine:
            counts[term] = counts.get(term, 0) + 1
    kept = sorted(term for term, count in counts.items() if 2 <= count <= max(most, 2))
    if not kept:
        return None
    numbers = {term: number for number, term in enumerate(kept)}
    rows, columns, values = [], [], []
    for place, mine in enumerate(terms):
        for term, share in mine.items():
            number = numbers.get(term)
            if number is not None:
                rows.append(place)
                columns.append(number)
                values.append(share if weighting == "rarity" else 1.0)
    data = np.array(values)
    if weighting == "rarity":
        rarity = np.log1p(len(terms) / np.array([counts[term] for term in kept]))
        data *= rarity[columns]
    return sp.csr_array((data, (rows, columns)), shape=(len(terms), len(kept)))


def strongest(block: Any, k: int, first: int) -> tuple[Any, Any, Floats]:
    """The `k` largest entries of each row of a sparse block, loops apart, equal ones by column.

    Args:
        block: Rows of a larger table.
        k: How many of each.
        first: The place of the first row in the larger table.
    """
    block.sort_indices()
    rows, columns, values = [], [], []
    for row in range(block.shape[0]):
        start, end = block.indptr[row], block.indptr[row + 1]
        others = block.indices[start:end]
        apart = others != first + row
        others, mine = others[apart], np.round(block.data[start:end][apart], _DIGITS)
        if len(mine) > k:
            least = np.partition(mine, len(mine) - k)[len(mine) - k]
            above = mine > least
            level = np.flatnonzero(mine == least)[: k - int(above.sum())]
            above[level] = True
            others, mine = others[above], mine[above]
        rows.append(np.full(len(mine), first + row))
        columns.append(others)
        values.append(mine)
    return np.concatenate(rows), np.concatenate(columns), np.concatenate(values)
