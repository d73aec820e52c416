"""Importing the provider is cheap."""

from __future__ import annotations

from indx_testkit.lazy import assert_light_import


def test_importing_the_provider_loads_nothing_heavy() -> None:
    assert_light_import("indx_parser_invoice.provider")
