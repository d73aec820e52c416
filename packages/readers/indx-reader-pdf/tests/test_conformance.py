"""The sniffer, the observer and the reader keep the rules of their ports."""

from __future__ import annotations

import pytest

from indx_reader_pdf.provider import observer, reader, sniffer
from indx_testkit import CapabilityKit, DocumentSample, ObserverKit, SnifferKit, SniffSample


class Samples:
    @pytest.fixture(autouse=True)
    def _documents(self, samples):
        type(self).documents = tuple(
            DocumentSample(media_type="application/pdf", filename="sample.pdf", renders=True, **sample)
            for sample in samples
        )


class TestSniffer(SnifferKit):
    factory = staticmethod(sniffer)
    samples = (
        SniffSample(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "application/pdf", strength="strong"),
        SniffSample(b"\n" * 1000 + b"%PDF-2.0\n", "application/pdf", strength="strong"),
        SniffSample(b"%PDF-1.4", "application/pdf", declared="text/plain", strength="strong"),
        SniffSample(b"\n" * 1024 + b"%PDF-1.7\n", None),
        SniffSample(b"see %PDF- for the header", None, filename="about.pdf", declared="application/pdf"),
        SniffSample(b"Every PDF file begins with %PDF-1.7, and ends\nwith %%EOF.", None, filename="about.md"),
        SniffSample(b"HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n1 0 obj", "application/pdf", strength="strong"),
        SniffSample(b"\0\1\2junk%PDF-1.4 ", "application/pdf", strength="strong"),
        SniffSample(b"\xef\xbb\xbf%PDF-1.4\n", "application/pdf", strength="strong"),
        SniffSample(b"", None, filename="empty.pdf"),
    )


class TestObserver(Samples, ObserverKit):
    factory = staticmethod(observer)


class TestReader(Samples, CapabilityKit):
    factory = staticmethod(reader)
    observer = staticmethod(observer)
