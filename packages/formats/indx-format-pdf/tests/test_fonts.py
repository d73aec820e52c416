"""The fonts that stand in for those which are nowhere to be found."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.ports import SourceContent
from indx_format_pdf import PdfDocument
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


def named(make_pdf, name: bytes, flags: int, stem: int, *, widths: bool, white: bool) -> bytes:
    """Two lines in a font that is not there, and white ones below."""
    pdf = make_pdf()
    descriptor = pdf.add(
        b"<</Type/FontDescriptor/FontName/%s/Flags %d/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 900"
        b"/Descent -200/CapHeight 700/StemV %d>>" % (name, flags, stem)
    )
    given_widths = b"/FirstChar 32/LastChar 126/Widths[%s]" % (b"500 " * 95) if widths else b""
    pdf.fonts["F3"] = pdf.add(
        b"<</Type/Font/Subtype/TrueType/BaseFont/%s%s/Encoding/WinAnsiEncoding/FontDescriptor %d 0 R>>"
        % (name, given_widths, descriptor)
    )
    lines = pdf.text(72, 700, "Quarterly figures", font="F3") + pdf.text(
        72, 680, "of the firm in Kiel", font="F3"
    )
    pdf.page(lines + (b"1 g " + pdf.text(72, 300, "white on white", font="F3") if white else b""))
    return pdf.bytes()


OTHERS = st.tuples(
    st.sampled_from([b"Unheard", b"Unheard-Bold", b"Unheard,Italic"]),
    st.sampled_from([32, 33, 34, 96, 98, 4]),
    st.sampled_from([0, 80, 200]),
    st.booleans(),
)


@pytest.mark.parametrize("flags", [32, 33, 34, 98])
def test_places_in_a_font_that_is_not_there_are_the_same_whatever_was_drawn_before(flags, make_pdf):
    data = named(make_pdf, b"Unheard", flags, 80, widths=True, white=False)

    def boxes() -> list[float]:
        document = PdfDocument(SourceContent.of_bytes(data))
        found = list(document.page(1).boxes)
        document.close()
        return found

    first = boxes()

    @settings(max_examples=15)
    @given(OTHERS, st.sampled_from([20, 90, 200]))
    def stay_the_same(other, dpi):
        name, kind, stem, widths = other
        data = named(make_pdf, name, kind, stem, widths=widths, white=True)
        document = PdfDocument(SourceContent.of_bytes(data))
        document.page(1)
        document.render(1, dpi=dpi, max_pixels=10**7)
        document.close()
        assert boxes() == first

    stay_the_same()


@pytest.mark.parametrize("flags", [32, 33, 34])
def test_a_page_in_a_font_that_is_not_there_is_drawn(flags, make_pdf, opened):
    drawn = opened(named(make_pdf, b"Unheard", flags, 80, widths=True, white=False)).render(
        1, dpi=72, max_pixels=10**6
    )
    assert len(set(drawn.rgb)) > 8
