"""The phonetic guides of a workbook's shared strings: words and how they are read."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

from indx_core.canonical import clean_text

__all__ = ["Readings", "readings_of"]

Readings = tuple[tuple[str, str], ...]

_WIDE, _GUIDED, _RICH = 0x01, 0x04, 0x08
_HEAD: Final = struct.Struct("<HB")
_GUIDE: Final = struct.Struct("<8x3H")  # how many runs, and twice how many letters
_RUN: Final = struct.Struct("<3H")
_LONGEST_WORD: Final = 400


def readings_of(blocks: Sequence[bytes]) -> dict[int, Readings]:
    """Of the strings that have guides, by number: their words and how they are read.

    Args:
        blocks: The table of shared strings, in the records that it goes on in.
    """
    if not blocks or len(blocks[0]) < 8:
        return {}
    (count,) = struct.unpack_from("<4xL", blocks[0])
    table = _Table(blocks, 8)
    found: dict[int, Readings] = {}
    try:
        for number in range(count):
            made = table.string()
            if made:
                found[number] = made
    except (struct.error, IndexError):
        pass  # the table ends early, and the cells say so
    return found


class _Table:
    """Goes over the strings. The letters of one may go on in the next record, which then says how anew."""

    def __init__(self, blocks: Sequence[bytes], at: int) -> None:
        self._blocks, self._block, self._at = blocks, 0, at

    def string(self) -> Readings:
        """Go over a string, and make its readings."""
        count, flags = _HEAD.unpack(self._bytes(3))
        runs = struct.unpack("<H", self._bytes(2))[0] if flags & _RICH else 0
        size = struct.unpack("<L", self._bytes(4))[0] if flags & _GUIDED else 0
        letters = self._letters(count, wide=bool(flags & _WIDE), wanted=bool(size))
        self._bytes(4 * runs)
        return _guides(self._bytes(size), letters) if size else ()

    def _bytes(self, count: int) -> bytes:
        parts = []
        while count:
            if self._at == len(self._blocks[self._block]):
                self._block, self._at = self._block + 1, 0
            part = self._blocks[self._block][self._at : self._at + count]
            self._at += len(part)
            count -= len(part)
            parts.append(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _letters(self, count: int, *, wide: bool, wanted: bool) -> bytes:
        """The letters as UTF-16, where they are wanted."""
        parts = []
        while count:
            block = self._blocks[self._block]
            if self._at == len(block):
                self._block, self._at = self._block + 1, 1
                wide = bool(self._blocks[self._block][0] & _WIDE)
                continue
            here = min(count, max(1, (len(block) - self._at) // (1 + wide)))
            part = block[self._at : self._at + here * (1 + wide)]
            self._at += len(part)
            count -= here
            if wanted:
                parts.append(part if wide else part.decode("latin-1").encode("utf-16-le"))
        return b"".join(parts)


def _guides(data: bytes, letters: bytes) -> Readings:
    """The words of a string and their readings; places count units of UTF-16."""
    if len(data) < _GUIDE.size or data[0] != 1:
        return ()
    runs, length, _ = _GUIDE.unpack_from(data)
    at = _GUIDE.size
    spoken = data[at : at + 2 * length]
    at += 2 * length
    starts = [_RUN.unpack_from(data, place) for place in range(at, min(at + 6 * runs, len(data) - 5), 6)]
    if not starts:
        starts = [(0, 0, len(letters) // 2)]
    found = []
    for number, (first, base, count) in enumerate(starts):
        end = starts[number + 1][0] if number + 1 < len(starts) else length
        if 0 < count <= _LONGEST_WORD and first < end:
            word = letters[2 * base : 2 * (base + count)].decode("utf-16-le", "replace")
            reading = spoken[2 * first : 2 * end].decode("utf-16-le", "replace")
            if word and reading:
                found.append((clean_text(word), clean_text(reading)))
    return tuple(found)
