"""Drawings of binary Office files: the shapes in them, and what each says or is said to show."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from indx_core.canonical import clean_text
from indx_format_office.values import description

if TYPE_CHECKING:
    from indx_core.ports import Role

__all__ = ["Described", "described_shapes"]

_HEAD: Final = struct.Struct("<HHL")
_SHAPE, _IDENTITY = 0xF004, 0xF00A
_OPTIONS: Final = (0xF00B, 0xF121, 0xF122)
_WORD_ART, _DESCRIPTION, _SHOWN = 0x00C0, 0x0381, 0x03BF
_HIDDEN: Final = 0x20002
_DELETED: Final = 0x08
_DEEPEST: Final = 100
_LONGEST: Final = 10_000
_MOST: Final = 10_000


class Described(NamedTuple):
    """A shape whose letters are drawn, or that is said to show something.

    Attributes:
        number: The number of the shape, which other parts of the file name it by.
        text: What it says or shows, in words.
        hidden: Whether it is not drawn.
        role: `text_box` where its letters say it.
    """

    number: int
    text: str
    hidden: bool
    role: Role = "caption"


def described_shapes(data: bytes) -> list[Described]:
    """The shapes of a drawing that have words, in their order; what is damaged ends it."""
    found: list[Described] = []
    for start, end in _shapes(data, 0, len(data)):
        shape = _shape(data, start, end)
        if shape is not None and len(found) < _MOST:
            found.append(shape)
    return found


def _records(data: bytes, start: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """Version, kind, start and end of each record."""
    at = start
    while at + _HEAD.size <= end:
        version, kind, length = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        if length > end - at:
            return
        yield version, kind, at, at + length
        at += length


def _shapes(data: bytes, start: int, end: int, depth: int = 0) -> Iterator[tuple[int, int]]:
    """Where the content of each shape stands, groups looked through."""
    for version, kind, begin, stop in _records(data, start, end):
        if kind == _SHAPE:
            yield begin, stop
        elif version & 0xF == 0xF and depth < _DEEPEST:
            yield from _shapes(data, begin, stop, depth + 1)


def _shape(data: bytes, start: int, end: int) -> Described | None:
    number = flags = shown = 0
    texts: dict[int, str] = {}
    for version, kind, begin, stop in _records(data, start, end):
        if kind == _IDENTITY and stop - begin >= 8:
            number, flags = struct.unpack_from("<2L", data, begin)
        elif kind in _OPTIONS:
            at = begin + 6 * min(version >> 4, (stop - begin) // 6)
            for place in range(begin, at, 6):
                name, value = struct.unpack_from("<HL", data, place)
                if not name & 0x8000:
                    shown = value if name & 0x3FFF == _SHOWN else shown
                    continue
                if value > stop - at:
                    break
                if name & 0x3FFF in (_WORD_ART, _DESCRIPTION):
                    written = data[at : at + min(value, 2 * _LONGEST)].decode("utf-16-le", "replace")
                    texts.setdefault(name & 0x3FFF, clean_text(" ".join(written.partition("\0")[0].split())))
                at += value
    said = texts.get(_WORD_ART)
    text = said or description(texts.get(_DESCRIPTION, ""))
    if not text or flags & _DELETED:
        return None
    return Described(number, text, shown & _HIDDEN == _HIDDEN, "text_box" if said else "caption")
