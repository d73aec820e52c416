"""Directories through engines: scans become a space to search, and what an embedder cannot do is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from indx_testkit.serving import Asked, ModelServer, Response, vectors

PAGES = {
    "deeds/harbour.pdf": ("The harbour of Stanley", "was sold in 1913"),
    "deeds/mill.png": ("The mill at the river", "burned down twice"),
    "letters.tiff": ("Dear Margaret", "the cranes have arrived"),
}
QUICK = {"INDX_LANGUAGE_CANDIDATES": "en,ja"}


def picture(*lines: str) -> Image.Image:
    page = Image.new("RGB", (1000, 500), "white")
    for number, line in enumerate(lines):
        font = ImageFont.load_default(size=48)
        ImageDraw.Draw(page).text((60, 80 + 90 * number), line, "black", font)
    return page


@pytest.fixture
def scans(tmp_path: Path) -> Path:
    """Scans in three formats, and a note beside them that nobody has to recognise."""
    folder = tmp_path / "scans"
    for name, lines in PAGES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        picture(*lines).save(path, dpi=(150, 150), **({"resolution": 150} if path.suffix == ".pdf" else {}))
    (folder / "note.md").write_text("# Note\n\nThe archive is closed on Mondays.\n", "utf-8")
    return folder


def built(engines, folder: Path, out: Path, *flags: str, code: int = 0, **environment: str):
    """What a build tells of itself, and the space it wrote."""
    command = ("indx", "build", folder, "--out", out, "--json", *flags)
    ran = engines.run(*command, code=code, **QUICK, **environment)
    assert "Traceback" not in ran.stderr
    return json.loads(ran.stdout), json.loads((out / "index.json").read_text("utf-8"))


def found(engines, out: Path, query: str, mode: str = "lexical") -> list[str]:
    ran = engines.run("indx", "query", out, query, "--mode", mode, "--json", **QUICK)
    return [Path(hit["source"]["path"]).name for hit in json.loads(ran.stdout)["hits"]]


def test_a_directory_of_scans_becomes_a_space_that_is_searched(engines, scans, tmp_path):
    _, index = built(engines, scans, tmp_path / "out", "--no-embed")
    assert index["metadata"]["errors"] == []
    assert len(index["documents"]) == 4
    for query, name in [("Stanley", "harbour.pdf"), ("burned river", "mill.png"), ("cranes", "letters.tiff")]:
        assert found(engines, tmp_path / "out", query)[0] == name


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in {"a": "All is well.", "b": "This one is poison.", "c": "All is well again."}.items():
        (folder / f"{name}.md").write_text(f"# {name}\n\n{text}\n", "utf-8")
    return folder


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model of vectors that does not take what is poison."""

    def answer(asked: Asked) -> Response:
        if any("poison" in text for text in asked.body["input"]):
            return Response({"error": {"message": "no"}}, status=400)
        return vectors(
            [[1.0, 2.0, 2.0]] * len(asked.body["input"]), headers={"x-litellm-response-cost": "0.5"}
        )

    with ModelServer() as running:
        running.will(answer)
        yield running


def hosted(address: str) -> dict[str, str]:
    return {
        "INDX_EMBED_MODEL": "openai/trial",
        "INDX_EMBED_DIMENSION": "3",
        "INDX_EMBED_API_BASE": address,
        "INDX_EMBED_RETRIES": "0",
        "INDX_EMBED_TIMEOUT_SECONDS": "5",
    }


def test_a_text_that_the_embedder_does_not_take_is_told_and_has_no_vector(engines, notes, server, tmp_path):
    told, index = built(engines, notes, tmp_path / "out", "--space", "hosted-text", **hosted(server.address))
    (error,) = index["metadata"]["errors"]
    assert error["path"] == "b.md"
    assert index["stats"]["embed_dim"] == 3
    assert index["metadata"]["embedder"]["dim"] == 3
    assert told["embeddings"] == len(index["chunks"]) - 1
    assert told["cost_usd"] > 0
    assert found(engines, tmp_path / "out", "poison") == ["b.md"], "its words are found"


def test_where_the_embedder_is_gone_the_space_is_searched_by_words_and_says_what_it_lacks(
    engines, notes, tmp_path
):
    told, index = built(
        engines, notes, tmp_path / "out", "--space", "hosted-text", **hosted("http://127.0.0.1:9/v1")
    )
    assert told["embeddings"] == 0
    assert {error["path"] for error in index["metadata"]["errors"]} == {"a.md", "b.md", "c.md"}
    assert all("INDX_EMBED_API_BASE" in error["message"] for error in index["metadata"]["errors"])
    assert "embed_dim" not in index["stats"]
    assert found(engines, tmp_path / "out", "again") == ["c.md"]


def test_offline_without_its_model_a_space_is_refused_before_any_work(engines, notes, tmp_path):
    command = ("indx", "build", notes, "--out", tmp_path / "out", "--space", "minilm-multilingual")
    ran = engines.run(*command, code=3, HF_HUB_OFFLINE="1", HF_HUB_CACHE=str(tmp_path / "hub"), **QUICK)
    assert "hf download Qdrant/paraphrase-multilingual-MiniLM-L12-v2-onnx-Q" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not (tmp_path / "out").exists()
