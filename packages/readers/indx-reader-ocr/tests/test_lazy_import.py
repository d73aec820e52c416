"""Installed is cheap."""

from __future__ import annotations

from indx_testkit.lazy import assert_light_factory, assert_light_import


def test_importing_the_provider_loads_nothing_heavy():
    assert_light_import("indx_reader_ocr.provider")


def test_making_it_loads_nothing_heavy():
    assert_light_factory("indx_reader_ocr.provider", "reader")
