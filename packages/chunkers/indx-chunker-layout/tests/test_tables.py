"""Tables: found where they are certain, their cells, their pieces; and what is none."""

from __future__ import annotations

import pytest

from indx_core.ports import Cell, Table
from indx_testkit.samples import reading, table

LEFTS = (0.1, 0.35, 0.6)
ROWS = [("Item", "Place", "Count"), ("Bolt", "A1", "17"), ("Nut", "B22", "5"), ("Washer", "C3", "120")]


@pytest.fixture
def drawn(lines):
    """Rows of cells, each a line."""

    def draw(rows, *, lefts=LEFTS, top=0.1, pitch=0.02):
        return [cell for at, row in enumerate(rows) for cell in lines.row(row, lefts, top + pitch * at)]

    return draw


def grid(draft):
    return [line.split("\t") for line in draft.text.split("\n")]


def test_cells_far_apart_make_a_table(cut, lines, drawn):
    (draft,) = cut(lines.page(drawn(ROWS)))
    found = draft.layout.table
    assert draft.layout.role == "table"
    assert grid(draft) == [list(row) for row in ROWS]
    assert (found.rows, found.columns, found.header_rows) == (4, 3, 1)
    assert [(cell.row, cell.column, cell.text) for cell in found.cells] == [
        (row, column, text) for row, texts in enumerate(ROWS, 1) for column, text in enumerate(texts, 1)
    ]
    assert {(cell.row_span, cell.column_span) for cell in found.cells} == {(1, 1)}
    assert found.cells[4].box == pytest.approx((0.35, 0.12, 0.366, 0.132))
    assert draft.box == pytest.approx((0.1, 0.1, 0.64, 0.172))


def test_an_empty_cell_keeps_its_column(cut, lines, drawn):
    rows = [*ROWS, ("Screw", "", "7"), ("", "D4", "9")]
    (draft,) = cut(lines.page(drawn(rows)))
    assert grid(draft) == [list(row) for row in rows]


def test_numbers_set_to_the_right_are_a_column(cut, lines):
    rows = [("Sales", "1,200"), ("Costs", "90"), ("Profit", "1,110")]
    found = []
    for at, (name, value) in enumerate(rows):
        found += [
            lines.at(name, 0.1, 0.1 + 0.02 * at),
            lines.at(value, 0.5 - 0.008 * len(value), 0.1 + 0.02 * at),
        ]
    (draft,) = cut(lines.page(found))
    assert grid(draft) == [list(row) for row in rows]


def test_names_set_to_the_left_over_numbers_set_to_the_right_are_each_in_their_column(cut, lines):
    # As spreadsheets print them: the second name stands nearer to the numbers of the first column.
    found = lines.row(("first", "second", "third"), (0.1, 0.3, 0.5), 0.1)
    for at, numbers in enumerate([("1", "5", "9"), ("2", "4", "6"), ("3", "3", "3")], 1):
        found += lines.row(numbers, (0.28, 0.48, 0.68), 0.1 + 0.02 * at)
    (draft,) = cut(lines.page(found))
    assert grid(draft) == [["first", "second", "third"], ["1", "5", "9"], ["2", "4", "6"], ["3", "3", "3"]]


def test_a_heading_over_several_columns_spans_them(cut, lines, drawn):
    rows = [("1", "2", "3"), ("4", "5", "6"), ("7", "8", "9")]
    over = lines.at("a heading over all of the columns here", 0.32, 0.08)
    found = [lines.at("Name", 0.1, 0.08), over, *drawn(rows)]
    (draft,) = cut(lines.page(found))
    spanning = draft.layout.table.cells[1]
    assert (spanning.row, spanning.column, spanning.column_span) == (1, 2, 2)
    assert draft.text.split("\n")[0] == f"Name\t{over[0]}\t"


@pytest.mark.parametrize(
    ("names", "lefts"),
    [(("Name", "No.", "Sum"), (0.1, 0.38, 0.63)), (("Name", "a wide name", "no. of"), (0.1, 0.328, 0.43))],
    ids=["between columns", "over the next column"],
)
def test_a_name_beside_its_column_is_still_over_it(cut, lines, drawn, names, lefts):
    rows = [("one", "1", "12"), ("two", "2", "13"), ("three", "3", "14"), ("four", "4", "15")]
    body = (0.1, 0.35, 0.6) if lefts[2] > 0.6 else (0.1, 0.35, 0.41)
    (draft,) = cut(lines.page([*drawn([names], lefts=lefts, top=0.08), *drawn(rows, lefts=body)]))
    assert grid(draft) == [list(names), *map(list, rows)]
    assert draft.layout.table.header_rows == 1


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        ([("Name", "Sum"), ("one", "1"), ("two", "2")], 1),
        ([("Name", "Sum"), ("of it", "in EUR"), ("one", "1"), ("two", "2")], 2),
        ([("one", "first"), ("two", "second"), ("three", "third")], 0),
        ([("one", "1"), ("two", "2"), ("three", "3")], 0),
        ([("one", "shops"), ("two", "any"), ("three", "11th street")], 0),
        ([("shop", "at"), ("one", "11th street"), ("two", "12th street")], 0),
    ],
)
def test_header_rows_name_a_column_of_numbers(cut, lines, drawn, rows, header):
    (draft,) = cut(lines.page(drawn(rows, lefts=(0.1, 0.3))))
    assert draft.layout.table.header_rows == header


def test_the_second_line_of_a_cell_is_part_of_it(cut, lines, drawn):
    found = []
    for at, (name, text) in enumerate([("one", "first"), ("two", "second"), ("three", "third")]):
        found += drawn(
            [(name, f"{text} line of it"), ("", "and more")],
            lefts=(0.1, 0.3),
            top=0.1 + 0.045 * at,
            pitch=0.0145,
        )
    (draft,) = cut(lines.page(found))
    assert grid(draft)[1] == ["two", "second line of it and more"]
    assert draft.layout.table.rows == 3


def test_the_second_line_of_the_last_cell_is_part_of_it_and_a_note_below_is_not(cut, lines, drawn):
    table = drawn(
        [("one", "first"), ("two", "second"), ("three", "third line of it,")], lefts=(0.1, 0.3), pitch=0.025
    )
    more = lines.at("and more", 0.3, 0.165)
    note = lines.at("* a note on the whole of this table", 0.1, 0.185)
    found, below = cut(lines.page([*table, more, note]))
    assert grid(found)[-1] == ["three", "third line of it, and more"]
    assert below.text == note[0]


def test_a_title_and_text_around_a_table_are_paragraphs(cut, lines, drawn):
    above, below = (
        lines.at("Table 1: what is in store", 0.1, 0.07),
        lines.at("Counted in May by two persons.", 0.1, 0.2),
    )
    drafts = cut(lines.page([above, *drawn(ROWS), below]))
    assert [draft.layout.role for draft in drafts] == ["paragraph", "table", "paragraph"]


def test_two_tables_of_other_columns_stay_two(cut, lines, drawn):
    upper = drawn([("a", "1", "x"), ("b", "2", "y"), ("c", "3", "z")])
    lower = drawn(
        [("long name", "12"), ("other name", "13"), ("third name", "14")], lefts=(0.2, 0.45), top=0.185
    )
    drafts = cut(lines.page([*upper, *lower]))
    assert [(draft.layout.table.rows, draft.layout.table.columns) for draft in drafts] == [(3, 3), (3, 2)]


@pytest.mark.parametrize(
    "rows",
    [
        [("two rows", "are too few"), ("for any", "table")],
        [
            ("1", "Lines of a transcript are counted"),
            ("2", "at the margin, from one on,"),
            ("3", "which makes no table."),
        ],
    ],
)
def test_what_is_not_certain_is_no_table(cut, lines, drawn, rows):
    drafts = cut(lines.page(drawn(rows, lefts=(0.1, 0.3))))
    assert all(draft.layout.role == "paragraph" for draft in drafts)


def test_cells_in_no_common_columns_are_no_table(cut, lines):
    lefts = [(0.1, 0.4), (0.23, 0.6), (0.31, 0.7), (0.05, 0.5)]
    found = [
        cell
        for at, two in enumerate(lefts)
        for cell in lines.row(("some", "cells of it"), two, 0.1 + 0.02 * at)
    ]
    assert all(draft.layout.role == "paragraph" for draft in cut(lines.page(found)))


def test_parts_between_tabs_make_a_table_without_places_of_cells(cut, lines):
    said = ["Item\tPlace\tCount", "Bolt\tA1\t17", "Nut\tB22\t5"]
    (draft,) = cut(lines.page(lines.column(said, right=0.8)))
    assert draft.text == "\n".join(said)
    assert (draft.layout.table.rows, draft.layout.table.columns, draft.layout.table.header_rows) == (3, 3, 1)
    assert [cell.box for cell in draft.layout.table.cells] == [None] * 9
    first = draft.layout.table.cells[4]
    assert draft.text[first.start : first.end] == first.text == "A1"


def test_parts_of_lines_that_have_places_make_a_table_with_boxes_of_cells(cut, lines):
    rows = [*ROWS, ("Screw", "", "7"), ("", "D4", "9")]
    (draft,) = cut(lines.joined([lines.row(row, LEFTS, 0.1 + 0.02 * at) for at, row in enumerate(rows)]))
    assert grid(draft) == [list(row) for row in rows]
    assert [cell.box for cell in draft.layout.table.cells if cell.row == 6] == [
        pytest.approx((0.35, 0.2, 0.366, 0.212)),
        pytest.approx((0.6, 0.2, 0.608, 0.212)),
    ]


def test_parts_that_do_not_hold_all_of_a_line_are_not_used(cut, lines):
    page = lines.joined([lines.row(row, LEFTS, 0.1 + 0.02 * at) for at, row in enumerate(ROWS)])
    page.part_ends[4] -= 1
    assert "A1" in "".join(draft.text for draft in cut(page))


def test_rows_between_tabs_of_other_counts_are_no_table(cut, lines):
    said = ["Item\tPlace", "Bolt\tA1\t17", "Nut\t5", "Washer\tC3\t120"]
    drafts = cut(lines.page(lines.column(said, right=0.8)))
    assert [(draft.text, draft.layout.role) for draft in drafts] == [("\n".join(said), "paragraph")]


def test_rows_between_tabs_that_end_in_different_columns_are_no_table(cut, lines):
    said = [
        "Bolt\t$45\t2024",
        "Nut\t$32\t2025",
        "Washer\t$120\tUrgent",
        "Screw\t$15\t2026",
        "Pin\t$3\tPending",
    ]
    rights = (0.5, 0.5, 0.8, 0.5, 0.8)
    found = [
        (text, (left, top, right, bottom))
        for (text, (left, top, _, bottom)), right in zip(lines.column(said), rights, strict=True)
    ]
    drafts = cut(lines.page(found))
    assert [(draft.text, draft.layout.role) for draft in drafts] == [("\n".join(said), "paragraph")]


def test_rows_between_tabs_of_numbers_and_words_in_one_column_are_no_table(cut, lines):
    said = ["Bolt\t45\tA", "Nut\tblue\tB", "Washer\t120\tC", "Screw\tgreen\tD", "Pin\t3\tE"]
    drafts = cut(lines.page(lines.column(said, right=0.8)))
    assert [draft.layout.role for draft in drafts] == ["paragraph"]


@pytest.mark.parametrize("pitch", [0.0165, 0.035])
def test_rows_of_cells_that_make_no_table_stay_together(cut, lines, pitch):
    said = ["Bolt\tA1\t450", "Nut\t289", "Washer\t780\t778\tOK", "Screw\t7"]
    drafts = cut(lines.page(lines.column(said, right=0.8, pitch=pitch)))
    assert [draft.text for draft in drafts] == ["\n".join(said)]


def test_sentences_parted_by_tabs_are_no_table(cut, lines):
    said = ["This is a line of the left column of text\tand this is one of the right column of it"] * 4
    drafts = cut(lines.page(lines.column(said, right=0.95)))
    assert all(draft.layout.role == "paragraph" for draft in drafts)


@pytest.mark.parametrize("mark", ["•", "1.", "(a)"])
def test_a_mark_and_a_tab_make_an_item_not_a_cell(texts, lines, mark):
    said = [f"{mark}\tfirst of the items", f"{mark}\tsecond", f"{mark}\tthird of the items"]
    assert texts(lines.column(said)) == said


def test_rows_that_count_by_steps_of_one_are_a_table_with_more_columns(cut, lines, drawn):
    (draft,) = cut(lines.page(drawn([("1", "Intro", "4"), ("2", "Data", "9"), ("3", "End", "12")])))
    assert draft.layout.table.columns == 3


# Tables longer than a chunk


def test_a_long_table_goes_on_with_its_header_repeated(cut, lines, drawn, monkeypatch):
    monkeypatch.setenv("INDX_CHUNK_LAYOUT_MAX_CHARS", "60")
    rows = [("Item", "Place", "Count"), *((f"part {at}", f"A{at}", str(at)) for at in range(10, 22))]
    page = lines.page(drawn(rows))
    drafts = cut(page)
    assert len(drafts) > 3
    assert all(len(draft.text) <= 60 for draft in drafts)
    assert [draft.layout.repeated for draft in drafts] == [0, *[1] * (len(drafts) - 1)]
    body = [row for draft in drafts for row in grid(draft)[1:]]
    assert body == [list(row) for row in rows[1:]]
    assert all(grid(draft)[0] == list(rows[0]) for draft in drafts)
    assert all(draft.layout.table.rows == 13 for draft in drafts)
    second = drafts[1].layout.table.cells
    assert [cell.row for cell in second][:4] == [1, 1, 1, 2 + len(grid(drafts[0])) - 1]


def test_a_header_that_takes_a_third_of_a_chunk_is_not_repeated(cut, lines, drawn, monkeypatch):
    monkeypatch.setenv("INDX_CHUNK_LAYOUT_MAX_CHARS", "50")
    rows = [
        ("A long name", "of a column", "Count"),
        *((f"part {at}", f"A{at}", str(at)) for at in range(10, 22)),
    ]
    drafts = cut(lines.page(drawn(rows)))
    assert [draft.layout.repeated for draft in drafts] == [0] * len(drafts)
    assert [row for draft in drafts for row in grid(draft)] == [list(row) for row in rows]


# Tables that the reader found


def placed(text):
    return [(0.1, 0.1 + 0.02 * at, 0.6, 0.112 + 0.02 * at) for at in range(text.count("\n") + 1)]


def test_a_table_of_the_reader_is_taken_as_it_is(cut):
    text, found = table([["name", "of it"], ["one", "1"]], start=len("before\n"))
    text = f"before\n{text}\nafter"
    before, middle, after = cut(reading(text, boxes=placed(text), tables=[found]))
    assert (before.text, after.text) == ("before", "after")
    assert middle.layout.table == Table(7, found.end, 2, 2, 1, found.cells)
    assert middle.spans == ((7, 17), (18, 23))
    assert middle.box == pytest.approx((0.1, 0.12, 0.6, 0.152))


def test_cells_of_a_reader_that_span_rows_keep_their_place_when_it_goes_on(cut, monkeypatch):
    monkeypatch.setenv("INDX_CHUNK_LAYOUT_MAX_CHARS", "20")
    rows = [["h", "of"], ["tall", "1"], ["", "2"], ["next", "3"], ["last", "4"]]
    text, found = table(rows, spans={(2, 1): (2, 1)})
    drafts = cut(reading(text, boxes=placed(text), tables=[found]))
    assert [draft.text for draft in drafts] == ["h\tof\ntall\t1\n\t2", "h\tof\nnext\t3\nlast\t4"]
    cells = [cell for draft in drafts for cell in draft.layout.table.cells]
    assert Cell(2, 1, 2, 1, "tall", 5, 9) in cells
    assert [(cell.row, cell.column) for cell in drafts[1].layout.table.cells] == [
        (1, 1),
        (1, 2),
        (4, 1),
        (4, 2),
        (5, 1),
        (5, 2),
    ]


def test_a_repeated_header_does_not_reach_into_rows_that_are_not_there(cut, monkeypatch):
    monkeypatch.setenv("INDX_CHUNK_LAYOUT_MAX_CHARS", "18")
    text, found = table(
        [["h", "i"], ["", "1"], ["a", "2"], ["b", "3"], ["c", "4"], ["d", "5"]], spans={(1, 1): (2, 1)}
    )
    drafts = cut(reading(text, boxes=placed(text), tables=[found]))
    assert [
        cell.row_span
        for draft in drafts[1:]
        for cell in draft.layout.table.cells
        if cell.row == 1 and cell.column == 1
    ] == [1] * (len(drafts) - 1)


def test_a_table_whose_place_is_unknown_is_unresolved(cut):
    text, found = table([["a", "1"], ["b", "2"]])
    (draft,) = cut(reading(text, boxes=[None, None], tables=[found]))
    assert (draft.layout.role, draft.box, draft.box_reason) == ("table", None, "unresolved")


def test_a_table_that_begins_within_a_line_is_read_as_lines(cut):
    text = "words a\t1\nb\t2"
    found = Table(6, len(text), 2, 2, 0, ())
    drafts = cut(reading(text, boxes=placed(text), tables=[found]))
    assert all(draft.layout.role == "paragraph" for draft in drafts)


def test_a_table_stands_where_it_is_on_the_page(cut):
    text, found = table([["a", "1"], ["b", "2"]])
    text += "\nabove it"
    boxes = [(0.1, 0.5, 0.6, 0.512), (0.1, 0.52, 0.6, 0.532), (0.1, 0.1, 0.6, 0.112)]
    drafts = cut(reading(text, boxes=boxes, tables=[found]))
    assert [draft.layout.role for draft in drafts] == ["paragraph", "table"]
