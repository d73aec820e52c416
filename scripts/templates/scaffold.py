"""Fills the templates of a port: what `scripts/new-provider` does once it knows what is asked."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path
from string import Template

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "scripts/templates"


def ports() -> dict[str, dict]:
    """What each port's `port.json` says: room, prefix, summary, dependencies, factories by group."""
    return {path.parent.name: json.loads(path.read_text("utf-8")) for path in TEMPLATES.glob("*/port.json")}


def bounded(name: str) -> str:
    """A requirement on a member's present series."""
    path = next(ROOT.glob(f"packages/core/{name}/pyproject.toml"))
    major, minor, _ = map(int, tomllib.loads(path.read_text("utf-8"))["project"]["version"].split("."))
    return f"{name}>={major}.{minor},<{f'0.{minor + 1}' if major == 0 else major + 1}"


def placeholders(port: dict, name: str, *, member: bool) -> dict[str, str]:
    """What the names in the templates stand for."""
    dist = port["prefix"] + name
    module = dist.replace("-", "_")
    tables, factories = "", set()
    for group, entries in port["entry_points"].items():
        points = [f'{name}{suffix} = "{module}.provider:{made}"\n' for suffix, made in entries.items()]
        tables += f'[project.entry-points."indx.{group}"]\n{"".join(points)}\n'
        factories.update(entries.values())
    development = f'\n[dependency-groups]\ndev = ["{bounded("indx-testkit")}", "pytest>=8.3"]'
    return {
        "name": name,
        "dist": dist,
        "module": module,
        "Class": "".join(word.capitalize() for word in name.split("-")),
        "VAR": module.upper(),
        "summary": port["summary"],
        "dependencies": ", ".join(f'"{one}"' for one in (bounded("indx-core"), *port["dependencies"])),
        "entry_points": tables,
        "license": 'license = "Apache-2.0"' + ('\nlicense-files = ["LICENSE"]' if member else ""),
        "development": "" if member else development,
        "factories": ", ".join(sorted(factories)),
        "quoted": ", ".join(f'"{one}"' for one in sorted(factories)),
    }


def write(port: str, folder: Path, values: dict[str, str]) -> None:
    """Fill the common templates and those of the port, and let ruff lay them out where it is installed."""
    for part in ("common", port):
        for source in sorted((TEMPLATES / part).rglob("*.tmpl")):
            inside = source.relative_to(TEMPLATES / part).as_posix().removesuffix(".tmpl")
            target = folder / inside.replace("MODULE", values["module"])
            target.parent.mkdir(parents=True, exist_ok=True)
            text = Template(source.read_text("utf-8")).substitute(values).strip()
            target.write_text(text + "\n" if text else "", "utf-8")
    if folder.resolve().is_relative_to(ROOT / "packages"):
        (folder / "LICENSE").symlink_to("../../../LICENSE")
    ruff = ROOT / ".venv/bin/ruff"
    if ruff.is_file():  # under the settings that hold where the package stands
        for command in ("check --select I --fix --quiet .", "format --quiet ."):
            subprocess.run([ruff, *command.split()], cwd=folder, check=True)


def register(dist: str, module: str) -> None:
    """Enter a member in the root's sources, and beside the other providers in the import rules."""
    path = ROOT / "pyproject.toml"
    text = path.read_text("utf-8")
    text = text.replace("[tool.uv.sources]\n", f"[tool.uv.sources]\n{dist} = {{ workspace = true }}\n", 1)
    text = re.sub(r'^( +)"indx_loader_file",\n', rf'\g<0>\1"{module}",\n', text, flags=re.MULTILINE)
    path.write_text(text, "utf-8")
