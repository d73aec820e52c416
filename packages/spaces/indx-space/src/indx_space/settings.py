"""Settings of knowledge spaces."""

from __future__ import annotations

from indx_core.settings import Setting, integer

__all__ = ["CACHE_BYTES", "SETTINGS"]

CACHE_BYTES: Setting[int] = Setting(
    "INDX_SPACE_CACHE_BYTES",
    integer(minimum=1_048_576),
    2_147_483_648,
    "How large the cache of builds may grow before what was not used longest is dropped.",
)
SETTINGS = (CACHE_BYTES,)
