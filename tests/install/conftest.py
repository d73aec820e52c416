"""Clean environments: our wheels built from this tree, everything else from uv's cache, no network."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
NAMES = sorted(path.parent.name for path in ROOT.glob("packages/*/*/pyproject.toml"))
AZURITE = ROOT / ".uv/azurite/node_modules/.bin/azurite-blob"
"""Where `scripts/warm` puts the emulator of Azure's storage that comes from npm."""
collect_ignore = [] if AZURITE.exists() else ["test_azurite.py"]
# What a person's shell would not have set.
DROPPED = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "UV_PROJECT_ENVIRONMENT")


def run(*command, cwd: Path, code: int | None = 0, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a plain environment; fail with what it said unless it exits with `code`."""
    kept = {k: v for k, v in os.environ.items() if k not in DROPPED and not k.startswith(("INDX_", "PYTEST"))}
    ran = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=kept | {"UV_OFFLINE": "1"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    told = f"{' '.join(map(str, command))}\nexit {ran.returncode}\n{ran.stdout}\n{ran.stderr}"
    assert code is None or ran.returncode == code, told
    return ran


@dataclass(frozen=True)
class Wheel:
    """A built wheel."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.name.split("-")[0].replace("_", "-")

    @property
    def version(self) -> str:
        return self.path.name.split("-")[1]

    @property
    def pin(self) -> str:
        return f"{self.name}=={self.version}"

    @cached_property
    def files(self) -> dict[str, bytes]:
        """What it puts into an environment, less the list that an installer rewrites."""
        with ZipFile(self.path) as archive:
            return {n: archive.read(n) for n in archive.namelist() if not n.endswith(("/", "/RECORD"))}


@dataclass(frozen=True)
class Environment:
    """A virtual environment outside the repository, filled offline."""

    path: Path
    wheels: Path
    constraints: Path

    @property
    def python(self) -> Path:
        return self.path / "bin/python"

    @property
    def site(self) -> Path:
        return next(self.path.glob("lib/python3*/site-packages"))

    def install(self, *requirements: str) -> None:
        where = ("--python", self.python, "--find-links", self.wheels, "--constraints", self.constraints)
        run("uv", "pip", "install", "--quiet", *where, *requirements, cwd=self.path.parent)

    def check(self) -> None:
        """Everything installed is satisfied by what else is."""
        run("uv", "pip", "check", "--python", self.python, cwd=self.path.parent)

    def names(self) -> set[str]:
        listed = run("uv", "pip", "freeze", "--python", self.python, cwd=self.path.parent).stdout
        return {line.partition("==")[0].partition(" @ ")[0] for line in listed.splitlines()}

    def run(self, *command, code: int | None = 0, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run one of its programs, in the folder that holds it."""
        program, *rest = command
        own = {"HOME": str(self.path.parent), "XDG_CACHE_HOME": str(self.path.parent / "cache")}
        return run(self.path / "bin" / program, *rest, cwd=self.path.parent, code=code, **own, **environment)

    def assert_ours(self, wheel: Wheel) -> None:
        """What is installed under the wheel's name is the wheel, byte for byte."""
        for name, content in wheel.files.items():
            assert (self.site / name).read_bytes() == content, f"{wheel.pin}: {name} comes from elsewhere"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `name` runs once for each member."""
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", NAMES)


@pytest.fixture(scope="session")
def build() -> Callable[[Path], list[Wheel]]:
    """Builds every member's wheel from this tree into a folder."""

    def into(folder: Path) -> list[Wheel]:
        command = ("uv", "build", "--quiet", "--all-packages", "--wheel", "--out-dir", folder)
        run(*command, cwd=ROOT, SOURCE_DATE_EPOCH="315532800")
        return [Wheel(path) for path in sorted(folder.glob("*.whl"))]

    return into


@pytest.fixture(scope="session")
def wheels(
    build: Callable[[Path], list[Wheel]], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Wheel]:
    """Every member's wheel by name."""
    found = {wheel.name: wheel for wheel in build(tmp_path_factory.mktemp("wheels"))}
    assert sorted(found) == NAMES
    return found


@pytest.fixture(scope="session")
def constraints(wheels: dict[str, Wheel], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The locked version of everything, and ours by `==`."""
    path = tmp_path_factory.mktemp("constraints") / "constraints.txt"
    export = "uv export --quiet --frozen --all-packages --all-extras --no-dev --group engine-tests"
    run(*export.split(), "--no-emit-workspace", "--no-hashes", "-o", path, cwd=ROOT)
    with path.open("a", encoding="utf-8") as file:
        file.writelines(f"{wheel.pin}\n" for wheel in wheels.values())
    return path


@pytest.fixture
def environment(wheels: dict[str, Wheel], constraints: Path, tmp_path: Path) -> Environment:
    """An empty environment."""
    run("uv", "venv", "--quiet", "--python", sys.executable, tmp_path / "env", cwd=tmp_path)
    return Environment(tmp_path / "env", next(iter(wheels.values())).path.parent, constraints)


@pytest.fixture
def third_party(tmp_path: Path) -> Callable[[str, str], Path]:
    """Writes a provider outside the workspace, builds it, and gives its wheel."""

    def made(port: str, name: str) -> Path:
        folder = tmp_path / "elsewhere"
        run(sys.executable, ROOT / "scripts/new-provider", port, name, "--out", folder, cwd=tmp_path)
        (package,) = folder.iterdir()
        run("uv", "build", "--quiet", "--wheel", "--out-dir", package / "dist", cwd=package)
        (wheel,) = (package / "dist").glob("*.whl")
        return wheel

    return made


@pytest.fixture(scope="session")
def azurite() -> Path:
    """The program."""
    return AZURITE


@pytest.fixture(scope="session")
def engines(
    wheels: dict[str, Wheel], constraints: Path, tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    """An environment with every extra of every member, and what the tests of engines need besides."""
    place = tmp_path_factory.mktemp("engines")
    run("uv", "venv", "--quiet", "--python", sys.executable, place / "env", cwd=place)
    made = Environment(place / "env", next(iter(wheels.values())).path.parent, constraints)
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    wanted = [f"{name}{_extras(name)}=={wheel.version}" for name, wheel in wheels.items()]
    made.install(*wanted, *groups["engine-tests"])
    made.check()
    return made


def _extras(name: str) -> str:
    text = next(ROOT.glob(f"packages/*/{name}/pyproject.toml")).read_text("utf-8")
    names = tomllib.loads(text)["project"].get("optional-dependencies", {})
    return f"[{','.join(sorted(names))}]" if names else ""
