"""Binary Word documents built by the tests: pieces, properties, stories."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from indx_format_office.compound_writer import compound_file

BASE = 2048


@dataclass
class Para:
    """A paragraph: its runs with operations, its last character, its style and operations."""

    runs: Sequence[tuple[str, bytes]]
    end: str = "\r"
    style: int = 0
    ops: bytes = b""


@dataclass
class _Page:
    """A page of 512 bytes that says something of stretches."""

    bounds: list[int] = field(default_factory=list)
    said: list[bytes] = field(default_factory=list)

    def pack(self, entry: int) -> bytes:
        page = bytearray(512)
        struct.pack_into(f"<{len(self.bounds)}L", page, 0, *self.bounds)
        free = 510
        for place, data in enumerate(self.said):
            if data:
                free = (free - len(data)) // 2 * 2
                page[free : free + len(data)] = data
                page[4 * len(self.bounds) + place * entry] = free // 2
        page[511] = len(self.said)
        return bytes(page)


def op(number: int, operand: bytes) -> bytes:
    return struct.pack("<H", number) + operand


@pytest.fixture
def doc() -> Callable[..., bytes]:
    """A document of stories, the body first; `narrow` stores one byte a character."""

    def make(
        *stories: Sequence[Para],
        narrow: bool = False,
        flags: int = 0x0200,
        mark: int = 0xA5EC,
        fonts: Sequence[str] = (),
    ) -> bytes:
        width = 1 if narrow else 2
        characters, paragraphs = _Page([BASE]), _Page([BASE])
        text, at = "", BASE
        counts = [0] * 8
        for story, paras in enumerate(stories):
            for para in paras:
                for run, ops in (*para.runs, (para.end, b"")):
                    text += run
                    at += len(run) * width
                    counts[story] += len(run)
                    characters.bounds.append(at)
                    characters.said.append(bytes((len(ops),)) + ops if ops else b"")
                body = struct.pack("<H", para.style) + para.ops
                body += b"\0" * (1 - len(body) % 2)
                paragraphs.bounds.append(at)
                paragraphs.said.append(bytes(((len(body) + 1) // 2,)) + body)
        stream = bytearray(BASE)
        stream += text.encode("cp1252" if narrow else "utf-16-le", "strict" if narrow else "surrogatepass")
        stream += bytes(-len(stream) % 512)
        pages = len(stream) // 512
        stream += characters.pack(1) + paragraphs.pack(13)
        place = BASE * 2 | 0x40000000 if narrow else BASE
        plex = struct.pack("<LL", 0, len(text)) + struct.pack("<HLH", 0, place, 0)
        clx = b"\x02" + struct.pack("<L", len(plex)) + plex
        table = clx
        struct.pack_into("<2L", stream, 0x1A2, 0, len(clx))
        for where, page in ((0xFA, pages), (0x102, pages + 1)):
            held = struct.pack("<LLL", BASE, at, page)
            struct.pack_into("<2L", stream, where, len(table), len(held))
            table += held
        named = [bytes(39) + font.encode("utf-16-le") + b"\0\0" for font in fonts]
        listed = struct.pack("<HH", len(fonts), 0) + b"".join(bytes((len(one),)) + one for one in named)
        struct.pack_into("<2L", stream, 0x112, len(table), len(listed))
        table += listed
        struct.pack_into("<HH", stream, 0, mark, 193)
        struct.pack_into("<H", stream, 0x0A, flags)
        struct.pack_into("<8l", stream, 0x4C, *counts)
        return compound_file({"WordDocument": bytes(stream), "1Table": table})

    return make


@pytest.fixture
def para() -> Callable[..., Para]:
    """A paragraph of one text, or of runs."""

    def make(*runs: str | tuple[str, bytes], **more: object) -> Para:
        made = [(run, b"") if isinstance(run, str) else run for run in runs]
        return Para(made, **more)  # type: ignore[arg-type]

    return make
