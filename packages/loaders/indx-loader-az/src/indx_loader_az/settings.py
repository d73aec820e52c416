"""The settings of the Azure Blob Storage loader."""

from __future__ import annotations

import re

from indx_core.settings import Kind, Setting, names, number, string

__all__ = ["ACCOUNT", "CONNECTION_STRING", "CONTAINERS", "SETTINGS", "TIMEOUT_SECONDS"]


def _account(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9]{3,24}", text.strip()):
        raise ValueError("the name of a storage account: 3 to 24 lower-case letters and digits")
    return text.strip()


CONNECTION_STRING: Setting[str | None] = Setting(
    "INDX_LOADER_AZ_CONNECTION_STRING",
    string,
    None,
    "The storage account with its key or signature; wins over the account's name.",
    secret=True,
)
ACCOUNT: Setting[str | None] = Setting(
    "INDX_LOADER_AZ_ACCOUNT",
    Kind("string", _account),
    None,
    "The name of the storage account, read by DefaultAzureCredential.",
)
CONTAINERS: Setting[tuple[str, ...] | None] = Setting(
    "INDX_LOADER_AZ_CONTAINERS", names, None, "The containers that may be read, by comma; unset, any."
)
TIMEOUT_SECONDS: Setting[float] = Setting(
    "INDX_LOADER_AZ_TIMEOUT_SECONDS",
    number(minimum=0.1, maximum=86_400),
    30,
    "The most seconds one load takes, from connecting to the last byte.",
)

SETTINGS = (CONNECTION_STRING, ACCOUNT, CONTAINERS, TIMEOUT_SECONDS)
