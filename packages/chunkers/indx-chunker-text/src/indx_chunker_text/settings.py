"""The settings of the text chunker."""

from __future__ import annotations

from indx_core.settings import Setting, integer

__all__ = ["MAX_TOKENS", "OVERLAP_TOKENS", "SETTINGS"]

MAX_TOKENS: Setting[int] = Setting(
    "INDX_CHUNK_TEXT_MAX_TOKENS",
    integer(minimum=1),
    320,
    "The most tokens a chunk of text takes, by estimate.",
)
OVERLAP_TOKENS: Setting[int] = Setting(
    "INDX_CHUNK_TEXT_OVERLAP_TOKENS",
    integer(minimum=0),
    0,
    "How many tokens of the chunk before it a chunk begins with, at most; fewer than a chunk takes.",
)

SETTINGS = (MAX_TOKENS, OVERLAP_TOKENS)
