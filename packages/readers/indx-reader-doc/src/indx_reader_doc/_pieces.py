"""Where the characters of a binary document stand, and what is said of their stretches.

The text is a row of pieces, each somewhere in the main stream, in one byte a character or two. What is said
of characters and of paragraphs stands in pages of 512 bytes, by places in that stream.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from indx_core.errors import InputTooLarge, SourceError
from indx_format_office.symbols import is_known

__all__ = ["Layout", "Properties", "operations"]

MAX_CHARACTERS: Final = 50_000_000
_PAGE: Final = 512
_TABLE_CELLS, _TABS = 0xD608, 0xC615
_FONT_NAME: Final = 39
"""Where the name of a font stands in what is said of it."""
_FIXED: Final = (1, 1, 2, 4, 2, 2, -1, 3)
"""How long the operand of an operation is, by the three highest bits of its number."""


@dataclass(frozen=True, slots=True)
class Properties:
    """What is said of a stretch: the style of a paragraph, and operations by number."""

    style: int
    operations: dict[int, bytes]


_NOTHING: Final = Properties(0, {})


def operations(data: bytes) -> dict[int, bytes]:
    """The operations in `data`, the last of each number; ends where one does not fit."""
    found: dict[int, bytes] = {}
    at = 0
    while at + 2 <= len(data):
        (number,) = struct.unpack_from("<H", data, at)
        at += 2
        size = _FIXED[number >> 13]
        if number == _TABLE_CELLS and at + 2 <= len(data):
            size = struct.unpack_from("<H", data, at)[0] - 1
            at += 2
        elif size < 0:
            if at >= len(data):
                break
            size = data[at]
            at += 1
            if number == _TABS and size == 255:
                break
        if size < 0 or at + size > len(data):
            break
        found[number] = data[at : at + size]
        at += size
    return found


class Layout:
    """The pieces and the properties of one document.

    Attributes:
        text: All characters, story after story.
        symbols: The symbol fonts, by their number as operations state it.
    """

    def __init__(
        self, main: bytes, table: bytes, places: tuple[int, int, int, int, int, int], fonts: bytes = b""
    ) -> None:
        """Read them.

        Args:
            main: The main stream.
            table: The table stream.
            places: Offset and length, in the table stream, of the pieces, of the pages about characters, and
                of those about paragraphs.
            fonts: The table of fonts.

        Raises:
            SourceError: The pieces are damaged.
            InputTooLarge: There are more characters than `MAX_CHARACTERS`.
        """
        self._main = main
        self._fonts = _font_names(fonts)
        self.symbols = {
            number.to_bytes(2, "little"): name
            for number, name in enumerate(self._fonts[:0x10000])
            if is_known(name)
        }
        self._starts: list[int] = []
        self._pieces: list[tuple[int, int]] = []  # where each begins in the main stream, bytes a character
        parts: list[str] = []
        try:
            for first, last, place, width in _piece_table(table[places[0] : places[0] + places[1]]):
                if last > MAX_CHARACTERS:
                    raise InputTooLarge(f"the document holds over {MAX_CHARACTERS} characters; split it")
                data = main[place : place + (last - first) * width]
                text = data.decode("utf-16-le" if width == 2 else "cp1252", "replace")
                if len(text) != last - first:  # characters beyond the first plane are two
                    text = "".join(
                        chr(code) for code in struct.unpack(f"<{len(data) // 2}H", data[: len(data) // 2 * 2])
                    )
                if len(text) != last - first:
                    raise ValueError("a piece reaches out of the stream")
                self._starts.append(first)
                self._pieces.append((place, width))
                parts.append(text)
        except (struct.error, IndexError, ValueError):
            raise SourceError("the document is damaged: its pieces do not fit; save it anew") from None
        self.text = "".join(parts)
        self._characters = self._pages(table[places[2] : places[2] + places[3]], paragraphs=False)
        self._paragraphs = self._pages(table[places[4] : places[4] + places[5]], paragraphs=True)

    def font(self, number: int) -> str:
        """The name of a font by its number; empty where there is none."""
        return self._fonts[number] if number < len(self._fonts) else ""

    def place(self, position: int) -> int:
        """Where the character at `position` stands in the main stream."""
        at = max(0, bisect_right(self._starts, position) - 1)
        start, width = self._pieces[at]
        return start + (position - self._starts[at]) * width

    def stretch(self, position: int, limit: int) -> tuple[int, Properties]:
        """What is said of the character at `position`, and up to where that holds, at most `limit`."""
        at = max(0, bisect_right(self._starts, position) - 1)
        start, width = self._pieces[at]
        end = self._starts[at + 1] if at + 1 < len(self._starts) else limit
        place = start + (position - self._starts[at]) * width
        bounds, said = self._characters
        found = bisect_right(bounds, place) - 1
        if found + 1 < len(bounds):
            end = min(end, position + max(1, -(-(bounds[found + 1] - place) // width)))
        return min(end, limit), said[found] if 0 <= found < len(said) else _NOTHING

    def paragraph(self, position: int) -> Properties:
        """What is said of the paragraph that ends at `position`."""
        bounds, said = self._paragraphs
        found = bisect_right(bounds, self.place(position)) - 1
        return said[found] if 0 <= found < len(said) else _NOTHING

    def _pages(self, plex: bytes, *, paragraphs: bool) -> tuple[list[int], list[Properties]]:
        """The bounds in the main stream, rising, and what holds from each on."""
        count = max(0, (len(plex) - 4) // 8)
        numbers = struct.unpack_from(f"<{count}L", plex, 4 * (count + 1)) if count else ()
        found: dict[int, Properties] = {}
        for number in numbers:
            page = self._main[(number & 0x3FFFFF) * _PAGE :][:_PAGE]
            if len(page) < _PAGE:
                continue
            runs = page[511]
            if 4 * (runs + 1) + runs * (13 if paragraphs else 1) > 511:
                continue
            bounds = struct.unpack_from(f"<{runs + 1}L", page)
            for run in range(runs):
                at = page[4 * (runs + 1) + run * (13 if paragraphs else 1)] * 2
                found[bounds[run]] = _paragraph(page, at) if paragraphs else _character(page, at)
            if runs:
                found.setdefault(bounds[runs], _NOTHING)
        bounds_found = sorted(found)
        return bounds_found, [found[bound] for bound in bounds_found]


def _font_names(table: bytes) -> list[str]:
    """The names of the fonts, as many as are whole."""
    names: list[str] = []
    at = 4  # behind how many there are
    while at < len(table):
        size = table[at]
        name = table[at + 1 + _FONT_NAME : at + 1 + size].decode("utf-16-le", "replace")
        names.append(name.partition("\0")[0])
        at += 1 + size
    return names


def _character(page: bytes, at: int) -> Properties:
    return Properties(0, operations(page[at + 1 : at + 1 + page[at]])) if at else _NOTHING


def _paragraph(page: bytes, at: int) -> Properties:
    if not at or at >= 510:
        return _NOTHING
    size, start = (page[at] * 2 - 1, at + 1) if page[at] else (page[at + 1] * 2, at + 2)
    data = page[start : start + size]
    if len(data) < 2:
        return _NOTHING
    return Properties(struct.unpack_from("<H", data)[0], operations(data[2:]))


def _piece_table(clx: bytes) -> list[tuple[int, int, int, int]]:
    """First and last character of each piece, its place in the main stream, and bytes a character."""
    at = 0
    while at < len(clx) and clx[at] == 1:
        at += 3 + struct.unpack_from("<H", clx, at + 1)[0]
    if at >= len(clx) or clx[at] != 2:
        raise ValueError("no pieces")
    (size,) = struct.unpack_from("<L", clx, at + 1)
    plex = clx[at + 5 : at + 5 + size]
    count = (len(plex) - 4) // 12
    if count < 1:
        raise ValueError("no pieces")
    bounds = struct.unpack_from(f"<{count + 1}L", plex)
    if bounds[0]:
        raise ValueError("the first piece is missing")
    pieces = []
    for number in range(count):
        (packed,) = struct.unpack_from("<L", plex, 4 * (count + 1) + 8 * number + 2)
        narrow = bool(packed & 0x40000000)
        place = packed & 0x3FFFFFFF
        if bounds[number + 1] < bounds[number]:
            raise ValueError("pieces overlap")
        pieces.append(
            (bounds[number], bounds[number + 1], place // 2 if narrow else place, 1 if narrow else 2)
        )
    return pieces
