"""Text from stretches: offsets stay true whatever is joined or moved."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_format_pdf._assemble import GridRow, assemble, join_words

words = st.lists(st.sampled_from(["alpha", "beta", "gam", "ma", "Delta", "7"]), min_size=1, max_size=4).map(
    " ".join
)


def test_stretches_of_one_row_are_parted_by_tabs():
    done = assemble(["a", "bb", "c"], [[0, 1], [2]])
    assert done.text == "a\tbb\nc"
    assert list(done.starts) == [0, 5]
    assert list(done.ends) == [4, 6]
    assert list(done.bases) == [0, 2, 5]


def test_rows_may_come_in_any_order_and_leave_some_out():
    done = assemble(["a", "b", "c"], [[2], [0]])
    assert done.text == "c\na"
    assert (done.bases[2], done.bases[0]) == (0, 2)


def parted(count, ends):
    """Rows of stretches that end after some of them, or none asked for."""
    cuts = [0, *sorted(end for end in ends if end < count), count]
    return [list(range(first, last)) for first, last in pairwise(cuts)] if ends else None


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([[0, 1], [2]], "Name\tthe available\none"),
        ([[0], [1], [2]], "Name\nthe available\none"),
        ([[0], [1, 2]], "Name\nthe avail-\table one"),
        ([[0, 1], [2, 3]], "Name\tthe avail-\nable one\tnext"),
        ([[1], [2, 3]], "the available\none\tnext"),
        ([[0, 1], [3], [2]], "Name\tthe avail-\nnext\nable one"),
        ([GridRow([[0, 1]], set()), [2]], "Name the available\none"),
    ],
)
def test_a_word_goes_on_from_the_last_cell_of_a_row_that_is_no_row_of_a_table(rows, text):
    texts = ["Name", "the avail", "able one", "next"]
    joins, rows = join_words(texts, rows, {1}, "")
    assert assemble(texts, rows, joins).text == text


def test_the_rest_of_a_word_stays_where_cells_stand_beside_it():
    texts = ["exam", "ple", "7"]
    joins, rows = join_words(texts, [[0], [1, 2]], {0}, "")
    assert assemble(texts, rows, joins).text == "exam-\nple\t7"


@given(st.lists(words, min_size=2, max_size=8), st.sets(st.integers(0, 6)), st.sets(st.integers(1, 7)))
def test_joining_loses_no_character_and_every_offset_stays_true(texts, broken, ends):
    broken = {index for index in broken if index < len(texts) - 1}
    before = list(texts)
    joins, rows = join_words(texts, parted(len(texts), ends), broken, "\n".join(texts))
    done = assemble(texts, rows, joins)
    bare = "".join("".join(before).split())
    assert "".join(done.text.split()).replace("-", "") == bare
    for index, text in enumerate(before):
        base = done.bases[index]
        found = done.text[base : base + len(text)]
        assert found.replace("\n", " ") == text
    assert all("\n" not in done.text[a:b] for a, b in zip(done.starts, done.ends, strict=True))
