"""The provider is cheap to discover."""

import pytest

from indx_testkit.lazy import assert_light_factory, assert_light_import


def test_the_provider_imports_nothing_heavy() -> None:
    assert_light_import("indx_classifier_zeroshot.provider")


@pytest.mark.parametrize("factory", ["documents", "pages", "chunks"])
def test_declaring_a_lane_loads_nothing_heavy(factory: str) -> None:
    assert_light_factory("indx_classifier_zeroshot.provider", factory)
