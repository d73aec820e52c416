"""Lines found in no order are put in the order in which a person reads them."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from indx_reader_ocr._order import Strip, in_order

HEIGHT = 20


def strips(*boxes):
    """Strips of `(x0, y0, width)`; their place is their place in the list."""
    return [Strip(n, x, y, x + width, y + HEIGHT) for n, (x, y, width) in enumerate(boxes)]


def places(rows):
    return [[strip.place for strip in row] for row in rows]


def read(boxes, *, seed=7):
    """The places in reading order, of strips that come in any order."""
    found = strips(*boxes)
    random.Random(seed).shuffle(found)
    return places(in_order(found))


def column(x, y, count, width=300):
    return [(x, y + 30 * n, width) for n in range(count)]


def one_each(start, end):
    return [[place] for place in range(start, end)]


def test_lines_of_one_column_come_from_the_top():
    assert read(column(50, 50, 6)) == one_each(0, 6)


def test_two_columns_come_one_after_the_other():
    assert read(column(50, 50, 6) + column(400, 50, 6)) == one_each(0, 12)


def test_three_columns_come_one_after_the_other():
    assert read(column(50, 50, 5) + column(400, 50, 5) + column(750, 50, 5)) == one_each(0, 15)


def test_lines_of_columns_need_not_stand_at_one_height():
    assert read(column(50, 50, 6) + column(400, 61, 6)) == one_each(0, 12)


def test_a_heading_over_both_columns_stands_where_it_does():
    boxes = [(50, 50, 650), *column(50, 100, 4), *column(400, 100, 4)]
    boxes += [(50, 250, 650), *column(50, 300, 4), *column(400, 300, 4)]
    assert read(boxes) == one_each(0, 18)


def test_columns_on_a_part_of_the_page_are_read_as_such():
    boxes = [*column(50, 50, 12, 650), *column(50, 450, 4), *column(400, 450, 4), *column(50, 620, 12, 650)]
    assert read(boxes) == one_each(0, 32)


def test_a_short_heading_under_the_columns_comes_after_both():
    boxes = [*column(50, 50, 4), *column(400, 50, 4), (50, 210, 120), *column(50, 240, 3, 650)]
    assert read(boxes) == one_each(0, 12)


def test_the_longer_column_is_read_to_its_end():
    assert read(column(50, 50, 9) + column(400, 50, 5)) == one_each(0, 14)


def test_columns_may_end_in_short_lines():
    left = [(50, 50 + 30 * n, 80 if n == 3 else 300) for n in range(8)]
    assert read(left + column(400, 50, 8)) == one_each(0, 16)


def test_a_table_is_read_row_by_row():
    boxes = [(x, 50 + 30 * row, 60) for row in range(5) for x in (50, 250, 450)]
    assert read(boxes) == [[3 * row, 3 * row + 1, 3 * row + 2] for row in range(5)]


def test_names_with_numbers_far_to_the_right_stay_rows():
    boxes = [box for row in range(5) for box in ((50, 50 + 30 * row, 320), (600, 50 + 30 * row, 40))]
    assert read(boxes) == [[2 * row, 2 * row + 1] for row in range(5)]


def test_a_line_found_in_pieces_is_one_row():
    boxes = [(50, 50, 200), (255, 52, 120), (380, 49, 200), *column(50, 90, 3, 530)]
    assert read(boxes) == [[0, 1, 2], [3], [4], [5]]


@given(
    st.lists(
        st.tuples(st.integers(0, 900), st.integers(0, 1200), st.integers(1, 600), st.integers(1, 60)),
        max_size=30,
    ),
    st.randoms(use_true_random=False),
)
def test_every_line_is_read_once_whatever_order_they_were_found_in(boxes, shuffled):
    found = [Strip(n, x, y, x + width, y + height) for n, (x, y, width, height) in enumerate(boxes)]
    ordered = places(in_order(found))
    assert sorted(place for row in ordered for place in row) == list(range(len(boxes)))
    again = list(found)
    shuffled.shuffle(again)
    assert places(in_order(again)) == ordered
