"""`indx graph`: JSON on standard output, the rest on standard error, and the exit codes of the house."""

from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner

from indx_core.discovery import default_registry
from indx_core.errors import BuildError, ConfigurationError, IndxError, UsageError
from indx_graph import SpectRAGIngestion, SpectRAGRetrieval, rebuild_graph
from indx_graph.command import app
from indx_graph.opening import read_account
from indx_graph.saving import Saving
from indx_graph.tuning import read_questions


@pytest.fixture
def run():
    def call(*arguments):
        result = CliRunner().invoke(app, [str(one) for one in arguments])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


@pytest.fixture
def index(making):
    making.ingest(embed_fn=None, embedder="hash")
    return making.folder


def test_the_command_is_found_by_its_entry_point():
    (found,) = [c for c in default_registry().candidates if c.group == "indx.commands" and c.name == "graph"]
    assert isinstance(found.load(), typer.Typer)


def test_an_unknown_name_of_the_module_is_an_attribute_error():
    import indx_graph.command

    with pytest.raises(AttributeError, match="nothing"):
        _ = indx_graph.command.nothing


def test_without_a_command_the_commands_are_listed(run):
    shown = run()
    assert shown.exit_code == 0
    for name in ("build", "query", "info", "rebuild", "tune", "view"):
        assert f"  {name} " in shown.stdout


def test_build_query_info_and_rebuild_print_one_line_of_json(run, tmp_path, making):
    docs = tmp_path / "docs"
    docs.mkdir()
    for text in making.texts:
        (docs / f"{text['id']}.md").write_text("# " + text["text"])
    out = tmp_path / "graph"
    built = run(
        "build",
        docs,
        "--out",
        out,
        "--embedder",
        "hash",
        "--set",
        "max_neighbors=9",
        "--set",
        "weights.entity=1",
    )
    info = json.loads(built.stdout)
    assert built.stdout.count("\n") == 1
    assert "embed: 6" in built.stderr
    assert info["documents"] == 6
    found = json.loads(run("query", out, "Where is the seat of Mountrail County?", "--budget", "60").stdout)
    assert found["tokens"] <= 60
    assert found["chunks"][0]["section"] == ["Mountrail County"]
    assert found["chunks"][0]["reason"]["text"]
    settings = json.loads(run("info", out).stdout)["settings"]
    assert (settings["max_neighbors"], settings["weights"]["entity"]) == (9, 1.0)
    again = json.loads(run("rebuild", out, "--set", "weighting=calibrated").stdout)
    assert again["weights"] != info["weights"]
    assert len(json.loads(run("query", out, "seat", "-k", "1").stdout)["chunks"]) == 1


def test_tune_reads_a_question_file(run, index, tmp_path):
    file = tmp_path / "questions.jsonl"
    lines = [
        {"question": f"Where is {name}?", "chunks": [name]} for name in ("stanley", "county", "river", "orth")
    ]
    file.write_text("\n".join(map(json.dumps, lines)))
    found = run("tune", index, file, "--quiet")
    assert json.loads(found.stdout)["questions"] == 4
    assert found.stderr == ""


def test_view_writes_a_page_and_says_where(run, index, tmp_path):
    page = tmp_path / "page.html"
    assert json.loads(run("view", index, "--out", page, "--nodes", "3").stdout) == {
        "page": str(page),
        "chunks": 6,
        "shown": 3,
    }
    assert page.read_text("utf-8").startswith("<!doctype html>")


def test_what_is_warned_of_is_a_line_on_standard_error(run, index):
    index.rename(index.with_name("index.old"))
    found = run("info", index)
    assert json.loads(found.stdout)["chunks"] == 6
    assert found.stderr.startswith("indx: ")
    assert "missing" in found.stderr


def outcome(run, *arguments):
    with pytest.raises(IndxError) as caught:
        run(*arguments)
    return type(caught.value), caught.value.exit_code


EMPTY = (
    ("build", "", "--out", "graph"),
    ("build", "docs", "--out", ""),
    ("query", "", "words"),
    ("rebuild", ""),
    ("tune", "", "questions.jsonl"),
    ("tune", "index", ""),
    ("info", ""),
    ("view", ""),
    ("view", "index", "--out", ""),
)


@pytest.mark.parametrize("arguments", EMPTY)
def test_an_empty_path_is_not_the_current_folder(run, index, monkeypatch, arguments):
    monkeypatch.chdir(index)  # an index, which each of them would otherwise have found
    before = sorted(index.iterdir())
    refused = run(*(str(index) if given == "index" else given for given in arguments))
    assert refused.exit_code == 2
    told = " ".join(refused.stderr.replace("│", " ").split())
    assert "the path is empty; name one, or '.' for the current folder" in told
    assert sorted(index.iterdir()) == before


@pytest.mark.parametrize(
    "use", [SpectRAGRetrieval, SpectRAGIngestion, rebuild_graph, read_account, read_questions]
)
def test_an_empty_path_is_not_the_current_folder_in_python_either(index, monkeypatch, use):
    monkeypatch.chdir(index)
    with pytest.raises(UsageError, match="the path is empty"):
        use("")


def test_an_empty_source_is_not_the_current_folder(making, monkeypatch, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A")
    monkeypatch.chdir(tmp_path / "docs")
    making.ingest(embed_fn=None, embedder="hash")
    for asked in (SpectRAGIngestion(making.folder).ingest, SpectRAGIngestion(making.folder).ingest_folder):
        with pytest.raises(UsageError, match="the path is empty"):
            asked("")


def test_failures_exit_as_everywhere(run, index, tmp_path):
    assert outcome(run, "build", tmp_path / "none", "-o", tmp_path / "out") == (UsageError, 2)
    assert outcome(run, "query", index, "x", "--set", "hops") == (UsageError, 2)
    assert outcome(run, "query", index, "x", "--set", "hops=many") == (ConfigurationError, 3)
    assert outcome(run, "build", index, "-o", tmp_path / "out", "--embedder", "none") == (
        ConfigurationError,
        3,
    )
    assert outcome(run, "info", tmp_path / "none")[1] == 4
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a.txt").write_text("x")
    assert outcome(run, "build", index, "-o", tmp_path / "mine", "--embedder", "hash")[1] == 4
    with Saving(index):
        assert outcome(run, "rebuild", index) == (BuildError, 1)
