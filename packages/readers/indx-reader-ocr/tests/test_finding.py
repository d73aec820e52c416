"""Lines are found at a bounded size, whatever the size and shape of the picture."""

from __future__ import annotations

import numpy as np
import pytest

from indx_reader_ocr._finding import LEAST_SIDE, MOST_PIXELS, SHOWN_SIDE, crop, find_lines, sides


def quad(x, y, width, height=30):
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], dtype=np.float32)


class Finder:
    """Finds the dark rectangles of a picture that are not too small, and notes what it was shown."""

    def __init__(self, least=4):
        self.least = least
        self.shown = []

    def find(self, image):
        self.shown.append(image.shape[:2])
        dark = (image[:, :, 0] < 100).astype(np.uint8)
        found = []
        rows = np.flatnonzero(dark.any(axis=1))
        for run in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1):
            if run.size and run.size >= self.least:
                columns = np.flatnonzero(dark[run[0] : run[-1] + 1].any(axis=0))
                found.append(quad(columns[0], run[0], columns[-1] - columns[0] + 1, run.size))
        return found


def page(width, height, *lines):
    image = np.full((height, width, 3), 255, dtype=np.uint8)
    for x, y, across, down in lines:
        image[y : y + down, x : x + across] = 0
    return image


def rounded(found):
    return [tuple(round(float(v)) for v in (*one[0], *one[2])) for one in found]


@pytest.mark.parametrize(
    "size", [(900, 1200), (1700, 2200), (60, 20), (3000, 400), (400, 3000), (8, 8), (5000, 7000)]
)
def test_no_look_is_larger_or_longer_than_allowed(size):
    finder = Finder()
    find_lines(finder, page(*size))
    assert finder.shown
    for height, width in finder.shown:
        assert height * width <= 1.02 * MOST_PIXELS
        assert max(height, width) <= 2 * min(height, width) + 2


@pytest.mark.parametrize("size", [(1, 1), (1, 50_000), (50_000, 1), (LEAST_SIDE - 1, 300)])
def test_a_picture_too_small_for_any_writing_is_not_looked_at(size):
    finder = Finder()
    assert find_lines(finder, page(*size, (0, 0, 3, 1))) == []
    assert finder.shown == []


@pytest.mark.parametrize("size", [(8, 8), (16, 16), (40, 20), (20, 40), (8, 200), (63, 64)])
def test_a_small_picture_is_shown_at_a_size_that_is_not_blown_up_beyond_measure(size):
    finder = Finder()
    found = find_lines(finder, page(*size, (1, 1, 6, 5)))
    assert all(min(shown) >= SHOWN_SIDE for shown in finder.shown)
    assert rounded(found) == [(1, 1, 7, 6)]


def test_places_are_those_of_the_whole_picture():
    finder = Finder()
    found = find_lines(finder, page(1700, 2200, (170, 220, 800, 40), (170, 1800, 800, 40)))
    assert len(finder.shown) == 1
    for seen, meant in zip(rounded(found), [(170, 220, 970, 260), (170, 1800, 970, 1840)], strict=True):
        assert all(abs(a - b) <= 3 for a, b in zip(seen, meant, strict=True))


def test_small_print_is_looked_at_again_in_parts_and_each_line_found_once():
    finder = Finder()
    lines = [(100, 40 * n, 1000, 14) for n in range(1, 50)]
    found = find_lines(finder, page(1654, 2339, *lines))
    assert len(finder.shown) > 1
    assert len(found) == len(lines)
    tops = sorted(float(one[0][1]) for one in found)
    assert all(abs(top - y) <= 3 for top, (_, y, _, _) in zip(tops, lines, strict=True))


def test_where_nothing_is_found_the_marks_are_looked_at_closer():
    finder = Finder(least=18)
    found = find_lines(finder, page(1700, 2200, (170, 400, 90, 26)))
    assert len(finder.shown) == 2
    assert rounded(found) == [(170, 400, 260, 426)]


def test_where_marks_are_all_over_the_page_its_parts_are_looked_at():
    finder = Finder(least=18)
    found = find_lines(finder, page(1700, 2200, (20, 30, 900, 26), (700, 2100, 900, 26)))
    assert len(finder.shown) == 3
    assert len(found) == 2


def test_an_empty_page_is_looked_at_once():
    finder = Finder()
    assert find_lines(finder, page(1700, 2200)) == []
    assert len(finder.shown) == 1


def test_a_long_strip_is_looked_at_part_by_part():
    finder = Finder()
    lines = [(50, 100 * n, 500, 30) for n in range(1, 99)]
    found = find_lines(finder, page(600, 10_000, *lines))
    assert len(found) == len(lines)


def test_lines_that_run_down_the_page_are_not_cut():
    finder = Finder()
    found = find_lines(finder, page(1700, 2200, (800, 100, 12, 2000)))
    assert len(finder.shown) == 1
    assert len(found) == 1


def test_a_line_is_straightened_and_keeps_its_direction():
    image = page(200, 100, (20, 40, 100, 20))
    flat = crop(image, quad(20, 40, 100, 20))
    assert flat.shape == (20, 100, 3)
    assert flat[2:-2, 2:-2].max() == 0
    tall = crop(image, quad(60, 10, 10, 80))
    assert tall.shape == (80, 10, 3)
    leaning = np.array([[20, 50], [110, 41], [112, 61], [22, 70]], dtype=np.float32)
    width, height = sides(leaning)
    assert crop(image, leaning).shape == (round(height), round(width), 3)
