"""The EPUB sniffer, observer and reader under the rules of their ports."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indx_reader_epub.provider import MEDIA_TYPES, observer, reader, sniffer
from indx_testkit.loading import SnifferKit
from indx_testkit.reading import CapabilityKit, ObserverKit
from indx_testkit.samples import DocumentSample, SniffSample


@pytest.fixture
def samples(epub: Callable[..., bytes]) -> list[DocumentSample]:
    table = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"
    return [
        DocumentSample(
            epub({"one.xhtml": "<h1>第一章</h1><p>text</p>", "two.xhtml": table}),
            MEDIA_TYPES[0],
            "a.epub",
            pages=1,
            expected=["第一章", "text", "a\tb\n1\t2"],
            renders=False,
            members=[],
        ),
        DocumentSample(epub({}), MEDIA_TYPES[0], pages=1, members=[]),
    ]


class TestSniffer(SnifferKit):
    factory = staticmethod(sniffer)

    @pytest.fixture(autouse=True)
    def _samples(self, epub: Callable[..., bytes]) -> None:
        data = epub({"one.xhtml": "x"})
        self.samples = [
            SniffSample(data, MEDIA_TYPES[0], strength="strong"),
            SniffSample(data, MEDIA_TYPES[0], filename="wrong.zip", declared="application/zip"),
            SniffSample(epub({}, mimetype=False), MEDIA_TYPES[0], strength="strong"),
            SniffSample(b"PK\x03\x04 no archive", None, filename="a.epub"),
            SniffSample(b"plain text", None, filename="a.epub", declared=MEDIA_TYPES[0]),
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
