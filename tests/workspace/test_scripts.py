"""The scripts are few, short and whole; the gate uses them and nothing beside them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

NAMED = {"setup", "check", "test", "build", "release", "new-provider", "adr-new", "warm", "corpus", "docs"}


def run(*command, cwd, check=True, **environment):
    ran = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not check or ran.returncode == 0, f"{command}:\n{ran.stdout}{ran.stderr}"
    return ran


def test_the_scripts_of_the_design_are_there(root):
    assert {path.name for path in (root / "scripts").iterdir() if path.is_file()} == NAMED


def test_a_script_is_executable_and_short(script):
    text = script.read_text("utf-8")
    assert os.access(script, os.X_OK)
    assert re.match(r"#!/usr/bin/env (bash|python3)\n", text)
    assert len(text.splitlines()) < 60


def test_the_gate_runs_the_same_scripts(root):
    gate = root / ".ci/run"
    assert os.access(gate, os.X_OK)
    steps = re.findall(r'^step "[^"]+" scripts/(.+)$', gate.read_text("utf-8"), re.MULTILINE)
    assert steps == ["setup", "check", "test", "build", "warm", "test install", "test deep --ci"]


def test_shell_scripts_parse(root):
    for path in [*(root / "scripts").iterdir(), root / ".ci/run"]:
        if path.is_file() and path.read_text("utf-8").startswith("#!/usr/bin/env bash"):
            run("bash", "-n", path, cwd=root)


def test_setup_says_how_extras_are_named_and_that_it_takes_out_the_others(root, tmp_path):
    for ask in ("-h", "--help"):
        told = run(root / "scripts/setup", ask, cwd=tmp_path).stdout
        assert told.startswith("Makes the environment")
        assert "scripts/setup --extra ocr --extra lang" in told
        assert "--inexact" in told
        assert "set -euo" not in told


def test_setup_hands_every_extra_to_one_exact_sync(root, tmp_path):
    tree = copy_of(root, tmp_path)
    stub = tree / "bin/uv"
    stub.parent.mkdir()
    stub.write_text('#!/bin/sh\necho "uv $*"\n')
    stub.chmod(0o755)
    path = f"{stub.parent}{os.pathsep}{os.environ['PATH']}"
    ran = run(tree / "scripts/setup", "--extra", "ocr", "--extra", "lang", cwd=tree, PATH=path)
    assert ran.stdout.splitlines() == ["uv --version", "uv sync --frozen --extra ocr --extra lang"]


def copy_of(root, tmp_path):
    """The scripts and one member, in a tree of their own."""
    for name in ("scripts", "adr", "packages/chunkers/indx-chunker-page"):
        shutil.copytree(root / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "pyproject.toml", tmp_path)
    return tmp_path


def test_a_new_record_takes_the_next_number(root, tmp_path):
    tree = copy_of(root, tmp_path)
    before = len(list((tree / "adr").iterdir()))
    run(sys.executable, "scripts/adr-new", "Pages count from one, always", cwd=tree)
    made = tree / f"adr/{before + 1:04}-pages-count-from-one-always.md"
    assert made.read_text("utf-8").startswith(f"# {before + 1}. Pages count from one, always\n")


def test_a_record_without_a_title_is_refused(root, tmp_path):
    tree = copy_of(root, tmp_path)
    ran = run(sys.executable, "scripts/adr-new", "!!", cwd=tree, check=False)
    assert ran.returncode == 2
    assert "title" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_release_needs_something_to_tell(root, tmp_path):
    tree = copy_of(root, tmp_path)
    ran = run(
        sys.executable, "scripts/release", "indx-chunker-page", "0.1.1", "--only-edit", cwd=tree, check=False
    )
    assert ran.returncode == 2
    assert "## Unreleased" in ran.stderr


def test_a_release_moves_the_version_and_the_changelog_together(root, tmp_path):
    tree = copy_of(root, tmp_path)
    member = tree / "packages/chunkers/indx-chunker-page"
    log = member / "CHANGELOG.md"
    log.write_text(
        log.read_text("utf-8").replace("# Changelog\n", "# Changelog\n\n## Unreleased\n\nBetter.\n", 1)
    )
    run(sys.executable, "scripts/release", "indx-chunker-page", "0.1.1", "--only-edit", cwd=tree)
    assert 'version = "0.1.1"' in (member / "pyproject.toml").read_text("utf-8")
    assert log.read_text("utf-8").startswith("# Changelog\n\n## 0.1.1\n\nBetter.\n")


def test_a_release_never_goes_back(root, tmp_path):
    tree = copy_of(root, tmp_path)
    for version in ("0.1.0", "0.0.9", "next"):
        ran = run(
            sys.executable,
            "scripts/release",
            "indx-chunker-page",
            version,
            "--only-edit",
            cwd=tree,
            check=False,
        )
        assert ran.returncode == 2, version
        assert repr(version) in ran.stderr
