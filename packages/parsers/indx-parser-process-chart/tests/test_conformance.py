"""The parser under the rules of its port, by the session of the reader of slides and by that of others."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from indx_parser_process_chart.provider import MEDIA_TYPES, parser
from indx_reader_slides.provider import observer
from indx_testkit.parsing import ParserKit
from indx_testkit.samples import DocumentSample


class TestParser(ParserKit):
    factory = staticmethod(parser)
    observer = staticmethod(observer)

    @pytest.fixture(autouse=True)
    def _documents(self, pptx: Callable[..., bytes], draw: SimpleNamespace) -> None:
        pictured = draw.chart + draw.picture(8, (0, 300, 100, 100), "the oven") + draw.text
        self.documents = [
            DocumentSample(
                pptx(draw.text, pictured, notes={2: "ask the baker"}),
                MEDIA_TYPES[0],
                "bread.pptx",
                pages=2,
                expected={2: ["Bread", "Flour", "Knead", "the oven", "Only words", "ask the baker"]},
                unread={1: "no_process_chart"},
            ),
            DocumentSample(
                pptx(draw.chart, "", raw={"ppt/slides/slide2.xml": "<broken"}),
                MEDIA_TYPES[0],
                pages=2,
                expected={1: ["Flour"]},
                unread={2: "damaged_part"},
            ),
        ]
        self.others = [
            DocumentSample(pptx(draw.title("Hello") + draw.text), MEDIA_TYPES[0]),
            DocumentSample(
                pptx(
                    draw.shape(2, "rect", (0, 0, 9, 9), "a")
                    + draw.shape(3, "rect", (50, 0, 9, 9), "b")
                    + draw.connector(4, 2, 3)
                ),
                MEDIA_TYPES[0],
            ),
            DocumentSample(pptx(), MEDIA_TYPES[0]),
        ]


class TestParserBySessionsOfOthers(TestParser):
    observer = None
