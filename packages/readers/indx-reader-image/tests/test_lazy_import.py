"""Installed is cheap."""

from indx_testkit.lazy import assert_light_factory, assert_light_import


def test_the_provider_module_is_light():
    assert_light_import("indx_reader_image.provider")


def test_making_a_provider_loads_nothing_heavy():
    for name in ("sniffer", "observer"):
        assert_light_factory("indx_reader_image.provider", name)
