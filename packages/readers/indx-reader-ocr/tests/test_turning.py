"""Which way up a page is: what some of its lines read like on one side, on the other, and cut in squares."""

from __future__ import annotations

import numpy as np
import pytest

from indx_reader_ocr._engine import Reading
from indx_reader_ocr._turning import Direction, direction_of

HEIGHT, WIDTH = 205, 21
STACKED = (20, 210)
"""The shape of such a line, cut in squares and these set side by side."""


class Reader:
    """Reads standing lines whose upper half is dark, as well as it is told to in each way."""

    def __init__(self, left, right, stacked, text="三星堆の文化財"):
        self.scores = {"left": left, "right": right, "stacked": stacked}
        self.text = text
        self.asked = []

    def read(self, line):
        way = "right" if line[:, : line.shape[1] // 2].mean() > 128 else "left"
        self.asked.append("stacked" if line.shape[:2] == STACKED else way)
        return Reading(self.text, self.scores[self.asked[-1]])


@pytest.fixture
def page():
    """A page of standing lines, and where they stand."""
    image = np.full((300, 200, 3), 255, dtype=np.uint8)
    quads = []
    for x in (20, 80, 140):
        image[30 : 30 + HEIGHT // 2, x : x + WIDTH] = 0
        corners = [[x, 30], [x + WIDTH, 30], [x + WIDTH, 30 + HEIGHT], [x, 30 + HEIGHT]]
        quads.append(np.array(corners, dtype=np.float32))
    return image, quads


@pytest.mark.parametrize(
    ("scores", "direction"),
    [
        # As measured: print turned with the clock, print turned against it, and writing from the top down.
        ((0.59, 0.99, 0.79), Direction(turns=3)),
        ((0.99, 0.60, 0.24), Direction(turns=1)),
        ((0.99, 0.52, 0.84), Direction(upright_lines=True)),
        ((0.98, 0.73, 0.85), Direction(upright_lines=True)),
        ((0.40, 0.30, 0.90), Direction(upright_lines=True)),
        ((0.40, 0.30, 0.10), Direction()),
    ],
)
def test_standing_lines_tell_whether_the_page_was_turned_or_is_written_so(page, scores, direction):
    assert direction_of(Reader(*scores), *page) == direction


def test_lines_that_read_best_on_their_right_side_are_not_cut_in_squares(page):
    reader = Reader(0.59, 0.99, 0.79)
    direction_of(reader, *page)
    assert "stacked" not in reader.asked


def test_letters_of_an_alphabet_are_not_written_from_the_top_down(page):
    assert direction_of(Reader(0.9, 0.3, 0.9, "Harbour"), *page) == Direction(turns=1)
