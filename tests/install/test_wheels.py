"""Each wheel stands alone: what it declares is enough to import all of it."""

from __future__ import annotations

import json
import tomllib
from email import message_from_bytes
from pathlib import Path

IMPORT_ALL = """
import importlib, json, pkgutil, sys
top = importlib.import_module(sys.argv[1])
names = [module.name for module in pkgutil.walk_packages(top.__path__, top.__name__ + ".")]
lacking = {}
for name in names:
    if not name.endswith("__main__"):
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            lacking[name] = error.name
assert top.__file__.startswith(sys.prefix), top.__file__
print(json.dumps({"modules": len(names) + 1, "lacking": lacking}))
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
    imported = everything(environment, name)
    assert imported["modules"] == len([path for path in wheels[name].files if path.endswith(".py")])
    # Modules that do an engine's work may want it; what declares the parts never does.
    assert not imported["lacking"] or has_extras(name), imported["lacking"]
    assert not [module for module in imported["lacking"] if module.endswith((".provider", ".settings"))]


def test_with_its_extras_every_module_of_a_wheel_imports(name, engines):
    if has_extras(name):
        assert everything(engines, name)["lacking"] == {}


def everything(environment, name) -> dict:
    ran = environment.run("python", "-I", "-c", IMPORT_ALL, name.replace("-", "_"))
    return json.loads(ran.stdout.splitlines()[-1])


def has_extras(name) -> bool:
    return bool(project_of(name).get("optional-dependencies")) and name != "indx"


def project_of(name) -> dict:
    return tomllib.loads(next(ROOT.glob(f"packages/*/{name}/pyproject.toml")).read_text("utf-8"))["project"]


def test_a_wheel_carries_its_own_metadata(name, wheels):
    wheel = wheels[name]
    project = project_of(name)
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
