"""The Word sniffer, observer and reader under the rules of their ports."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indx_reader_word.provider import MEDIA_TYPES, observer, reader, sniffer
from indx_testkit.loading import SnifferKit
from indx_testkit.reading import CapabilityKit, ObserverKit
from indx_testkit.samples import DocumentSample, SniffSample

P = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"
CELL = "<w:tc><w:tcPr>{}</w:tcPr>" + P + "</w:tc>"
TABLE = (
    "<w:tbl><w:tr>" + CELL.format('<w:gridSpan w:val="2"/>', "both") + "</w:tr><w:tr>"
    + CELL.format("", "left") + CELL.format("", "right") + "</w:tr></w:tbl>"
)  # fmt: skip


@pytest.fixture
def samples(docx: Callable[..., bytes]) -> list[DocumentSample]:
    whole = docx(
        P.format("見出し") + TABLE + P.format("end"),
        footnotes='<w:footnote w:id="2">' + P.format("a note") + "</w:footnote>",
        rels=[("r9", "package", "embeddings/book.xlsx")],
        raw={"word/embeddings/book.xlsx": b"PK inside"},
    )
    return [
        DocumentSample(
            whole,
            MEDIA_TYPES[0],
            "a.docx",
            pages=1,
            expected=["見出し", "both", "left\tright", "a note"],
            renders=False,
            members=["word/embeddings/book.xlsx"],
        ),
        DocumentSample(docx(""), MEDIA_TYPES[0], pages=1, members=[]),
    ]


class TestSniffer(SnifferKit):
    factory = staticmethod(sniffer)

    @pytest.fixture(autouse=True)
    def _samples(self, docx: Callable[..., bytes]) -> None:
        data = docx(P.format("text"))
        self.samples = [
            SniffSample(data, MEDIA_TYPES[0], strength="strong"),
            SniffSample(data, MEDIA_TYPES[0], filename="wrong.pptx", declared="application/zip"),
            SniffSample(b"PK\x03\x04 no archive", None),
            SniffSample(b"plain text", None, filename="a.docx"),
        ]


class TestObserver(ObserverKit):
    factory = staticmethod(observer)

    @pytest.fixture(autouse=True)
    def _documents(self, samples: list[DocumentSample]) -> None:
        self.documents = samples


class TestReader(CapabilityKit):
    factory = staticmethod(reader)
    observer = staticmethod(observer)

    @pytest.fixture(autouse=True)
    def _documents(self, samples: list[DocumentSample]) -> None:
        self.documents = samples
