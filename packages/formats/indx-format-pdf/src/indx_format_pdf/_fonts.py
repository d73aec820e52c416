"""Stand-ins for fonts that neither the document nor the machine has.

A document may name a font without carrying it. PDFium then takes the machine's; where there is none for an
East Asian script, glyphs have no outline, lines have no height, and PDFium drops upright text altogether. A
font of one glyph, an empty square for every ideograph, syllable and kana, keeps such text in its place.

For other scripts PDFium has two fonts that it bends to the widths a document gives. Their outlines stay bent
as the last page that was drawn left them, for every document of the process, and with them the places of
letters. The fonts that stand for the standard ones, which PDFium has too, do not change.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from typing import Any, Final

__all__ = ["FAMILIES", "SQUARE", "install"]

_EM: Final = 1000
_ASCENT: Final = 880
_DESCENT: Final = -120
_CHARACTERS: Final = (0x1100, 0x3FFFF)
_CHARSETS: Final = frozenset({128, 129, 134, 136})  # Shift-JIS, Hangul, GB 2312, Big 5
_LATIN: Final = frozenset({0, 1})  # ANSI, and what is not said
_HANDLE: Final = 1  # no address
_STANDARD: Final = 2  # nor are this and the eleven that follow
FAMILIES: Final = (
    *("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"),
    *("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"),
    *("Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique"),
)
"""The standard fonts that have letters."""

_FIXED, _ROMAN, _BOLD = 1, 16, 600
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


def _standard(pdfium: Any) -> list[bytes]:
    """The files of the fonts that PDFium has for the standard ones, in the order of their names."""
    document = pdfium.FPDF_CreateNewDocument()
    files: list[bytes] = []
    for name in FAMILIES:
        font = pdfium.FPDFText_LoadStandardFont(document, name.encode())
        size = ctypes.c_size_t()
        pdfium.FPDFFont_GetFontData(font, None, 0, ctypes.byref(size))
        room = (ctypes.c_uint8 * size.value)()
        pdfium.FPDFFont_GetFontData(font, room, size.value, ctypes.byref(size))
        files.append(bytes(room))
        pdfium.FPDFFont_Close(font)
    pdfium.FPDF_CloseDocument(document)
    return files


def _stand_in(weight: int, italic: int, charset: int, pitch: int) -> int | None:
    """What to take for a font that nobody has; None where PDFium knows better."""
    if charset in _CHARSETS:
        return _HANDLE
    if charset not in _LATIN:
        return None
    family = 2 if pitch & _FIXED else 1 if pitch & _ROMAN else 0
    return _STANDARD + 4 * family + (weight >= _BOLD) + 2 * bool(italic)


class _Fonts:
    """The machine's fonts, and stand-ins where it has none; its methods are called by PDFium."""

    def __init__(self, default: Any, standard: Sequence[bytes]) -> None:
        self.default = default
        self.machine = default.contents
        self.standard = standard

    def enumerate(self, _: Any, mapper: Any) -> None:
        self.machine.EnumFonts(self.default, mapper)

    def map(self, _: Any, weight: int, italic: int, charset: int, pitch: int, face: Any, exact: Any) -> Any:
        found = self.machine.MapFont(self.default, weight, italic, charset, pitch, face, exact)
        return found or _stand_in(weight, italic, charset, pitch)

    def get(self, _: Any, face: Any) -> Any:
        return self.machine.GetFont(self.default, face)

    def data(self, _: Any, font: int, table: int, room: Any, size: int) -> int:
        if font == _HANDLE:
            return _copy(_part(table), room, size)
        if self._is_standard(font):
            return _copy(b"" if table else self.standard[font - _STANDARD], room, size)
        return int(self.machine.GetFontData(self.default, font, table, room, size))

    def name(self, _: Any, font: int, room: Any, size: int) -> int:
        if font == _HANDLE:
            return _copy(_NAME, room, size)
        if self._is_standard(font):
            return _copy(FAMILIES[font - _STANDARD].encode() + b"\0", room, size)
        return int(self.machine.GetFaceName(self.default, font, room, size))

    def charset(self, _: Any, font: int) -> int:
        if self._is_standard(font):
            return 0
        return 128 if font == _HANDLE else int(self.machine.GetFontCharset(self.default, font))

    def _is_standard(self, font: int) -> bool:
        return 0 <= font - _STANDARD < len(self.standard)

    def delete(self, _: Any, font: int) -> None:
        if font != _HANDLE and not self._is_standard(font):
            self.machine.DeleteFont(self.default, font)


def install(pdfium: Any) -> Any:
    """Let PDFium ask for the machine's fonts first and take a stand-in where there is none.

    Returns:
        What has to live as long as PDFium does.
    """
    default = pdfium.FPDF_GetDefaultSystemFontInfo()
    if not default:
        return None
    fonts = _Fonts(default, _standard(pdfium))
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
