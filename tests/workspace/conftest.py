"""What the workspace tests know about the members: read from the folders, never from a list."""

from __future__ import annotations

import ast
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Member:
    """One distribution of the workspace, as its folder states it."""

    path: Path

    @cached_property
    def project(self) -> dict[str, Any]:
        return tomllib.loads((self.path / "pyproject.toml").read_text("utf-8"))["project"]

    @property
    def room(self) -> str:
        return self.path.parent.name

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def module(self) -> str:
        return self.name.replace("-", "_")

    @property
    def package(self) -> Path:
        return self.path / "src" / self.module

    @property
    def sources(self) -> list[Path]:
        return sorted(self.package.rglob("*.py"))

    @property
    def entry_points(self) -> dict[str, dict[str, str]]:
        return self.project.get("entry-points", {})

    @cached_property
    def required(self) -> dict[str, Requirement]:
        """The requirements of a plain install, by canonical name."""
        return {canonicalize_name(r.name): r for r in map(Requirement, self.project.get("dependencies", []))}

    @cached_property
    def optional(self) -> dict[str, Requirement]:
        """The requirements of every extra, by canonical name."""
        extras = self.project.get("optional-dependencies", {}).values()
        return {canonicalize_name(r.name): r for extra in extras for r in map(Requirement, extra)}

    def imports(self) -> dict[str, Path]:
        """Top-level modules that the source imports anywhere, each with one file that does."""
        return {name: path for path in self.sources for name in imported_by(path)}


def running_code(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node but those that only a type checker sees."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        yield node
        yield from running_code(node)


def imported_by(path: Path) -> Iterator[str]:
    """Top-level modules a file imports when it runs, inside functions and by `import_module("…")` too."""
    for node in running_code(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]
        elif isinstance(node, ast.Call) and node.args:
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            first = node.args[0]
            if called in {"import_module", "__import__"} and isinstance(first, ast.Constant):
                yield str(first.value).partition(".")[0]


MEMBERS = [Member(path.parent) for path in sorted(ROOT.glob("packages/*/*/pyproject.toml"))]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for a `member`, a `record` or a `script` runs once for each."""
    if "member" in metafunc.fixturenames:
        metafunc.parametrize("member", MEMBERS, ids=[member.name for member in MEMBERS])
    for name, folder in (("record", "adr"), ("script", "scripts")):
        if name in metafunc.fixturenames:
            found = sorted(path for path in (ROOT / folder).iterdir() if path.is_file())
            metafunc.parametrize(name, found, ids=[path.name for path in found])


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def members() -> list[Member]:
    return MEMBERS


@pytest.fixture(scope="session")
def by_name() -> dict[str, Member]:
    return {member.name: member for member in MEMBERS}


@pytest.fixture(scope="session")
def tracked() -> list[Path]:
    """Every file that belongs to the repository: tracked, or new and not ignored."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    return [path for name in listed if name and (path := ROOT / name).is_file()]


@pytest.fixture(scope="session")
def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
