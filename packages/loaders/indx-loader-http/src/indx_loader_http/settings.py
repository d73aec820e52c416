"""The settings of the HTTP loader."""

from __future__ import annotations

from indx_core.settings import Setting, boolean, number

__all__ = ["ALLOW_PRIVATE_HOSTS", "SETTINGS", "TIMEOUT_SECONDS"]

ALLOW_PRIVATE_HOSTS: Setting[bool] = Setting(
    "INDX_LOADER_HTTP_ALLOW_PRIVATE_HOSTS",
    boolean,
    False,
    "Whether loopback, private, link-local, reserved and multicast addresses may be fetched.",
)
TIMEOUT_SECONDS: Setting[float] = Setting(
    "INDX_LOADER_HTTP_TIMEOUT_SECONDS",
    number(minimum=0.1, maximum=86_400),
    30,
    "The most seconds one fetch takes, with name lookup, redirects and a slow server.",
)

SETTINGS = (ALLOW_PRIVATE_HOSTS, TIMEOUT_SECONDS)
