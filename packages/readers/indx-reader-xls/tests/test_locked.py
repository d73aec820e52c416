"""Workbooks behind a password: opened with a known one, refused without, whatever is damaged."""

from __future__ import annotations

import hashlib
import json
import random
import struct
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4
from cryptography.hazmat.primitives.ciphers import Cipher

from indx_core.errors import IndxError, SourceError
from indx_core.ports import SourceContent
from indx_format_office.compound import open_compound, read_stream
from indx_format_office.compound_writer import compound_file
from indx_reader_xls import MEDIA_TYPES, observer

Make = Callable[..., bytes]
Lock = Callable[[str], bytes]
SALT, PROOF = bytes(range(16)), bytes(range(50, 66))


def rc4(password: str, block: int, data: bytes) -> bytes:
    start = hashlib.md5(password.encode("utf-16-le")).digest()[:5]
    middle = hashlib.md5((start + SALT) * 16).digest()[:5]
    key = hashlib.md5(middle + struct.pack("<L", block)).digest()
    return Cipher(ARC4(key), mode=None).encryptor().update(data)


def records(stream: bytes) -> Iterator[tuple[int, int, int]]:
    at = 0
    while at + 4 <= len(stream):
        number, size = struct.unpack_from("<HH", stream, at)
        yield number, at + 4, size
        at += 4 + size


@pytest.fixture
def lock(xls: Make, sheet: Make) -> Lock:
    """A workbook that a password locks, as Excel does it: record by record, and not the heads of records."""

    def make(password: str) -> bytes:
        proof = rc4(password, 0, PROOF + hashlib.md5(PROOF).digest())
        info = struct.pack("<HHH", 1, 1, 1) + SALT + proof
        cells = [(row, 0, f"secret {row}") for row in range(200)]
        lock = struct.pack("<HH", 0x002F, len(info)) + info
        with open_compound(xls({"Geheim": sheet(cells)}, extra=lock)) as file:
            stream = read_stream(file, "Workbook")
        pieces = [stream[at : at + 1024] for at in range(0, len(stream), 1024)]
        opened = bytearray(b"".join(rc4(password, at, piece) for at, piece in enumerate(pieces)))
        for number, start, size in records(stream):
            plain = size if number in (0x0809, 0x002F) else 4 if number == 0x0085 else 0
            opened[start - 4 : start + plain] = stream[start - 4 : start + plain]
        return compound_file({"Workbook": bytes(opened)}, sector=512)

    return make


def text_of(data: bytes) -> str:
    with closing(observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))) as session:
        return str(session.reading(1).text)  # type: ignore[attr-defined]


def test_one_of_the_known_passwords_opens_it(lock: Lock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", json.dumps(["wrong", "pässword"]))
    assert text_of(lock("pässword")).splitlines() == [f"secret {row}" for row in range(200)]


def test_a_workbook_that_is_only_protected_opens_unasked(lock: Lock) -> None:
    assert text_of(lock("VelvetSweatshop")).startswith("secret 0\n")


def test_without_the_password_the_refusal_names_the_setting(lock: Lock) -> None:
    with pytest.raises(SourceError, match="INDX_SOURCE_PASSWORDS") as caught:
        text_of(lock("right"))
    assert caught.value.code == "source_encrypted"


def test_any_damage_ends_in_text_or_a_refusal(lock: Lock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", '["known"]')
    whole = lock("known")
    chance = random.Random(5)
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
