"""The library is light: no client of a storage is imported with it."""

from __future__ import annotations

from indx_testkit.lazy import assert_light_import


def test_importing_it_imports_nothing_heavy() -> None:
    assert_light_import("indx_loader_object")
