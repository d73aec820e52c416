"""The approximate backends: their file is in the index, of its vectors, and can be done without."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from indx_core.errors import ConfigurationError
from indx_graph import IndexError_, IndexWarning


class Flat:
    """Compares everything; what faiss and usearch offer, as far as it is asked for."""

    def __init__(self, ndim, *_, **more):
        self.ndim = self.d = ndim
        self.hnsw = SimpleNamespace()
        self.rows = np.zeros((0, ndim), np.float32)

    # usearch
    def __len__(self):
        return len(self.rows)

    def add(self, keys, rows=None, threads=1):
        self.rows = np.array(keys if rows is None else rows, np.float32)

    def save(self, path):
        with open(path, "wb") as file:  # noqa: PTH123
            np.save(file, self.rows)

    def load(self, path):
        try:
            with open(path, "rb") as file:  # noqa: PTH123
                self.rows = np.load(file)
        except (ValueError, EOFError) as error:
            raise RuntimeError(str(error)) from None
        self.ndim = self.d = self.rows.shape[1]

    def search(self, queries, k, threads=1):
        products = queries @ self.rows.T
        order = np.argsort(-products, axis=1, kind="stable")[:, :k]
        found = np.take_along_axis(products, order, axis=1)
        return SimpleNamespace(keys=order.astype(np.uint64), distances=1 - found)

    # faiss
    @property
    def ntotal(self):
        return len(self.rows)


class FaissFlat(Flat):
    def search(self, queries, k):
        found = super().search(queries, k)
        return 1 - found.distances, found.keys.astype(np.int64)


def read_index(path):
    made = FaissFlat(1)
    made.load(path)
    return made


@pytest.fixture(params=["faiss", "hnsw"])
def backend(request, monkeypatch):
    faiss = SimpleNamespace(
        IndexHNSWFlat=FaissFlat,
        METRIC_INNER_PRODUCT=0,
        omp_set_num_threads=lambda n: None,
        read_index=read_index,
        write_index=lambda index, path: index.save(path),
    )
    monkeypatch.setitem(sys.modules, "faiss", faiss)
    monkeypatch.setitem(sys.modules, "usearch", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "usearch.index", SimpleNamespace(Index=lambda **facts: Flat(**facts)))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    return request.param


def test_only_its_own_file_stands_in_the_index(making, backend):
    making.ingest(backend=backend)
    found = {path.name for path in making.folder.iterdir() if path.name.startswith("vectors")}
    assert found == {f"vectors.{backend}"}


def test_it_answers_as_comparing_everything_does(making, backend, tmp_path):
    making.ingest(backend=backend)
    making.ingest(folder=tmp_path / "exact")
    for question in ("Where is the seat of the county?", "Who built the courthouse?"):
        near = making.open().search(question, k=6)
        exact = making.open(tmp_path / "exact").search(question, k=6)
        assert [one.chunk.id for one in near] == [one.chunk.id for one in exact]


def test_an_index_of_other_vectors_or_a_damaged_one_is_refused(making, backend):
    making.ingest(backend=backend)
    path = making.folder / f"vectors.{backend}"
    with path.open("wb") as file:
        np.save(file, np.ones((2, 24), np.float32))
    with pytest.raises(IndexError_, match="belongs to other vectors"):
        making.open()
    path.write_bytes(b"noise")
    with pytest.raises(IndexError_, match="cannot be read"):
        making.open()


def test_without_the_extra_an_index_is_opened_and_all_is_compared(making, backend, monkeypatch):
    making.ingest(backend=backend)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.warns(IndexWarning, match="all vectors are compared"):
        assert making.open().search("seat", k=1)


def test_without_the_extra_an_ingest_is_refused_before_any_work(making, monkeypatch):
    embed = making.Toy()
    with pytest.raises(ConfigurationError, match=r"indx-graph\[hnsw\]"):
        making.ingest(embed_fn=embed, backend="hnsw")
    assert embed.asked == []


def test_an_empty_index_has_no_such_file(making, backend):
    making.ingest([], backend=backend)
    assert not (making.folder / f"vectors.{backend}").exists()
    assert making.open().retrieve("anything").chosen == []
