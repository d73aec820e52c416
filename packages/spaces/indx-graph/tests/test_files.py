"""What the folder of an index holds, read as any tool would: json and numpy."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

from indx_core.ports.lanes import Answers, Enrichment, LaneDeclaration
from indx_graph.layout import FILES
from indx_graph.options import SIGNALS, GraphSettings
from indx_testkit.lazy import run_python

KEYS = {
    "id",
    "doc_id",
    "position",
    "section",
    "mode",
    "text",
    "tokens",
    "entities",
    "references",
    "utility_questions",
    "cluster",
}


@pytest.fixture
def index(making):
    making.ingest()
    return making.folder


def load(index, name):
    path = index / name
    return json.loads(path.read_bytes()) if path.suffix == ".json" else np.load(path, allow_pickle=False)


def test_the_exact_backend_writes_these_files_and_no_others(index):
    found = {path.name for path in index.iterdir()}
    assert found == FILES - {"vectors.faiss", "vectors.hnsw"}
    assert {path.suffix for path in index.iterdir()} == {".json", ".npy", ".npz"}


def test_a_chunk_has_these_keys_and_kinds(index, making):
    chunks = load(index, "chunks.json")
    assert [set(chunk) for chunk in chunks] == [KEYS] * len(making.texts)
    first = chunks[0]
    assert (first["id"], first["position"], first["section"]) == ("township", 0, ["Van Hook Township"])
    assert first["mode"] == "structural"
    assert first["tokens"] > 10
    assert first["entities"][0] == "van hook township"
    assert "mountrail county" in first["entities"]
    assert {type(chunk["cluster"]) for chunk in chunks} == {int}
    assert chunks[2]["references"] == ["ref:1"]


def test_a_chunk_says_how_it_was_cut(making):
    making.ingest([{"text": "One.", "mode": "semantic"}, {"text": "Two."}])
    assert [chunk["mode"] for chunk in load(making.folder, "chunks.json")] == ["semantic", "structural"]


def test_embeddings_are_one_unit_row_a_chunk_in_order(index, making):
    rows = load(index, "embeddings.npy")
    assert rows.dtype == np.float32
    assert rows.shape == (len(making.texts), 24)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    expected = making.toy([text["text"] for text in making.texts])
    np.testing.assert_allclose(rows, expected / np.linalg.norm(expected, axis=1)[:, None], atol=1e-6)


def test_edges_are_rows_of_two_chunks_and_a_weight(index, making):
    edges = load(index, "edges.npy")
    assert edges.dtype == np.float64
    assert edges.shape[1] == 3
    assert len(edges)
    i, j, weights = edges.T
    assert (i < j).all()
    assert (j < len(making.texts)).all()
    assert ((weights > 0) & (weights <= 1)).all()
    assert len({(a, b) for a, b in zip(i, j, strict=True)}) == len(edges)


def test_signals_are_the_six_raw_ones(index):
    with np.load(index / "signals.npz", allow_pickle=False) as found:
        assert set(found.files) == set(SIGNALS)
        for name in SIGNALS:
            assert found[name].dtype == np.float64
            assert found[name].shape[1] == 3
            assert ((found[name][:, 2] >= 0) & (found[name][:, 2] <= 1)).all()
        assert len(found["entity"])
        assert not len(found["utility_question"])


def test_coordinates_and_eigenvalues_match(index, making):
    coordinates, values = load(index, "spectral.npy"), load(index, "eigenvalues.npy")
    assert coordinates.dtype == np.float32
    assert coordinates.shape[0] == len(making.texts)
    assert values.shape == (coordinates.shape[1],)
    assert (np.diff(values) >= -1e-9).all()
    assert ((values > 1e-9) & (values <= 2 + 1e-9)).all()


def test_questions_have_vectors_and_owners(making, monkeypatch):
    class Asking:
        declaration = LaneDeclaration("asking", "chunk")

        def enrich(self, texts):
            return Answers([Enrichment(questions=["What is " + t.splitlines()[0] + "?"]) for t in texts])

    monkeypatch.setattr("indx_graph.ingest._enricher", lambda *_: SimpleNamespace(item=Asking()))
    making.ingest(enricher="asking")
    vectors, owners = load(making.folder, "question_vectors.npy"), load(making.folder, "question_owners.npy")
    assert vectors.dtype == np.float32
    assert owners.dtype == np.int64
    assert owners.tolist() == list(range(len(making.texts)))
    assert vectors.shape == (len(owners), 24)
    assert load(making.folder, "chunks.json")[0]["utility_questions"] == ["What is Van Hook Township?"]
    assert load(making.folder, "settings.json")["enricher"] == "asking"


def test_settings_are_those_of_the_build(making):
    making.ingest(max_neighbors=5, weights={"semantic": 0.5})
    written = load(making.folder, "settings.json")
    assert set(written) == set(GraphSettings.model_fields)
    assert (written["max_neighbors"], written["weights"]["semantic"]) == (5, 0.5)
    assert making.open().settings.model_dump(mode="json") == written


def test_the_fingerprint_is_the_vector_of_the_fixed_sentence(index, making):
    probe = load(index, "embedder_probe.npy")
    row = making.toy(["The quick brown fox jumps over the lazy dog."])[0]
    assert probe.dtype == np.float32
    np.testing.assert_allclose(probe, row / np.linalg.norm(row), atol=1e-6)


def test_the_account_states_versions_and_counts(index, making):
    info = load(index, "info.json")
    assert info["format_version"] == 2
    assert info["spectrafuse_version"] == "0.1.0"
    assert info["chunks"] == len(making.texts)
    assert info["edges"] == len(load(index, "edges.npy"))
    assert info["created_at"].endswith("Z")
    assert info["signals"]["entity"] > 0


def test_any_tool_reads_it_with_json_and_numpy(index):
    code = f"""
import json, sys
import numpy as np
from pathlib import Path
folder = Path({str(index)!r})
chunks = json.load(open(folder / "chunks.json", encoding="utf-8"))
shapes = {{p.name: np.load(p, allow_pickle=False).shape for p in folder.glob("*.npy")}}
assert shapes["spectral.npy"][0] == len(chunks)
print(len(chunks), any(name.startswith("indx") for name in sys.modules))
"""
    assert run_python(code).strip() == "6 False"


def test_the_same_input_gives_the_same_bytes_in_every_process_and_under_every_hash_seed(tmp_path, files):
    code = """
import sys
from indx_graph import GraphSettings, SpectRAGIngestion
texts = [{"id": f"t{n}", "title": f"Town {n} Hall", "text": f"Town {n} Hall stands in Road{n % 7} Gate, near "
          f"Town {n // 2} Hall [{n % 5}], says Ada Lovelace of Alpha{n % 11} Works."} for n in range(60)]
SpectRAGIngestion(sys.argv[1], GraphSettings(embedder="hash", tokenizer="estimate")).ingest_texts(texts)
"""
    found = []
    for seed in ("0", "1"):
        folder = tmp_path / seed
        run_python(
            code.replace("sys.argv[1]", repr(str(folder))),
            PYTHONHASHSEED=seed,
            SOURCE_DATE_EPOCH="1700000000",
        )
        found.append(files(folder))
    assert found[0] == found[1]
    assert b"2023-11-14T22:13:20Z" in found[0]["info.json"]
