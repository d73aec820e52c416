"""Finding what is installed costs nothing: no provider module imports what it will only need later."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import entry_points

import pytest

# The one list: libraries that no declaration needs, ours to use or a neighbour's.
HEAVY = frozenset(
    """
    PIL boto3 botocore bs4 cv2 faiss fastapi fastembed google httpx kreuzberg lingua litellm lxml mcp nicegui numpy
    onnxruntime opentelemetry orjson pandas pathspec pebble platformdirs procrastinate psycopg pyarrow pydantic
    pypdfium2 rapidocr rensa requests rich scipy selectolax sqlalchemy tokenizers transformers typer usearch uvicorn
    vibrato wordllama
    """.split()
)

PROBE = """
import importlib, json, sys
module, _, factory = sys.argv[1].partition(":")
made = getattr(importlib.import_module(module), factory)
if sys.argv[2] == "call":
    made()
print(json.dumps(sorted(sys.modules)))
"""

POINTS = sorted(
    (point for point in entry_points() if point.group.startswith("indx.")), key=lambda p: (p.group, p.name)
)
PROVIDERS = [point for point in POINTS if point.group not in {"indx.commands", "indx.hooks"}]


def heavy_after(target: str, *, call: bool) -> list[str]:
    """Heavy modules loaded in a fresh interpreter once the entry point is imported, and called if asked."""
    command = [sys.executable, "-X", "utf8", "-c", PROBE, target, "call" if call else "import"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"{target} cannot be loaded:\n{ran.stderr}"
    loaded = json.loads(ran.stdout.splitlines()[-1])
    return sorted(HEAVY.intersection(loaded))


def test_there_are_entry_points_to_walk():
    assert {"indx.capabilities", "indx.chunkers", "indx.loaders"} <= {point.group for point in PROVIDERS}


@pytest.mark.parametrize("point", PROVIDERS, ids=lambda p: f"{p.group}:{p.name}")
def test_declaring_a_provider_loads_nothing_heavy(point):
    assert heavy_after(point.value, call=True) == []


@pytest.mark.parametrize(
    "point", [p for p in POINTS if p not in PROVIDERS], ids=lambda p: f"{p.group}:{p.name}"
)
def test_a_command_or_hook_loads_nothing_heavy(point):
    found = heavy_after(point.value, call=False)
    assert [name for name in found if name not in {"typer", "rich"}] == []


@pytest.mark.parametrize(
    "module", ["indx", "indx_core", "indx_core.ports", "indx_core.settings", "indx_core.errors"]
)
def test_importing_the_surface_and_the_core_is_light(module):
    probe = f"import {module}, json, sys; print(json.dumps(sorted(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert sorted(HEAVY.intersection(json.loads(ran.stdout))) == []
