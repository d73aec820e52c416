"""Pages as pictures, within the pixels allowed."""

from __future__ import annotations

import pytest

from indx_format_pdf import _document


def pixel(raster, x, y):
    at = 3 * (y * raster.width + x)
    return tuple(raster.rgb[at : at + 3])


def test_a_page_is_drawn_at_the_resolution_asked_in_red_green_blue(pdf, opened):
    pdf.page(b"1 0 0 rg 0 50 50 50 re f 0 0 1 rg 50 0 50 50 re f", box=(0, 0, 100, 100))
    raster = opened(pdf).render(1, dpi=36, max_pixels=2500)
    assert (raster.width, raster.height, raster.dpi, len(raster.rgb)) == (50, 50, 36, 7500)
    assert pixel(raster, 5, 5) == (255, 0, 0)
    assert pixel(raster, 45, 45) == (0, 0, 255)
    assert pixel(raster, 45, 5) == (255, 255, 255)


@pytest.mark.parametrize("name", [b"DCTDecode", b"JPXDecode", b"JBIG2Decode", b"FooDecode"])
def test_a_page_whose_only_image_cannot_be_decoded_is_not_drawn_as_a_blank_one(name, pdf, opened):
    entries = b"/Type/XObject/Subtype/Image/Width 9/Height 9/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/"
    pdf.xobjects["Broken"] = pdf.stream(b"no picture" * 9, entries + name)
    pdf.page(b"q 100 0 0 100 0 0 cm /Broken Do Q", box=(0, 0, 100, 100))
    pdf.page(b"q 100 0 0 100 0 0 cm /Broken Do Q 0 0 9 9 re f", box=(0, 0, 100, 100))
    pdf.page(b"", box=(0, 0, 100, 100))
    document = opened(pdf)
    assert document.render(1, dpi=36, max_pixels=10**6) is None
    assert document.render(1, dpi=36, max_pixels=10**6, pixels=False) is not None
    assert document.render(2, dpi=36, max_pixels=10**6) is not None  # something else shows
    assert document.render(3, dpi=36, max_pixels=10**6) is not None


@pytest.mark.parametrize(("rotate", "corner"), [(0, (2, 2)), (90, (47, 2)), (180, (47, 47)), (270, (2, 47))])
def test_a_turned_page_is_drawn_upright(rotate, corner, pdf, opened):
    pdf.page(b"1 0 0 rg 0 90 10 10 re f", box=(0, 0, 100, 100), rotate=rotate)
    assert pixel(opened(pdf).render(1, dpi=36, max_pixels=10**6), *corner) == (255, 0, 0)


def test_a_page_of_an_odd_width_has_rows_without_padding(pdf, opened):
    pdf.page(b"", box=(0, 0, 101.3, 33.2))
    raster = opened(pdf).render(1, dpi=72, max_pixels=10**6)
    assert (raster.width, raster.height) == (102, 34)
    assert len(raster.rgb) == 3 * 102 * 34


def test_a_page_of_too_many_pixels_is_refused_before_any_memory_is_taken(pdf, opened, monkeypatch):
    pdf.page(b"", box=(0, 0, 14400, 14400))
    drawn = []
    monkeypatch.setattr(_document, "_draw", lambda *args: drawn.append(args))
    document = opened(pdf)
    assert document.render(1, dpi=200, max_pixels=178_956_970) is None
    assert document.render(1, dpi=72, max_pixels=14400 * 14400 - 1) is None
    assert drawn == []
    document.render(1, dpi=72, max_pixels=14400 * 14400)
    assert len(drawn) == 1


def test_the_limit_is_checked_at_the_resolution_of_every_try(pdf, opened):
    pdf.page(b"", box=(0, 0, 72, 72))
    document = opened(pdf)
    assert document.render(1, dpi=10, max_pixels=100) is not None
    assert document.render(1, dpi=11, max_pixels=100) is None
    assert document.render(1, dpi=10, max_pixels=100) is not None


def test_a_page_that_cannot_be_opened_is_not_drawn(pdf, opened):
    pdf.page()
    pdf.kids.append(pdf.add(b"null"))
    assert opened(pdf).render(2, dpi=36, max_pixels=10**6) is None


def test_annotations_are_drawn(pdf, opened):
    square = pdf.stream(b"0 1 0 rg 0 0 50 50 re f", b"/Type/XObject/Subtype/Form/BBox[0 0 50 50]")
    pdf.page(
        b"",
        box=(0, 0, 100, 100),
        annotations=(b"<</Type/Annot/Subtype/Stamp/Rect[0 50 50 100]/AP<</N %d 0 R>>>>" % square,),
    )
    assert pixel(opened(pdf).render(1, dpi=72, max_pixels=10**6), 10, 10) == (0, 255, 0)
