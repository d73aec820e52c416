"""The kit of the chunker port."""

from indx_chunker_text.provider import chunker
from indx_testkit.chunking import ChunkerKit
from indx_testkit.samples import document, reading


class TestTextChunker(ChunkerKit):
    factory = staticmethod(chunker)
    samples = (
        document("A sentence. " * 400, "second page\n\nwith paragraphs"),
        document(reading("日本語の文章。" * 300), media_type="application/json"),
        document(reading("one\ntwo", boxes=[(0.1, 0.1, 0.5, 0.2), None]), media_type="image/png"),
    )
