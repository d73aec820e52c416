"""The rules of a capability, held with the real engine."""

from __future__ import annotations

import struct
import zlib
from typing import ClassVar

from indx_reader_image.provider import observer
from indx_reader_ocr.provider import reader
from indx_testkit import CapabilityKit, DocumentSample

# "HI" and a line under it, seven pixels a stroke.
LETTERS = ("#.#.###", "#.#..#.", "###..#.", "#.#..#.", "#.#.###")


def png(rows: tuple[str, ...], scale: int = 7, margin: int = 30) -> bytes:
    """A picture of black strokes on white."""
    width = len(rows[0]) * scale + 2 * margin
    white = b"\xff" * width
    lines = [white] * margin
    for row in rows:
        drawn = b"".join((b"\0" if mark == "#" else b"\xff") * scale for mark in row)
        lines += [b"\xff" * margin + drawn + b"\xff" * margin] * scale
    lines += [white] * margin

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, len(lines), 8, 0, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + line for line in lines))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


class TestOcrReader(CapabilityKit):
    factory = staticmethod(reader)
    observer = staticmethod(observer)
    needs_rendering = True
    documents: ClassVar = [
        DocumentSample(png(LETTERS), "image/png", pages=1, expected={1: ["HI"]}),
        DocumentSample(png(("." * 9,) * 5), "image/png", pages=1),
    ]
