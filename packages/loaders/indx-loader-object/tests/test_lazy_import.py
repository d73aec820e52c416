"""The library is light: no client of a storage is imported with it."""

from __future__ import annotations

from indx_testkit.lazy import assert_light_import, run_python


def test_importing_it_imports_nothing_heavy() -> None:
    assert_light_import("indx_loader_object")


def test_of_its_own_modules_those_are_loaded_whose_names_are_used() -> None:
    loaded = run_python(
        "import sys, indx_loader_object as package;"
        "print(*sorted(m for m in sys.modules if m.startswith('indx_loader_object.')));"
        "[getattr(package, name) for name in package.__all__]; print({*package.__all__} <= {*dir(package)});"
        "print(hasattr(package, 'nothing'))"
    )
    assert loaded.split("\n")[:3] == ["", "True", "False"]
