"""The OpenDocument sniffer, observer and reader under the rules of their ports."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indx_reader_opendocument.provider import MEDIA_TYPES, observer, reader, sniffer
from indx_testkit.loading import SnifferKit
from indx_testkit.reading import CapabilityKit, ObserverKit
from indx_testkit.samples import DocumentSample, SniffSample

START = "application/vnd.oasis.opendocument."
TEXT = (
    '<text:h text:outline-level="1">見出し</text:h><text:p>a<text:note text:note-class="footnote">'
    "<text:note-body><text:p>a note</text:p></text:note-body></text:note> word</text:p>"
    "<table:table><table:table-row><table:table-cell><text:p>left</text:p></table:table-cell>"
    "<table:table-cell><text:p>right</text:p></table:table-cell></table:table-row></table:table>"
    '<draw:frame><draw:object-ole xlink:href="./Object 1"/></draw:frame>'
)
SHEET = (
    '<table:table table:name="{}"><table:table-row><table:table-cell office:value-type="float" '
    'office:value="{}"><text:p>x</text:p></table:table-cell></table:table-row></table:table>'
)
SLIDE = (
    '<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>{}</text:p></draw:text-box>'
    "</draw:frame></draw:page>"
)


@pytest.fixture
def samples(odf: Callable[..., bytes]) -> list[DocumentSample]:
    return [
        DocumentSample(
            odf("text", TEXT, parts={"Object 1": b"\xd0\xcf an object"}),
            START + "text",
            "a.odt",
            pages=1,
            expected=["見出し", "a word", "left\tright", "a note"],
            renders=False,
            members=["Object 1"],
        ),
        DocumentSample(
            odf("spreadsheet", SHEET.format("one", "1.5") + SHEET.format("two", "2")),
            START + "spreadsheet",
            pages=2,
            expected={1: ["1.5"], 2: ["2"]},
            members=[],
        ),
        DocumentSample(
            odf("presentation", SLIDE.format("first") + SLIDE.format("second")),
            START + "presentation",
            pages=2,
            expected={1: ["first"], 2: ["second"]},
        ),
    ]


class TestSniffer(SnifferKit):
    factory = staticmethod(sniffer)

    @pytest.fixture(autouse=True)
    def _samples(self, odf: Callable[..., bytes]) -> None:
        flat = (
            b'<?xml version="1.0"?>\n<!-- made by hand -->\n<office:document xmlns:office="x" '
            b'office:mimetype="application/vnd.oasis.opendocument.text">'
        )
        self.samples = [
            SniffSample(odf("text", ""), START + "text", strength="strong"),
            SniffSample(odf("text", ""), START + "text", filename="a.docx", declared="application/zip"),
            SniffSample(odf("drawing", ""), START + "graphics", strength="strong"),
            SniffSample(odf("spreadsheet", "", mimetype=False), START + "spreadsheet", strength="strong"),
            SniffSample(flat, START + "text-flat-xml", strength="strong"),
            SniffSample(b"PK\x03\x04 no archive", None, filename="a.odt"),
            SniffSample(b"plain text", None, filename="a.odt", declared=START + "text"),
            SniffSample(b"<office:document>", None),
            SniffSample(b"<!-- of many -->\n" * 500 + flat.partition(b"\n")[2], START + "text-flat-xml"),
            SniffSample(b"<?xml version='1.0'?>\n" + b"<!-- of many -->\n" * 500 + b"<other/>", None),
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


def test_every_media_type_is_of_opendocument() -> None:
    assert all(media_type.startswith(START) for media_type in MEDIA_TYPES)
