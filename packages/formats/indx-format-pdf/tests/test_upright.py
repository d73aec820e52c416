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


LETTERS = ["FY2013 7,723,293", "Pax difficult 15", "of the north 402"]


@pytest.mark.parametrize("quarters", [1, 2, 3])
@pytest.mark.parametrize("is_level", [False, True])
def test_letters_drawn_one_by_one_make_the_words_they_make_upright(is_level, quarters, make_pdf, opened):
    def read(matrix=b"", **more):
        pdf = make_pdf()
        rows = [
            (72 + 6.8 * at, 700 - 20 * row, sign)
            for row, line in enumerate(LETTERS)
            for at, sign in enumerate(line)
        ]
        content = b"q " + matrix + b"".join(pdf.text(x, y, sign) for x, y, sign in rows if sign != " ") + b"Q"
        pdf.page(content, **more)
        return opened(pdf).page(1)

    box = (0, 0, 612, 792) if quarters == 2 else (0, 0, 792, 612)
    turned_page = read(BY_CONTENT[quarters], box=box, rotate=-90 * quarters % 360 if is_level else 0)
    upright = read()
    assert turned_page.text == upright.text
    boxes = turned(upright.boxes, 0 if is_level else quarters)
    assert list(turned_page.boxes) == pytest.approx(boxes, abs=1e-4)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_links_fields_comments_and_hidden_words_lie_where_such_content_does(quarters, make_pdf, opened):
    def read(matrix, box, place):
        pdf = make_pdf()
        left, bottom, right, top = place
        rect = b"/Rect[%d %d %d %d]" % (left, bottom, right, top)
        link = b"<</Type/Annot/Subtype/Link%s/A<</S/URI/URI(http://x.test/)>>>>" % rect
        note = b"<</Type/Annot/Subtype/Text%s/Contents(a note)>>" % rect
        content = pdf.text(72, 700, "words before a link") + pdf.text(300, 700, "link") + b"1 g "
        pdf.page(
            b"q " + matrix + content + pdf.text(72, 600, "unseen") + b"Q", box=box, annotations=(link, note)
        )
        return opened(pdf).page(1)

    upright = read(b"", (0, 0, 612, 792), (298, 695, 340, 715))
    box = (0, 0, 612, 792) if quarters == 2 else (0, 0, 792, 612)
    place = {1: (695, 272, 715, 314), 2: (272, 77, 314, 97), 3: (77, 298, 97, 340)}[quarters]
    read_turned = read(BY_CONTENT[quarters], box, place)
    assert all((upright.links, upright.roles, upright.hidden))
    for name in ("text", "links", "roles", "hidden"):
        assert getattr(read_turned, name) == getattr(upright, name)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_the_page_is_displayed_as_before_where_its_content_was_turned(quarters, pdf, opened):
    pdf.page(drawn(pdf, BY_CONTENT[quarters]), rotate=90)
    document = opened(pdf)
    before = document.render(1, dpi=36, max_pixels=10**6)
    first = document.look(1)
    assert document.look(1) == first
    assert document.render(1, dpi=36, max_pixels=10**6) == before


PARAGRAPH = ["What was measured in the year, and where", "The table below gives all that there was of"]
PARAGRAPH += ["the stations of the north, the south too,", "in the order in which they had been built."]


@pytest.mark.parametrize("matrix", [b"0 -1 1 0 500 660", b"-1 0 0 -1 560 300", b"0 1 -1 0 100 60"])
def test_a_paragraph_beside_a_turned_table_keeps_its_lines_and_their_order(matrix, pdf, lines):
    rows = [[f"Station {row}", *(str(1000 + row * column) for column in range(5))] for row in range(16)]
    table = b"".join(
        pdf.text(90 * column, -20 * row, cell)
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
    )
    prose = b"".join(pdf.text(72, 760 - 14 * at, line) for at, line in enumerate(PARAGRAPH))
    pdf.page(prose + b"q " + matrix + b" cm " + table + b"Q")
    assert lines(pdf) == PARAGRAPH + ["\t".join(cells) for cells in rows]


def test_the_title_of_a_turned_table_stands_above_it_and_the_head_of_the_page_apart(pdf, lines):
    rows = [f"Row {row} of the table" for row in range(9)]
    table = b"".join(
        pdf.text(60, 500 - 20 * at, row) + pdf.text(260, 500 - 20 * at, "1.5") for at, row in enumerate(rows)
    )
    head = pdf.text(72, 760, "Annual report of the year") + pdf.text(280, 30, "Page 17")
    pdf.page(b"q 0 1 -1 0 612 0 cm " + table + pdf.text(60, 540, "Table 4. Quantities") + b"Q " + head)
    said = ["Table 4. Quantities", *(f"{row}\t1.5" for row in rows), "Annual report of the year", "Page 17"]
    assert lines(pdf) == said


@pytest.mark.parametrize("sign", [b"-12 Tf -1 0 0 -1", b"12 Tf -100 Tz -1 0 0 1"])
def test_what_shows_upright_by_two_reversals_is_read_as_it_shows(sign, pdf, lines):
    words = [
        (72 + 80 * column, 700 - 20 * row, f"word{row}{column}") for row in range(3) for column in range(3)
    ]
    content = b"".join(b"%s %d %d Tm (%s) Tj " % (sign, x, y, word.encode()) for x, y, word in words)
    pdf.page(
        b"BT /F1 "
        + content.replace(b"-12 Tf", b"/F1 -12 Tf").replace(b"12 Tf -100", b"/F1 12 Tf -100")[4:]
        + b"ET"
    )
    assert lines(pdf) == ["word00\tword01\tword02", "word10\tword11\tword12", "word20\tword21\tword22"]


def test_few_turned_letters_turn_no_page_wherever_they_stand(pdf, lines):
    content = b""
    for row in range(15):
        content += b"BT /F1 12 Tf 0 1 -1 0 60 %d Tm (N) Tj ET " % (702 - 30 * row)
        content += pdf.text(72, 700 - 30 * row, f"{row + 10} of {row * 7919 % 99999:05}")
    pdf.page(content + pdf.text(72, 200, "Total of it"))
    said = lines(pdf)
    assert [line.split()[-3:] for line in said[:2]] == [["10", "of", "00000"], ["11", "of", "07919"]]
    assert said[-1] == "Total of it"


@pytest.mark.parametrize("matrix", [b"0 1 -1 0 %d 600", b"0 -1 1 0 %d 680"])
@pytest.mark.parametrize("count", [4, 12])
def test_the_heads_of_columns_set_sideways_are_all_there_each_by_itself(count, matrix, pdf, lines):
    heads = [
        b"BT /F1 9 Tf " + matrix % (200 + 11 * at) + b" Tm (Number of cases) Tj ET " for at in range(count)
    ]
    rows = [f"Region number {row}" for row in range(6)]
    pdf.page(
        b"".join(heads) + b"".join(pdf.text(72, 580 - 14 * at, row, size=9) for at, row in enumerate(rows))
    )
    assert lines(pdf) == ["Number of cases"] * count + rows
