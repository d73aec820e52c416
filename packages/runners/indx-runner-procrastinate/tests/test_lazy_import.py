"""Finding the runner costs nothing."""

from indx_testkit.lazy import assert_light_import


def test_the_provider_imports_nothing_heavy():
    assert_light_import("indx_runner_procrastinate.provider")
