"""The sheets sniffer, observer and reader under the rules of their ports."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indx_reader_sheets.provider import MEDIA_TYPES, observer, reader, sniffer
from indx_testkit.loading import SnifferKit
from indx_testkit.reading import CapabilityKit, ObserverKit
from indx_testkit.samples import DocumentSample, SniffSample

ROWS = (
    '<row r="1"><c r="A1" t="inlineStr"><is><t>品目</t></is></c>'
    '<c r="B1" t="inlineStr"><is><t>数</t></is></c></row>'
    '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2"><v>3</v></c></row>'
)


@pytest.fixture
def samples(xlsx: Callable[..., bytes]) -> list[DocumentSample]:
    whole = xlsx(
        ROWS,
        "",
        shared=["<t>りんご</t>"],
        states={2: "hidden"},
        rels={1: [("e", "package", "../embeddings/note.docx")]},
        raw={"xl/embeddings/note.docx": b"PK inside"},
    )
    damaged = xlsx(ROWS, "<broken", shared=["<t>a</t>"])
    return [
        DocumentSample(
            whole,
            MEDIA_TYPES[0],
            "book.xlsx",
            pages=2,
            expected={1: ["品目\t数\nりんご\t3"], 2: []},
            renders=False,
            members=["xl/embeddings/note.docx"],
        ),
        DocumentSample(damaged, MEDIA_TYPES[0], pages=2, expected={1: ["a\t3"]}, unread={2: "damaged_part"}),
    ]


class TestSniffer(SnifferKit):
    factory = staticmethod(sniffer)

    @pytest.fixture(autouse=True)
    def _samples(self, xlsx: Callable[..., bytes]) -> None:
        self.samples = [
            SniffSample(xlsx(ROWS), MEDIA_TYPES[0], strength="strong"),
            SniffSample(xlsx(ROWS), MEDIA_TYPES[0], filename="a.docx", declared="application/zip"),
            SniffSample(b"a,b\n1,2\n", None, filename="a.xlsx"),
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
