"""Places through turns, flips and groups: what is written agrees with what is drawn."""

from __future__ import annotations

import math
from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indx_core.deadline import Deadline
from indx_core.ports import SourceContent
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
    place, (left, top, right, bottom) = list(reading.boxes[4 * line : 4 * line + 4]), node["bbox"]
    if math.isnan(place[0]):  # a shape without extent says nothing of its text, and a node is where it is
        assert min(right - left, bottom - top) == pytest.approx(0, abs=2e-6)
    else:
        assert node["bbox"] == pytest.approx(place, abs=2e-6)


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
