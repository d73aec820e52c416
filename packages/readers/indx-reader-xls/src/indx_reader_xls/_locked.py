"""Workbooks behind a password: their records are encrypted, all but a few, and what heads each is not."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from indx_core.errors import SourceError
from indx_format_office.compound import open_compound, read_stream
from indx_format_office.rc4 import unlock

__all__ = ["unlocked"]

_FILE_PASS, _SHEET, _NOTHING = 0x002F, 0x0085, 0x0FFF
_PLAIN: Final = frozenset((0x0809, _FILE_PASS, 0x0194, 0x0195, 0x00E1, 0x0196, 0x0138))
_BY_RC4: Final = 1
_KEY_BYTES: Final = 1024


def unlocked(data: bytes) -> bytes:
    """The records of the locked workbook `data`, opened with one of INDX_SOURCE_PASSWORDS.

    Raises:
        SourceError: `source_encrypted`: none of them opens it, or it is locked in another way.
    """
    with open_compound(data) as file:
        stream = read_stream(file, "Workbook" if file.exists("Workbook") else "Book")
    locks = (start for number, start, size in _records(stream) if number == _FILE_PASS and size >= 2)
    at = next(locks, None)
    if at is None or struct.unpack_from("<H", stream, at)[0] != _BY_RC4:
        raise SourceError(
            "the workbook is locked in a way that is not opened here; save it without a password",
            code="source_encrypted",
        )
    size = struct.unpack_from("<H", stream, at - 2)[0]
    key = unlock(stream[at + 2 : at + size])
    opened = bytearray(key.decrypt(stream, every=_KEY_BYTES))
    for number, start, size in _records(stream):
        plain = size if number in _PLAIN else 4 if number == _SHEET else 0
        opened[start - 4 : start + plain] = stream[start - 4 : start + plain]
        if number == _FILE_PASS:
            struct.pack_into("<H", opened, start - 4, _NOTHING)
    return bytes(opened)


def _records(stream: bytes) -> Iterator[tuple[int, int, int]]:
    """Number, start and size of each record."""
    at = 0
    while at + 4 <= len(stream):
        number, size = struct.unpack_from("<HH", stream, at)
        at += 4
        if at + size > len(stream):
            return
        yield number, at, size
        at += size
