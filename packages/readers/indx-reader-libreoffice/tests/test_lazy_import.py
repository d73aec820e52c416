"""Importing the declaration loads nothing heavy."""

from __future__ import annotations

from indx_testkit.lazy import assert_light_import


def test_the_provider_imports_nothing_heavy():
    assert_light_import("indx_reader_libreoffice.provider")
