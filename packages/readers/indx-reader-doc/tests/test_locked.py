"""Documents behind a password: opened with a known one, refused without, whatever is damaged."""

from __future__ import annotations

import hashlib
import json
import random
import struct
from collections.abc import Callable
from contextlib import closing

import pytest
from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4
from cryptography.hazmat.primitives.ciphers import Cipher

from indx_core.errors import IndxError, SourceError
from indx_core.ports import SourceContent
from indx_format_office.compound import open_compound, read_stream
from indx_format_office.compound_writer import compound_file
from indx_reader_doc import MEDIA_TYPES, observer

SALT, PROOF = bytes(range(16)), bytes(range(50, 66))
Para = Callable[..., object]
Lock = Callable[[str], bytes]


def rc4(password: str, block: int, data: bytes) -> bytes:
    start = hashlib.sha1(SALT + password.encode("utf-16-le")).digest()
    key = hashlib.sha1(start + struct.pack("<L", block)).digest()[:16]
    return Cipher(ARC4(key), mode=None).encryptor().update(data)


def locked(password: str, data: bytes) -> bytes:
    return b"".join(rc4(password, at // 512, data[at : at + 512]) for at in range(0, len(data), 512))


@pytest.fixture
def lock(doc: Callable[..., bytes], para: Para) -> Lock:
    """A document that a password locks, as Word does it: how it is locked heads the table."""
    with open_compound(doc([para("the secret " * 100), para("終")], [para("a note")])) as file:
        main, table = (bytearray(read_stream(file, name)) for name in ("WordDocument", "1Table"))

    def make(password: str) -> bytes:
        header = struct.pack("<8L", 4, 0, 0x6801, 0x8004, 128, 1, 0, 0)
        proof = rc4(password, 0, PROOF + hashlib.sha1(PROOF).digest())
        info = struct.pack("<HHLL", 2, 2, 4, len(header)) + header
        info += struct.pack("<L", 16) + SALT + proof[:16] + struct.pack("<L", 20) + proof[16:]
        moved = bytearray(main)
        for at in (0x1A2, 0xFA, 0x102):
            place = struct.unpack_from("<L", moved, at)[0]
            struct.pack_into("<L", moved, at, place + len(info))
        struct.pack_into("<H", moved, 0x0A, 0x0300)
        struct.pack_into("<L", moved, 0x0E, len(info))
        streams = {"WordDocument": moved[:68] + locked(password, bytes(moved))[68:]}
        streams["1Table"] = info + locked(password, bytes(len(info)) + bytes(table))[len(info) :]
        return compound_file({name: bytes(data) for name, data in streams.items()})

    return make


def text_of(data: bytes) -> str:
    with closing(observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))) as session:
        return str(session.reading(1).text)  # type: ignore[attr-defined]


def test_one_of_the_known_passwords_opens_it(lock: Lock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", json.dumps(["wrong", "pässword"]))
    assert text_of(lock("pässword")) == "the secret " * 100 + "\n終\na note"


def test_without_the_password_the_refusal_names_the_setting(lock: Lock) -> None:
    with pytest.raises(SourceError, match="INDX_SOURCE_PASSWORDS") as caught:
        text_of(lock("right"))
    assert caught.value.code == "source_encrypted"


def test_an_older_disguise_is_refused_as_locked(doc: Callable[..., bytes], para: Para) -> None:
    with pytest.raises(SourceError, match="not opened here") as caught:
        text_of(doc([para("x")], flags=0x8300))
    assert caught.value.code == "source_encrypted"


def test_any_damage_ends_in_text_or_a_refusal(lock: Lock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", '["known"]')
    whole = lock("known")
    chance = random.Random(11)
    refused = 0
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 5, 40))):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            text_of(bytes(data[: chance.choice((len(data), chance.randrange(len(data))))]))
        except IndxError:
            refused += 1
    assert 20 < refused < 150
