from __future__ import annotations

from indx_testkit.lazy import assert_light_import


def test_importing_the_provider_loads_nothing_else() -> None:
    assert_light_import("indx_loader_http.provider")
