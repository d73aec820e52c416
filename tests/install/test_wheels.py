"""Each wheel stands alone: what it declares is enough to import all of it."""

from __future__ import annotations

import tomllib
from email import message_from_bytes
from pathlib import Path

IMPORT_ALL = """
import importlib, pkgutil, sys
top = importlib.import_module(sys.argv[1])
names = [module.name for module in pkgutil.walk_packages(top.__path__, top.__name__ + ".")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
assert top.__file__.startswith(sys.prefix), top.__file__
print(len(names) + 1)
"""
ROOT = Path(__file__).parents[2]


def test_a_wheel_installs_alone_and_every_module_imports(name, wheels, environment):
    environment.install(wheels[name].pin)
    environment.check()
    installed = environment.names()
    assert name in installed
    assert not installed & {"torch", "tensorflow", "jax"}
    for ours in sorted(installed & wheels.keys()):
        environment.assert_ours(wheels[ours])
    imported = environment.run("python", "-I", "-c", IMPORT_ALL, name.replace("-", "_"))
    modules = [path for path in wheels[name].files if path.endswith(".py")]
    assert int(imported.stdout) == len(modules)


def test_a_wheel_carries_its_own_metadata(name, wheels):
    wheel = wheels[name]
    project = tomllib.loads(next(ROOT.glob(f"packages/*/{name}/pyproject.toml")).read_text("utf-8"))[
        "project"
    ]
    info = f"{name.replace('-', '_')}-{project['version']}.dist-info"
    metadata = message_from_bytes(wheel.files[f"{info}/METADATA"])
    assert (metadata["Name"], metadata["Version"]) == (name, project["version"])
    assert metadata["License-Expression"] == "Apache-2.0"
    assert f"# {name}" in metadata.get_payload()
    assert f"{name.replace('-', '_')}/py.typed" in wheel.files
    declared = {g: dict(e) for g, e in project.get("entry-points", {}).items()}
    if "scripts" in project:
        declared["console_scripts"] = project["scripts"]
    assert entry_points(wheel.files.get(f"{info}/entry_points.txt", b"").decode()) == declared


def entry_points(text: str) -> dict[str, dict[str, str]]:
    """An `entry_points.txt` as groups of names."""
    found: dict[str, dict[str, str]] = {}
    group: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("["):
            group = found.setdefault(line.strip("[]"), {})
        else:
            key, _, value = line.partition("=")
            group[key.strip()] = value.strip()
    return found


def test_a_wheel_carries_nothing_but_the_package(name, wheels):
    module = name.replace("-", "_")
    for path in wheels[name].files:
        assert path.startswith((f"{module}/", f"{module}-")), path
        assert "__pycache__" not in path


def test_the_same_files_give_the_same_wheel(wheels, build, tmp_path):
    again = build(tmp_path)
    assert {wheel.name: wheel.path.read_bytes() for wheel in again} == {
        name: wheel.path.read_bytes() for name, wheel in wheels.items()
    }
