"""Tables whose rules are drawn: cells by where rules stand, however the rules and the text were drawn."""

from __future__ import annotations

import string
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

XS = (72, 172, 272, 372)
YS = (700, 680, 660, 640)


def line(x0: float, y0: float, x1: float, y1: float) -> bytes:
    return f"{x0:g} {y0:g} m {x1:g} {y1:g} l S\n".encode()


def bar(x0: float, y0: float, x1: float, y1: float) -> bytes:
    """A rule drawn as a filled rectangle, as browsers print borders."""
    return f"{min(x0, x1):g} {min(y0, y1):g} {abs(x1 - x0) or 0.5:g} {abs(y1 - y0) or 0.5:g} re f\n".encode()


def ruled(xs=XS, ys=YS, draw=line) -> bytes:
    level = [draw(xs[0], y, xs[-1], y) for y in ys]
    return b"".join([*level, *(draw(x, ys[0], x, ys[-1]) for x in xs)])


def filled(pdf, rows, xs=XS, ys=YS, *, inset: float = 3) -> bytes:
    return b"".join(
        pdf.text(xs[column] + inset, ys[row + 1] + 5, text, size=10)
        for row, cells in enumerate(rows)
        for column, text in enumerate(cells)
        if text
    )


def grids(page):
    """The tables of a page as rows of texts, with the spans of those cells that have any."""
    found = []
    for table in page.tables:
        rows = [[""] * table.columns for _ in range(table.rows)]
        for cell in table.cells:
            rows[cell.row - 1][cell.column - 1] = cell.text
        found.append(rows)
    return found


def spans(page):
    return {
        cell.text: (cell.row_span, cell.column_span)
        for table in page.tables
        for cell in table.cells
        if (cell.row_span, cell.column_span) != (1, 1)
    }


ROWS = [["item", "count", "price"], ["pen", "12", "1.50"], ["ink", "", "9.00"]]


def one_path(xs=XS, ys=YS) -> bytes:
    """Every rule in one path."""
    steps = [f"{xs[0]} {y} m {xs[-1]} {y} l" for y in ys] + [f"{x} {ys[0]} m {x} {ys[-1]} l" for x in xs]
    return ("\n".join(steps) + " S\n").encode()


def boxes(xs=XS, ys=YS) -> bytes:
    """A stroked rectangle for each cell."""
    return b"".join(
        f"{x0} {y1} {x1 - x0} {y0 - y1} re S\n".encode() for x0, x1 in pairwise(xs) for y0, y1 in pairwise(ys)
    )


def piecewise() -> bytes:
    """Rules drawn cell by cell."""
    level = [line(x0, y, x1, y) for y in YS for x0, x1 in pairwise(XS)]
    return b"".join(level + [line(x, y0, x, y1) for x in XS for y0, y1 in pairwise(YS)])


def dashed() -> bytes:
    """Rules in stretches of ten points with three between them."""
    level = [line(x, y, x + 10, y) for y in YS for x in range(XS[0], XS[-1] - 3, 13)]
    return b"".join(level + [line(x, y, x, y - 10) for x in XS for y in range(YS[0], YS[-1] + 3, -13)])


@pytest.mark.parametrize(
    "rules",
    [ruled(), ruled(draw=bar), one_path(), boxes(), piecewise(), dashed()],
    ids=["lines", "bars", "one path", "boxes", "piecewise", "dashed"],
)
def test_cells_are_told_by_their_rules_however_these_are_drawn(rules, pdf, opened):
    pdf.page(rules + filled(pdf, ROWS))
    page = opened(pdf).page(1)
    assert grids(page) == [ROWS]
    assert page.text == "item\tcount\tprice\npen\t12\t1.50\nink\t\t9.00"


def test_rules_within_a_form_stand_where_the_form_is_placed(pdf, opened):
    pdf.xobjects["Fm"] = pdf.stream(
        ruled((0, 100, 200, 300), (60, 40, 20, 0)), b"/Type/XObject/Subtype/Form/BBox[0 0 400 100]"
    )
    pdf.page(b"q 1 0 0 1 72 640 cm /Fm Do Q\n" + filled(pdf, ROWS))
    assert grids(opened(pdf).page(1)) == [ROWS]


def test_one_text_operation_that_runs_over_a_rule_is_parted_there(pdf, opened):
    # "102.6 35,390" is drawn at once; a rule stands between the two numbers.
    rules = ruled((72, 102.5, 160), (700, 680, 660))
    pdf.page(rules + pdf.text(74, 685, "102.6 35,390", size=10) + pdf.text(74, 665, "104.0 46,235", size=10))
    assert grids(opened(pdf).page(1)) == [[["102.6", "35,390"], ["104.0", "46,235"]]]


def test_letters_of_two_cells_without_a_space_between_are_parted_and_words_over_a_rule_are_not(pdf, opened):
    # The two X are one operation, 90 points apart; "overflowing" begins before a rule and runs over it.
    apart = b"BT /F1 10 Tf 110 685 Td [(X) -9000 (X)] TJ ET\n"
    rules = ruled((72, 150, 250), (700, 680, 660))
    pdf.page(rules + apart + pdf.text(120, 665, "overflowing", size=10) + pdf.text(200, 665, "z", size=10))
    assert grids(opened(pdf).page(1)) == [[["X", "X"], ["overflowing", "z"]]]


def test_signs_a_little_apart_are_parted_where_a_rule_stands_and_only_there(pdf, opened):
    # Too little lies between the number and the dash for a space.
    apart = b"".join(b"BT /F1 10 Tf %g 685 Td [(12) -100 (-)] TJ ET\n" % x for x in (150 - 11.12 - 0.5, 200))
    pdf.page(
        ruled((72, 150, 250), (700, 680, 660)) + apart + filled(pdf, [["a", "z"]], (72, 150), (680, 660))
    )
    assert grids(opened(pdf).page(1)) == [[["12", "- 12-"], ["a", "z"]]]


def test_a_cell_beside_one_of_two_lines_is_as_high_as_its_own_letters(pdf, opened):
    # What stands so close and says so little is one line to PDFium.
    head = [(75, 685, "aa"), (135, 689, "bb"), (135, 681, "d"), (195, 685, "cc")]
    text = b"".join(pdf.text(x, y, said, size=10) for x, y, said in head)
    body = filled(pdf, [["first", "second", "third"]], (72, 132, 192), (670, 650))
    pdf.page(ruled((72, 132, 192, 252), (710, 670, 650)) + text + body)
    page = opened(pdf).page(1)
    assert grids(page)[0][1] == ["first", "second", "third"]
    found = next(cell for cell in page.tables[0].cells if cell.text == "aa")
    assert found.box is not None
    assert found.box[3] - found.box[1] < 8 / 792


def test_a_cell_is_as_high_as_its_line_though_it_begins_with_a_low_sign(pdf, opened):
    rules = ruled((72, 102.5, 160), (700, 680, 660))
    pdf.page(rules + pdf.text(74, 685, "-5.6% 35,390", size=10) + pdf.text(74, 665, "-7.1% 46,235", size=10))
    page = opened(pdf).page(1)
    assert grids(page) == [[["-5.6%", "35,390"], ["-7.1%", "46,235"]]]
    heights = [(box[1], box[3]) for cell in page.tables[0].cells if (box := cell.box)]
    assert heights[0] == heights[1]
    assert heights[2] == heights[3]


def test_a_space_that_its_font_calls_a_tab_parts_no_cells(pdf, opened):
    pdf.composite_font("F2", to_unicode={"0001": "0061", "0002": "0009"})
    drawn = b"".join(pdf.text(x, y, b"<000100020001>", font="F2") for x in XS[:-1] for y in (685, 665, 645))
    pdf.page(ruled() + drawn)
    page = opened(pdf).page(1)
    assert page.text == "\n".join(["a a\ta a\ta a"] * 3)
    assert grids(opened(pdf).page(1)) == [[["a a"] * 3] * 3]


def test_marks_of_a_printer_around_the_page_are_no_rules(pdf, opened):
    marks = b"-20 -20 m -20 820 l 222 -20 m 222 820 l 640 -20 m 640 820 l S\n"
    pdf.page(marks + ruled() + filled(pdf, ROWS))
    assert grids(opened(pdf).page(1)) == [ROWS]


def test_a_cell_without_rules_inside_spans_what_it_covers(pdf, opened):
    rules = b"".join(
        [line(72, y, 372, y) for y in (700, 640)]
        + [line(172, y, 372, y) for y in (680, 660)]  # the first column is one cell
        + [line(x, 700, x, 640) for x in (72, 172, 372)]
        + [line(272, 680, 272, 640)]  # the head covers two columns
    )
    rows = [["region", "sales", ""], ["", "2023", "2024"], ["", "4", "5"]]
    pdf.page(rules + filled(pdf, rows))
    page = opened(pdf).page(1)
    assert grids(page) == [rows]
    assert spans(page) == {"region": (3, 1), "sales": (1, 2)}
    assert page.text == "region\tsales\t\n\t2023\t2024\n\t4\t5"


def headed(draw=line) -> bytes:
    """Two columns under each of two heads; no rule runs between the heads and the columns."""
    xs, ys = (72, 132, 192, 252, 312), (700, 670, 655, 640)
    level = [draw(xs[0], y, xs[-1], y) for y in ys]
    inner = [draw(x, 685, x, ys[-1]) for x in xs[1::2]]
    return b"".join([*level, *inner, *(draw(x, ys[0], x, ys[-1]) for x in xs[0::2])])


def head_and_body(pdf) -> bytes:
    said = [
        (96, 689, "Pre Pawn"),
        (200, 689, "To the Seller"),
        *((x, 674, "abcd") for x in (76, 136, 196, 256)),
    ]
    said += [(x, y, "1234") for y in (659, 644) for x in (76, 136, 196, 256)]
    return b"".join(pdf.text(x, y, text, size=8) for x, y, text in said)


HEADED = [["Pre Pawn", "", "To the Seller", ""], ["abcd"] * 4, ["1234"] * 4, ["1234"] * 4]


def test_a_head_over_columns_is_one_cell_though_no_rule_parts_it_from_them(pdf, opened):
    pdf.page(headed() + head_and_body(pdf))
    turn = b"q 0 -1 1 0 0 792 cm\n"
    pdf.page(turn + headed() + head_and_body(pdf) + b"Q\n", box=(0, 0, 792, 792))
    document = opened(pdf)
    for number in (1, 2):
        page = document.page(number)
        assert grids(page) == [HEADED]
        assert spans(page) == {"Pre Pawn": (1, 2), "To the Seller": (1, 2)}


def test_sides_that_are_not_drawn_are_where_the_rules_across_end(pdf, opened):
    rules = b"".join([line(72, y, 372, y) for y in YS] + [line(x, YS[0], x, YS[-1]) for x in XS[1:-1]])
    pdf.page(rules + filled(pdf, ROWS))
    assert grids(opened(pdf).page(1)) == [ROWS]


def test_rows_of_numbers_between_two_rules_are_rows(pdf, opened):
    text = b"".join(
        pdf.text(x, y, said, size=10)
        for y, cells in ((685, ("May", "4.5")), (672, ("June", "5.5")), (659, ("July", "6.5")))
        for x, said in zip((75, 175), cells, strict=True)
    )
    pdf.page(ruled((72, 172, 272), (700, 650)) + text)
    assert grids(opened(pdf).page(1)) == [[["May", "4.5"], ["June", "5.5"], ["July", "6.5"]]]


def test_a_cell_in_the_middle_of_such_rows_spans_them(pdf, opened):
    text = b"".join(
        pdf.text(x, y, said, size=10)
        for x, y, said in ((80, 672, "6"), (175, 680, "a"), (275, 680, "1"), (175, 664, "b"), (275, 664, "2"))
    )
    pdf.page(ruled(XS, (695, 658, 640)) + text + pdf.text(75, 645, "x", size=10))
    page = opened(pdf).page(1)
    assert grids(page) == [[["6", "a", "1"], ["", "b", "2"], ["x", "", ""]]]
    assert spans(page) == {"6": (2, 1)}


def test_lines_of_a_wrapped_cell_are_one_cell(pdf, opened):
    text = b"".join(
        pdf.text(x, y, said, size=10)
        for x, y, said in (
            (75, 685, "a long name of"),
            (75, 673, "some thing that is"),
            (175, 685, "what is said of it"),
            (175, 673, "on two lines, in words"),
            (75, 655, "b"),
            (175, 655, "c"),
        )
    )
    pdf.page(ruled((72, 172, 300), (700, 668, 650)) + text)
    expected = [
        ["a long name of some thing that is", "what is said of it on two lines, in words"],
        ["b", "c"],
    ]
    assert grids(opened(pdf).page(1)) == [expected]


def test_a_word_broken_within_a_cell_is_one_again(pdf, opened):
    pdf.fonts["F2"] = pdf.add(
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[45/hyphen]>>>>"
    )
    text = pdf.text(75, 685, "inter-", size=10) + pdf.text(75, 673, "national", size=10)
    text += pdf.text(175, 685, "Jean-", size=10) + pdf.text(175, 673, "Paul", size=10)
    pdf.page(ruled((72, 172, 272), (700, 668, 650)) + text + filled(pdf, [["b", "c"]], ys=(668, 650)))
    page = opened(pdf).page(1)
    assert grids(page) == [[["international", "Jean- Paul"], ["b", "c"]]]


def test_scripts_without_spaces_run_on_within_a_cell(pdf, opened):
    pdf.composite_font("J", encoding="UniJIS-UCS2-H", ordering="Japan1")
    text = b"".join(
        pdf.text(75, y, b"<%s>" % said.encode("utf-16-be").hex().encode(), size=10, font="J")
        for y, said in ((685, "設備の保"), (673, "守点検"))
    )
    pdf.page(ruled((72, 172, 272), (700, 668, 650)) + text + filled(pdf, [["b", "c"]], ys=(668, 650)))
    assert grids(opened(pdf).page(1))[0][0] == ["設備の保守点検", ""]


def test_text_around_a_table_keeps_its_place(pdf, opened):
    pdf.page(
        pdf.text(72, 740, "Before the table")
        + ruled()
        + filled(pdf, ROWS)
        + pdf.text(400, 665, "beside it")
        + pdf.text(72, 600, "After the table")
    )
    page = opened(pdf).page(1)
    lines = page.text.split("\n")
    assert lines[0] == "Before the table"
    assert lines[-1] == "After the table"
    assert "beside it" in lines
    assert grids(page) == [ROWS]


def test_two_tables_beside_each_other_are_two(pdf, opened):
    right = tuple(x + 320 for x in XS[:3])
    pdf.page(
        ruled(XS[:3], YS)
        + filled(pdf, [row[:2] for row in ROWS])
        + ruled(right, YS)
        + filled(pdf, [["u", "v"], ["1", "2"], ["3", "4"]], xs=right),
        box=(0, 0, 800, 792),
    )
    assert grids(opened(pdf).page(1)) == [[row[:2] for row in ROWS], [["u", "v"], ["1", "2"], ["3", "4"]]]


def test_a_table_within_a_cell_of_another_is_part_of_that_cell(pdf, opened):
    outer = ruled((60, 400, 560), (740, 620, 560))
    text = filled(pdf, ROWS) + pdf.text(420, 690, "y", size=10) + pdf.text(70, 580, "x", size=10)
    pdf.page(outer + ruled() + text + pdf.text(420, 580, "z", size=10))
    (rows,) = grids(opened(pdf).page(1))
    assert rows == [["item count price pen 12 1.50 ink 9.00", "y"], ["x", "z"]]


def turned(pdf, rows, *, downwards: bool, rules=(100, 200, 300, 400), inset: float = 3) -> bytes:
    """A table turned by a quarter: its rows run down the page, or up."""
    a, b, c, d, e, f = (0, -1, 1, 0, 0, 792) if downwards else (0, 1, -1, 0, 792, 0)
    matrix = f"{a} {b} {c} {d} {e} {f}".encode()
    xs, ys = (100, 200, 300, 400), (300, 280, 260, 240)
    return b"q " + matrix + b" cm\n" + ruled(rules, ys) + filled(pdf, rows, xs, ys, inset=inset) + b"Q\n"


@pytest.mark.parametrize("downwards", [True, False])
def test_a_table_set_upright_is_read_as_whoever_turns_the_page_reads_it(downwards, pdf, opened):
    rows = [["item", "count", "price"], ["pencil", "1200", "1.50"], ["indigo", "", "9.00"]]
    doubled = turned(pdf, rows, downwards=downwards, rules=(100, 103.5, 200, 300, 400), inset=6)
    for drawn in (turned(pdf, rows, downwards=downwards), doubled):
        pdf.page(drawn, box=(0, 0, 792, 792))
    document = opened(pdf)
    assert [grids(document.page(number)) for number in (1, 2)] == [[rows], [rows]]


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_a_table_on_a_turned_page_is_read_as_displayed(rotate, pdf, opened):
    a, b, c, d, e, f = {90: (0, 1, -1, 0, 792, 0), 180: (-1, 0, 0, -1, 792, 792), 270: (0, -1, 1, 0, 0, 792)}[
        rotate
    ]
    matrix = f"{a} {b} {c} {d} {e} {f}".encode()
    content = b"q " + matrix + b" cm\n" + ruled() + filled(pdf, ROWS) + b"Q\n"
    pdf.page(content, box=(0, 0, 792, 792), rotate=rotate)
    page = opened(pdf).page(1)
    assert grids(page) == [ROWS]
    item = next(cell for cell in page.tables[0].cells if cell.text == "item")
    assert item.box is not None
    assert 72 / 792 < item.box[0] < item.box[2] < 172 / 792
    assert 92 / 792 < item.box[1] < item.box[3] < 112 / 792


def test_the_value_of_a_field_stands_in_its_cell(pdf, opened):
    widget = pdf.add(b"<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(42)/Rect[175 662 270 678]/DA(/F1 10 Tf)>>")
    pdf.catalog = b"/AcroForm<</Fields[%d 0 R]>>" % widget
    pdf.page(
        ruled() + filled(pdf, [["item", "count", ""], ["pen", "", ""]]), entries=b"/Annots[%d 0 R]" % widget
    )
    assert grids(opened(pdf).page(1)) == [[["item", "count", ""], ["pen", "42", ""]]]


@pytest.mark.parametrize("value", [b"/V(value)", b""])
def test_a_form_whose_answers_are_all_fields_is_a_table(value, pdf, opened):
    rects = [b"175 %d 270 %d" % (y, y + 16) for y in (682, 662)]
    fields = [
        b"<</Type/Annot/Subtype/Widget/FT/Tx/T(a%d)%s/Rect[%s]>>" % (at, value, rect)
        for at, rect in enumerate(rects)
    ]
    widgets = b" ".join(b"%d 0 R" % pdf.add(field) for field in fields)
    pdf.catalog = b"/AcroForm<</Fields[%s]>>" % widgets
    pdf.page(ruled() + filled(pdf, [["name", "", ""], ["town", "", ""]]), entries=b"/Annots[%s]" % widgets)
    page = opened(pdf).page(1)
    assert grids(page) == ([[["name", "value", ""], ["town", "value", ""]]] if value else [])
    assert page.text == ("name\tvalue\t\ntown\tvalue\t" if value else "name\ntown")


def test_a_value_that_joins_the_rows_of_a_table_loses_none_of_them(pdf, opened):
    # Two rows of numbers are told by their heights; a value set between them takes that away.
    widget = pdf.add(b"<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(3)/Rect[175 672 270 682]/DA(/F1 10 Tf)>>")
    pdf.catalog = b"/AcroForm<</Fields[%d 0 R]>>" % widget
    text = b"".join(pdf.text(x, y, said, size=10) for y, said in ((690, "4"), (660, "5")) for x in (75, 175))
    pdf.page(ruled((72, 172, 272), (705, 650)) + text, entries=b"/Annots[%d 0 R]" % widget)
    page = opened(pdf).page(1)
    assert sorted(page.text.split()) == ["3", "4", "4", "5", "5"]
    assert grids(page) == [[["4 5", "4 3 5"]]]


def test_a_link_in_a_cell_stands_on_its_words(pdf, opened):
    link = b"<</Type/Annot/Subtype/Link/Rect[174 662 200 678]/A<</S/URI/URI(https://example.org/)>>>>"
    pdf.page(ruled() + filled(pdf, ROWS), annotations=(link,))
    page = opened(pdf).page(1)
    assert [page.text[one.start : one.end] for one in page.links] == ["12"]


def test_a_cell_painted_twice_is_read_once(pdf, opened):
    again = pdf.text(75.3, 685, "item", size=10)
    pdf.page(ruled() + filled(pdf, ROWS) + again)
    assert grids(opened(pdf).page(1)) == [ROWS]


def test_rows_that_name_what_is_counted_below_are_the_header(pdf, opened):
    pdf.page(ruled() + filled(pdf, ROWS))
    pdf.page(ruled() + filled(pdf, [["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]]))
    ys = (*YS, 620)
    pdf.page(ruled(ys=ys) + filled(pdf, [["a", "b", "c"], *ROWS[:2], ["ink", "3", "9.00"]], ys=ys))
    document = opened(pdf)
    assert [document.page(number).tables[0].header_rows for number in (1, 2, 3)] == [1, 0, 2]


def test_the_lines_of_a_double_rule_hold_no_column_and_no_row(pdf, opened):
    doubled = ruled((72, 75.5, 172, 272, 372), (700, 696.5, 680, 660, 640))
    pdf.page(doubled + filled(pdf, ROWS, inset=6))
    assert grids(opened(pdf).page(1)) == [ROWS]


@pytest.mark.parametrize(
    "drawn",
    [
        line(72, 700, 372, 700)
        + line(72, 640, 372, 640)
        + line(222, 700, 222, 640),  # columns of running text
        ruled((72, 372), (700, 660, 640, 600)),  # framed paragraphs
        ruled(tuple(range(72, 400, 20)), tuple(range(700, 600, -10))),  # squared paper under a chart
    ],
    ids=["columns", "frames", "squares"],
)
def test_what_is_ruled_but_holds_no_cells_is_no_table(drawn, pdf, opened):
    text = pdf.text(75, 685, "Some words of text") + pdf.text(230, 685, "and others of it")
    pdf.page(drawn + text + pdf.text(75, 655, "A last line"))
    assert opened(pdf).page(1).tables == ()


def framed(pdf, count: int) -> list[str]:
    """A page in a frame whose foot is a stamp of small cells, as drawings and what belongs to them have."""
    xs, ys = (72, 172, 272, 372), (780, 120, 100, 80)
    stamp = [["", "", ""], ["Rev.", "Sheet", "Date"], ["2", "14", "2004"]]
    said = [f"{number} words of it" for number in range(count)]
    rules = b"".join(
        [*(line(72, y, 372, y) for y in ys), *(line(x, 780 if x in {72, 372} else 120, x, 80) for x in xs)]
    )
    text = b"".join(pdf.text(80, 760 - 20 * number, one, size=10) for number, one in enumerate(said))
    pdf.page(rules + text + filled(pdf, stamp, xs, ys))
    return said


def test_the_lines_of_a_page_in_a_frame_stay_lines(pdf, opened):
    said = framed(pdf, 24)
    page = opened(pdf).page(1)
    assert page.tables == ()
    assert page.text.split("\n")[:24] == said


def test_a_cell_of_several_lines_is_one_of_its_table(pdf, opened):
    said = framed(pdf, 12)
    assert grids(opened(pdf).page(1))[0][0][0] == " ".join(said)


def test_a_cell_of_many_lines_with_others_beside_it_is_one_of_its_table(pdf, opened):
    xs, ys = (72, 172, 272, 372), (780, 760, 740, 720, 120)
    rows = [[f"cell {row} {column}" for column in range(3)] for row in range(3)]
    duties = [f"duty {number} of it" for number in range(30)]
    text = b"".join(pdf.text(176, 706 - 19 * number, one, size=10) for number, one in enumerate(duties))
    beside = pdf.text(76, 706, "Duties", size=10) + pdf.text(276, 706, "Smith", size=10)
    pdf.page(ruled(xs, ys) + text + beside + filled(pdf, rows, xs, ys[:4]))
    assert grids(opened(pdf).page(1))[0][3] == ["Duties", " ".join(duties), "Smith"]


def beside_a_long_cell(pdf, heights, names):
    """A page in a frame, in whose left margin are cells of these heights, and a stamp below it."""
    said = [f"line {number} of the page" for number in range(30)]
    rules = [line(72, y, 372, y) for y in (780, 120, 100, 80)] + [line(72, y, 172, y) for y in heights]
    rules += [line(x, 780, x, 80) for x in (72, 172, 372)] + [line(272, 120, 272, 80)]
    text = b"".join(pdf.text(176, 766 - 19 * number, one, size=10) for number, one in enumerate(said))
    margin = b"".join(pdf.text(76, y, one, size=10) for y, one in names)
    stamp = filled(
        pdf, [["signed", "Smith", "1"], ["seen", "Jones", "2"]], (72, 172, 272, 372), (120, 100, 80)
    )
    pdf.page(b"".join(rules) + text + margin + stamp)
    return said


def test_the_lines_of_a_page_with_some_stamps_in_its_margin_stay_lines(pdf, opened):
    said = beside_a_long_cell(pdf, (700, 300), [(766, "first used")])
    page = opened(pdf).page(1)
    assert not any(" ".join(said[:2]) in cell.text for table in page.tables for cell in table.cells)
    assert set(said) <= {part for row in page.text.split("\n") for part in row.split("\t")}


def test_a_cell_of_many_lines_is_one_of_its_table_where_others_stand_beside_all_of_it(pdf, opened):
    said = beside_a_long_cell(pdf, (400,), [(766, "above"), (380, "below")])
    assert grids(opened(pdf).page(1))[0][0][:2] == ["above", " ".join(said)]


def test_a_long_cell_among_others_is_one_of_its_table(pdf, opened):
    rows = [["item", "count", "price"], ["", "twelve of the words of this cell", "and as many here"]]
    xs, ys = (72, 172, 372, 572), (780, 760, 200)
    said = [f"{number} w" for number in range(26)]
    long = ["so many words that they are most of what is said in all of the cells of it"] * 3
    beside = b"".join(pdf.text(175, 600 - 20 * number, one[:40], size=8) for number, one in enumerate(long))
    text = b"".join(pdf.text(80, 740 - 20 * number, one, size=10) for number, one in enumerate(said))
    pdf.page(ruled(xs, ys) + text + beside + filled(pdf, rows, xs, ys))
    assert len(opened(pdf).page(1).tables) == 1


def test_frames_around_long_text_are_no_table(pdf, opened):
    long = "word " * 18
    text = b"".join(
        pdf.text(x, y, long, size=5) for x in (75, 325) for y in range(690, 500, -10) for _ in range(1)
    )
    pdf.page(ruled((72, 322, 572), (700, 600, 490)) + text)
    assert opened(pdf).page(1).tables == ()


def test_a_drawing_of_very_many_lines_is_not_searched_for_tables(pdf, opened):
    strokes = b"".join(line(72 + at % 300, 700, 73 + at % 300, 640) for at in range(20_001))
    pdf.page(ruled() + filled(pdf, ROWS) + strokes)
    page = opened(pdf).page(1)
    assert page.tables == ()
    assert {"item", "pen", "9.00"} <= set(page.text.split())


def test_a_page_of_very_many_rules_is_read_without_looking_at_every_crossing(pdf, opened, monkeypatch):
    from indx_format_pdf import _lattice

    crossings = []
    monkeypatch.setattr(_lattice, "_components", lambda rules: crossings.append(rules) or [])
    dashes = [(x, y) for x in range(10, 590, 18) for y in range(6, 780, 3)]
    level = b"".join(line(x, y, x + 9, y) for x, y in dashes)
    upright = b"".join(line(y, x, y, x + 9) for x, y in dashes)
    pdf.page(level + upright + pdf.text(72, 700, "seen"))
    page = opened(pdf).page(1)
    assert (page.text, page.tables, crossings) == ("seen", (), [])


words = st.text(string.ascii_letters + string.digits, min_size=1, max_size=6)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_text_is_read_in_its_own_cell(data, make_pdf):
    from indx_core.ports import SourceContent
    from indx_format_pdf import PdfDocument

    rows, columns = data.draw(st.integers(2, 6)), data.draw(st.integers(2, 5))
    said = data.draw(
        st.lists(st.lists(words, min_size=columns, max_size=columns), min_size=rows, max_size=rows)
    )
    empty = data.draw(st.sets(st.tuples(st.integers(1, rows - 1), st.integers(1, columns - 1)), max_size=3))
    for row, column in empty:
        said[row][column] = ""
    xs = [60 + 60 * at for at in range(columns + 1)]
    ys = [720 - 24 * at for at in range(rows + 1)]
    order = data.draw(st.permutations([(row, column) for row in range(rows) for column in range(columns)]))
    pdf = make_pdf()
    text = b"".join(
        pdf.text(xs[column] + 4, ys[row + 1] + 8, said[row][column], size=9)
        for row, column in order
        if said[row][column]
    )
    pdf.page(ruled(xs, ys) + text)
    document = PdfDocument(SourceContent.of_bytes(pdf.bytes()))
    try:
        page = document.page(1)
    finally:
        document.close()
    assert grids(page) == [said]
    for cell in page.tables[0].cells:
        assert page.text[cell.start : cell.end] == cell.text
        assert cell.box is not None
        x0, y0, x1, y1 = cell.box
        assert xs[cell.column - 1] / 612 <= x0 < x1 <= xs[cell.column] / 612 + 0.02
        assert 1 - ys[cell.row - 1] / 792 <= y0 < y1 <= 1 - ys[cell.row] / 792
