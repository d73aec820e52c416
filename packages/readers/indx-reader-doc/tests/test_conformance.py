"""The sniffer, observer and reader of binary documents under the rules of their ports."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indx_format_office.compound_writer import compound_file
from indx_reader_doc.provider import MEDIA_TYPES, observer, reader, sniffer
from indx_testkit.loading import SnifferKit
from indx_testkit.reading import CapabilityKit, ObserverKit
from indx_testkit.samples import DocumentSample, SniffSample


@pytest.fixture
def samples(doc: Callable[..., bytes], para: Callable[..., object]) -> list[DocumentSample]:
    body = [para("見出し", style=1), para("text"), para("bold", " and more")]
    return [
        DocumentSample(
            doc(body, [para("a note")]),
            MEDIA_TYPES[0],
            "a.doc",
            pages=1,
            expected=["見出し\ntext\nbold and more", "a note"],
            renders=False,
            members=[],
        ),
        DocumentSample(doc([para("café")], narrow=True), MEDIA_TYPES[0], pages=1, expected=["café"]),
    ]


class TestSniffer(SnifferKit):
    factory = staticmethod(sniffer)

    @pytest.fixture(autouse=True)
    def _samples(self, doc: Callable[..., bytes], para: Callable[..., object]) -> None:
        data = doc([para("x")])
        self.samples = [
            SniffSample(data, MEDIA_TYPES[0], strength="strong"),
            SniffSample(data, MEDIA_TYPES[0], filename="a.xls", declared="application/vnd.ms-excel"),
            SniffSample(
                compound_file({"Workbook": b"x", "P": {"WordDocument": b"x"}}), None, filename="a.doc"
            ),
            SniffSample(b"plain text", None, filename="a.doc", declared=MEDIA_TYPES[0]),
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
