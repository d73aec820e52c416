"""The settings of the vibrato extractor."""

from __future__ import annotations

from pathlib import Path

from indx_core.settings import Setting, path

__all__ = ["CACHE", "DICTIONARY", "SETTINGS"]

DICTIONARY: Setting[Path | None] = Setting(
    "INDX_NER_VIBRATO_DICTIONARY",
    path,
    None,
    "A compiled dictionary, `system.dic` or `system.dic.zst`, or a folder of MeCab sources; unset, IPADIC is "
    "fetched once.",
)
CACHE: Setting[Path | None] = Setting(
    "INDX_NER_VIBRATO_CACHE",
    path,
    Path("~/.cache/indx-ner-vibrato"),
    "Where the fetched dictionary is kept.",
)

SETTINGS = (DICTIONARY, CACHE)
