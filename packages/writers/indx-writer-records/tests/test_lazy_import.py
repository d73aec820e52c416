"""The provider is cheap to discover."""

from indx_testkit.lazy import assert_light_import


def test_the_provider_imports_nothing_heavy() -> None:
    assert_light_import("indx_writer_records.provider")
