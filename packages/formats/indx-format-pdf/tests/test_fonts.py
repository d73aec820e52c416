"""The font that stands in for East Asian fonts which are nowhere to be found."""

from __future__ import annotations

import struct

from indx_format_pdf._fonts import SQUARE, _part


def test_upright_text_in_a_font_that_is_not_there_is_kept(pdf, lines):
    pdf.composite_font("F2", encoding="UniJIS-UCS2-V", ordering="Japan1")
    text = "わたくしといふ現象は"
    pdf.page(pdf.text(300, 700, b"<" + text.encode("utf-16-be").hex().encode() + b">", font="F2"))
    assert lines(pdf) == [text]


def test_the_font_holds_the_tables_a_font_needs():
    count = struct.unpack(">H", SQUARE[4:6])[0]
    tags = [SQUARE[place : place + 4] for place in range(12, 12 + 16 * count, 16)]
    assert tags == sorted(tags)
    assert {b"cmap", b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp"} <= set(tags)
    for tag in tags:
        assert _part(int.from_bytes(tag, "big"))
    assert _part(0) == SQUARE
    assert _part(int.from_bytes(b"none", "big")) == b""
