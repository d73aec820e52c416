"""Cells of a table are looked at all at once; what comes of it is what comes of each alone."""

from __future__ import annotations

from array import array
from math import inf, nan

from hypothesis import given
from hypothesis import strategies as st

from indx_core.ports import Cell, PageReading, Table
from indx_runtime.checking import check_reading

TEXT = "one two"
SOUND = {"row": 1, "column": 1, "row_span": 1, "column_span": 1, "text": "one", "start": 0, "end": 3}

numbers = st.sampled_from([1, 2, 0, -1, True, 1.0, "1", None, 2**70])
places = st.sampled_from([0, 3, 7, 8, -1, True, 2.0, None])
texts = st.sampled_from(["one", "", "é", "a\0b", "\ud800", "\ud83d", "\ude00", None, 5, b"one"])
sides = st.sampled_from([0.0, 0.5, 1, nan, inf, 1e308, "0", None])
boxes = st.one_of(st.none(), st.tuples(sides, sides, sides, sides), st.lists(sides, max_size=5), st.just(()))
odd = st.one_of(
    st.fixed_dictionaries({}),
    *(st.fixed_dictionaries({name: numbers}) for name in ("row", "column", "row_span", "column_span")),
    *(st.fixed_dictionaries({name: places}) for name in ("start", "end")),
    st.fixed_dictionaries({"text": texts}),
    st.fixed_dictionaries({"box": boxes}),
)
cells = st.one_of(odd.map(lambda facts: Cell(**{**SOUND, **facts})), st.sampled_from([None, 5, SOUND]))


def checked(held: list) -> list | str:
    """The cells as they are taken over, or why they are not."""
    starts, ends = array("q", [0]), array("q", [len(TEXT)])
    reading = PageReading(
        page=1, text=TEXT, line_starts=starts, line_ends=ends, tables=[Table(0, len(TEXT), 9, 9, 0, held)]
    )
    try:
        return list(check_reading(reading, 1).tables[0].cells)
    except (ValueError, TypeError) as error:
        return f"{type(error).__name__}: {error}"


@given(st.lists(cells, max_size=6))
def test_many_cells_come_out_as_each_does_alone(held):
    alone = [checked([cell]) for cell in held]
    refusals = [one for one in alone if isinstance(one, str)]
    expected = refusals[0] if refusals else [cell for one in alone for cell in one]
    assert repr(checked(held)) == repr(expected)


@given(st.lists(st.builds(lambda row: Cell(**{**SOUND, "row": row}), st.integers(1, 9)), max_size=50))
def test_sound_cells_are_taken_over_as_they_are(held):
    taken = checked(held)
    assert all(one is other for one, other in zip(taken, held, strict=True))
