"""The three lanes keep the rules of their port."""

from indx_enrich_extractive.provider import chunk, document, page
from indx_testkit.lanes import EnricherKit

TEXTS = (
    "The council met on Monday. It discussed the budget of the harbour.",
    "委員会は月曜日に開かれた。港湾の予算について議論した。",
    "Name: A\nDate: B",
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
