"""The Rich Text sniffer, observer and reader under the rules of their ports."""

from __future__ import annotations

from indx_reader_rtf.provider import MEDIA_TYPES, observer, reader, sniffer
from indx_testkit.loading import SnifferKit
from indx_testkit.reading import CapabilityKit, ObserverKit
from indx_testkit.samples import DocumentSample, SniffSample

WHOLE = (
    rb"{\rtf1\ansi\ansicpg932{\fonttbl{\f0\fcharset128 Mincho;}}{\stylesheet{\s1\outlinelevel0 heading 1;}}"
    rb"{\info{\title T}}\pard\s1\f0 \'93\'fa\'96\'7b\par\pard text{\footnote a note}\par"
    rb"\trowd\cellx900\cellx1800\pard\intbl left\cell right\cell\row\pard end\par}"
)
SAMPLES = (
    DocumentSample(
        WHOLE,
        MEDIA_TYPES[0],
        "a.rtf",
        pages=1,
        expected=["日本", "text", "left\tright", "a note"],
        renders=False,
        members=[],
    ),
    DocumentSample(rb"{\rtf1}", MEDIA_TYPES[0], pages=1),
    DocumentSample(
        rb"{\rtf1\ansi\fromhtml1{\*\htmltag64 <h1>}Hello{\*\htmltag72 </h1>}}", MEDIA_TYPES[1], pages=1
    ),
)


class TestSniffer(SnifferKit):
    factory = staticmethod(sniffer)
    samples = (
        SniffSample(WHOLE, MEDIA_TYPES[0], strength="strong"),
        SniffSample(WHOLE, MEDIA_TYPES[0], filename="a.doc", declared="application/msword"),
        SniffSample(b"\r\n{\\rtf\\ansi x}", MEDIA_TYPES[0], strength="strong"),
        SniffSample(b"plain {\\rtf1}", None, filename="a.rtf", declared=MEDIA_TYPES[0]),
    )


class TestObserver(ObserverKit):
    factory = staticmethod(observer)
    documents = SAMPLES


class TestReader(CapabilityKit):
    factory = staticmethod(reader)
    observer = staticmethod(observer)
    documents = SAMPLES
