"""What a signed message holds that is wrapped as a whole (S/MIME, `smime.p7m`): it is signed, not sealed.

The wrapping is a few elements of CMS around the content, which is itself a message. No signature is
checked.
"""

from __future__ import annotations

from typing import Final

__all__ = ["signed_content"]

_SEQUENCE, _OID, _EXPLICIT, _OCTETS, _PARTED_OCTETS = 0x30, 0x06, 0xA0, 0x04, 0x24
_SIGNED_DATA: Final = bytes.fromhex("2a864886f70d010702")
_OPEN: Final = -1  # the length of an element that ends with a mark
_MOST_DEEP: Final = 20


class _NotSignedError(Exception):
    """The bytes are something else, or damaged."""


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
    return b"".join(parts)
