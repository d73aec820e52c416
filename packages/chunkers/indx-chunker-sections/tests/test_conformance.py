"""The kit of the chunker port."""

from indx_chunker_sections.provider import chunker
from indx_testkit.chunking import ChunkerKit
from indx_testkit.samples import document, reading, table

TEXT, TABLE = table([["name", "value"], ["a", "1"], ["b", "two words"]], start=len("Guide\nintro\n"))
PAGE = reading(
    f"Guide\nintro\n{TEXT}\nafter\nPart\nbody", headings=[("Guide", 1), ("Part", 2)], tables=[TABLE]
)


class TestSectionChunker(ChunkerKit):
    factory = staticmethod(chunker)
    samples = (
        document(PAGE, media_type="text/markdown"),
        document("words " * 2000, "second page", media_type="text/html"),
    )

    @property
    def media_type(self):
        return "text/markdown"
