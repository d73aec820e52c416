"""The layout chunker keeps the rules of its port."""

from __future__ import annotations

from indx_chunker_layout.provider import chunker
from indx_testkit import ChunkerKit
from indx_testkit.samples import document, reading, table

WITH_TABLE, GRID = table([["name", "value"], ["one", "1"], ["two", "2"]], start=len("above it\n"))


class TestLayoutChunker(ChunkerKit):
    factory = staticmethod(chunker)
    joiner = "\n"
    samples = (
        document(
            reading(
                "A title\nfirst line of it\nsecond line\nNext title\nand its text",
                boxes=[(0.1, 0.1 * line, 0.5, 0.1 * line + 0.05) for line in range(1, 6)],
                headings=[("A title", 1), ("Next title", 2)],
            ),
            reading(
                f"above it\n{WITH_TABLE}\nbelow it\nnowhere",
                boxes=[*((0.1, 0.1 * line, 0.5, 0.1 * line + 0.05) for line in range(1, 6)), None],
                tables=[GRID],
            ),
            reading(reason="no_text_layer"),
            reading(""),
            media_type="application/pdf",
        ),
    )
