"""Keys of older files: made of the right password, of both kinds, and of nothing that is stated oddly."""

from __future__ import annotations

import hashlib
import json
import random
import struct

import pytest
from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4
from cryptography.hazmat.primitives.ciphers import Cipher

from indx_core.errors import SourceError
from indx_format_office.rc4 import unlock

SALT, PROOF = bytes(range(16)), bytes(range(50, 66))


def rc4(key: bytes, data: bytes) -> bytes:
    return Cipher(ARC4(key), mode=None).encryptor().update(data)


def plain_key(password: str, block: int) -> bytes:
    start = hashlib.md5(password.encode("utf-16-le")).digest()[:5]
    middle = hashlib.md5((start + SALT) * 16).digest()[:5]
    return hashlib.md5(middle + struct.pack("<L", block)).digest()


def offered_key(password: str, block: int, size: int = 16) -> bytes:
    start = hashlib.sha1(SALT + password.encode("utf-16-le")).digest()
    key = hashlib.sha1(start + struct.pack("<L", block)).digest()[:size]
    return key + bytes(11) if size == 5 else key


def plain(password: str) -> bytes:
    proof = rc4(plain_key(password, 0), PROOF + hashlib.md5(PROOF).digest())
    return struct.pack("<HH", 1, 1) + SALT + proof


def offered(password: str, *, bits: int = 128, stated: int | None = None) -> bytes:
    proof = rc4(offered_key(password, 0, bits // 8), PROOF + hashlib.sha1(PROOF).digest())
    header = struct.pack("<8L", 4, 0, 0x6801, 0x8004, bits if stated is None else stated, 1, 0, 0)
    head = struct.pack("<HHLL", 4, 2, 4, len(header)) + header
    return head + struct.pack("<L", 16) + SALT + proof[:16] + struct.pack("<L", 20) + proof[16:]


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", json.dumps(["", "other", "ключ"]))


def test_a_known_password_opens_both_kinds_piece_by_piece() -> None:
    pieces = [b"a" * 512, b"b" * 512, b"c" * 10]
    whole = b"".join(pieces)
    locked = b"".join(rc4(plain_key("ключ", at), piece) for at, piece in enumerate(pieces))
    assert unlock(plain("ключ")).decrypt(locked) == whole
    for bits in (40, 128):
        keys = [offered_key("ключ", 7 + at, bits // 8) for at in range(3)]
        locked = b"".join(map(rc4, keys, pieces))
        assert unlock(offered("ключ", bits=bits)).decrypt(locked, block=7) == whole


def test_a_length_of_nothing_is_forty_bits() -> None:
    assert unlock(offered("other", bits=40, stated=0)).bits == 40


@pytest.mark.parametrize("lock", [plain, offered])
def test_an_unknown_password_is_refused_by_the_name_of_the_setting(lock: object) -> None:
    with pytest.raises(SourceError, match="INDX_SOURCE_PASSWORDS") as caught:
        unlock(lock("unknown"))  # type: ignore[operator]
    assert caught.value.code == "source_encrypted"


def test_what_is_stated_oddly_is_locked_in_a_way_that_is_not_opened() -> None:
    chance = random.Random(3)
    whole = offered("other")
    odd = [
        b"",
        b"\1\0",
        plain("other")[:-1],
        struct.pack("<HH", 9, 9) + whole[4:],
        offered("other", stated=129),
    ]
    odd += [whole[: chance.randrange(len(whole))] for _ in range(50)]
    odd.append(whole[:8] + struct.pack("<L", 0xFFFFFFFF) + whole[12:])
    for info in odd:
        with pytest.raises(SourceError, match="not opened here") as caught:
            unlock(info)
        assert caught.value.code == "source_encrypted"
