"""What is wrapped as a whole to be signed (CMS: `smime.p7m`, `contract.pdf.p7m`): it is signed, not sealed.

The wrapping is a few elements around the content, as they are or in Base64. No signature is checked.
"""

from __future__ import annotations

import binascii
import re
from typing import Final

__all__ = ["bare_name", "der_of", "is_sealed", "is_wrapped", "signed_content"]

_SEQUENCE, _OID, _EXPLICIT, _OCTETS, _PARTED_OCTETS = 0x30, 0x06, 0xA0, 0x04, 0x24
_SIGNED_DATA: Final = bytes.fromhex("2a864886f70d010702")
_BEGINNING: Final = re.compile(
    rb"\x30(?:[\0-\x80]|\x81.|\x82..|\x83...|\x84....)\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07([\x02\x03])",
    re.DOTALL,
)  # signed data, or sealed
_ARMOR: Final = re.compile(rb"-----BEGIN (?:PKCS7|CMS|PKCS #7 SIGNED DATA)-----([^-]*)")
_WHITE: Final = b" \t\r\n"
_SUFFIXES: Final = (".p7m", ".p7s")
_SAMPLE: Final = 256
_OPEN: Final = -1  # the length of an element that ends with a mark
_MOST_DEEP: Final = 20


class _NotSignedError(Exception):
    """The bytes are something else, or damaged."""


def bare_name(name: str) -> str:
    """The name of what is wrapped, from that of the whole."""
    suffix = next((one for one in _SUFFIXES if name.lower().endswith(one)), "")
    return name[: len(name) - len(suffix)] or name


def is_wrapped(head: bytes) -> bool:
    """Whether bytes begin as what is wrapped to be signed or sealed, as it is or in Base64."""
    sample = head[:_SAMPLE].lstrip(_WHITE)
    armor = _ARMOR.match(sample)
    coded = (armor[1] if armor else sample).translate(None, _WHITE)
    try:
        plain = (
            sample
            if sample[:1] == b"0"
            else binascii.a2b_base64(coded[: len(coded) // 4 * 4], strict_mode=True)
        )
    except binascii.Error:
        return False
    return _BEGINNING.match(plain) is not None


def is_sealed(data: bytes) -> bool:
    """Whether it is enveloped, for whoever holds a key."""
    begins = _BEGINNING.match(data)
    return begins is not None and begins[1] == b"\3"


def der_of(data: bytes) -> bytes | None:
    """The elements themselves, where they stand in Base64; None where that is damaged."""
    plain = data[:_SAMPLE].lstrip(_WHITE)
    if plain[:1] == b"0":
        return data[min(_SAMPLE, len(data)) - len(plain) :]
    armor = _ARMOR.search(data)
    try:
        return binascii.a2b_base64((armor[1] if armor else data).translate(None, _WHITE), strict_mode=True)
    except binascii.Error:
        return None


def signed_content(data: bytes) -> bytes | None:
    """What is signed; None for what is no signed content, or does not hold it."""
    try:
        at = _enter(data, 0, _SEQUENCE)
        tag, size, at = _head(data, at)
        if tag != _OID or data[at : at + size] != _SIGNED_DATA:
            return None
        at = _enter(data, at + size, _EXPLICIT)
        at = _enter(data, at, _SEQUENCE)
        at = _skip(data, _skip(data, at))  # version, digest algorithms
        at = _skip(data, _enter(data, at, _SEQUENCE))  # the type of the content
        return _octets(data, _enter(data, at, _EXPLICIT))
    except _NotSignedError:
        return None


def _head(data: bytes, at: int) -> tuple[int, int, int]:
    """The tag of an element, its length, and where its content starts."""
    if at + 2 > len(data):
        raise _NotSignedError
    tag, size = data[at], data[at + 1]
    at += 2
    if size == 0x80:
        return tag, _OPEN, at
    if size > 0x80:
        count = size & 0x7F
        size = int.from_bytes(data[at : at + count], "big")
        at += count
    if at + size > len(data):
        raise _NotSignedError
    return tag, size, at


def _enter(data: bytes, at: int, wanted: int) -> int:
    """Where the content of the element at `at` starts."""
    tag, _, at = _head(data, at)
    if tag != wanted:
        raise _NotSignedError
    return at


def _skip(data: bytes, at: int, depth: int = 0) -> int:
    """Where the element after that at `at` starts."""
    tag, size, at = _head(data, at)
    if size != _OPEN:
        return at + size
    if depth >= _MOST_DEEP or not tag & 0x20:
        raise _NotSignedError
    while data[at : at + 2] != b"\0\0":
        at = _skip(data, at, depth + 1)
    return at + 2


def _octets(data: bytes, at: int) -> bytes:
    """The bytes of a string, which may be written in parts."""
    tag, size, at = _head(data, at)
    if tag == _OCTETS and size != _OPEN:
        return data[at : at + size]
    if tag != _PARTED_OCTETS:
        raise _NotSignedError
    end = len(data) if size == _OPEN else at + size
    parts: list[bytes] = []
    while at < end and not (size == _OPEN and data[at : at + 2] == b"\0\0"):
        tag, length, at = _head(data, at)
        if tag != _OCTETS or length == _OPEN:
            raise _NotSignedError
        parts.append(data[at : at + length])
        at += length
    if data[at : at + 2] != b"\0\0" if size == _OPEN else at != end:
        raise _NotSignedError  # cut between two parts, or a part that reaches out of the string
    return b"".join(parts)
