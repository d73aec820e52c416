"""What `scripts/new-provider` writes holds every rule of the workspace as it stands."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib

import pytest

PORTS = ("chunker", "classifier", "embedder", "enricher", "loader", "reader", "writer")
RULES = ("names", "members", "settings", "dependencies")


def run(*command, cwd, code=0, **environment):
    ran = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code, f"{command}:\n{ran.stdout}{ran.stderr}"
    return ran


def tool(name, *arguments, tree, **environment):
    return run(sys.executable, "-m", name, *arguments, cwd=tree, **environment)


@pytest.fixture(scope="module")
def tree(root, tmp_path_factory):
    """A workspace of the core, the kits and one new member for each port."""
    folder = tmp_path_factory.mktemp("tree")
    ignore = shutil.ignore_patterns("__pycache__")
    for name in ("scripts", "tests/workspace", "packages/core"):
        shutil.copytree(root / name, folder / name, ignore=ignore)
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(root / name, folder)
    (folder / ".venv").symlink_to(sys.prefix)
    for port in PORTS:
        run(sys.executable, "scripts/new-provider", port, "sea-shanty", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def environment(tree):
    """The environment in which the new members can be imported."""
    sources = [str(path) for path in sorted(tree.glob("packages/*/*/src"))]
    return {"PYTHONPATH": os.pathsep.join(sources), "PYTHONDONTWRITEBYTECODE": "1"}


def test_there_is_a_template_for_every_port_named(root):
    assert {path.parent.name for path in root.glob("scripts/templates/*/port.json")} == set(PORTS)


def test_the_code_is_formatted_linted_and_typed(tree, tmp_path):
    made = sorted(tree.glob("packages/*/*-sea-shanty"))
    assert len(made) == len(PORTS)
    tool("ruff", "format", "--check", *made, tree=tree)
    tool("ruff", "check", *made, tree=tree)
    tool("mypy", "--cache-dir", tmp_path, *(path / "src" for path in made), tree=tree)


def test_its_own_tests_pass(tree, environment):
    made = sorted(tree.glob("packages/*/*-sea-shanty"))
    ran = tool("pytest", "-q", "-p", "no:cacheprovider", *made, tree=tree, **environment)
    assert "skipped" not in ran.stdout


def test_the_rules_of_the_workspace_hold_for_it(tree, environment):
    rules = [f"tests/workspace/test_{name}.py" for name in RULES]
    tool("pytest", "-q", "-p", "no:cacheprovider", "-k", "sea-shanty", *rules, tree=tree, **environment)


def test_it_is_entered_beside_the_other_providers(root, tree):
    before = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]
    after = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["tool"]
    made = {path.name for path in tree.glob("packages/*/*-sea-shanty")}
    assert after["uv"]["sources"].keys() == before["uv"]["sources"].keys() | made
    modules = {name.replace("-", "_") for name in made}
    assert set(after["importlinter"]["root_packages"]) >= modules
    for old, new in zip(before["importlinter"]["contracts"], after["importlinter"]["contracts"], strict=True):
        for key, names in old.items():
            if isinstance(names, list):
                added = modules if "indx_loader_file" in names else set()
                assert set(new[key]) == set(names) | added, f"{old['id']}: {key}"


def test_a_package_of_ones_own_is_no_member(root, tmp_path):
    before = (root / "pyproject.toml").read_bytes()
    ran = run(
        sys.executable, root / "scripts/new-provider", "chunker", "poems", "--out", tmp_path, cwd=tmp_path
    )
    project = tomllib.loads((tmp_path / "indx-chunker-poems/pyproject.toml").read_text("utf-8"))
    assert project["project"]["dependencies"][0].startswith("indx-core>=")
    assert project["dependency-groups"]["dev"][0].startswith("indx-testkit>=")
    assert "uv" not in project.get("tool", {})
    folder = tmp_path / "indx-chunker-poems"
    assert f"uv pip install --python .venv/bin/python -e {folder}\n" in ran.stdout
    assert f"-m pytest {folder}\n" in ran.stdout
    assert (root / "pyproject.toml").read_bytes() == before


@pytest.mark.parametrize("name", ["Poems", "1st", "a_b", "../up", "a--b", ""])
def test_a_name_that_cannot_be_a_distribution_is_refused(root, tmp_path, name):
    ran = run(
        sys.executable,
        root / "scripts/new-provider",
        "chunker",
        name,
        "--out",
        tmp_path,
        cwd=tmp_path,
        code=2,
    )
    assert repr(name) in ran.stderr
    assert not list(tmp_path.iterdir())


def test_what_is_there_is_not_overwritten(root, tmp_path):
    command = (sys.executable, root / "scripts/new-provider", "chunker", "poems", "--out", tmp_path)
    run(*command, cwd=tmp_path)
    assert "already there" in run(*command, cwd=tmp_path, code=2).stderr
