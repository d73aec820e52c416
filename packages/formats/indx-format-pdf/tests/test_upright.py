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
def test_the_heads_of_columns_set_sideways_are_all_there_and_none_is_glued(count, matrix, pdf, lines):
    heads = [
        b"BT /F1 9 Tf " + matrix % (200 + 11 * at) + b" Tm (Number of cases) Tj ET " for at in range(count)
    ]
    rows = [f"Region number {row}" for row in range(6)]
    pdf.page(
        b"".join(heads) + b"".join(pdf.text(72, 580 - 14 * at, row, size=9) for at, row in enumerate(rows))
    )
    # Few heads stand above their columns; with many of them it is they that are read level.
    said = lines(pdf)
    assert said[:-6] == (
        ["\t".join(["Number of cases"] * count)] if count == 4 else ["Number of cases"] * count
    )
    assert said[-6:] == rows


SAID = [
    "It was decided that the whole sum",
    "at once by the board of the town",
    "of the meeting be kept for all",
]
UP, DOWN = b"0 1 -1 0", b"0 -1 1 0"


def said(count: int, tag: str = "") -> list[str]:
    return [f"{SAID[at % 3]} {tag}{at}" for at in range(count)]


def sideways(matrix: bytes, x: float, y: float, text: str) -> bytes:
    return b"BT /F1 10 Tf %s %g %g Tm (%s) Tj ET " % (matrix, x, y, text.encode())


@pytest.mark.parametrize(("quarters", "rotate"), [(0, 0), (1, 270), (2, 180), (3, 90)])
def test_a_page_half_of_which_is_sideways_is_read_as_it_is_displayed(quarters, rotate, pdf, lines):
    level = b"".join(pdf.text(72, 700 - 14 * at, line, size=10) for at, line in enumerate(said(8)))
    beside = b"".join(sideways(UP, 300 + 14 * at, 80, line) for at, line in enumerate(said(8, "s")))
    matrix = BY_CONTENT[quarters] if quarters else b""
    box = (0, 0, 792, 612) if quarters % 2 else (0, 0, 612, 792)
    pdf.page(b"q " + matrix + level + beside + b"Q", box=box, rotate=rotate)
    assert lines(pdf) == said(8) + said(8, "s")


@pytest.mark.parametrize("place", [1, 2])
def test_a_note_at_the_side_stays_behind_the_table_it_was_drawn_behind(place, pdf, lines):
    def table(top: int) -> bytes:
        rules = b"".join(b"72 %d m 272 %d l S " % (y, y) for y in (top, top - 20, top - 40))
        rules += b"".join(b"%d %d m %d %d l S " % (x, top, x, top - 40) for x in (72, 172, 272))
        cells = [
            (x, top - 15 - 20 * row, f"cell {row}{at}") for row in (0, 1) for at, x in enumerate((75, 175))
        ]
        return rules + b"".join(pdf.text(*cell, size=10) for cell in cells)

    parts = [table(700), table(600)]
    note = ["Figures of all the stations of the north", "and of the south, in the order of time"]
    parts.insert(place, b"".join(sideways(UP, 500 + 14 * at, 300, line) for at, line in enumerate(note)))
    pdf.page(b"".join(parts))
    rows = ["cell 00\tcell 01", "cell 10\tcell 11"]
    assert lines(pdf) == (rows + note + rows if place == 1 else rows + rows + note)


def test_a_note_drawn_within_a_page_from_the_bottom_up_tears_no_paragraph(pdf, lines):
    text = [(72, 700 - 14 * at, line) for at, line in enumerate(said(12))]
    note = [sideways(UP, 550 + 14 * at, 300, line) for at, line in enumerate(said(2, "n"))]
    drawn_lines = [pdf.text(*line, size=10) for line in reversed(text)]
    pdf.page(b"".join(drawn_lines[:6] + note + drawn_lines[6:]))
    read = lines(pdf)
    assert [line for line in read if "n" not in line.split()[-1]] == said(12)
    assert read[12:] == said(2, "n")


@pytest.mark.parametrize(("matrix", "sign"), [(UP, 1), (DOWN, -1)])
def test_a_block_of_two_columns_set_sideways_is_read_column_by_column(matrix, sign, pdf, lines):
    level = b"".join(pdf.text(72, 760 - 12 * at, line, size=10) for at, line in enumerate(said(30, "l")))
    x = 400 if sign > 0 else 500
    first, second = (80, 260) if sign > 0 else (380, 200)
    rows = [
        (x + sign * 14 * at, y, line)
        for at, pair in enumerate(zip(said(5, "a"), said(5, "b"), strict=True))
        for y, line in zip((first, second), pair, strict=True)
    ]
    pdf.page(level + b"".join(sideways(matrix, *row) for row in rows))
    assert lines(pdf)[-10:] == said(5, "a") + said(5, "b")


def test_letters_that_two_reversals_show_level_are_put_in_order_as_such(pdf, lines):
    def reversed_twice(x: float, y: float, text: str) -> bytes:
        return b"BT /F1 -10 Tf -1 0 0 -1 %g %g Tm (%s) Tj ET " % (x, y, text.encode())

    rows = zip(said(14, "a"), said(14, "b"), strict=True)
    content = [
        reversed_twice(72 + 260 * column, 700 - 14 * at, line)
        for at, row in enumerate(rows)
        for column, line in enumerate(row)
    ]
    pdf.page(b"".join(content))
    assert lines(pdf) == said(14, "a") + said(14, "b")


def test_what_would_be_lost_when_it_is_turned_is_read_as_it_stands(pdf, opened):
    signs = {f"{at:04X}": f"{0x4E00 + at:04X}" for at in range(60)}
    pdf.composite_font("J", encoding="Identity-V", to_unicode=signs)
    columns = [
        b"<" + b"".join(b"%04x" % (20 * column + at) for at in range(20)) + b">" for column in range(3)
    ]
    drawn_columns = b"".join(
        pdf.text(500 - 20 * at, 550, column, font="J") for at, column in enumerate(columns)
    )
    pdf.page(b"q " + BY_CONTENT[1] + drawn_columns + b"Q", box=(0, 0, 792, 612))
    assert opened(pdf).page(1).characters == 60


def test_values_of_fields_beside_each_other_are_cells(pdf, opened):
    values = [b"Anna", b"Bonn", b"1990"]
    widgets = [
        pdf.add(
            b"<</Type/Annot/Subtype/Widget/FT/Tx/T(f%d)/V(%s)/Rect[%d 660 %d 680]>>"
            % (at, value, 72 + 100 * at, 172 + 100 * at)
        )
        for at, value in enumerate(values)
    ]
    named = b" ".join(b"%d 0 R" % widget for widget in widgets)
    pdf.catalog = b"/AcroForm<</Fields[%s]>>" % named
    pdf.page(pdf.text(72, 700, "Name and town"), entries=b"/Annots[%s]" % named)
    assert opened(pdf).page(1).text == "Name and town\nAnna\tBonn\t1990"


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_line_goes_on_behind_a_raised_sign_on_a_turned_page_as_on_an_upright_one(quarters, pdf, lines):
    line = b"BT /F1 12 Tf 72 700 Td (said by all) Tj 4 Ts /F1 7 Tf (12) Tj 0 Ts /F1 12 Tf ( of them) Tj ET "
    box = (0, 0, 612, 792) if quarters == 2 else (0, 0, 792, 612)
    pdf.page(
        b"q " + BY_CONTENT[quarters] + line + pdf.text(72, 680, "and by the others here") + b"Q", box=box
    )
    assert lines(pdf) == ["said by all12 of them", "and by the others here"]
