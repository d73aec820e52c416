"""The slides sniffer, observer and reader under the rules of their ports."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indx_reader_slides.provider import MEDIA_TYPES, observer, reader, sniffer
from indx_testkit.loading import SnifferKit
from indx_testkit.reading import CapabilityKit, ObserverKit
from indx_testkit.samples import DocumentSample, SniffSample

SHAPE = (
    '<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>'
    '<a:off x="10" y="10"/><a:ext cx="100" cy="50"/></a:xfrm></p:spPr>'
    "<p:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></p:txBody></p:sp>"
)


@pytest.fixture
def samples(pptx: Callable[..., bytes]) -> list[DocumentSample]:
    whole = pptx(
        SHAPE.format("一枚目"),
        SHAPE.format("second"),
        notes={2: SHAPE.format("spoken")},
        rels={1: [("e", "oleObject", "../embeddings/object1.bin")]},
        raw={"ppt/embeddings/object1.bin": b"\xd0\xcf inside"},
    )
    damaged = pptx(SHAPE.format("good"), "", raw={"ppt/slides/slide2.xml": "<broken"})
    return [
        DocumentSample(
            whole,
            MEDIA_TYPES[0],
            "deck.pptx",
            pages=2,
            expected={1: ["一枚目"], 2: ["second", "spoken"]},
            renders=False,
            members=["ppt/embeddings/object1.bin"],
        ),
        DocumentSample(damaged, MEDIA_TYPES[0], pages=2, expected={1: ["good"]}, unread={2: "damaged_part"}),
    ]


class TestSniffer(SnifferKit):
    factory = staticmethod(sniffer)

    @pytest.fixture(autouse=True)
    def _samples(self, pptx: Callable[..., bytes]) -> None:
        self.samples = [
            SniffSample(pptx(SHAPE), MEDIA_TYPES[0], strength="strong"),
            SniffSample(pptx(SHAPE), MEDIA_TYPES[0], filename="a.docx"),
            SniffSample(b"\x89PNG", None, filename="a.pptx"),
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
