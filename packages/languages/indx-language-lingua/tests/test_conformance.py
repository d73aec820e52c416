"""The detector keeps the rules of its port."""

from __future__ import annotations

from indx_language_lingua.provider import detector
from indx_testkit.lanes import LanguageDetectorKit

ENGLISH = """Records of every purchase are kept for ninety days and are then removed from the archive,
unless the owner of the record has asked for them to be kept longer. Nobody reads them in the meantime."""


class TestLingua(LanguageDetectorKit):
    factory = staticmethod(detector)
    texts = (
        ENGLISH,
        "これは日本語の文章です。記録は九十日間保存されます。",
        "123 456",
        "Это предложение на русском." * 8,
    )
