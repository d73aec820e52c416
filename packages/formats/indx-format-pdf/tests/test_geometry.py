"""Boxes lie on the page as displayed and cover what is drawn there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.ports import SourceContent
from indx_format_pdf import PdfDocument
from indx_format_pdf._geometry import Frame

DPI = 144


DARK = bytes(value < 128 for value in range(256))


def ink(raster):
    """The first and last column and row with something dark, as shares of the picture."""
    width, height = raster.width, raster.height
    dark = raster.rgb[0::3].translate(DARK)
    rows = [dark[width * row : width * (row + 1)] for row in range(height)]
    inked = [row for row, signs in enumerate(rows) if 1 in signs]
    columns = 0
    for signs in rows:
        columns |= int.from_bytes(signs, "big")
    across = columns.to_bytes(width, "big")
    return (
        across.index(1) / width,
        inked[0] / height,
        (across.rindex(1) + 1) / width,
        (inked[-1] + 1) / height,
    )


def assert_covers(box, drawn, raster, slack=1.0):
    """The box covers the ink and exceeds it by little; `slack` is in points."""
    for side, (have, want) in enumerate(zip(box, drawn, strict=True)):
        size = raster.height if side % 2 else raster.width
        over = (want - have) * size if side < 2 else (have - want) * size
        assert -1 <= over <= (slack + 1) * DPI / 72, f"side {side}: {over:.2f} pixels over {drawn}"


@pytest.mark.parametrize("rotate", [0, 90, 180, 270, -90, 450])
def test_a_word_is_where_it_is_drawn_however_the_page_is_turned(rotate, pdf, opened):
    pdf.page(pdf.text(72, 700, "Hello world"), rotate=rotate)
    document = opened(pdf)
    page = document.page(1)
    raster = document.render(1, dpi=DPI, max_pixels=10**8)
    assert page.text == "Hello world"
    assert (page.width, page.height) == ((612, 792) if rotate % 180 == 0 else (792, 612))
    assert_covers(page.boxes, ink(raster), raster)


def test_a_page_that_is_not_turned_counts_from_its_top_left(pdf, opened):
    pdf.page(pdf.text(61.2, 792 - 79.2, "H"))
    x0, y0, x1, y1 = opened(pdf).page(1).boxes
    assert 0.1 <= x0 < 0.105 < x1 < 0.12
    assert 0.085 < y0 < 0.095 < y1 <= 0.101


@st.composite
def placed_words(draw):
    """A page of any box, crop, turn and unit, with one word wholly inside, drawn at any right angle."""
    left, bottom = draw(st.integers(-500, 500)), draw(st.integers(-500, 500))
    width, height = draw(st.integers(120, 400)), draw(st.integers(120, 400))
    margins = [draw(st.integers(0, 50)) for _ in range(4)]
    crop = (left, bottom, left + width, bottom + height)
    box = (left - margins[0], bottom - margins[1], crop[2] + margins[2], crop[3] + margins[3])
    x = left + draw(st.integers(40, width - 40))
    y = bottom + draw(st.integers(40, height - 40))
    cosine, sine = draw(st.sampled_from([(1, 0), (0, 1), (-1, 0), (0, -1)]))
    rotate, unit = draw(st.sampled_from([0, 90, 180, 270])), draw(st.sampled_from([1, 0.5, 2, 10]))
    return box, crop, rotate, (cosine, sine, -sine, cosine, x, y), unit


@settings(max_examples=60, deadline=None)
@given(placed_words())
def test_every_box_is_on_the_page_and_covers_its_word(make_pdf, placed):
    box, crop, rotate, matrix, unit = placed
    one = make_pdf()
    drawn = b"BT /F1 10 Tf %d %d %d %d %d %d Tm (Magpie) Tj ET" % matrix
    one.page(drawn, box=box, crop=crop, rotate=rotate, entries=b"/UserUnit %g" % unit)
    document = PdfDocument(SourceContent.of_bytes(one.bytes()))
    page = document.page(1)
    raster = document.render(1, dpi=DPI, max_pixels=10**8)
    document.close()
    assert page.text == "Magpie"
    assert all(0 <= value <= 1 for value in page.boxes)
    assert page.boxes[0] < page.boxes[2]
    assert page.boxes[1] < page.boxes[3]
    assert_covers(page.boxes, ink(raster), raster)


@given(
    st.builds(
        Frame,
        st.floats(-1000, 1000),
        st.floats(-1000, 1000),
        st.floats(1001, 3000),
        st.floats(1001, 3000),
        st.sampled_from([0, 1, 2, 3]),
    ),
    *[st.floats(0, 1)] * 4,
)
def test_a_box_within_the_page_has_shares_in_order_and_in_bounds(frame, a, b, c, d):
    width, height = frame.right - frame.left, frame.top - frame.bottom
    left, right = sorted((frame.left + a * width, frame.left + c * width))
    bottom, top = sorted((frame.bottom + b * height, frame.bottom + d * height))
    sides = tuple([side] for side in frame.ordered(left, bottom, right, top))
    ((x0, y0, x1, y1),) = zip(*frame.shares(sides), strict=True)
    assert 0 <= x0 <= x1 <= 1
    assert 0 <= y0 <= y1 <= 1
    px0, py0, px1, py1 = frame.points(sides)[0]
    assert px0 <= px1 + 1e-6
    assert py0 <= py1 + 1e-6
    assert -1e-6 <= px0 <= frame.width + 1e-6
    assert -1e-6 <= py1 <= frame.height + 1e-6


def test_a_box_at_the_edge_is_cut_there(pdf, opened):
    pdf.page(pdf.text(-4, 100, "HHH"), box=(0, 0, 200, 200))
    x0, _, x1, _ = opened(pdf).page(1).boxes
    assert x0 == 0
    assert 0.05 < x1 < 0.2


def test_a_font_without_outlines_still_has_lines_of_some_height(pdf, opened):
    pdf.composite_font("F2", encoding="UniGB-UCS2-H", ordering="GB1")
    pdf.page(pdf.text(72, 700, b"<4e2d6587>", font="F2"))
    page = opened(pdf).page(1)
    x0, y0, x1, y1 = page.boxes
    assert page.text == "中文"
    assert (x1 - x0) * 612 > 20
    assert 8 < (y1 - y0) * 792 < 16


def test_the_line_of_several_operations_has_one_box_around_them(pdf, opened):
    pdf.page(pdf.text(72, 700, "one") + pdf.text(95, 700, "two") + pdf.text(118, 700, "three", size=14))
    page = opened(pdf).page(1)
    assert page.text == "one two three"
    x0, y0, x1, y1 = page.boxes
    assert x0 * 612 < 73
    assert x1 * 612 > 140
    assert (1 - y1) * 792 < 700 < (1 - y0) * 792
