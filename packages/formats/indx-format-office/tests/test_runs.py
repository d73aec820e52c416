"""Rich texts in units of UTF-16, and their runs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indx_format_office.runs import AROUND, pieces

_RUNS = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 3)), max_size=5)


@given(st.text("ab\U0001f40c\U0001f600", max_size=8), _RUNS)
def test_no_runs_whatever_they_say_lose_or_repeat_letters(text: str, runs: list[tuple[int, int]]) -> None:
    assert "".join(piece for _, piece in pieces(text.encode("utf-16-le"), runs)) == text


def test_what_stands_before_all_runs_is_in_the_font_of_the_cell() -> None:
    units = "a\U0001f40cb".encode("utf-16-le")
    assert list(pieces(units, [(3, 4), (2, 0)])) == [(AROUND, "a"), (0, "\U0001f40c"), (4, "b")]


def test_halves_of_characters_that_stand_alone_are_shown_to_be_damaged() -> None:
    units = "a\ud83db".encode("utf-16-le", "surrogatepass")
    assert list(pieces(units, [(2, 0)])) == [(AROUND, "a\ufffd"), (0, "b")]


def test_half_a_unit_at_the_end_is_shown_to_be_damaged_and_moves_no_run() -> None:
    units = "\U0001f40cab".encode("utf-16-le") + b"c"
    assert list(pieces(units, [(3, 0)])) == [(AROUND, "\U0001f40ca"), (0, "b\ufffd")]
    assert list(pieces(b"a\0b", [(1, 0)])) == [(AROUND, "a"), (0, "\ufffd")]
