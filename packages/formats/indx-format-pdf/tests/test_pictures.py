"""What a page draws beside text."""

from __future__ import annotations

import pytest


def look(pdf, opened, content, **page):
    pdf.image("Im")
    pdf.page(content, **page)
    return opened(pdf).page(1)


def test_an_image_over_the_whole_page_covers_all_of_it(pdf, opened):
    page = look(pdf, opened, b"q 612 0 0 792 0 0 cm /Im Do Q")
    assert (page.images, page.characters) == (1, 0)
    assert page.image_share == pytest.approx(1)


def test_images_count_by_what_shows_of_them(pdf, opened):
    page = look(
        pdf,
        opened,
        b"q 200 0 0 200 -100 -100 cm /Im Do Q q 50 0 0 50 500 500 cm /Im Do Q",
        box=(0, 0, 100, 100),
    )
    assert page.images == 2
    assert page.image_share == pytest.approx(1)


def test_an_image_within_a_form_is_measured_where_it_lands(pdf, opened):
    pdf.image("Im")
    inner = (
        b"/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</Im %d 0 R>>>>" % pdf.xobjects["Im"]
    )
    pdf.xobjects["Fm"] = pdf.stream(b"/Im Do", inner)
    pdf.page(b"q 50 0 0 100 0 0 cm /Fm Do Q", box=(0, 0, 100, 100))
    page = opened(pdf).page(1)
    assert page.images == 1
    assert page.image_share == pytest.approx(0.5)


def test_lines_and_areas_are_objects_but_no_images(pdf, opened):
    page = look(pdf, opened, b"0 0 10 10 re f 20 20 m 30 30 l S")
    assert (page.images, page.drawings, page.image_share) == (0, 2, 0)


def test_a_blank_page_draws_nothing(pdf, opened):
    page = look(pdf, opened, b"q Q")
    assert (page.images, page.drawings, page.image_share) == (0, 0, 0)


def form(pdf, drawn: bytes) -> None:
    """A form that may draw itself."""
    number = len(pdf.objects) + 1
    pdf.xobjects["Fm"] = pdf.stream(
        drawn, b"/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</Fm %d 0 R>>>>" % number
    )


@pytest.mark.parametrize(
    ("drawn", "drawings"),
    [(b"5 5 m 50 50 l S", 1), (b"1 1 1 rg 5 5 20 20 re f", 0), (b"/Fm Do", 1), (b"0 0 m S", 1)],
)
def test_what_a_form_shows_counts_and_so_does_one_that_nobody_sees_into(drawn, drawings, pdf, opened):
    form(pdf, drawn)
    assert look(pdf, opened, b"/Fm Do").drawings == drawings


def test_forms_and_the_page_share_the_objects_that_are_looked_at(pdf, opened, monkeypatch):
    monkeypatch.setattr("indx_format_pdf._pictures._MOST", 7)
    pdf.xobjects["Fm"] = pdf.stream(
        b"0 0 5 5 re f " * 5, b"/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<<>>"
    )
    pdf.page(b"/Fm Do " * 3)
    looked = []
    monkeypatch.setattr("indx_format_pdf._page.rules_of", lambda paths, _: looked.append(len(paths)))
    opened(pdf).page(1)
    assert looked == [4]
