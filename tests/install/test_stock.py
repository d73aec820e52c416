"""What the two documented installs bring, and what each can do with no network."""

from __future__ import annotations

import json

BEYOND_STANDARD = {
    "onnxruntime",
    "rapidocr",
    "litellm",
    "fastembed",
    "torch",
    "boto3",
    "lingua-language-detector",
}


def test_a_plain_install_brings_no_loader_reader_or_runtime_of_models(wheels, environment):
    environment.install(wheels["indx"].pin)
    installed = environment.names()
    assert not installed & BEYOND_STANDARD
    providers = {
        n
        for n in installed & wheels.keys()
        if n.startswith(("indx-loader-", "indx-reader-", "indx-chunker-"))
    }
    assert not providers
    assert "indx-embed-hash" in installed


def test_a_plain_install_resolves_nothing_and_says_what_to_install(wheels, environment, tmp_path):
    environment.install(wheels["indx"].pin)
    snapshot = json.loads(environment.run("indx", "capabilities").stdout)
    assert snapshot["resolvable"]["schemes"] == []
    assert snapshot["chunkers"] == []
    assert [space["id"] for space in snapshot["embedding_spaces"]] == ["default-text"]
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("# One\n\nWords.\n", "utf-8")
    refused = environment.run("indx", tmp_path / "docs", "--out", tmp_path / "out", code=3)
    assert "indx[standard]" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not (tmp_path / "out").exists()


def test_a_standard_install_builds_and_searches_a_space(wheels, environment, tmp_path):
    environment.install(f"indx[standard]=={wheels['indx'].version}")
    environment.check()
    installed = environment.names()
    assert not installed & BEYOND_STANDARD
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/leave.md").write_text("# Leave\n\nHolidays are asked for in writing.\n", "utf-8")
    (tmp_path / "docs/pay.md").write_text("# Pay\n\nSalaries are paid on the last Friday.\n", "utf-8")
    environment.run("indx", tmp_path / "docs", "--out", tmp_path / "out", "--name", "handbook")
    assert (tmp_path / "out/handbook.indx").is_file()
    found = environment.run("indx", "query", tmp_path / "out/handbook.indx", "salaries", "--json").stdout
    assert "last Friday" in found
