"""Finding what is installed costs nothing: no entry point imports what it will only need later."""

from __future__ import annotations

import pytest

from indx_core.discovery import scan
from indx_testkit.lazy import HEAVY, assert_light_factory, assert_light_import, run_python

POINTS = scan()
PROVIDERS = [point for point in POINTS if point.group not in {"indx.commands", "indx.hooks"}]
OTHERS = [point for point in POINTS if point not in PROVIDERS]


# What a command is made with, and what that itself imports.
TYPER = ("typer", "rich", "click", "pluggy", "annotated_doc", "shellingham")


def label(point) -> str:
    return f"{point.group}:{point.name}"


def test_every_member_with_entry_points_is_walked(members):
    declared = {
        (group, name)
        for member in members
        for group, entries in member.entry_points.items()
        for name in entries
    }
    assert declared <= {(point.group, point.name) for point in POINTS}, "run uv sync"
    assert declared


@pytest.mark.parametrize("point", PROVIDERS, ids=label)
def test_a_provider_module_imports_no_third_party_package(point):
    assert_light_import(point.value.partition(":")[0])


@pytest.mark.parametrize("point", PROVIDERS, ids=label)
def test_declaring_a_provider_loads_nothing_heavy(point):
    module, _, factory = point.value.partition(":")
    assert_light_factory(module, factory)


def test_a_command_or_a_hook_loads_nothing_heavy():
    for point in OTHERS:
        assert_light_import(point.value.partition(":")[0], allow=TYPER)


@pytest.mark.parametrize("module", ["indx", "indx_core", "indx_core.ports", "indx_core.discovery"])
def test_importing_the_surface_and_the_core_is_light(module):
    loaded = run_python(f"import {module}, sys; print(*sorted(sys.modules))").split()
    assert sorted(set(loaded).intersection({*HEAVY, "typer", "rich", "orjson"})) == []
