"""Approximate vector indexes of the extras `faiss` and `hnsw`, kept in `vectors.faiss` and `vectors.hnsw`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from indx_graph.errors import IndexError_
from indx_graph.nearest import MODULES
from indx_graph.pairs import Ints

__all__ = ["FaissIndex", "HnswIndex"]

Rows = npt.NDArray[np.float32]
_LINKS: Final = 32
_BREADTH: Final = 96


class FaissIndex:
    """A navigable graph of faiss, by inner product."""

    def __init__(self, index: Any) -> None:
        """Hold an index of the library."""
        self._index = index

    @classmethod
    def of(cls, rows: Rows) -> FaissIndex:
        """Index rows; one thread, so that the same rows give the same index."""
        faiss = import_module(MODULES["faiss"])
        faiss.omp_set_num_threads(1)
        index = faiss.IndexHNSWFlat(rows.shape[1], _LINKS, faiss.METRIC_INNER_PRODUCT)
        index.hnsw.efConstruction = _BREADTH
        index.add(np.ascontiguousarray(rows))
        return cls(index)

    @classmethod
    def load(cls, path: Path, rows: int, dimension: int) -> FaissIndex:
        """Open an index that belongs to so many rows.

        Raises:
            IndexError_: `archive_corrupt`.
        """
        faiss = import_module(MODULES["faiss"])
        try:
            index = faiss.read_index(str(path))
        except RuntimeError as error:
            raise IndexError_(f"{path.name} cannot be read: {error}; build the index again") from None
        if index.ntotal != rows or index.d != dimension:
            raise IndexError_(f"{path.name} belongs to other vectors; build the index again")
        return cls(index)

    def search(self, queries: Rows, k: int) -> tuple[Ints, Rows]:
        """The places of the nearest rows of each query and their products; -1 where there are too few."""
        self._index.hnsw.efSearch = max(_BREADTH, 2 * k)  # a narrow search breaks off before k are found
        products, places = self._index.search(np.ascontiguousarray(queries), k)
        return places, products

    def save(self, path: Path) -> None:
        """Write the index."""
        faiss = import_module(MODULES["faiss"])
        faiss.write_index(self._index, str(path))


class HnswIndex:
    """A navigable graph of usearch, by inner product."""

    def __init__(self, index: Any) -> None:
        """Hold an index of the library."""
        self._index = index

    @classmethod
    def _empty(cls, dimension: int) -> Any:
        return import_module(MODULES["hnsw"]).Index(
            ndim=dimension,
            metric="ip",
            dtype="f32",
            connectivity=_LINKS,
            expansion_add=_BREADTH,
            expansion_search=_BREADTH,
        )

    @classmethod
    def of(cls, rows: Rows) -> HnswIndex:
        """Index rows; one thread, so that the same rows give the same index."""
        index = cls._empty(rows.shape[1])
        if len(rows):
            index.add(np.arange(len(rows)), np.ascontiguousarray(rows), threads=1)
        return cls(index)

    @classmethod
    def load(cls, path: Path, rows: int, dimension: int) -> HnswIndex:
        """Open an index that belongs to so many rows.

        Raises:
            IndexError_: `archive_corrupt`.
        """
        index = cls._empty(dimension)
        try:
            index.load(str(path))
        except (RuntimeError, ValueError) as error:
            raise IndexError_(f"{path.name} cannot be read: {error}; build the index again") from None
        if len(index) != rows or index.ndim != dimension:
            raise IndexError_(f"{path.name} belongs to other vectors; build the index again")
        return cls(index)

    def search(self, queries: Rows, k: int) -> tuple[Ints, Rows]:
        """The places of the nearest rows of each query and their products."""
        found = self._index.search(np.ascontiguousarray(queries), k, threads=1)
        keys = np.atleast_2d(np.asarray(found.keys)).astype(np.int64)
        return keys, 1 - np.atleast_2d(np.asarray(found.distances))

    def save(self, path: Path) -> None:
        """Write the index."""
        self._index.save(str(path))
