"""The three lanes keep the rules of their port."""

from indx_enrich_keywords.provider import chunk, document, page
from indx_testkit.lanes import EnricherKit

TEXTS = (
    "# Harbour pilots\n\nPilots guide ships. The harbour pilots wait for ships.",
    "港湾の水先人は船舶を導く。水先人は港湾を知る。",
    "a b c",
)


class TestDocument(EnricherKit):
    factory = staticmethod(document)
    texts = TEXTS


class TestPage(EnricherKit):
    factory = staticmethod(page)
    texts = TEXTS


class TestChunk(EnricherKit):
    factory = staticmethod(chunk)
    texts = TEXTS
