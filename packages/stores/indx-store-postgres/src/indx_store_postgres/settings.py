"""The settings of the stores in Postgres."""

from __future__ import annotations

from indx_core.settings import Setting, string

__all__ = ["SCHEMA_NAME", "SETTINGS", "URL"]

URL: Setting[str] = Setting(
    "INDX_STORE_POSTGRES_URL",
    string,
    "",
    "The connection string, in libpq's form, of the database that every store keeps its tables in.",
    secret=True,
    read="start",
)
SCHEMA_NAME: Setting[str] = Setting(
    "INDX_STORE_POSTGRES_SCHEMA_NAME",
    string,
    "indx",
    "The schema of the tables, made when missing, so that one database holds several installations.",
    read="start",
)

SETTINGS = (URL, SCHEMA_NAME)
