"""The sniffer, observer and reader under the rules of their ports, over a stand-in for LibreOffice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from indx_format_office.compound_writer import compound_file
from indx_reader_libreoffice.provider import observer, reader, sniffer
from indx_testkit.loading import SnifferKit
from indx_testkit.reading import CapabilityKit, ObserverKit
from indx_testkit.samples import DocumentSample, SniffSample

WORDPERFECT = "application/vnd.wordperfect"


@pytest.fixture
def samples(program: Callable[..., Path], document: Callable[[str], bytes]) -> list[DocumentSample]:
    program()
    return [
        DocumentSample(
            document("One line\nand another\x0cThe second page"),
            WORDPERFECT,
            "a.wpd",
            pages=2,
            expected={1: ["One line\nand another"], 2: ["The second page"]},
            renders=True,
            members=[],
        ),
    ]


class TestSniffer(SnifferKit):
    factory = staticmethod(sniffer)

    @pytest.fixture(autouse=True)
    def _samples(self, program: Callable[..., Path], document: Callable[[str], bytes]) -> None:
        program()
        publisher = compound_file({"Quill": {"QuillSub": b""}, "Contents": b"x"})
        self.samples = [
            SniffSample(document("x"), WORDPERFECT, strength="strong"),
            SniffSample(document("x"), WORDPERFECT, filename="a.txt", declared="text/plain"),
            SniffSample(publisher, "application/x-mspublisher", filename="a.doc"),
            SniffSample(b"plain text", None, filename="a.wpd", declared=WORDPERFECT),
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
