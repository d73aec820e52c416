"""The sniffer, observer and reader of binary workbooks under the rules of their ports."""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest

from indx_format_office.compound_writer import compound_file
from indx_reader_xls.provider import MEDIA_TYPES, observer, reader, sniffer
from indx_testkit.loading import SnifferKit
from indx_testkit.reading import CapabilityKit, ObserverKit
from indx_testkit.samples import DocumentSample, SniffSample

Make = Callable[..., bytes]


@pytest.fixture
def samples(xls: Make, sheet: Make) -> list[DocumentSample]:
    first = sheet([(0, 0, "名前"), (0, 1, "数"), (1, 0, "a"), (1, 1, 1.5)])
    return [
        DocumentSample(
            xls({"one": first, "two": sheet([(3, 2, "far")])}),
            MEDIA_TYPES[0],
            "a.xls",
            pages=2,
            expected={1: ["名前\t数\na\t1.5"], 2: ["far"]},
            renders=False,
            members=[],
        ),
        DocumentSample(xls({"empty": sheet([])}), MEDIA_TYPES[0], pages=1),
    ]


class TestSniffer(SnifferKit):
    factory = staticmethod(sniffer)

    @pytest.fixture(autouse=True)
    def _samples(self, xls: Make, sheet: Make) -> None:
        data = xls({"one": sheet([])})
        self.samples = [
            SniffSample(data, MEDIA_TYPES[0], strength="strong"),
            SniffSample(data, MEDIA_TYPES[0], filename="wrong.doc", declared="application/msword"),
            SniffSample(compound_file({"Book": b"x" * 100}), MEDIA_TYPES[0], strength="strong"),
            SniffSample(struct.pack("<6H", 0x0809, 8, 0x0500, 5, 0, 0), MEDIA_TYPES[0], strength="strong"),
            SniffSample(
                compound_file({"WordDocument": b"x", "ObjectPool": {"_1": {"Workbook": b"x"}}}),
                None,
                filename="a.xls",
            ),
            SniffSample(b"plain text", None, filename="a.xls", declared=MEDIA_TYPES[0]),
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
