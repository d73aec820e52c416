"""The grid chunker under the rules of its port."""

from __future__ import annotations

from indx_chunker_grid.provider import chunker
from indx_testkit.chunking import ChunkerKit
from indx_testkit.samples import document, reading, table

LONG, LONG_GRID = table([["name", "value"], *([f"row {n}", str(n)] for n in range(120))])
MERGED, MERGED_GRID = table(
    [["group", "", "n"], ["a", "b", ""], ["1", "2", "3"]],
    header_rows=2,
    spans={(1, 1): (1, 2), (1, 3): (2, 1)},
    caption="Totals",
)
NOTED, NOTED_GRID = table([["k", "v"], ["a", "1"]], start=8)
HEADED = "Heading\n" + NOTED + "\nA2: a comment\nA3: 別の👩\u200d👩\u200d👧コメント"


class TestGridChunker(ChunkerKit):
    factory = staticmethod(chunker)
    samples = (
        document(reading(LONG, tables=[LONG_GRID])),
        document(
            reading(MERGED, tables=[MERGED_GRID]),
            reading(
                HEADED,
                tables=[NOTED_GRID],
                headings=[("Heading", 1)],
                roles=[("A2: a comment", "comment"), ("A3: 別の👩\u200d👩\u200d👧コメント", "comment")],
            ),
        ),
    )
