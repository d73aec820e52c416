"""The slides chunker under the rules of its port."""

from __future__ import annotations

from indx_chunker_slides.provider import chunker
from indx_testkit.chunking import ChunkerKit
from indx_testkit.samples import document, reading, table

GRID_TEXT, GRID = table([["k", "v"], ["a", "1"]], start=6)
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"


class TestSlidesChunker(ChunkerKit):
    factory = staticmethod(chunker)
    joiner = "\n"
    samples = (
        document(
            reading(
                f"Title\n{GRID_TEXT}\nafter\nspoken",
                tables=[GRID],
                headings=[("Title", 1)],
                roles=[("spoken", "notes")],
                boxes=[(0, 0, 1, 0.1), (0, 0.2, 1, 0.3), (0, 0.3, 1, 0.4), (0, 0.5, 1, 0.6), None],
            ),
            reading("hidden shape\nlost shape", hidden=["hidden shape"], boxes=[(0, 0, 1, 1), None]),
            reading(reason="damaged_part"),
            media_type=PPTX,
        ),
    )
