"""The settings of the job runner in Postgres."""

from __future__ import annotations

from indx_core.settings import Setting, number, string

__all__ = ["PATIENCE_SECONDS", "SCHEMA_NAME", "SETTINGS", "URL"]

URL: Setting[str] = Setting(
    "INDX_RUNNER_PROCRASTINATE_URL",
    string,
    "",
    "The connection string, in libpq's form, of the database that jobs wait in.",
    secret=True,
    read="start",
)
SCHEMA_NAME: Setting[str] = Setting(
    "INDX_RUNNER_PROCRASTINATE_SCHEMA_NAME",
    string,
    "indx_jobs",
    "The schema of the jobs' tables, made when missing, and for nothing else.",
    read="start",
)
PATIENCE_SECONDS: Setting[float] = Setting(
    "INDX_RUNNER_PROCRASTINATE_PATIENCE_SECONDS",
    number(minimum=1),
    30.0,
    "Seconds without a sign of life after which another process takes over what one had in hand.",
    read="start",
)

SETTINGS = (URL, SCHEMA_NAME, PATIENCE_SECONDS)
