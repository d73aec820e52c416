"""The builders make what the ports describe."""

import math

import pytest
from hypothesis import given, settings

from indx_testkit.checks import assert_raster, assert_reading, assert_table
from indx_testkit.samples import DocumentSample, document, picture, reading, table
from indx_testkit.strategies import documents


def test_a_reading_has_the_lines_of_its_text():
    made = reading("ab\n\ncd")
    assert list(made.line_starts) == [0, 3, 4]
    assert list(made.line_ends) == [2, 3, 6]
    assert made.boxes is None
    assert_reading(made)


def test_marks_are_found_from_left_to_right():
    made = reading("a b a", headings=[("a", 1), ("a", 2)], links=[("b", "x.md")], hidden=["b"])
    assert [(one.start, one.level) for one in made.headings] == [(0, 1), (4, 2)]
    assert [(one.start, one.end, one.target) for one in made.links] == [(2, 3, "x.md")]
    assert list(made.hidden) == [(2, 3)]


def test_a_mark_that_does_not_stand_in_the_text_is_refused():
    with pytest.raises(ValueError, match="'z' does not stand"):
        reading("a", headings=[("z", 1)])


def test_boxes_are_columns_with_nan_for_an_unresolved_one():
    made = reading("a\nb", boxes=[(0.1, 0.2, 0.3, 0.4), None])
    assert list(made.boxes[:4]) == [0.1, 0.2, 0.3, 0.4]
    assert all(math.isnan(value) for value in made.boxes[4:])
    assert_reading(made)
    with pytest.raises(ValueError, match="1 boxes for 2 lines"):
        reading("a\nb", boxes=[None])


def test_a_table_knows_its_cells_and_its_text():
    text, made = table([["a", "b c"], ["1", "2\n3"]], start=5)
    assert text == "a\tb c\n1\t2 3"
    assert_table("intro" + text, made)
    assert [(cell.row, cell.column, cell.text) for cell in made.cells] == [
        (1, 1, "a"),
        (1, 2, "b c"),
        (2, 1, "1"),
        (2, 2, "2\n3"),
    ]


def test_a_merged_cell_appears_once():
    text, made = table(
        [["wide", "", "x"], ["tall", "y", "z"], ["", "v", "w"]], spans={(1, 1): (1, 2), (2, 1): (2, 1)}
    )
    assert text == "wide\t\tx\ntall\ty\tz\n\tv\tw"
    assert len(made.cells) == 7
    assert_table(text, made)


def test_a_document_numbers_its_pages():
    made = document("a", reading("b", page=9), filename="x.txt")
    assert {number: page.page for number, page in made.pages.items()} == {1: 1, 2: 2}
    assert made.filename == "x.txt"


def test_a_picture_fits_its_size():
    assert_raster(picture(3, 5))


def test_a_sample_is_the_same_source_in_memory_and_in_a_file(tmp_path):
    sample = DocumentSample(b"data", "text/plain", "n.txt")
    held, filed = sample.source(), sample.file(tmp_path)
    assert (held.digest, held.size, held.media_type, held.filename) == (
        filed.digest,
        filed.size,
        filed.media_type,
        filed.filename,
    )
    assert filed.read() == b"data"
    assert filed.path.name != "n.txt"
    assert sample.source(b"other").read() == b"other"


@settings(max_examples=100)
@given(documents())
def test_generated_documents_hold_every_rule_of_a_reading(made):
    for page in made.pages.values():
        assert_reading(page)
