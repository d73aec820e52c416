"""The sniffer, observer and reader of binary presentations under the rules of their ports."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from indx_format_office.compound_writer import compound_file
from indx_reader_ppt.provider import MEDIA_TYPES, observer, reader, sniffer
from indx_testkit.loading import SnifferKit
from indx_testkit.reading import CapabilityKit, ObserverKit
from indx_testkit.samples import DocumentSample, SniffSample


@pytest.fixture
def samples(make: SimpleNamespace) -> list[DocumentSample]:
    title = make.shape("見出し", (0, 0, 1000, 100), place=13)
    body = make.shape("one\rtwo", (0, 100, 500, 500))
    return [
        DocumentSample(
            make.deck(make.slide(title, body), make.slide(make.shape("café", (0, 0, 10, 10)))),
            MEDIA_TYPES[0],
            "a.ppt",
            pages=2,
            expected=["見出し\none\ntwo", "café"],
            renders=False,
            members=[],
        ),
    ]


class TestSniffer(SnifferKit):
    factory = staticmethod(sniffer)

    @pytest.fixture(autouse=True)
    def _samples(self, make: SimpleNamespace) -> None:
        data = make.deck(make.slide())
        inside = {"PowerPoint Document": b"x"}
        self.samples = [
            SniffSample(data, MEDIA_TYPES[0], strength="strong"),
            SniffSample(data, MEDIA_TYPES[0], filename="a.doc", declared="application/msword"),
            SniffSample(compound_file({"Workbook": b"x", "P": inside}), None, filename="a.ppt"),
            SniffSample(compound_file({"WordDocument": b"x"}), None, filename="a.ppt"),
            SniffSample(b"plain text", None, filename="a.ppt", declared=MEDIA_TYPES[0]),
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
