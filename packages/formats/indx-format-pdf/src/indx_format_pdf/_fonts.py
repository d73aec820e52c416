"""A stand-in for East Asian fonts that neither the document nor the machine has.

A document may name a font without carrying it. PDFium then takes the machine's; where there is none for the
script, glyphs have no outline, lines have no height, and PDFium drops upright text altogether. A font of
one glyph, an empty square for every ideograph, syllable and kana, keeps such text in its place.
"""

from __future__ import annotations

import ctypes
import struct
from typing import Any, Final

__all__ = ["SQUARE", "install"]

_EM: Final = 1000
_ASCENT: Final = 880
_DESCENT: Final = -120
_CHARACTERS: Final = (0x1100, 0x3FFFF)
_CHARSETS: Final = frozenset({128, 129, 134, 136})  # Shift-JIS, Hangul, GB 2312, Big 5
_HANDLE: Final = 1  # no address
_NAME: Final = b"Square\0"


def _table(tag: bytes, layout: str, *values: int | bytes) -> tuple[bytes, bytes]:
    return tag, struct.pack(">" + layout, *values)


def _outline() -> bytes:
    """The square: an outer and an inner contour of straight lines."""
    corners = [(50, -80), (50, 820), (950, 820), (950, -80), (120, -10), (880, -10), (880, 750), (120, 750)]
    steps = [(x - a, y - b) for (x, y), (a, b) in zip(corners, [(0, 0), *corners], strict=False)]
    across, down = zip(*steps, strict=True)
    head = struct.pack(">5h2Hh", 2, 50, -80, 950, 820, 3, 7, 0)
    return head + b"\1" * 8 + struct.pack(">8h", *across) + struct.pack(">8h", *down)


def _square() -> bytes:
    """The font file: TrueType, with a character map that sends every character to the one glyph."""
    glyph = _outline()
    glyph += bytes(-len(glyph) % 4)
    first, last = _CHARACTERS
    tables = dict(
        (
            _table(b"OS/2", "HhHHH11h10s4I4sHHHhhhHH", 0, _EM, 400, 5, 0, *[0] * 11, b"", 0, 0, 0, 0, b"",
                   0, 32, 0xFFFF, _ASCENT, _DESCENT, 0, _ASCENT, -_DESCENT),
            _table(b"cmap", "HHHHIHHIIIIII", 0, 1, 3, 10, 12, 13, 0, 28, 0, 1, first, last, 1),
            (b"glyf", glyph),
            _table(b"head", "IIIIHHQQ4hHH3h", 0x10000, 0, 0, 0x5F0F3CF5, 0, _EM, 0, 0, 50, -80, 950, 820,
                   0, 8, 2, 1, 0),
            _table(b"hhea", "IhhhH11hH", 0x10000, _ASCENT, _DESCENT, 0, _EM, 50, 50, 950, 1, *[0] * 7, 2),
            _table(b"hmtx", "HhHh", _EM, 0, _EM, 50),
            _table(b"loca", "III", 0, 0, len(glyph)),
            _table(b"maxp", "I14H", 0x10000, 2, 8, 2, 0, 0, 1, *[0] * 8),
            _table(b"post", "IIhh5I", 0x30000, 0, 0, 0, *[0] * 5),
        )
    )  # fmt: skip
    directory, body = struct.pack(">IHHHH", 0x10000, len(tables), 128, 3, 16), b""
    start = len(directory) + 16 * len(tables)
    for tag, data in sorted(tables.items()):
        directory += tag + struct.pack(">III", 0, start + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    return directory + body


SQUARE: Final = _square()


def _part(table: int) -> bytes:
    """The whole font for 0, otherwise the table of that tag; empty when it has none."""
    if not table:
        return SQUARE
    for place in range(12, 12 + 16 * int.from_bytes(SQUARE[4:6], "big"), 16):
        tag, _, start, length = struct.unpack_from(">4I", SQUARE, place)
        if tag == table:
            return SQUARE[start : start + length]
    return b""


def _copy(data: bytes, room: Any, size: int) -> int:
    if room and size >= len(data):
        ctypes.memmove(room, data, len(data))
    return len(data)


class _Fonts:
    """The machine's fonts, and the square where they have none; its methods are called by PDFium."""

    def __init__(self, default: Any) -> None:
        self.default = default
        self.machine = default.contents

    def enumerate(self, _: Any, mapper: Any) -> None:
        self.machine.EnumFonts(self.default, mapper)

    def map(self, _: Any, weight: int, italic: int, charset: int, pitch: int, face: Any, exact: Any) -> Any:
        found = self.machine.MapFont(self.default, weight, italic, charset, pitch, face, exact)
        return found or (_HANDLE if charset in _CHARSETS else None)

    def get(self, _: Any, face: Any) -> Any:
        return self.machine.GetFont(self.default, face)

    def data(self, _: Any, font: int, table: int, room: Any, size: int) -> int:
        if font == _HANDLE:
            return _copy(_part(table), room, size)
        return int(self.machine.GetFontData(self.default, font, table, room, size))

    def name(self, _: Any, font: int, room: Any, size: int) -> int:
        if font == _HANDLE:
            return _copy(_NAME, room, size)
        return int(self.machine.GetFaceName(self.default, font, room, size))

    def charset(self, _: Any, font: int) -> int:
        return 128 if font == _HANDLE else int(self.machine.GetFontCharset(self.default, font))

    def delete(self, _: Any, font: int) -> None:
        if font != _HANDLE:
            self.machine.DeleteFont(self.default, font)


def install(pdfium: Any) -> Any:
    """Let PDFium ask for the machine's fonts first and take the square where there is none.

    Returns:
        What has to live as long as PDFium does.
    """
    default = pdfium.FPDF_GetDefaultSystemFontInfo()
    if not default:
        return None
    fonts = _Fonts(default)
    kinds = dict(pdfium.FPDF_SYSFONTINFO._fields_)
    information = pdfium.FPDF_SYSFONTINFO(
        1,
        kinds["Release"](lambda _: None),
        kinds["EnumFonts"](fonts.enumerate),
        kinds["MapFont"](fonts.map),
        kinds["GetFont"](fonts.get),
        kinds["GetFontData"](fonts.data),
        kinds["GetFaceName"](fonts.name),
        kinds["GetFontCharset"](fonts.charset),
        kinds["DeleteFont"](fonts.delete),
    )
    pdfium.FPDF_SetSystemFontInfo(ctypes.byref(information))
    return information
