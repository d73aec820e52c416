"""Installed is cheap."""

from indx_testkit.lazy import assert_light_import


def test_the_provider_module_is_light():
    assert_light_import("indx_chunker_layout.provider")
