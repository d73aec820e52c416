"""Text that shows turned is read as whoever turns the page reads it, and stands where the page shows it."""

from __future__ import annotations

from dataclasses import replace

import pytest


def drawn(pdf, matrix: bytes = b"") -> bytes:
    """Three lines, the last of two parts, and a grid of two by two cells below them."""
    text = pdf.text(72, 700, "First of all words") + pdf.text(72, 680, "and second those")
    text += pdf.text(72, 660, "in two") + pdf.text(300, 660, "columns")
    rules = b"".join(b"72 %d m 272 %d l S " % (y, y) for y in (560, 590, 620))
    rules += b"".join(b"%d 560 m %d 620 l S " % (x, x) for x in (72, 172, 272))
    cells = [(80, 600, "year"), (180, 600, "count"), (80, 570, "2026"), (180, 570, "17")]
    return b"q " + matrix + text + rules + b"".join(pdf.text(*cell) for cell in cells) + b"Q "


def turned(boxes, quarters: int) -> list[float]:
    """Boxes after so many quarters clockwise."""
    for _ in range(quarters):
        corners = zip(boxes[0::4], boxes[1::4], boxes[2::4], boxes[3::4], strict=True)
        boxes = [side for x0, y0, x1, y1 in corners for side in (1 - y1, x0, 1 - y0, x1)]
    return list(boxes)


@pytest.fixture
def upright(make_pdf, opened):
    pdf = make_pdf()
    pdf.page(drawn(pdf))
    return opened(pdf).page(1)


BY_CONTENT = {1: b"0 -1 1 0 0 612 cm ", 2: b"-1 0 0 -1 612 792 cm ", 3: b"0 1 -1 0 792 0 cm "}


@pytest.mark.parametrize("quarters", [1, 2, 3])
@pytest.mark.parametrize("by", ["page", "content"])
def test_a_turned_page_reads_as_it_does_upright(by, quarters, upright, pdf, opened):
    if by == "page":
        pdf.page(drawn(pdf), rotate=90 * quarters)
    else:
        box = (0, 0, 612, 792) if quarters == 2 else (0, 0, 792, 612)
        pdf.page(drawn(pdf, BY_CONTENT[quarters]), box=box)
    read = opened(pdf).page(1)
    lines = ["First of all words", "and second those", "in two\tcolumns", "year\tcount", "2026\t17"]
    assert read.text == upright.text == "\n".join(lines)
    assert (read.width, read.height) == ((612, 792) if quarters == 2 else (792, 612))
    assert list(read.boxes) == pytest.approx(turned(upright.boxes, quarters), abs=1e-6)
    assert list(read.part_boxes) == pytest.approx(turned(upright.part_boxes, quarters), abs=1e-6)
    (table,), (expected,) = read.tables, upright.tables
    for cell, other in zip(table.cells, expected.cells, strict=True):
        assert replace(cell, box=None) == replace(other, box=None)
        assert list(cell.box) == pytest.approx(turned(other.box, quarters), abs=1e-6)


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_what_nobody_sees_on_such_a_page_is_hidden(rotate, pdf, opened):
    pdf.page(pdf.text(72, 700, "shown to all") + b"1 g " + pdf.text(72, 600, "unseen"), rotate=rotate)
    read = opened(pdf).page(1)
    assert [read.text[start:end] for start, end in read.hidden] == ["unseen"]


def test_a_few_words_on_their_head_turn_no_page(pdf, opened):
    over = b"q -1 0 0 -1 612 792 cm " + pdf.text(72, 700, "a stamp") + b"Q "
    pdf.page(pdf.text(72, 700, "First of all words") + pdf.text(72, 680, "and second those") + over)
    assert opened(pdf).page(1).text.startswith("First of all words\nand second those")


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_the_page_is_displayed_as_before(rotate, pdf, opened):
    pdf.page(drawn(pdf), rotate=rotate)
    document = opened(pdf)
    before = document.render(1, dpi=36, max_pixels=10**6)
    document.page(1)
    assert document.render(1, dpi=36, max_pixels=10**6) == before
