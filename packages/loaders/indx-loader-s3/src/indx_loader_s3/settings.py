"""The settings of the S3 loader."""

from __future__ import annotations

from indx_core.settings import Setting, names, number, string

__all__ = [
    "ACCESS_KEY_ID",
    "BUCKETS",
    "ENDPOINT_URL",
    "REGION",
    "SECRET_ACCESS_KEY",
    "SESSION_TOKEN",
    "SETTINGS",
    "TIMEOUT_SECONDS",
]

ACCESS_KEY_ID: Setting[str | None] = Setting(
    "INDX_LOADER_S3_ACCESS_KEY_ID",
    string,
    None,
    "The ID of the access key; unset, boto3 finds credentials by its own chain.",
    secret=True,
)
SECRET_ACCESS_KEY: Setting[str | None] = Setting(
    "INDX_LOADER_S3_SECRET_ACCESS_KEY", string, None, "The secret of the access key.", secret=True
)
SESSION_TOKEN: Setting[str | None] = Setting(
    "INDX_LOADER_S3_SESSION_TOKEN",
    string,
    None,
    "The session token of a temporary access key.",
    secret=True,
)
BUCKETS: Setting[tuple[str, ...] | None] = Setting(
    "INDX_LOADER_S3_BUCKETS", names, None, "The buckets that may be read, by comma; unset, any."
)
ENDPOINT_URL: Setting[str | None] = Setting(
    "INDX_LOADER_S3_ENDPOINT_URL",
    string,
    None,
    "The address of an S3-compatible server; the bucket then stands in the path.",
)
REGION: Setting[str | None] = Setting(
    "INDX_LOADER_S3_REGION", string, None, "The region to ask; unset, boto3's own configuration decides."
)
TIMEOUT_SECONDS: Setting[float] = Setting(
    "INDX_LOADER_S3_TIMEOUT_SECONDS",
    number(minimum=0.1, maximum=86_400),
    30,
    "The most seconds one load takes, from connecting to the last byte.",
)

SETTINGS = (
    ACCESS_KEY_ID,
    SECRET_ACCESS_KEY,
    SESSION_TOKEN,
    BUCKETS,
    ENDPOINT_URL,
    REGION,
    TIMEOUT_SECONDS,
)
