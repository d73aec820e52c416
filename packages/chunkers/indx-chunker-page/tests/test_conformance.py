"""The page chunker keeps the rules of its port."""

from __future__ import annotations

from indx_chunker_page.provider import chunker
from indx_testkit import ChunkerKit
from indx_testkit.samples import document, reading


class TestPageChunker(ChunkerKit):
    factory = staticmethod(chunker)
    samples = (
        document("one page of text", "", "\n another page\nof two lines \n"),
        document(reading("placed\nlines", boxes=[(0.1, 0.1, 0.5, 0.2), (0.1, 0.3, 0.9, 0.4)])),
        document(reading(reason="no_text_layer"), "read"),
    )
