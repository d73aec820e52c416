"""Reading order: as drawn, unless the drawing order is clearly not the reading order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_format_pdf._order import Cell, arrange, from_above

LEFT = ["The left column begins here", "and it goes on for a while", "until it has said enough of"]
RIGHT = ["The right column follows it", "with more of the same text", "and then the page is full."]


def two_columns(pdf, *, by_row: bool, offset: float = 0):
    left = [pdf.text(72, 700 - 14 * number, line) for number, line in enumerate(LEFT)]
    right = [pdf.text(320, 700 - offset - 14 * number, line) for number, line in enumerate(RIGHT)]
    if by_row:
        return b"".join(a + b for a, b in zip(left, right, strict=True))
    return b"".join(left + right)


@pytest.mark.parametrize("by_row", [False, True])
@pytest.mark.parametrize("offset", [0, 4])
def test_columns_are_read_one_after_the_other_however_they_were_drawn(by_row, offset, pdf, lines):
    pdf.page(two_columns(pdf, by_row=by_row, offset=offset))
    assert lines(pdf) == LEFT + RIGHT


def test_a_heading_over_both_columns_stays_on_top(pdf, lines):
    heading = pdf.text(72, 740, "A heading that runs over both columns of the page, and some more", size=14)
    pdf.page(heading + two_columns(pdf, by_row=True))
    assert lines(pdf)[1:] == LEFT + RIGHT


def test_paragraphs_of_two_columns_stay_in_their_column(pdf, lines):
    first = [f"left paragraph {part} line {line} of it" for part in range(3) for line in range(3)]
    second = [f"right paragraph {part} line {line} of it" for part in range(3) for line in range(3)]
    places = [700 - 14 * number - 20 * (number // 3) for number in range(9)]
    content = b"".join(
        pdf.text(72, y, a) + pdf.text(330, y, b) for y, a, b in zip(places, first, second, strict=True)
    )
    pdf.page(content)
    assert lines(pdf) == first + second


def test_a_heading_between_columns_parts_what_stands_above_from_what_stands_below(pdf, lines):
    heading = "A heading in the middle that runs over both columns of the page, and more"
    drawn, expected = b"", []
    for part, y in (("above", 700), ("below", 560)):
        sides = [
            [f"{side} column {part} line {line} of it" for line in range(4)] for side in ("left", "right")
        ]
        drawn += pdf.text(72, 610, heading, size=14) if part == "below" else b""
        for line, (left, right) in enumerate(zip(*sides, strict=True)):
            drawn += pdf.text(72, y - 14 * line, left) + pdf.text(330, y - 14 * line, right)
        expected += [*([heading] if part == "below" else []), *sides[0], *sides[1]]
    pdf.page(drawn)
    assert lines(pdf) == expected


def test_three_columns_drawn_by_row_are_read_by_column(pdf, lines):
    columns = [[f"column {name} with line {line} in" for line in range(4)] for name in "ABC"]
    pdf.page(
        b"".join(
            pdf.text(40 + 185 * at, 700 - 14 * line, columns[at][line])
            for line in range(4)
            for at in range(3)
        )
    )
    assert lines(pdf) == [line for column in columns for line in column]


def test_each_cell_of_a_row_has_its_own_place(pdf, opened):
    pdf.page(
        pdf.text(72, 700, "one")
        + pdf.text(172, 700, "two")
        + pdf.text(372, 700, "three")
        + pdf.text(72, 600, "x")
    )
    page = opened(pdf).page(1)
    assert page.text == "one\ttwo\tthree\nx"
    parts = list(zip(page.part_starts, page.part_ends, strict=True))
    assert [page.text[start:end] for start, end in parts] == ["one", "two", "three"]
    assert [round(612 * left) for left in page.part_boxes[0::4]] == [72, 172, 372]
    assert page.part_boxes[2] < page.part_boxes[4]


CONTENTS = [("01", "Title of it", "04"), ("02", "Other things", "17"), ("03", "The last part of all", "112")]


@pytest.mark.parametrize("by_row", [True, False])
def test_rows_of_a_contents_page_stay_rows(by_row, pdf, lines):
    cells = [
        (x, 700 - 20 * row, text)
        for row, texts in enumerate(CONTENTS)
        for x, text in zip((72, 100, 500), texts, strict=True)
    ]
    if not by_row:
        cells.sort(key=lambda cell: cell[0])
    pdf.page(b"".join(pdf.text(x, y, text) for x, y, text in cells))
    assert [line.replace("\t", " ") for line in lines(pdf)] == [" ".join(row) for row in CONTENTS]


def test_words_far_apart_on_a_row_are_cells(pdf, lines):
    pdf.page(pdf.text(72, 700, "red") + pdf.text(190, 700, "green") + pdf.text(310, 700, "blue"))
    assert lines(pdf) == ["red\tgreen\tblue"]


def test_words_at_the_distance_of_a_space_are_no_cells(pdf, lines):
    pdf.page(pdf.text(72, 700, "red") + pdf.text(96, 700, "green") + pdf.text(132, 700, "blue"))
    assert lines(pdf) == ["red green blue"]


def test_a_table_of_words_and_numbers_keeps_its_rows(pdf, lines):
    rows = [
        ("Widget of some length", "12", "3.50"),
        ("Gadget", "7", "11.00"),
        ("Gizmo for the garden", "150", "0.99"),
    ]
    content = b"".join(
        pdf.text(x, 700 - 16 * number, text)
        for number, row in enumerate(rows)
        for x, text in zip((72, 300, 400), row, strict=True)
    )
    pdf.page(content)
    assert lines(pdf) == ["\t".join(row) for row in rows]


def test_a_table_drawn_from_the_bottom_up_is_read_from_the_top(pdf, lines):
    rows = [(f"{number:02}/2015", f"Company number {number}", str(number * 7)) for number in range(1, 8)]
    content = b"".join(
        pdf.text(x, 700 - 20 * number, text)
        for number, row in reversed(list(enumerate(rows)))
        for x, text in zip((72, 200, 400), row, strict=True)
    )
    pdf.page(content)
    assert lines(pdf) == ["\t".join(row) for row in rows]


def test_two_columns_of_names_are_no_table(pdf, lines):
    left = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Edsger Dijkstra"]
    right = ["Barbara Liskov", "Donald Knuth", "John McCarthy", "Frances Allen"]
    pdf.page(
        b"".join(pdf.text(72, 700 - 14 * number, name) for number, name in enumerate(left))
        + b"".join(pdf.text(320, 700 - 14 * number, name) for number, name in enumerate(right))
    )
    assert lines(pdf) == left + right


def upright(pdf, texts, xs, matrix):
    return b"".join(
        b"BT /F1 12 Tf " + matrix + b" %d %d Tm (%s) Tj ET\n" % (x, y, text.encode())
        for (x, y), text in zip(xs, texts, strict=True)
    )


def test_lines_read_downwards_go_from_right_to_left(pdf, lines):
    texts = ["first line of it", "second line of it", "third line of it"]
    pdf.page(upright(pdf, texts[::-1], [(300, 700), (320, 700), (340, 700)], b"0 -1 1 0"))
    assert lines(pdf) == texts


def test_lines_read_upwards_go_from_left_to_right(pdf, lines):
    texts = ["first line of it", "second line of it", "third line of it"]
    pdf.page(upright(pdf, texts[::-1], [(340, 300), (320, 300), (300, 300)], b"0 1 -1 0"))
    assert lines(pdf) == texts


def half_shared(one, other):
    shared = min(one.y1, other.y1) - max(one.y0, other.y0)
    return 2 * shared >= min(one.y1 - one.y0, other.y1 - other.y0)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(7, 30)), min_size=2, max_size=12))
def test_upright_lines_beside_each_other_share_half_of_the_shorter(spans):
    cells = [Cell(at, at, "abc", 0.0, y, 3.0, y + size) for at, (y, size) in enumerate(spans)]
    tiers: list[list[Cell]] = []
    for cell in sorted(cells, key=lambda one: one.y0):
        beside = (tier for tier in tiers if any(half_shared(cell, one) for one in tier))
        tier = next(beside, None)
        if tier is None:
            tiers.append([cell])
        else:
            tier.append(cell)
    assert arrange(cells, downwards=True) == [[cell] for tier in tiers for cell in tier]


def test_level_lines_below_each_other_beside_upright_ones_stay_in_their_order():
    upright = [Cell(at, at, "a head set upright", 200 + 20 * at, 100, 212 + 20 * at, 400) for at in range(4)]
    level = [Cell(4 + at, 4 + at, f"Row {at}", 72, 110 + 30 * at, 150 - at, 122 + 30 * at) for at in range(6)]
    for downwards in (False, True):
        said = [cell.text for line in arrange([*upright, *level], downwards=downwards) for cell in line]
        assert [text for text in said if text.startswith("Row")] == [f"Row {at}" for at in range(6)]


def test_very_many_tiers_are_gone_over_once():
    cells = [Cell(at, at, "abc", 0.0, 30.0 * at, 5.0, 30.0 * at + 25.0) for at in range(60_000)]
    assert arrange(cells, downwards=True) == [[cell] for cell in cells]


def test_upright_japanese_is_read_from_the_right_in_tiers(pdf, lines):
    pdf.composite_font("F2", encoding="UniJIS-UCS2-V", ordering="Japan1")
    columns = ["わたくしといふ", "現象は仮定され", "た有機交流電燈"]
    below = ["ひとつの青い照", "明ですあらゆる"]
    content = b""
    places = zip(
        [300, 320, 340, 320, 340], [700, 700, 700, 500, 500], columns[::-1] + below[::-1], strict=True
    )
    for x, y, text in places:
        content += pdf.text(x, y, b"<" + text.encode("utf-16-be").hex().encode() + b">", font="F2")
    pdf.page(content)
    assert lines(pdf) == columns + below


def test_a_page_turned_on_its_side_is_read_from_its_first_line(pdf, lines):
    texts = [f"line {number} of a page on its side" for number in range(6)]
    pdf.page(b"".join(pdf.text(72, 700 - 20 * number, text) for number, text in enumerate(texts)), rotate=90)
    assert lines(pdf) == texts


def cell(place, text, x, y, *, row=None, width=None):
    return Cell(place, place if row is None else row, text, x, y, x + (width or 6 * len(text)), y + 10)


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_rows_that_pdfium_takes_for_one_line_are_lines(rotate, pdf, lines):
    # Of so few letters PDFium makes a single line.
    a, b, c, d, e, f = {0: (1, 0, 0, 1, 0, 0), 90: (0, 1, -1, 0, 792, 0), 180: (-1, 0, 0, -1, 792, 792)}.get(
        rotate, (0, -1, 1, 0, 0, 792)
    )
    cells = [(64, 704, "00"), (124, 704, "00"), (64, 680, "0"), (124, 680, "0")]
    text = b"".join(pdf.text(x, y, said, size=9) for x, y, said in cells)
    pdf.page(f"q {a} {b} {c} {d} {e} {f} cm\n".encode() + text + b"Q\n", box=(0, 0, 792, 792), rotate=rotate)
    assert lines(pdf) == ["00\t00", "0\t0"]


def test_such_rows_are_lines_however_high_one_of_their_letters_is(pdf, lines):
    cells = [(64, 704, "0", 33), (124, 704, "00", 9), (64, 680.8, "0", 9), (124, 680.8, "0", 9)]
    pdf.page(b"".join(pdf.text(x, y, said, size=size) for x, y, said, size in cells), box=(0, 0, 792, 792))
    assert lines(pdf) == ["0\t00", "0\t0"]


def test_a_raised_sign_stays_in_its_line(pdf, lines):
    pdf.page(
        b"BT /F1 12 Tf 72 700 Td (The area is x) Tj /F1 6 Tf 6 Ts (2) Tj "
        b"0 Ts /F1 12 Tf (, and the next) Tj ET\n" + pdf.text(72, 680, "line is here.")
    )
    assert lines(pdf) == ["The area is x2, and the next", "line is here."]


def test_nothing_moves_on_a_page_drawn_in_order():
    cells = [cell(number, f"line {number} of running text", 72, 20 * number) for number in range(30)]
    assert arrange(cells, downwards=True) == [[one] for one in cells]


def test_two_cells_that_agree_are_not_enough_to_move_anything():
    cells = [
        cell(0, "a line of running text here", 72, 0, row=0),
        cell(1, "another line of running text", 320, 0, row=0),
        cell(2, "the second line of the left", 72, 20, row=1),
        cell(3, "the second line of the right", 320, 20, row=1),
    ]
    assert arrange(cells, downwards=True) == [cells[:2], cells[2:]]


def test_many_gaps_cost_little():
    cells = [cell(40 * row + at, "12", 20 * at, 12 * row, row=row) for row in range(200) for at in range(40)]
    assert len(arrange(cells, downwards=True)) == 200


def test_an_empty_page_has_no_lines():
    assert arrange([], downwards=True) == []


# Blocks drawn after what stands below them


def test_a_heading_drawn_last_stands_above_what_it_heads(pdf, lines):
    body = b"".join(pdf.text(72, 700 - 14 * number, line) for number, line in enumerate(LEFT))
    pdf.page(body + pdf.text(72, 750, "A heading that was drawn last", size=14))
    assert lines(pdf) == ["A heading that was drawn last", *LEFT]


def test_a_page_number_drawn_first_stands_below_the_page(pdf, lines):
    body = b"".join(pdf.text(72, 700 - 14 * number, line) for number, line in enumerate(LEFT))
    pdf.page(pdf.text(72, 30, "- 7 -") + body)
    assert lines(pdf) == [*LEFT, "- 7 -"]


def test_notes_drawn_before_the_columns_stand_below_their_own(pdf, lines):
    notes = pdf.text(72, 500, "1 A note to the left", size=8) + pdf.text(320, 480, "2 And one here", size=8)
    pdf.page(notes + two_columns(pdf, by_row=False))
    assert lines(pdf) == [*LEFT, "1 A note to the left", *RIGHT, "2 And one here"]


def test_what_stands_beside_keeps_the_order_it_was_drawn_in(pdf, lines):
    # The margin's note is drawn last and stands higher, but in no column of the text.
    body = b"".join(pdf.text(72, 700 - 14 * number, line) for number, line in enumerate(LEFT))
    pdf.page(body + pdf.text(400, 740, "a note in the margin"))
    assert lines(pdf) == [*LEFT, "a note in the margin"]


def test_a_table_drawn_before_its_title_is_read_after_it(pdf, opened):
    rules = b"".join(f"72 {y} m 272 {y} l S\n".encode() for y in (700, 680, 660))
    rules += b"".join(f"{x} 700 m {x} 660 l S\n".encode() for x in (72, 172, 272))
    cells = [(75, 685, "a"), (175, 685, "b"), (75, 665, "1"), (175, 665, "2")]
    drawn = rules + b"".join(pdf.text(x, y, said, size=10) for x, y, said in cells)
    pdf.page(drawn + pdf.text(72, 740, "The title of the table"))
    page = opened(pdf).page(1)
    assert page.text == "The title of the table\na\tb\n1\t2"
    assert [(table.start, table.end) for table in page.tables] == [(23, len(page.text))]


places = st.tuples(st.integers(0, 500), st.integers(0, 700), st.integers(1, 200), st.integers(5, 12))


@given(st.lists(places, max_size=40))
def test_nothing_is_lost_or_doubled_by_moving_blocks(boxes):
    lines = [[Cell(at, at, "text", x, y, x + w, y + h)] for at, (x, y, w, h) in enumerate(boxes)]
    moved = from_above(lines)
    assert sorted(line[0].place for line in moved) == list(range(len(boxes)))


def test_a_drawing_of_very_many_blocks_is_left_as_drawn():
    lines = [[cell(at, "x", 72, 20 * (at % 7) * (-1) ** at)] for at in range(2000)]
    assert from_above(lines) == lines
