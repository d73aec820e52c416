"""What locks documents of Office before 2007: RC4, by itself or as Windows offers it."""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass
from typing import Final

from indx_core.errors import SourceError
from indx_core.settings import SOURCE_PASSWORDS

__all__ = ["UNASKED", "Key", "unlock"]

UNASKED: Final = ("VelvetSweatshop", "/01Hannes Ruescher/01")
"""What Excel and PowerPoint lock files with that are only protected; they open those without asking."""

_PLAIN: Final = (1, 1)
_OFFERED: Final = ((2, 2), (3, 2), (4, 2))
_LONGEST_KEY: Final = 128
_NO_KEY: Final = 40


@dataclass(frozen=True, slots=True)
class Key:
    """What opens one document.

    Attributes:
        password: The password that was right.
        salt: The document's own salt.
        bits: How long the key is; 0 for RC4 by itself.
    """

    password: str
    salt: bytes
    bits: int

    def decrypt(self, data: bytes, *, block: int = 0, every: int = 512) -> bytes:
        """Open `data`, whose key is made anew `every` so many bytes, numbered from `block` on."""
        from msoffcrypto.method.rc4 import DocumentRC4  # type: ignore[import-untyped]
        from msoffcrypto.method.rc4_cryptoapi import (  # type: ignore[import-untyped]
            DocumentRC4CryptoAPI,
        )

        given = io.BytesIO(data)
        if self.bits:
            opened: bytes = DocumentRC4CryptoAPI.decrypt(
                self.password, self.salt, self.bits, given, blocksize=every, block=block
            ).read()
        else:
            opened = DocumentRC4.decrypt(self.password, self.salt, given, blocksize=every).read()
        return opened


def unlock(info: bytes) -> Key:
    """The key of a document that says in `info` how it is locked, by one of INDX_SOURCE_PASSWORDS.

    Raises:
        SourceError: `source_encrypted`: none of them opens it, or it is locked in a way that is not opened.
    """
    salt, bits, verifier, digest = _stated(info)
    for password in (*SOURCE_PASSWORDS.get(), *UNASKED):
        if password and _fits(password, salt, bits, verifier, digest):
            return Key(password, salt, bits)
    raise SourceError(
        "a password locks the file and none of INDX_SOURCE_PASSWORDS opens it; add its password there",
        code="source_encrypted",
    )


def _fits(password: str, salt: bytes, bits: int, verifier: bytes, digest: bytes) -> bool:
    from msoffcrypto.method.rc4 import DocumentRC4
    from msoffcrypto.method.rc4_cryptoapi import DocumentRC4CryptoAPI

    if bits:
        return bool(DocumentRC4CryptoAPI.verifypw(password, salt, bits, verifier, digest))
    return bool(DocumentRC4.verifypw(password, salt, verifier, digest))


def _stated(info: bytes) -> tuple[bytes, int, bytes, bytes]:
    """Salt, length of the key in bits, and what proves a password: a number and its digest."""
    try:
        version = struct.unpack_from("<2H", info)
        if version == _PLAIN and len(info) >= 52:
            return info[4:20], 0, info[20:36], info[36:52]
        if version in _OFFERED:
            (size,) = struct.unpack_from("<L", info, 8)
            bits = struct.unpack_from("<L", info, 12 + 16)[0] or _NO_KEY
            at = 12 + size
            (length,) = struct.unpack_from("<L", info, at)
            proof = info[at + 4 : at + 4 + 16 + 16 + 4 + 20]
            if length == 16 and len(proof) == 56 and bits % 8 == 0 and _NO_KEY <= bits <= _LONGEST_KEY:
                return proof[:16], bits, proof[16:32], proof[36:]
    except struct.error:
        pass
    raise SourceError(
        "the file is locked in a way that is not opened here; save it without a password",
        code="source_encrypted",
    )
