"""The PDF chunker keeps the rules of its port."""

from __future__ import annotations

from indx_chunker_pdf.provider import chunker
from indx_core.ports import Raster, SourceContent
from indx_testkit import ChunkerKit, StubSession
from indx_testkit.samples import document, reading


class Drawing(StubSession):
    def render(self, page, *, dpi, max_pixels, pixels=True):
        return Raster(1, 1, b"\xff\xff\xff", dpi)


class TestPdfChunker(ChunkerKit):
    factory = staticmethod(chunker)
    samples = (
        document(
            reading(
                "A title\nfirst line of it\nsecond line\nNext title\nand its text",
                boxes=[(0.1, 0.1 * line, 0.5, 0.1 * line + 0.05) for line in range(1, 6)],
                headings=[("A title", 1), ("Next title", 2)],
            ),
            reading(reason="no_text_layer"),
            reading(""),
            media_type="application/pdf",
        ),
    )

    def session(self, document):
        return Drawing(SourceContent.of_bytes(b"", media_type="application/pdf"), len(document.pages))
