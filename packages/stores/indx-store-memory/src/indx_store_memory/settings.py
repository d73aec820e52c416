"""The settings of the stores in memory."""

from __future__ import annotations

from indx_core.settings import Setting, integer, number

__all__ = ["MAX_BYTES", "MAX_DOCUMENTS", "PRESSURE", "SETTINGS"]

MAX_DOCUMENTS: Setting[int] = Setting(
    "INDX_STORE_MEMORY_MAX_DOCUMENTS",
    integer(minimum=1),
    512,
    "Documents kept in a process, all owners together; the least recently kept goes first.",
)
MAX_BYTES: Setting[int] = Setting(
    "INDX_STORE_MEMORY_MAX_BYTES",
    integer(minimum=1),
    268435456,
    "What each store of documents, chunks and sources holds, counted as JSON length; Python takes 3 to 6 "
    "times as much.",
)
PRESSURE: Setting[float] = Setting(
    "INDX_STORE_MEMORY_PRESSURE",
    number(minimum=0, maximum=1),
    0.8,
    "The share of the memory limit in use above which each keep drops the oldest tenth of the documents; "
    "0 turns it off.",
)

SETTINGS = (MAX_DOCUMENTS, MAX_BYTES, PRESSURE)
