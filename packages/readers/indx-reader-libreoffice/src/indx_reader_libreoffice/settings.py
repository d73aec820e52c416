"""Settings of the conversion."""

from __future__ import annotations

from typing import Final

from indx_core.settings import Setting, integer, number, string

__all__ = ["COMMAND", "MAX_OUTPUT_BYTES", "MEMORY_BYTES", "SETTINGS", "TIMEOUT_SECONDS"]

COMMAND: Final = Setting(
    "INDX_LIBREOFFICE_COMMAND",
    string,
    "",
    "The program that converts, as a name or a path; unset: `soffice` or `libreoffice` on the PATH.",
)
TIMEOUT_SECONDS: Final = Setting(
    "INDX_LIBREOFFICE_TIMEOUT_SECONDS",
    number(minimum=0.1, maximum=3600),
    60.0,
    "Seconds one conversion may take; below INDX_WORKER_TIMEOUT_SECONDS, which ends the worker.",
)
MEMORY_BYTES: Final = Setting(
    "INDX_LIBREOFFICE_MEMORY_BYTES",
    integer(minimum=268_435_456),
    2_147_483_648,
    "The most address space the program may take, where the platform keeps to such a limit.",
)
MAX_OUTPUT_BYTES: Final = Setting(
    "INDX_LIBREOFFICE_MAX_OUTPUT_BYTES",
    integer(minimum=1_048_576),
    268_435_456,
    "The most bytes a conversion may write, the document and what it keeps beside it.",
)

SETTINGS = (COMMAND, TIMEOUT_SECONDS, MEMORY_BYTES, MAX_OUTPUT_BYTES)
