"""Importing the provider imports nothing heavy."""

from indx_testkit.lazy import assert_light_import


def test_the_provider_is_light():
    assert_light_import("indx_runtime.provider")


def test_the_package_is_light_until_a_name_is_used():
    assert_light_import("indx_runtime")
