"""Places through turns, flips and groups: what is written agrees with what is drawn."""

from __future__ import annotations

from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indx_core.deadline import Deadline
from indx_core.ports import SourceContent
from indx_parser_process_chart._geometry import at, box_of, group_map, place_of, rectangle, slide_map
from indx_parser_process_chart.provider import MEDIA_TYPES, parser
from indx_reader_slides.provider import observer

numbers = st.integers(-2000, 3000)
sizes = st.integers(0, 2000)
boxes = st.tuples(numbers, numbers, sizes, sizes)
turns = st.builds(
    lambda rot, x, y: f'rot="{rot}" flipH="{x:d}" flipV="{y:d}"',
    st.integers(-40_000_000, 40_000_000),
    st.booleans(),
    st.booleans(),
)
around = st.lists(st.tuples(boxes, boxes, turns), max_size=3)
drawn = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def nested(draw, shapes, groups):
    for box, inside, turn in groups:
        shapes = draw.group(shapes, box=box, inside=inside, turned=turn)
    return shapes


def read_one(data):
    source = SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0])
    with closing(observer().open(source)) as session:
        (reading,) = parser().read(session, [1], deadline=Deadline())
    return reading


@drawn
@given(box=boxes, turn=turns, groups=around)
def test_a_node_is_overlaid_where_its_text_is(pptx, draw, box, turn, groups):
    """The box of a symbol is that of the lines of its text, as the reader of slides has it."""
    symbol = nested(draw, draw.shape(9, "ellipse", box, "Only this", turned=turn), groups)
    reading = read_one(pptx(draw.chart + symbol))
    line = next(
        number
        for number, (start, end) in enumerate(zip(reading.line_starts, reading.line_ends, strict=True))
        if reading.text[start:end] == "Only this"
    )
    (node,) = (node for node in reading.metadata["process_chart"]["nodes"] if node["id"] == "shape:9")
    assert node["bbox"] == pytest.approx(list(reading.boxes[4 * line : 4 * line + 4]), abs=2e-6)


@drawn
@given(box=boxes, turn=turns, groups=around)
def test_a_path_ends_in_opposite_corners_of_the_connector(chart, draw, box, turn, groups):
    """Read in pieces of a quarter turn and without one, the two ends span the connector's rectangle."""
    quarter = turn.replace(turn.split('"')[1], str(int(turn.split('"')[1]) // 5_400_000 * 5_400_000))
    straight = [(place, inside, 'rot="0"') for place, inside, _ in groups]
    line = nested(draw, draw.connector(9, 2, 4, box, turned=quarter), straight)
    shape = nested(draw, draw.shape(8, "rect", box, "same place", turned=quarter), straight)
    found = chart(draw.chart, line, shape)
    (edge,) = (edge for edge in found["edges"] if edge["id"] == "shape:9")
    (node,) = (node for node in found["nodes"] if node["id"] == "shape:8")
    (x0, y0), (x1, y1) = edge["path"]
    assert [min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)] == pytest.approx(node["bbox"], abs=2e-6)


@drawn
@given(frame=st.tuples(st.integers(0, 500), st.integers(0, 200), st.integers(60, 500), st.integers(60, 300)),
       left=st.integers(0, 950), top=st.integers(60, 450))  # fmt: skip
def test_a_frame_contains_exactly_the_centres_it_encloses(chart, draw, frame, left, top):
    found = chart(
        draw.chart, draw.shape(8, "rect", frame, "frame"), draw.shape(9, "diamond", (left, top, 50, 50))
    )
    x, y, width, height = frame
    inside = x <= left + 25 <= x + width and y <= top + 25 <= y + height
    assert (("shape:8/shape:9") in [edge["id"] for edge in found["edges"]]) == inside


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
