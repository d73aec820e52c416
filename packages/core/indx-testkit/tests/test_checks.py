"""Each rule of a reading refuses a reading that breaks it."""

import math
from array import array
from dataclasses import replace
from itertools import pairwise

import pytest

from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import Cell, Heading, Link, Raster, RoleSpan, Scored, Table
from indx_testkit.checks import (
    assert_raster,
    assert_reading,
    assert_scores,
    fingerprint,
    in_unit,
    tolerate_typed,
)
from indx_testkit.samples import reading, table

GRID_TEXT, GRID = table([["a", "b"], ["c", "d"]])


def changed(**changes):
    made = reading("first line\nsecond")
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def gridded(text=GRID_TEXT, **changes):
    return reading(text, tables=[replace(GRID, **changes)])


def celled(number, **changes):
    cells = list(GRID.cells)
    cells[number] = replace(cells[number], **changes)
    return gridded(cells=tuple(cells))


def test_good_readings_pass():
    assert_reading(changed())
    assert_reading(gridded())
    assert_reading(reading("", reason="no_text_layer"))
    assert_reading(reading("x", metadata={"a": [1, {"b": None}], "t": (1, 2)}, confidence=1.0))
    assert_reading(reading("a\nb", boxes=[None, (0.0, 0.0, 1.0, 1.0)]))


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (changed(text="a\x00b\nsecond"), "x00"),
        (changed(text="a\ud800b\nsecond"), "ud800"),
        (changed(text="first lin\r\nsecond"), "carriage return"),
        (changed(line_ends=array("q", [10])), "1 line ends"),
        (changed(line_starts=[0, 11]), "not an array"),
        (changed(line_starts=array("l", [0, 11])), "array('l')"),
        (changed(line_ends=array("q", [12, 17])), "holds a line break"),
        (changed(line_ends=array("q", [10, 99])), "leaves the text"),
        (changed(line_starts=array("q", [0, 5])), "overlaps"),
        (changed(line_starts=array("q", [0]), line_ends=array("q", [17])), "line break"),
        (changed(line_starts=array("q", [0, 13])), "'se' stands in no line"),
        (changed(line_ends=array("q", [10, 14])), "'ond' stands in no line"),
        (changed(boxes=[0.0] * 8), "boxes is a list"),
        (changed(boxes=array("f", [0.0] * 8)), "array('f')"),
        (changed(boxes=array("d", [0.0] * 4)), "4 box numbers"),
        (changed(boxes=array("d", [0.0] * 7 + [1.5])), "leaves 0..1"),
        (changed(boxes=array("d", [0.0] * 7 + [math.nan])), "leaves 0..1"),
        (changed(boxes=array("d", [0.5, 0, 0.4, 1] + [0.0] * 4)), "x0 > x1"),
        (changed(boxes=array("d", [0.0, 1, 0.4, 0.5] + [0.0] * 4)), "y0 > y1"),
        (changed(reason="broken"), "and yet it has text"),
        (reading("", reason=" "), "empty reason"),
        (changed(confidence=1.5), "confidence"),
        (changed(cost_usd=-1.0), "cost"),
        (changed(cost_usd=math.nan), "cost"),
        (changed(metadata={"a": {1, 2}}), "not JSON"),
        (changed(metadata={"a": math.nan}), "not JSON"),
        (changed(metadata={"a": "\ud800"}), "not JSON"),
        (changed(metadata={1: "a"}), "changes on its way"),
        (changed(links=[Link(5, 6, "x"), Link(0, 1, "y")]), "out of order"),
        (changed(links=[Link(0, 99, "x")]), "leaves the 17"),
        (changed(links=[Link(0, 1, "\x00")]), "link target"),
        (changed(headings=[Heading(0, 1, 0)]), "heading level 0"),
        (changed(headings=[Heading(10, 11, 1)]), "heading without text"),
        (changed(roles=[RoleSpan(0, 1, "banner")]), "banner"),
        (changed(hidden=[(3, 5), (4, 6)]), "hidden"),
        (changed(hidden=[(3, 3)]), "hidden"),
        (gridded(rows=3), "2 lines of text for 3 rows"),
        (gridded(columns=1), "ends right of column 1"),
        (gridded(header_rows=3), "3 of 2 rows"),
        (gridded(end=99), "overlaps or leaves"),
        (gridded(caption="\x00"), "caption"),
        (gridded(cells=GRID.cells[:3]), "belongs to no cell"),
        (gridded("a\tb\tx\nc\td"), ""),
        (celled(3, row=3), "ends below row 2"),
        (celled(0, row=0), "below 1"),
        (celled(0, column_span=2), "lies over"),
        (celled(0, row_span=0), "spans 0x1"),
        (celled(0, text="z"), "stands at its offsets"),
        (celled(0, start=0, end=99), "offsets leave"),
        (celled(0, text="a b", end=3), "tab"),
        (celled(1, text="b c", end=5), "breaks its row"),
        (celled(0, box=(0, 0, 2, 0)), "leaves 0..1"),
    ],
)
def test_a_bad_reading_is_refused(bad, reason):
    with pytest.raises(AssertionError) as caught:
        assert_reading(bad)
    assert reason in str(caught.value)


def test_a_cell_in_the_wrong_column_is_refused():
    cells = [Cell(1, 1, 1, 1, "a", 0, 1), Cell(1, 2, 1, 1, "b", 3, 4)]
    with pytest.raises(AssertionError, match="row 1, column 3"):
        assert_reading(reading("a\t\tb", tables=[Table(0, 4, 1, 3, 0, cells)]))


def test_another_class_is_no_reading():
    with pytest.raises(AssertionError, match="in place of a PageReading"):
        assert_reading("text")


def test_a_fingerprint_tells_readings_apart_and_no_others():
    first, second = reading("a\nb", boxes=[None, None]), reading("a\nb", boxes=[None, None])
    assert fingerprint(first) == fingerprint(second)
    others = [
        reading("a\nb"),
        reading("a\nc", boxes=[None, None]),
        reading("a\nb", boxes=[None, (0, 0, 0, 0)]),
        reading("a\nb", metadata={"k": 1}),
        reading("a\nb", hidden=["a"]),
        reading("a\nb", tables=[Table(0, 1, 1, 1, 0, [Cell(1, 1, 1, 1, "a", 0, 1)])]),
    ]
    prints = [repr(fingerprint(one)) for one in (first, *others)]
    assert len(set(prints)) == len(prints)
    assert all(one != other for one, other in pairwise(prints))


@pytest.mark.parametrize(
    "scores",
    [
        [Scored("a", 0.1), Scored("b", 0.2)],
        [Scored("a", 1.1)],
        [Scored("a", math.nan)],
        [Scored("", 0.5)],
        [Scored("a", 0.5), Scored("a", 0.5)],
    ],
)
def test_bad_scores_are_refused(scores):
    with pytest.raises(AssertionError):
        assert_scores(scores, "labels")


@pytest.mark.parametrize(
    "raster", [Raster(2, 2, b"x" * 11, 72), Raster(0, 2, b"", 72), Raster(1, 1, b"xyz", 0)]
)
def test_a_bad_raster_is_refused(raster):
    with pytest.raises(AssertionError):
        assert_raster(raster)


def test_only_numbers_from_0_to_1_are_in_the_unit():
    assert [value for value in (-0.1, 0, 0.5, 1, 1.1, math.nan, "1", None) if in_unit(value)] == [0, 0.5, 1]


def test_typed_errors_are_tolerated_and_others_are_not():
    with tolerate_typed("reading"):
        raise SourceError("not a document")
    with pytest.raises(AssertionError, match="ValueError: x"), tolerate_typed("reading"):
        raise ValueError("x")
    with pytest.raises(AssertionError, match="InputTooLarge"), tolerate_typed("reading", SourceError):
        raise InputTooLarge("x")
    with pytest.raises(AssertionError, match="without a message"), tolerate_typed("reading"):
        raise SourceError(" ")
    with pytest.raises(AssertionError, match=r"^own$"), tolerate_typed("reading"):
        raise AssertionError("own")
