"""The provider is cheap to discover."""

import pytest

from indx_testkit.lazy import assert_light_factory, assert_light_import


def test_the_provider_imports_nothing_heavy() -> None:
    assert_light_import("indx_embed_fastembed.provider")


@pytest.mark.parametrize("factory", ["minilm", "clip_text", "clip_image"])
def test_asking_for_its_availability_imports_nothing_heavy(factory: str) -> None:
    assert_light_factory("indx_embed_fastembed.provider", factory)
