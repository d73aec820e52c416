"""Parts behind a password: how the manifest says each is locked, and opening them with known passwords.

A part is packed, then encrypted. Files of LibreOffice from 24.2 on hold all others, locked, in one part.
"""

from __future__ import annotations

import hashlib
import zlib
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from indx_core.errors import InputTooLarge, SourceError
from indx_core.settings import SOURCE_PASSWORDS
from indx_format_office.values import whole
from indx_reader_opendocument._names import LOEXT, MANIFEST

if TYPE_CHECKING:
    from indx_format_office.container import Element

__all__ = ["PACKAGE", "Locks"]

PACKAGE: Final = "encrypted-package"
"""The part that holds all the others."""

_PROVED: Final = 1024  # bytes of the packed part that the checksum is of
_MOST_ROUNDS: Final = 20_000_000  # in all parts of a file; LibreOffice does 100,000 a part, or 3 over 64 MiB
_MOST_MEMORY: Final = 1 << 18  # KiB
_MOST_PASSES: Final = 32
_NONCE, _TAG = 12, 16


@dataclass(frozen=True, slots=True)
class _Lock:
    """How one part is locked."""

    cipher: Literal["aes-cbc", "aes-gcm", "blowfish"]
    vector: bytes
    checksum: bytes
    hashed: Literal["sha1", "sha256", ""]
    start: Literal["sha1", "sha256"]
    salt: bytes
    size: int
    rounds: int
    memory: int = 0
    lanes: int = 0

    @property
    def work(self) -> int:
        """Rounds of hashing, of which going over a KiB of memory costs about one."""
        return self.rounds * max(1, self.memory)


class Locks:
    """The locks of a file's parts."""

    def __init__(self, manifest: Element | None) -> None:
        """Read what the manifest says."""
        self._locks: dict[str, _Lock | None] = {}
        self._rounds = 0
        self._known: str | None = None
        for entry in () if manifest is None else manifest.iter(MANIFEST + "file-entry"):
            data = entry.find(MANIFEST + "encryption-data")
            if data is not None:
                self._locks[entry.get(MANIFEST + "full-path", "").lower()] = _stated(data)

    def __contains__(self, name: str) -> bool:
        """Whether the part `name` is locked."""
        return name.lower() in self._locks

    def open(self, name: str, data: bytes, *, limit: int) -> bytes:
        """The part `name`, whose locked bytes are `data`.

        Raises:
            SourceError: `source_encrypted`: no known password opens it, or it is locked in another way.
            InputTooLarge: It inflates past `limit`.
        """
        lock = self._locks.get(name.lower())
        if lock is None:
            raise SourceError(
                "the file is locked in a way that is not opened here; save it without a password",
                code="source_encrypted",
            )
        for password in self._passwords():
            packed = self._unlocked(lock, password, data)
            if packed is not None and (found := _inflated(packed, limit)) is not None:
                self._known = password
                return found
        raise SourceError(
            "a password locks the file and none of INDX_SOURCE_PASSWORDS opens it; add its password there",
            code="source_encrypted",
        )

    def _passwords(self) -> Iterator[str]:
        """The passwords to try: one that opened a part opens the others, too."""
        yield from filter(None, SOURCE_PASSWORDS.get() if self._known is None else (self._known,))

    def _unlocked(self, lock: _Lock, password: str, data: bytes) -> bytes | None:
        """The packed bytes; None when the password is another."""
        self._rounds += lock.work
        if self._rounds > _MOST_ROUNDS:
            raise SourceError(
                "the file asks for more work to open it than is done; save it without a password",
                code="source_encrypted",
            )
        key = _key(lock, hashlib.new(lock.start, password.encode()).digest())
        opened = _decrypted(lock, key, data)
        if opened is not None and lock.hashed:
            proof = hashlib.new(lock.hashed, opened[:_PROVED]).digest()
            if proof != lock.checksum:
                return None
        return opened


def _stated(data: Element) -> _Lock | None:
    """How a part is locked; None for a way that is not opened."""
    said = {
        name: data.find(MANIFEST + name) for name in ("algorithm", "start-key-generation", "key-derivation")
    }
    algorithm, derivation = said["algorithm"], said["key-derivation"]
    if algorithm is None or derivation is None:
        return None
    named = algorithm.get(MANIFEST + "algorithm-name", "").lower()
    cipher = next((one for end, one in _CIPHERS.items() if named.endswith(end)), None)
    generation = said["start-key-generation"]
    start = "sha1" if generation is None else generation.get(MANIFEST + "start-key-generation-name", "")
    derived = derivation.get(MANIFEST + "key-derivation-name", "").lower()
    hashed = data.get(MANIFEST + "checksum-type", "").lower()
    try:
        vector = b64decode(algorithm.get(MANIFEST + "initialisation-vector", ""))
        salt = b64decode(derivation.get(MANIFEST + "salt", ""))
        checksum = b64decode(data.get(MANIFEST + "checksum", ""))
    except ValueError:
        return None
    size = whole(derivation.get(MANIFEST + "key-size"), 16, least=1, most=56)
    fits = {"aes-cbc": len(vector) == 16, "aes-gcm": len(vector) == _NONCE, "blowfish": len(vector) == 8}
    if cipher is None or not fits[cipher] or (cipher != "blowfish" and size not in (16, 24, 32)):
        return None
    proof: Literal["sha1", "sha256", ""] = "" if not hashed else "sha256" if "sha256" in hashed else "sha1"
    first: Literal["sha1", "sha256"] = "sha256" if start.lower().endswith("sha256") else "sha1"
    if "argon2id" in derived:
        memory = whole(derivation.get(LOEXT + "argon2-memory"), least=0)
        passes = whole(derivation.get(LOEXT + "argon2-iterations"), least=0)
        lanes = whole(derivation.get(LOEXT + "argon2-lanes"), least=0)
        if len(salt) < 8 or not (1 <= lanes <= 16 and 8 * lanes <= memory <= _MOST_MEMORY):
            return None
        if not 1 <= passes <= _MOST_PASSES:
            return None
        return _Lock(cipher, vector, checksum, proof, first, salt, size, passes, memory, lanes)
    rounds = whole(derivation.get(MANIFEST + "iteration-count"), 1024, least=0, most=_MOST_ROUNDS + 1)
    if not derived.endswith("pbkdf2") or rounds < 1:
        return None
    return _Lock(cipher, vector, checksum, proof, first, salt, size, rounds)


_CIPHERS: Final[dict[str, Literal["aes-cbc", "aes-gcm", "blowfish"]]] = {
    "aes128-cbc": "aes-cbc", "aes192-cbc": "aes-cbc", "aes256-cbc": "aes-cbc", "aes256-gcm": "aes-gcm",
    "blowfish cfb": "blowfish", "blowfish": "blowfish",
}  # fmt: skip


def _key(lock: _Lock, start: bytes) -> bytes:
    if not lock.memory:
        return hashlib.pbkdf2_hmac("sha1", start, lock.salt, lock.rounds, lock.size)
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    derive = Argon2id(
        salt=lock.salt, length=lock.size, iterations=lock.rounds, lanes=lock.lanes, memory_cost=lock.memory
    )
    return derive.derive(start)


def _decrypted(lock: _Lock, key: bytes, data: bytes) -> bytes | None:
    """The packed bytes; None when they show that the key is another."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.decrepit.ciphers.algorithms import Blowfish
    from cryptography.hazmat.decrepit.ciphers.modes import CFB
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.ciphers.algorithms import AES
    from cryptography.hazmat.primitives.ciphers.modes import CBC

    if lock.cipher == "aes-gcm":
        sealed = data.removeprefix(lock.vector)
        try:
            return AESGCM(key).decrypt(lock.vector, sealed, None) if len(sealed) >= _TAG else None
        except InvalidTag:
            return None
    if lock.cipher == "blowfish":
        stream = Cipher(Blowfish(key), CFB(lock.vector)).decryptor()
        return stream.update(data) + stream.finalize()
    if not data or len(data) % 16:
        return None
    blocks = Cipher(AES(key), CBC(lock.vector)).decryptor()
    opened = blocks.update(data) + blocks.finalize()
    return opened[: -opened[-1]] if 1 <= opened[-1] <= 16 else None


def _inflated(packed: bytes, limit: int) -> bytes | None:
    """What was packed; None when it was not, which a wrong key looks like."""
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        found = inflater.decompress(packed, limit + 1)
    except zlib.error:
        return None
    if len(found) > limit:
        raise InputTooLarge(f"a part inflates past {limit} bytes; split the document")
    return found if inflater.eof else None
