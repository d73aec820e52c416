"""Building again: the same bytes, only what changed is read, and a killed build leaves a whole space."""

import json
import os
import random
import signal
import subprocess
import sys

import pytest

from indx import KnowledgeSpace


def snapshot(out):
    return {
        str(p.relative_to(out)): p.read_bytes()
        for p in out.rglob("*")
        if p.is_file() and p.name != ".indx.lock"
    }


@pytest.mark.parametrize("seeds", [("0", "1")])
def test_two_builds_are_byte_identical_whatever_the_hash_seed_and_the_jobs(indx, folder, tmp_path, seeds):
    outs = []
    for number, seed in enumerate(seeds):
        out = tmp_path / f"out{number}"
        done = indx(folder, "--out", out, "--no-cache", "--jobs", number + 1, PYTHONHASHSEED=seed)
        assert done.code == 0, done.err
        outs.append(snapshot(out))
    assert outs[0] == outs[1]


def test_a_build_over_a_warm_cache_gives_the_same_bytes_and_reads_nothing(indx, folder, tmp_path, built):
    before = snapshot(built.out)
    again = indx(folder, "--out", built.out, "--json")
    assert (again.json["parsed"], again.json["documents"]) == (0, built.account["documents"])
    assert snapshot(built.out) == before
    cold = indx(folder, "--out", tmp_path / "cold", "--no-cache")
    assert cold.code == 0
    assert snapshot(tmp_path / "cold") == before


def test_after_one_edit_one_file_is_read(indx, folder, built):
    page = folder / "policies" / "retention.md"
    page.write_text(page.read_text("utf-8").replace("90 days", "45 days"), "utf-8")
    again = indx(folder, "--out", built.out, "--json")
    assert again.json["parsed"] == 1
    with KnowledgeSpace.load(built.archive) as space:
        assert "45 days" in space.search("retained", k=1)[0].chunk.text


def test_a_touched_file_is_not_read_as_changed(indx, folder, built):
    before = snapshot(built.out)
    for path in folder.rglob("*"):
        if path.is_file():
            os.utime(path, (1, 1))
    assert indx(folder, "--out", built.out, "--json").json["parsed"] == 0
    assert snapshot(built.out) == before


def test_a_removed_file_leaves_nothing_behind(indx, folder, built):
    (folder / "scans" / "report.pdf").unlink()
    assert indx(folder, "--out", built.out).code == 0
    index = json.loads((built.out / "index.json").read_bytes())
    assert "scans/report.pdf" not in {d["path"] for d in index["documents"]}
    assert len(list((built.out / "chunks").glob("*.json"))) == index["stats"]["chunks"]


def test_another_embedder_embeds_everything_again(indx, folder, built):
    done = indx(folder, "--out", built.out, "--space", "default-text", "--json")
    assert done.json["parsed"] == 0
    index = json.loads((built.out / "index.json").read_bytes())
    assert index["metadata"]["embedder"]["name"] == "default-text"
    with KnowledgeSpace.load(built.archive) as space:
        assert space.search("walnuts", k=1, mode="semantic")[0].source.path == "office/contract.docx"


def test_without_vectors_there_are_none_anywhere(indx, folder, tmp_path):
    out = tmp_path / "plain"
    assert indx(folder, "--out", out, "--no-embed").code == 0
    index = json.loads((out / "index.json").read_bytes())
    assert not (out / "embeddings").exists()
    assert "embedder" not in index["metadata"]
    assert "embed_dim" not in index["stats"]
    assert indx("query", out, "walnuts", "--json").json["hits"][0]["source"]["path"] == "office/contract.docx"
    refused = indx("query", out, "walnuts", "--mode", "semantic", "--json")
    assert refused.code != 0
    assert "Traceback" not in refused.err


def test_a_killed_build_leaves_the_old_space_or_the_new_one(indx, environment, folder, built):
    """Five kills at random moments; `scripts/deep/kill` does many more."""
    chance = random.Random(20240607)
    command = [sys.executable, "-m", "indx", str(folder), "--out", str(built.out), "--quiet", "--no-cache"]
    page = folder / "index.md"
    for number in range(5):
        page.write_text(f"# Handbook\n\nRound {number}.\n", "utf-8")
        child = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        try:
            child.wait(timeout=chance.uniform(0.2, 1.5))
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
            child.wait()
        with KnowledgeSpace.load(built.archive) as space:
            assert space.search("walnuts", k=1)
    assert indx(folder, "--out", built.out).code == 0
    index = (built.out / "index.json").read_bytes()
    assert b"Round 4" in index
    import zipfile

    with zipfile.ZipFile(built.archive) as archive:
        assert archive.read("index.json") == index
