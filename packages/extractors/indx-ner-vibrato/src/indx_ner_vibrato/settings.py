"""The settings of the vibrato extractor."""

from __future__ import annotations

from pathlib import Path

from indx_core.settings import Setting, number, path

__all__ = ["CACHE", "DICTIONARY", "DOWNLOAD_SECONDS", "SETTINGS"]

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
DOWNLOAD_SECONDS: Setting[float] = Setting(
    "INDX_NER_VIBRATO_DOWNLOAD_SECONDS",
    number(minimum=0.1, maximum=86_400),
    300,
    "The most seconds that IPADIC may take to be fetched and read; what is late is given up.",
)

SETTINGS = (DICTIONARY, CACHE, DOWNLOAD_SECONDS)
