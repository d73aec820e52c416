"""Binary presentations built by the tests: records, drawings, edits, locks."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Sequence
from contextlib import closing
from types import SimpleNamespace

import pytest
from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4
from cryptography.hazmat.primitives.ciphers import Cipher

from indx_core.deadline import Deadline
from indx_core.ports import PageReading, SourceContent
from indx_format_office.compound_writer import compound_file
from indx_reader_ppt import MEDIA_TYPES, observer, reader
from indx_testkit.checks import assert_reading

Rect = tuple[int, int, int, int]
SIZE = (1000, 500)
SALT = bytes(range(16))


def rec(kind: int, *content: bytes, instance: int = 0, version: int = 0) -> bytes:
    """A record."""
    held = b"".join(content)
    return struct.pack("<HHL", instance << 4 | version, kind, len(held)) + held


def box(kind: int, *content: bytes, instance: int = 0) -> bytes:
    """A record of records."""
    return rec(kind, *content, instance=instance, version=15)


def string(text: str, instance: int = 0) -> bytes:
    return rec(0x0FBA, text.encode("utf-16-le"), instance=instance)


def characters(text: str, kind: int = 4, *more: bytes) -> bytes:
    """The records of a text."""
    narrow = all(ord(sign) < 256 for sign in text)
    held = rec(0x0FA8, text.encode("latin-1")) if narrow else rec(0x0FA0, text.encode("utf-16-le"))
    return rec(0x0F9F, struct.pack("<L", kind)) + held + b"".join(more)


def options(values: dict[int, int | str], kind: int = 0xF00B) -> bytes:
    heads, tails = b"", b""
    for number, value in values.items():
        if isinstance(value, str):
            text = (value + "\0").encode("utf-16-le")
            heads += struct.pack("<HL", number | 0x8000, len(text))
            tails += text
        else:
            heads += struct.pack("<HL", number, value)
    return rec(kind, heads, tails, instance=len(values), version=3)


def shape(
    text: bytes | str = b"",
    where: Rect | None = None,
    *,
    child: bool = False,
    kind: int = 202,
    flags: int = 0xA00,
    place: int = 0,
    data: bytes = b"",
    says: dict[int, int | str] | None = None,
) -> bytes:
    """A shape; `where` is left, top, right, bottom."""
    held = rec(0xF00A, struct.pack("<LL", 1025, flags), instance=kind, version=2)
    held += options(says) if says else b""
    held += anchor(where, child=child) if where is not None else b""
    if place:
        data = rec(0x0BC3, struct.pack("<LBBH", 0, place, 0, 0)) + data
    held += box(0xF011, data) if data else b""
    text = characters(text) if isinstance(text, str) else text
    return box(0xF004, held, box(0xF00D, text) if text else b"")


def anchor(where: Rect, *, child: bool = False) -> bytes:
    left, top, right, bottom = where
    if child:
        return rec(0xF00F, struct.pack("<4l", left, top, right, bottom))
    return rec(0xF010, struct.pack("<4h", top, left, right, bottom))


def group(where: Rect, units: Rect, *shapes: bytes, child: bool = False, table: bool = False) -> bytes:
    """A group of shapes, whose coordinates inside are `units`."""
    head = rec(0xF009, struct.pack("<4l", *units), version=1)
    head += rec(0xF00A, struct.pack("<LL", 1026, 0x201), version=2)
    head += options({0x039F: 1}, 0xF122) if table else b""
    return box(0xF003, box(0xF004, head, anchor(where, child=child)), *shapes)


def drawing(*shapes: bytes) -> bytes:
    patriarch = rec(0xF009, bytes(16), version=1) + rec(0xF00A, struct.pack("<LL", 1024, 5), version=2)
    ground = box(0xF004, rec(0xF00A, struct.pack("<LL", 1030, 0xC00), instance=1, version=2))
    return box(0x040C, box(0xF002, box(0xF003, box(0xF004, patriarch), *shapes), ground))


def slide(
    *shapes: bytes, notes: int = 0, hidden: bool = False, more: bytes = b"", flags: int = 7, layout: int = 1
) -> bytes:
    facts = struct.pack("<L8sLLHH", layout, bytes(8), 0x80000000, notes, flags, 0)
    show = rec(0x03F9, struct.pack("<LLBBHB3x", 0, 0, 0, 0, 4 if hidden else 1, 0))
    return box(0x03EE, rec(0x03EF, facts, version=2), show, drawing(*shapes), more)


def notes(*shapes: bytes) -> bytes:
    return box(0x03F0, rec(0x03F1, bytes(8), version=1), drawing(*shapes))


def master(*shapes: bytes) -> bytes:
    return box(0x03F8, rec(0x03EF, bytes(24), version=2), drawing(*shapes))


def margins(flags: int, *said: bytes, instance: int = 0) -> bytes:
    return box(0x0FD9, rec(0x0FDA, struct.pack("<HH", 0, flags)), *said, instance=instance)


def listing(instance: int, entries: Sequence[tuple[int, int, bytes]]) -> bytes:
    held = [
        rec(0x03F3, struct.pack("<LLlLL", number, 0, 0, name, 0)) + text for number, name, text in entries
    ]
    return box(0x0FF0, *held, instance=instance)


def document(*lists: bytes, size: tuple[int, int] = SIZE, bare_titles: bool = False) -> bytes:
    facts = struct.pack("<4l", *size, 500, 1000) + bytes(16)
    facts += struct.pack("<HHBBBB", 1, 0, 0, bare_titles, 0, 0)
    return box(0x03E8, rec(0x03E9, facts, version=1), *lists, rec(0x03EA))


def rc4(password: str, block: int, data: bytes) -> bytes:
    """`data` as it is locked by Windows' RC4 with a key of 128 bits."""
    base = hashlib.sha1(SALT + password.encode("utf-16-le")).digest()
    key = hashlib.sha1(base + struct.pack("<L", block)).digest()[:16]
    return Cipher(ARC4(key), mode=None).encryptor().update(data)


def session_of(password: str) -> bytes:
    """What says how a presentation is locked."""
    header = struct.pack("<LLLLLLLL", 4, 0, 0x6801, 0x8004, 128, 1, 0, 0) + "RC4\0".encode("utf-16-le")
    verifier = bytes(range(16, 32))
    locked = rc4(password, 0, verifier + hashlib.sha1(verifier).digest())
    proof = struct.pack("<L", 16) + SALT + locked[:16] + struct.pack("<L", 20) + locked[16:]
    return rec(0x2F14, struct.pack("<HHLL", 2, 2, 4, len(header)), header, proof)


def edits(*saves: dict[int, bytes], document: int = 1, password: str = "") -> tuple[bytes, bytes]:
    """The stream and the user's stream of objects by number, saved one after the other."""
    stream, last = bytearray(), 0
    for number, save in enumerate(saves):
        places, save = {}, dict(save)
        if password and number == len(saves) - 1:
            save[999] = session_of(password)
        for key, data in save.items():
            places[key] = len(stream)
            stream += rc4(password, key, data) if password and key != 999 else data
        listed = b"".join(struct.pack("<LL", key | 1 << 20, place) for key, place in places.items())
        directory = len(stream)
        stream += rec(0x1772, listed)
        edit = len(stream)
        facts = struct.pack("<LHBBLLLLHH", 0, 0, 0, 3, last, directory, document, 1000, 1, 0)
        stream += rec(0x0FF5, facts + (struct.pack("<L", 999) if password else b""))
        last = edit
    token = 0xF3D1C4DF if password else 0xE391C05F
    return bytes(stream), rec(0x0FF6, struct.pack("<LLLHHBBH", 20, token, last, 0, 0x3F4, 3, 0, 0))


def file_of(stream: bytes, user: bytes, **more: bytes) -> bytes:
    return compound_file({"PowerPoint Document": stream, "Current User": user, **more})


def deck(
    *slides: bytes,
    outlines: Sequence[bytes] = (),
    pages: Sequence[bytes] = (),
    masters: Sequence[bytes] = (),
    more: bytes = b"",
    password: str = "",
    **facts: object,
) -> bytes:
    """A presentation: slides 256, 257, …, their outlines, pages of notes 1, 2, …, a master."""
    texts = [*outlines, *[b""] * (len(slides) - len(outlines))]
    lists = (
        listing(1, [(100 + at, 0x80000000 + at, b"") for at in range(len(masters))]),
        more,
        listing(0, [(2 + at, 256 + at, text) for at, text in enumerate(texts)]),
        listing(2, [(50 + at, 1 + at, b"") for at in range(len(pages))]),
    )
    objects = {1: document(*lists, **facts)}  # type: ignore[arg-type]
    objects |= {2 + at: one for at, one in enumerate(slides)}
    objects |= {50 + at: one for at, one in enumerate(pages)}
    objects |= {100 + at: one for at, one in enumerate(masters)}
    return file_of(*edits(objects, password=password))


@pytest.fixture
def make() -> SimpleNamespace:
    """What builds records, shapes, slides and files."""
    names = (
        rec, box, string, characters, options, shape, anchor, group, drawing, slide, notes, master, margins,
        listing, document, edits, file_of, deck,
    )  # fmt: skip
    return SimpleNamespace(**{one.__name__: one for one in names})


@pytest.fixture
def read() -> Callable[[bytes], list[PageReading]]:
    """The pages of a presentation, each checked against the rules of its port."""

    def pages(data: bytes) -> list[PageReading]:
        with closing(observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))) as session:
            numbers = range(1, session.page_count + 1)
            found = list(reader().read(session, numbers, deadline=Deadline()))
        for page in found:
            assert_reading(page)
        return found

    return pages
