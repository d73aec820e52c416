"""The sniffer and the observer keep the rules of their ports."""

from __future__ import annotations

import struct
import zlib

from indx_reader_image.provider import observer, sniffer
from indx_testkit import DocumentSample, ObserverKit, SnifferKit, SniffSample


def png(width: int, height: int) -> bytes:
    """A grey picture, written by hand."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(b"".join(b"\0" + bytes(range(width)) for _ in range(height)))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def tiff(frames: int) -> bytes:
    """So many frames of two by two grey pixels, written by hand."""
    out = bytearray(b"II*\0" + struct.pack("<I", 8))
    for number in range(frames):
        tags = [(256, 2), (257, 2), (258, 8), (259, 1), (262, 1), (273, 0), (277, 1), (278, 2), (279, 4)]
        start = len(out) + 2 + 12 * len(tags) + 4
        entries = b"".join(
            struct.pack("<HHII", tag, 4, 1, start if tag == 273 else value) for tag, value in tags
        )
        following = start + 4 if number + 1 < frames else 0
        out += struct.pack("<H", len(tags)) + entries + struct.pack("<I", following) + bytes(4)
    return bytes(out)


class TestSniffer(SnifferKit):
    factory = staticmethod(sniffer)
    samples = (
        SniffSample(png(1, 1), "image/png", strength="strong"),
        SniffSample(tiff(1), "image/tiff", strength="strong"),
        SniffSample(b"MM\0*\0\0\0\x08", "image/tiff", strength="strong"),
        SniffSample(b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg", declared="image/png", strength="strong"),
        SniffSample(b"GIF89a\1\0\1\0", "image/gif", strength="strong"),
        SniffSample(b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp", strength="strong"),
        SniffSample(b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0", "image/bmp", strength="strong"),
        SniffSample(b"\0\0\0\x18ftypheic\0\0\0\0", "image/heif", strength="strong"),
        SniffSample(b"BM is how this sentence begins, and it goes on", None, filename="x.bmp"),
        SniffSample(b"RIFF\x24\0\0\0WAVEfmt ", None),
        SniffSample(b"\0\0\0\x18ftypmp42\0\0\0\0", None),
        SniffSample(b"", None, filename="x.png", declared="image/png"),
    )


class TestObserver(ObserverKit):
    factory = staticmethod(observer)
    documents = (
        DocumentSample(png(40, 20), "image/png", "a.png", pages=1, renders=True, members=()),
        DocumentSample(tiff(3), "image/tiff", pages=3, renders=True, members=()),
    )
