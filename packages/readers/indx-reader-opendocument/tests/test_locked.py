"""Files behind a password: each way to lock them, a known password and none, and any damage."""

from __future__ import annotations

import hashlib
import io
import json
import random
import zipfile
import zlib
from base64 import b64encode
from collections.abc import Callable
from contextlib import closing

import pytest
from cryptography.hazmat.decrepit.ciphers.algorithms import Blowfish
from cryptography.hazmat.decrepit.ciphers.modes import CFB
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from indx_core.errors import IndxError, InputTooLarge, SourceError
from indx_core.ports import SourceContent
from indx_reader_opendocument import _locked, _package
from indx_reader_opendocument.provider import observer

Odf = Callable[..., bytes]
TYPE = "application/vnd.oasis.opendocument.text"
SALT = bytes(range(16))
ROUNDS = 30
BODY = "<text:h text:outline-level='1'>Secret</text:h><text:p>geheim ü</text:p>"
TEXT = "Secret\ngeheim ü"
MANIFEST = (
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" '
    'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0">{}</manifest:manifest>'
)
ENTRY = (
    '<manifest:file-entry manifest:full-path="{}"><manifest:encryption-data {}>'
    '<manifest:algorithm manifest:algorithm-name="{}" manifest:initialisation-vector="{}"/>{}'
    "<manifest:key-derivation {}/></manifest:encryption-data></manifest:file-entry>"
)


def coded(data: bytes) -> str:
    return b64encode(data).decode()


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def started(named: str) -> str:
    said = f'manifest:start-key-generation-name="{named}" manifest:key-size="32"'
    return f"<manifest:start-key-generation {said}/>"


def derived(size: int, rounds: int = ROUNDS) -> str:
    return (
        f'manifest:key-derivation-name="PBKDF2" manifest:key-size="{size}" '
        f'manifest:iteration-count="{rounds}" manifest:salt="{coded(SALT)}"'
    )


def by_aes(name: str, data: bytes, password: str) -> tuple[str, bytes]:
    """As LibreOffice locks a part before 24.2."""
    start, vector = hashlib.sha256(password.encode()).digest(), bytes(range(20, 36))
    key = hashlib.pbkdf2_hmac("sha1", start, SALT, ROUNDS, 32)
    packed = deflated(data)
    pad = 16 - len(packed) % 16
    cipher = Cipher(AES(key), CBC(vector)).encryptor()
    locked = cipher.update(packed + bytes(pad - 1) + bytes((pad,))) + cipher.finalize()
    proof = coded(hashlib.sha256(packed[:1024]).digest())
    said = f'manifest:checksum-type="urn:oasis:names:tc:x#sha256-1k" manifest:checksum="{proof}"'
    named = "http://www.w3.org/2001/04/xmlenc#aes256-cbc"
    first = started("http://www.w3.org/2000/09/xmldsig#sha256")
    return ENTRY.format(name, said, named, coded(vector), first, derived(32)), locked


def by_blowfish(name: str, data: bytes, password: str) -> tuple[str, bytes]:
    """As OpenOffice locks a part."""
    start, vector = hashlib.sha1(password.encode()).digest(), bytes(range(8))
    key = hashlib.pbkdf2_hmac("sha1", start, SALT, ROUNDS, 16)
    packed = deflated(data)
    locked = Cipher(Blowfish(key), CFB(vector)).encryptor().update(packed)
    said = (
        f'manifest:checksum-type="SHA1/1K" manifest:checksum="{coded(hashlib.sha1(packed[:1024]).digest())}"'
    )
    return ENTRY.format(name, said, "Blowfish CFB", coded(vector), "", derived(16)), locked


def by_package(name: str, data: bytes, password: str) -> tuple[str, bytes]:
    """As LibreOffice locks a whole file from 24.2 on."""
    start, nonce = hashlib.sha256(password.encode()).digest(), bytes(range(12))
    key = Argon2id(salt=SALT, length=32, iterations=1, lanes=1, memory_cost=64).derive(start)
    locked = nonce + AESGCM(key).encrypt(nonce, deflated(data), None)
    derivation = (
        "manifest:key-derivation-name="
        '"urn:org:documentfoundation:names:experimental:office:manifest:argon2id" '
        f'manifest:key-size="32" manifest:salt="{coded(SALT)}" loext:argon2-iterations="1" '
        'loext:argon2-memory="64" loext:argon2-lanes="1"'
    )
    named = "http://www.w3.org/2009/xmlenc11#aes256-gcm"
    first = started("http://www.w3.org/2000/09/xmldsig#sha256")
    return ENTRY.format(name, "", named, coded(nonce), first, derivation), locked


def zipped(parts: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


@pytest.fixture
def lock(odf: Odf) -> Callable[[Callable[..., tuple[str, bytes]], str], bytes]:
    """A text that a password locks in one of the ways."""

    def make(way: Callable[..., tuple[str, bytes]], password: str) -> bytes:
        plain = odf("text", BODY, meta="<dc:title>Known</dc:title>")
        if way is by_package:
            entry, data = way("encrypted-package", plain, password)
            return zipped(
                {
                    "mimetype": TYPE.encode(),
                    "META-INF/manifest.xml": MANIFEST.format(entry).encode(),
                    "encrypted-package": data,
                }
            )
        entries = ""
        with zipfile.ZipFile(io.BytesIO(plain)) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        for name in ("content.xml", "styles.xml", "meta.xml"):
            entry, parts[name] = way(name, parts[name], password)
            entries += entry
        return zipped(parts | {"META-INF/manifest.xml": MANIFEST.format(entries).encode()})

    return make


WAYS = [by_aes, by_blowfish, by_package]
Lock = Callable[[object, str], bytes]


def read(data: bytes) -> tuple[str, dict[str, object]]:
    with closing(observer().open(SourceContent.of_bytes(data, media_type=TYPE))) as session:
        page = session.reading(1)  # type: ignore[attr-defined]
        return page.text, dict(page.metadata or {})


@pytest.mark.parametrize("way", WAYS)
def test_one_of_the_known_passwords_opens_it(
    lock: Lock, way: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", json.dumps(["", "wrong", "pässword"]))
    assert read(lock(way, "pässword")) == (TEXT, {"properties": {"title": "Known"}})


@pytest.mark.parametrize("way", WAYS)
def test_without_the_password_the_refusal_names_the_setting(
    lock: Lock, way: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    for known in ([], ["wrong", "others"]):
        monkeypatch.setenv("INDX_SOURCE_PASSWORDS", json.dumps(known))
        with pytest.raises(SourceError, match="INDX_SOURCE_PASSWORDS") as caught:
            read(lock(way, "right"))
        assert caught.value.code == "source_encrypted"
        assert "wrong" not in caught.value.message


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('iteration-count="30"', 'iteration-count="2000000000"'),
        ('iteration-count="30"', 'iteration-count="-1"'),
        ('argon2-memory="64"', 'argon2-memory="1000000000"'),
        ('argon2-iterations="1"', 'argon2-iterations="1000000"'),
        ('argon2-lanes="1"', 'argon2-lanes="1000"'),
        ("aes256-gcm", "aes256-xyz"),
        ("PBKDF2", "PGP"),
        ('initialisation-vector="', 'initialisation-vector="AAAA'),
        ('manifest:checksum="', 'manifest:checksum="AAAA'),
        ('key-size="32" manifest:iter', 'key-size="33" manifest:iter'),
    ],
)
def test_a_lock_that_is_odd_or_costs_too_much_is_refused(
    odf: Odf, lock: Lock, before: str, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", '["known"]')
    changed = 0
    for way in WAYS:
        with zipfile.ZipFile(io.BytesIO(lock(way, "known"))) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        manifest = parts["META-INF/manifest.xml"]
        parts["META-INF/manifest.xml"] = manifest.replace(before.encode(), after.encode())
        if parts["META-INF/manifest.xml"] == manifest:
            continue
        changed += 1
        with pytest.raises(SourceError) as caught:
            read(zipped(parts))
        assert caught.value.code == "source_encrypted"
    assert changed


def test_parts_that_ask_for_too_much_memory_together_are_refused(
    odf: Odf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_locked, "_MOST_ROUNDS", 200)
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", '["one", "two", "three", "known"]')
    entry, data = by_package("encrypted-package", odf("text", BODY), "known")
    whole = zipped(
        {
            "mimetype": TYPE.encode(),
            "META-INF/manifest.xml": MANIFEST.format(entry).encode(),
            "encrypted-package": data,
        }
    )
    with pytest.raises(SourceError, match="more work"):
        read(whole)
    monkeypatch.setattr(_locked, "_MOST_ROUNDS", 256)
    assert read(whole)[0] == TEXT


def test_a_part_that_inflates_past_its_bound_is_refused(lock: Lock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", '["known"]')
    monkeypatch.setattr(_package, "MAX_TREE_BYTES", 1500)
    with pytest.raises(InputTooLarge):
        read(lock(by_aes, "known"))


@pytest.mark.parametrize("way", WAYS)
def test_any_damage_ends_in_text_or_a_refusal(
    lock: Lock, way: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", '["known"]')
    with zipfile.ZipFile(io.BytesIO(lock(way, "known"))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    chance = random.Random(9)
    refused = 0
    for _ in range(120):
        name = chance.choice(list(parts))
        data = bytearray(parts[name])
        for _ in range(chance.choice((1, 10))):
            data[chance.randrange(len(data))] = chance.randrange(32, 127)
        try:
            read(zipped(parts | {name: bytes(data)}))
        except IndxError:
            refused += 1
    assert 20 < refused < 120
