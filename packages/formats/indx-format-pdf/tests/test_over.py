"""Text that shows upside down is read as whoever turns the page reads it, and stands where the page shows it."""

from __future__ import annotations

import pytest

LINES = ["First of all words", "and second those", "in two\tcolumns"]


def drawn(pdf, matrix: bytes = b"") -> bytes:
    """Three lines, the last of two parts, and a grid of two by two cells below them."""
    text = pdf.text(72, 700, "First of all words") + pdf.text(72, 680, "and second those")
    text += pdf.text(72, 660, "in two") + pdf.text(300, 660, "columns")
    rules = b"".join(b"72 %d m 272 %d l S " % (y, y) for y in (560, 590, 620))
    rules += b"".join(b"%d 560 m %d 620 l S " % (x, x) for x in (72, 172, 272))
    cells = [(80, 600, "year"), (180, 600, "count"), (80, 570, "2026"), (180, 570, "17")]
    return b"q " + matrix + text + rules + b"".join(pdf.text(*cell) for cell in cells) + b"Q "


def mirrored(boxes) -> list[float]:
    return [1 - boxes[at // 4 * 4 + (at + 2) % 4] for at in range(len(boxes))]


@pytest.fixture
def upright(pdf, opened, make_pdf):
    pdf.page(drawn(pdf))
    return opened(pdf).page(1)


@pytest.mark.parametrize("rotate", [180, 0])
def test_a_page_on_its_head_reads_as_it_does_upright(rotate, upright, make_pdf, opened):
    pdf = make_pdf()
    # Turned by the page, or by what is drawn on it.
    pdf.page(drawn(pdf, b"" if rotate else b"-1 0 0 -1 612 792 cm "), rotate=rotate)
    read = opened(pdf).page(1)
    assert read.text == upright.text
    assert upright.text.startswith(
        "First of all words\nand second those\nin two\tcolumns\nyear\tcount\n2026\t17"
    )
    assert list(read.boxes) == pytest.approx(mirrored(upright.boxes))
    assert list(read.part_boxes) == pytest.approx(mirrored(upright.part_boxes))
    (table,), (expected,) = read.tables, upright.tables
    assert [(cell.row, cell.column, cell.text) for cell in table.cells] == [
        (cell.row, cell.column, cell.text) for cell in expected.cells
    ]
    boxes = [side for cell in table.cells for side in cell.box]
    assert boxes == pytest.approx(mirrored([side for cell in expected.cells for side in cell.box]))


def test_what_nobody_sees_on_such_a_page_is_hidden(pdf, opened):
    pdf.page(pdf.text(72, 700, "shown to all") + b"1 g " + pdf.text(72, 600, "unseen"), rotate=180)
    read = opened(pdf).page(1)
    assert [read.text[start:end] for start, end in read.hidden] == ["unseen"]


def test_a_few_words_on_their_head_turn_no_page(pdf, opened):
    over = b"q -1 0 0 -1 612 792 cm " + pdf.text(72, 700, "a stamp") + b"Q "
    pdf.page(pdf.text(72, 700, "First of all words") + pdf.text(72, 680, "and second those") + over)
    assert opened(pdf).page(1).text.startswith("First of all words\nand second those")


def test_the_page_is_displayed_as_before(pdf, opened):
    pdf.page(drawn(pdf), rotate=180)
    document = opened(pdf)
    before = document.render(1, dpi=36, max_pixels=10**6)
    document.page(1)
    assert document.render(1, dpi=36, max_pixels=10**6) == before
