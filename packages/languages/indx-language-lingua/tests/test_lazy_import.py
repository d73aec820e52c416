"""The provider is cheap to discover."""

from indx_testkit.lazy import assert_light_factory, assert_light_import


def test_the_provider_imports_nothing_heavy() -> None:
    assert_light_import("indx_language_lingua.provider")


def test_looking_for_the_engine_does_not_import_it() -> None:
    assert_light_factory("indx_language_lingua.provider", "detector")
