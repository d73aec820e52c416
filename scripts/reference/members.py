"""The distributions of the workspace: their names, sources and settings, read from the folders."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

from indx_core.settings import Setting

ROOT = Path(__file__).resolve().parents[2]


def names() -> list[str]:
    """Every distribution, in order."""
    return sorted(path.parent.name for path in ROOT.glob("packages/*/*/pyproject.toml"))


def settings() -> Iterator[tuple[str, Setting]]:
    """Every setting with the distribution that declares it."""
    for project in sorted(ROOT.glob("packages/*/*/pyproject.toml")):
        source = project.parent / "src"
        for path in sorted(source.rglob("*.py")):
            if re.search(r"^SETTINGS\b", path.read_text("utf-8"), re.MULTILINE):
                module = ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")
                for setting in importlib.import_module(module).SETTINGS:
                    yield project.parent.name, setting
