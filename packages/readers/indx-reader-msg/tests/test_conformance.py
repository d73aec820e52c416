"""The sniffer, observer and reader of Outlook messages under the rules of their ports."""

from __future__ import annotations

from collections.abc import Callable

import compressed_rtf
import pytest

from indx_format_office.compound_writer import compound_file
from indx_reader_msg.provider import MEDIA_TYPES, observer, reader, sniffer
from indx_testkit.loading import SnifferKit
from indx_testkit.reading import CapabilityKit, ObserverKit
from indx_testkit.samples import DocumentSample, SniffSample

Make = Callable[..., bytes]


@pytest.fixture
def samples(msg: Make) -> list[DocumentSample]:
    rich = compressed_rtf.compress(rb"{\rtf1\ansi rich text\par}")
    return [
        DocumentSample(
            msg(
                {0x0037: "題名", 0x1000: "body"},
                [{0x3001: "Bob", 0x3003: "bob@example.com", 0x0C15: 1}],
                [{0x3707: "a.txt", 0x3701: b"text"}],
            ),
            MEDIA_TYPES[0],
            "a.msg",
            pages=1,
            expected=["題名", "To: Bob <bob@example.com>", "body"],
            renders=False,
            members=["a.txt"],
        ),
        DocumentSample(msg({0x1009: rich}), MEDIA_TYPES[0], pages=1, expected=["rich text"], members=[]),
        DocumentSample(msg({}), MEDIA_TYPES[0], pages=1),
    ]


class TestSniffer(SnifferKit):
    factory = staticmethod(sniffer)

    @pytest.fixture(autouse=True)
    def _samples(self, msg: Make) -> None:
        data = msg({0x0037: "x"})
        self.samples = [
            SniffSample(data, MEDIA_TYPES[0], strength="strong"),
            SniffSample(data, MEDIA_TYPES[0], filename="wrong.doc", declared="application/msword"),
            SniffSample(compound_file({"WordDocument": b"x"}), None, filename="a.msg"),
            SniffSample(b"plain text", None, filename="a.msg", declared=MEDIA_TYPES[0]),
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
