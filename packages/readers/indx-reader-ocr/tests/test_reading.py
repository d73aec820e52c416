"""From recognised lines to a reading: order, parts, boxes, confidence, and what is no reading."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.deadline import Deadline
from indx_core.errors import TimedOut
from indx_reader_ocr._engine import Reading
from indx_reader_ocr._reading import recognise
from indx_testkit.checks import assert_reading

WIDTH, HEIGHT = 1000, 800


class Engine:
    """Knows what stands on a page: lines by place; each is read by the colour it is painted in."""

    def __init__(self, *lines):
        self.lines = lines
        self.read_count = 0

    def page(self):
        image = np.full((HEIGHT, WIDTH, 3), 255, dtype=np.uint8)
        for number, (x, y, width, height, _, _) in enumerate(self.lines):
            image[y : y + height, x : x + width] = number
        return image

    def find(self, image):
        found = []
        for x, y, width, height, _, _ in self.lines:
            corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
            found.append(np.array(corners, dtype=np.float32))
        return found

    def read(self, line):
        self.read_count += 1
        number = int(line[line.shape[0] // 2, line.shape[1] // 2, 0])
        return Reading(*self.lines[number][4:]) if number < len(self.lines) else Reading("", 0.0)


def read(*lines):
    engine = Engine(*lines)
    reading = recognise(engine, engine.page(), 3, Deadline())
    assert reading.page == 3
    assert_reading(reading)
    return reading


def test_confidence_is_the_mean_score_weighted_by_the_length_of_lines():
    reading = read((10, 10, 300, 30, "abcdefgh", 0.9), (10, 50, 100, 30, "ij", 0.6))
    assert reading.confidence == pytest.approx((0.9 * 8 + 0.6 * 2) / 10)


def test_each_line_has_the_rectangle_it_was_found_in():
    reading = read((100, 80, 300, 40, "one", 0.9), (100, 160, 500, 40, "two", 0.9))
    assert reading.text == "one\ntwo"
    assert list(reading.boxes) == pytest.approx([0.1, 0.1, 0.4, 0.15, 0.1, 0.2, 0.6, 0.25])


def test_cells_of_a_row_are_one_line_with_a_tab_and_parts_of_their_own():
    reading = read((10, 10, 100, 20, "Name", 0.9), (400, 10, 100, 20, "Sum", 0.9))
    assert reading.text == "Name\tSum"
    assert list(zip(reading.part_starts, reading.part_ends, strict=True)) == [(0, 4), (5, 8)]
    assert list(reading.boxes) == pytest.approx([0.01, 0.0125, 0.5, 0.0375])
    assert list(reading.part_boxes) == pytest.approx([0.01, 0.0125, 0.11, 0.0375, 0.4, 0.0125, 0.5, 0.0375])


def test_pieces_of_a_line_are_joined_as_their_script_asks():
    assert read((10, 10, 100, 30, "two", 0.9), (115, 10, 100, 30, "words", 0.9)).text == "two words"
    assert read((10, 10, 100, 30, "東京", 0.9), (115, 10, 100, 30, "都", 0.9)).text == "東京都"


def test_a_page_without_writing_is_read_and_blank():
    reading = read()
    assert (reading.text, reading.reason, reading.confidence) == ("", None, None)


def test_writing_that_nobody_can_make_out_leaves_the_page_unread():
    reading = read((10, 10, 100, 30, "", 0.0), (10, 60, 100, 30, "xq", 0.3))
    assert (reading.text, reading.reason) == ("", "writing_not_recognised")


def test_a_doubtful_line_among_good_ones_is_left_out():
    assert read((10, 10, 100, 30, "good", 0.95), (10, 60, 100, 30, "xq", 0.3)).text == "good"


@pytest.mark.parametrize(
    ("text", "kept"), [("mmmmmmmmmmmm", False), ("Mmm", True), ("........ 4", True), ("000000001", True)]
)
def test_a_ruled_line_is_no_text(text, kept):
    reading = read((10, 10, 300, 30, "text", 0.9), (10, 60, 300, 30, text, 0.9))
    assert (text in reading.text) is kept


def test_what_no_text_may_hold_is_replaced():
    assert read((10, 10, 300, 30, "a\0 b\n\tc\ud800", 0.9)).text == "a\ufffd b c\ufffd"


def test_no_line_is_read_twice():
    engine = Engine(*[(10, 10 + 40 * n, 300 + n, 30, f"line {n}", 0.95) for n in range(10)])
    recognise(engine, engine.page(), 1, Deadline())
    assert engine.read_count == 10


def test_a_passed_deadline_ends_the_page():
    engine = Engine((10, 10, 300, 30, "text", 0.9))
    deadline = Deadline()
    deadline.cancel()
    with pytest.raises(TimedOut):
        recognise(engine, engine.page(), 1, deadline)


def test_a_deadline_that_passes_while_a_long_page_is_looked_at_ends_it_there():
    deadline, looks = Deadline(), []

    class Slow(Engine):
        def find(self, image):
            looks.append(image.shape)
            if len(looks) == 3:
                deadline.cancel()
            return []

    with pytest.raises(TimedOut):
        recognise(Slow(), np.zeros((40_000, 30, 3), np.uint8), 1, deadline)
    assert len(looks) == 3


LINES = st.lists(
    st.tuples(
        st.integers(0, WIDTH - 300),
        st.integers(0, HEIGHT - 60),
        st.integers(3, 299),
        st.integers(3, 59),
        st.text(max_size=12),
        st.floats(0, 1),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(LINES)
def test_whatever_is_found_makes_a_reading_that_holds_every_rule(lines):
    engine = Engine(*lines)
    assert_reading(recognise(engine, engine.page(), 1, Deadline()))
