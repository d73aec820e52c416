"""The approximate backends: their file is in the index, of its vectors, and can be done without."""

from __future__ import annotations

import numpy as np
import pytest

from indx_core.errors import ConfigurationError
from indx_graph import IndexError_, IndexWarning
from indx_graph.backends import FaissIndex, HnswIndex


@pytest.fixture(params=[FaissIndex, HnswIndex], ids=["faiss", "hnsw"])
def kind(request):
    return request.param


@pytest.fixture
def backend(kind):
    return "faiss" if kind is FaissIndex else "hnsw"


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


def test_an_index_of_other_vectors_or_a_damaged_one_is_refused(making, backend, kind):
    making.ingest(backend=backend)
    path = making.folder / f"vectors.{backend}"
    kind.of(np.eye(2, 24, dtype=np.float32)).save(path)
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
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ConfigurationError, match=r"indx-graph\[hnsw\]"):
        making.ingest(embed_fn=embed, backend="hnsw")
    assert embed.asked == []


def test_an_empty_index_has_no_such_file(making, backend):
    making.ingest([], backend=backend)
    assert not (making.folder / f"vectors.{backend}").exists()
    assert making.open().retrieve("anything").chosen == []


def test_the_nearest_of_many_are_found_again_and_the_same_bytes_are_made(kind, tmp_path):
    random = np.random.default_rng(5)
    rows = random.normal(size=(4000, 32)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    queries = rows[:50] + random.normal(scale=0.05, size=(50, 32)).astype(np.float32)
    index = kind.of(rows)
    exact = np.argsort(-(queries @ rows.T), axis=1)[:, :10]
    found, products = index.search(queries, 10)
    assert np.mean([len(set(a) & set(b)) / 10 for a, b in zip(found, exact, strict=True)]) > 0.95
    np.testing.assert_allclose(products[:, 0], np.max(queries @ rows.T, axis=1), atol=1e-4)
    for name in ("one", "two"):
        kind.of(rows).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    again, _ = kind.load(tmp_path / "one", 4000, 32).search(queries, 10)
    np.testing.assert_array_equal(again, found)
