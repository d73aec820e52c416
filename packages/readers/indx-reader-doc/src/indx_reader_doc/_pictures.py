"""What pictures and other drawn shapes are said to show: by where they stand in the text."""

from __future__ import annotations

import struct
from typing import Final

from indx_format_office.escher import Described, described_shapes

__all__ = ["Pictures"]

_BODY_PLACES, _HEADER_PLACES, _DRAWINGS = 0x1DA, 0x1E2, 0x22A
_PLACED: Final = 26
_HEAD: Final = struct.Struct("<HHL")
_CONTAINER: Final = 0xF
_NAMED: Final = 0x66
"""Of the kinds of pictures in the text, the one whose file name stands before what is drawn."""


class Pictures:
    """The described shapes of one document.

    Args:
        main: The main stream, whose head says where the others are.
        table: The table stream.
        data: The stream of pictures that stand in the text as letters do.
        headers: At which character headers and footers begin.
    """

    def __init__(self, main: bytes, table: bytes, data: bytes, headers: int) -> None:
        self._data = data
        self._shapes = {shape.number: shape for shape in _drawn(_part(main, table, _DRAWINGS))}
        self._places: dict[int, int] = {}
        for where, base in ((_BODY_PLACES, 0), (_HEADER_PLACES, headers)):
            plex = _part(main, table, where) if self._shapes else b""
            count = max(0, (len(plex) - 4) // (4 + _PLACED))
            for place in range(count):
                (at,) = struct.unpack_from("<L", plex, 4 * place)
                (number,) = struct.unpack_from("<L", plex, 4 * (count + 1) + _PLACED * place)
                self._places.setdefault(base + at, number)

    def beside(self, position: int) -> list[Described]:
        """The shape that is anchored at a character; each is told once."""
        shape = self._shapes.pop(self._places.get(position, -1), None)
        return [] if shape is None else [shape]

    def within(self, place: int) -> list[Described]:
        """The picture that stands in the text, from `place` of its stream on."""
        if place + 8 > len(self._data):
            return []
        size, head, kind = struct.unpack_from("<LHH", self._data, place)
        at = place + head
        if kind == _NAMED and at < len(self._data):
            at += 1 + self._data[at]
        return described_shapes(self._data[at : place + size])

    def left(self) -> list[Described]:
        """The shapes that are anchored nowhere in what was read."""
        left, self._shapes = list(self._shapes.values()), {}
        return left


def _part(main: bytes, table: bytes, where: int) -> bytes:
    """The part of the table stream whose place the head says at `where`."""
    if where + 8 > len(main):
        return b""
    at, size = struct.unpack_from("<2L", main, where)
    return table[at : at + size]


def _drawn(drawings: bytes) -> list[Described]:
    """The described shapes of the body and of the headers, before whose drawings stands a byte each."""
    found: list[Described] = []
    at = 0
    while at + _HEAD.size <= len(drawings):
        version, _, size = _HEAD.unpack_from(drawings, at)
        if version & 0xF != _CONTAINER:
            break
        end = at + _HEAD.size + size
        found += described_shapes(drawings[at:end])
        at = end + 1
    return found
