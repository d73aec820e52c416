"""Places of shapes through turns, flips and groups."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_format_office.geometry import at, box_of, group_map, place_of, rectangle, slide_map

numbers = st.integers(-2000, 3000)
sizes = st.integers(0, 2000)
boxes = st.tuples(numbers, numbers, sizes, sizes)


class Stub:
    """An element of a transform, without XML."""

    def __init__(self, attributes, children=None):
        self.attributes, self.children = attributes, children or {}

    def get(self, name):
        return self.attributes.get(name)

    def find(self, name):
        return self.children.get(name.rpartition("}")[2])


def transform(box, inside=None, **attributes):
    children = {
        "off": Stub({"x": str(box[0]), "y": str(box[1])}),
        "ext": Stub({"cx": str(box[2]), "cy": str(box[3])}),
    }
    if inside is not None:
        children["chOff"] = Stub({"x": str(inside[0]), "y": str(inside[1])})
        children["chExt"] = Stub({"cx": str(inside[2]), "cy": str(inside[3])})
    return Stub(attributes, children)


@given(box=boxes, inside=boxes)
def test_a_group_maps_its_inner_rectangle_to_its_own(box, inside):
    inner = (inside[0], inside[1], inside[2] + 1, inside[3] + 1)
    slide = slide_map(1000, 500)
    place = place_of(transform(inner), group_map(transform(box, inner), slide))
    assert rectangle(place) == pytest.approx(rectangle(place_of(transform(box), slide)), abs=1e-9)


@given(box=boxes)
def test_a_whole_turn_and_two_flips_change_nothing_but_half_a_turn(box):
    slide = slide_map(1000, 500)
    plain = place_of(transform(box), slide)
    half = place_of(transform(box, rot="10800000"), slide)
    flipped = place_of(transform(box, flipH="1", flipV="1"), slide)
    assert at(half, 0, 0) == pytest.approx(at(plain, 1, 1), abs=1e-9)
    assert at(flipped, 0, 1) == pytest.approx(at(half, 0, 1), abs=1e-9)
    assert place_of(transform(box, rot="21600000"), slide) == plain


@given(st.tuples(*[st.floats(allow_nan=False, allow_infinity=False, width=32)] * 4))
def test_boxes_stay_on_the_slide_and_in_order(corners):
    x0, y0, x1, y1 = corners
    left, top, right, bottom = box_of((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
    assert 0 <= left <= right <= 1
    assert 0 <= top <= bottom <= 1


def test_what_states_no_place_has_none():
    slide = slide_map(1000, 500)
    assert place_of(None, slide) is None
    assert place_of(Stub({}), slide) is None
    assert group_map(None, slide) == slide
    assert group_map(Stub({}), slide) == slide


def test_numbers_that_are_none_count_as_nought():
    assert place_of(transform(("x", "", "1e9", "9" * 40)), slide_map(10, 10)) == (0.0,) * 6
