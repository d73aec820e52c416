"""The settings of the extractive enricher."""

from __future__ import annotations

from indx_core.settings import Setting, integer

__all__ = ["MAX_CHARACTERS", "SENTENCES", "SETTINGS"]

SENTENCES: Setting[int] = Setting(
    "INDX_ENRICH_EXTRACTIVE_SENTENCES",
    integer(minimum=1),
    3,
    "How many sentences make a summary.",
)
MAX_CHARACTERS: Setting[int] = Setting(
    "INDX_ENRICH_EXTRACTIVE_MAX_CHARACTERS",
    integer(minimum=1),
    600,
    "The most characters of a summary; a longer one is cut at white space.",
)
SETTINGS = (SENTENCES, MAX_CHARACTERS)
