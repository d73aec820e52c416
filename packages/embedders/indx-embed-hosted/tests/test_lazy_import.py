"""The provider is cheap to discover."""

from indx_testkit.lazy import assert_light_factory, assert_light_import


def test_the_provider_imports_nothing_heavy() -> None:
    assert_light_import("indx_embed_hosted.provider")


def test_asking_for_its_availability_imports_nothing_heavy() -> None:
    assert_light_factory("indx_embed_hosted.provider", "embedder")
