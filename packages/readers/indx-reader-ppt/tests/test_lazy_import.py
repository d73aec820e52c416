"""Importing the provider loads nothing heavy."""

from __future__ import annotations

from indx_testkit.lazy import assert_light_import


def test_the_provider_is_light() -> None:
    assert_light_import("indx_reader_ppt.provider")
