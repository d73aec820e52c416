"""A process pays for the stores in Postgres only when it uses them."""

from indx_testkit.lazy import assert_light_import


def test_importing_the_provider_is_light():
    assert_light_import("indx_store_postgres.provider")
