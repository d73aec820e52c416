"""Pages shown sideways or on their head: cut as whoever turns them reads them, boxes as displayed."""

from __future__ import annotations

from array import array
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.ports import Cell, Table

QUARTERS = pytest.mark.parametrize("quarters", [1, 2, 3])


def turned(box, quarters):
    """A box of a page that is shown turned clockwise by so many quarters."""
    for _ in range(quarters):
        x0, y0, x1, y1 = box
        box = (1 - y1, x0, 1 - y0, x1)
    return box


def turned_page(page, quarters):
    """A reading of the same page, shown turned."""

    def boxes(numbers):
        return array(
            "d", [side for at in range(0, len(numbers), 4) for side in turned(numbers[at : at + 4], quarters)]
        )

    def cell(one):
        return one if one.box is None else replace(one, box=turned(one.box, quarters))

    return replace(
        page,
        boxes=boxes(page.boxes),
        part_boxes=boxes(page.part_boxes),
        tables=tuple(replace(table, cells=tuple(map(cell, table.cells))) for table in page.tables),
    )


def near(box):
    return None if box is None else pytest.approx(box)


@pytest.fixture(scope="session")
def assert_alike(cut):
    def assert_alike(page, quarters):
        """Hold what is cut of the turned page to what is cut of the upright one, and answer that."""
        upright, found = cut(page), cut(turned_page(page, quarters))
        assert [(draft.text, draft.spans) for draft in found] == [
            (draft.text, draft.spans) for draft in upright
        ]
        for draft, other in zip(found, upright, strict=True):
            assert draft.layout.role == other.layout.role
            assert draft.box == near(turned(other.box, quarters))
            cells, others = (
                [*(one.layout.table.cells if one.layout.table else ())] for one in (draft, other)
            )
            for one, two in zip(cells, others, strict=True):
                assert replace(one, box=None) == replace(two, box=None)
                assert one.box == near(two.box and turned(two.box, quarters))
        return [draft.text for draft in upright]

    return assert_alike


PROSE = [
    (
        f"It was decided by the board that the whole of the sum be paid in year {at}"[: 74 - at % 3],
        72,
        72 + 14 * at,
    )
    for at in range(10)
]
CLOSING = ("A closing line follows the table, and it is long enough to be a paragraph.", 72, 592)


def letter(lines, placed):
    """A page of Letter size; letters are 5 points wide, lines 10 high."""

    def at(text, left, top):
        return text, (left / 612, top / 792, (left + 5 * len(text)) / 612, (top + 10) / 792)

    return lines.joined(
        [[at(*cell) for cell in ([row] if isinstance(row, tuple) else row)] for row in placed]
    )


@QUARTERS
@pytest.mark.parametrize("cells", ["lines", "parts"])
def test_a_small_table_stays_before_the_line_below_it(lines, assert_alike, quarters, cells):
    rows = [[(f"row {at}", 80, 382 + 20 * at), (f"{17 * at}", 180, 382 + 20 * at)] for at in range(6)]
    placed = rows if cells == "parts" else [cell for row in rows for cell in row]
    texts = assert_alike(letter(lines, [*PROSE, *placed, CLOSING]), quarters)
    assert texts == [
        "\n".join(text for text, *_ in PROSE),
        "\n".join(f"row {at}\t{17 * at}" for at in range(6)),
        CLOSING[0],
    ]


@QUARTERS
def test_a_table_that_the_reader_found_stays_where_it_stands(lines, assert_alike, quarters):
    """It is as wide as high, in points; on a page shown sideways its shares do not tell how it lies."""
    rows = [(f"name {at} of six\tnumber {at}00", 80, 382 + 20 * at) for at in range(6)]
    page = letter(lines, [*PROSE, *rows, CLOSING])
    start = page.text.index("name 0")
    cells, position = [], start
    for at, (text, left, top) in enumerate(rows):
        for column, said in enumerate(text.split("\t"), start=1):
            box = (left / 612, top / 792, (left + 30) / 612, (top + 10) / 792)
            cells.append(Cell(at + 1, column, 1, 1, said, position, position + len(said), box))
            position += len(said) + 1
    page.tables = (Table(start, position - 1, 6, 2, 0, tuple(cells)),)
    texts = assert_alike(page, quarters)
    assert texts[1:] == ["\n".join(text for text, *_ in rows), CLOSING[0]]


@QUARTERS
def test_columns_are_read_one_after_the_other(lines, assert_alike, quarters):
    made = [
        line
        for name, left in (("l", 0.1), ("r", 0.55))
        for line in lines.column(
            [text for part in "abc" for text in lines.prose(4, f"{name}{part}")], left=left
        )
    ]
    texts = assert_alike(lines.page(made), quarters)
    assert [text[:2] for text in texts] == ["la", "lb", "lc", "ra", "rb", "rc"]


@QUARTERS
def test_script_that_runs_leftwards_is_read_from_the_right(lines, assert_alike, quarters):
    said = [
        "שורה ארוכה של טקסט בעברית אחת ועוד שורה",
        "ועוד שורה ארוכה של טקסט בעברית על",
        "ושורה שלישית של טקסט",
    ]
    made = [
        (text, (right - 0.008 * len(text), 0.1 + 0.02 * at, right, 0.112 + 0.02 * at))
        for right in (0.9, 0.45)
        for at, text in enumerate(said)
    ]
    assert "\n".join(assert_alike(lines.page(made), quarters)) == "\n".join(said * 2)


@pytest.mark.parametrize("quarters", [2, 3])
def test_ideographs_are_cut_alike_where_they_cannot_be_written_so(lines, assert_alike, quarters):
    made = lines.column(
        ["横に組んだ日本語の文章の一行目", "二行目はこれより短い", "三行目もまた横に組んである文"]
    )
    assert_alike(lines.page(made), quarters)


@QUARTERS
def test_a_line_set_across_those_of_a_turned_page_comes_last(lines, assert_alike, quarters):
    stamp = ("arXiv:2103.00001 [cs.CV]", (0.02, 0.1, 0.04, 0.7))
    assert assert_alike(lines.page([stamp, *lines.column(lines.prose(9))]), quarters)[-1] == stamp[0]


@given(
    st.lists(st.lists(st.integers(20, 90), min_size=1, max_size=6), min_size=3, max_size=6), st.integers(1, 3)
)
def test_paragraphs_of_any_length_are_cut_alike(lines, assert_alike, paragraphs, quarters):
    placed, top = [], 72
    for number, lengths in enumerate(paragraphs):
        for at, length in enumerate(lengths):
            placed.append((f"p{number}l{at} ".ljust(length, "w"), 72, top))
            top += 14
        top += 12
    assert_alike(letter(lines, placed), quarters)


def test_two_lines_drawn_upwards_are_no_page_on_its_head(lines, texts):
    upper, lower = lines.column(["The upper line of the two", "and the lower line of them"])
    assert texts([lower, upper]) == [upper[0], lower[0]]
