"""The settings of the Google Cloud Storage loader."""

from __future__ import annotations

import json
from typing import Any

from indx_core.settings import Kind, Setting, names, number, string

__all__ = ["BUCKETS", "CREDENTIALS_JSON", "ENDPOINT_URL", "SETTINGS", "TIMEOUT_SECONDS"]


def _key(text: str) -> dict[str, Any]:
    expected = "a service-account key: the text of its JSON file, not the file's path"
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(expected) from None
    if not isinstance(value, dict) or value.get("type") != "service_account":
        raise ValueError(expected)
    return value


CREDENTIALS_JSON: Setting[dict[str, Any] | None] = Setting(
    "INDX_LOADER_GS_CREDENTIALS_JSON",
    Kind("JSON object", _key),
    None,
    "A service-account key, as its JSON text; unset, Application Default Credentials apply.",
    secret=True,
)
BUCKETS: Setting[tuple[str, ...] | None] = Setting(
    "INDX_LOADER_GS_BUCKETS", names, None, "The buckets that may be read, by comma; unset, any."
)
ENDPOINT_URL: Setting[str | None] = Setting(
    "INDX_LOADER_GS_ENDPOINT_URL",
    string,
    None,
    "The address of an emulator; without a key of its own, it is asked anonymously.",
)
TIMEOUT_SECONDS: Setting[float] = Setting(
    "INDX_LOADER_GS_TIMEOUT_SECONDS",
    number(minimum=0.1, maximum=86_400),
    30,
    "The most seconds one load takes, with its retries, from connecting to the last byte.",
)

SETTINGS = (CREDENTIALS_JSON, BUCKETS, ENDPOINT_URL, TIMEOUT_SECONDS)
