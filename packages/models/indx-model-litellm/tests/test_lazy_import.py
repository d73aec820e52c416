"""A lane declares its settings through this library, so importing it must cost nothing."""

from __future__ import annotations

from indx_testkit.lazy import assert_light_import


def test_importing_the_library_loads_no_third_party_package():
    assert_light_import("indx_model_litellm")
