"""Which slides are taken for process charts, on what evidence, and what a wrong guess costs."""

from __future__ import annotations

import pytest

from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import Observation, SourceContent
from indx_parser_process_chart.provider import MEDIA_TYPES, parser
from indx_testkit.samples import StubSession


@pytest.fixture
def recognise(pptx):
    def make(*slides, **options):
        source = SourceContent.of_bytes(pptx(*slides, **options), media_type=MEDIA_TYPES[0])
        return parser().recognise(Observation(MEDIA_TYPES[0], ()), StubSession(source, len(slides)))

    return make


def test_each_slide_with_a_chart_has_a_signature_of_its_own(recognise, draw):
    found = recognise(draw.text, draw.chart, draw.text, draw.chart)
    assert [(one.signature, one.scope, tuple(one.pages)) for one in found] == [
        ("process-chart", "PAGE", (2,)),
        ("process-chart", "PAGE", (4,)),
    ]
    assert list(found[0].evidence) == [
        "symbols: 3, of 3 kinds",
        "connectors that join two symbols: 2",
        "connectors that carry an arrow: 1 of 2",
        "symbols that carry a label: 2 of 3",
    ]


@pytest.mark.parametrize(
    ("labels", "tail", "confidence"),
    [
        (("a", "b"), "triangle", 1.0),
        (("a", ""), "triangle", 0.875),
        (("", ""), "triangle", 0.75),
        (("", ""), "", 0.5),
    ],
)
def test_confidence_is_the_share_of_signals_and_labels_count_in_proportion(
    recognise, draw, labels, tail, confidence
):
    (found,) = recognise(
        draw.shape(2, "triangle", (0, 0, 9, 9), labels[0])
        + draw.shape(3, "ellipse", (50, 0, 9, 9), labels[1])
        + draw.connector(4, 2, 3, tail=tail)
    )
    assert found.confidence == confidence


def test_one_kind_of_symbol_or_symbols_that_nothing_joins_are_no_chart(recognise, draw):
    circles = draw.shape(2, "ellipse", (0, 0, 9, 9)) + draw.shape(3, "ellipse", (50, 0, 9, 9))
    apart = draw.shape(2, "ellipse", (0, 0, 9, 9)) + draw.shape(3, "diamond", (50, 0, 9, 9))
    assert not recognise(circles + draw.connector(4, 2, 3), apart, "")


def test_what_the_slide_hides_is_not_counted(recognise, draw):
    hidden = draw.chart.replace('name="n"', 'name="n" hidden="1"')
    assert not recognise(hidden)


def test_a_hidden_slide_is_read_and_marked(read, draw):
    (reading,) = read(draw.chart, attributes='show="0"')
    assert reading.metadata["slide"] == {"hidden": True}
    assert reading.metadata["process_chart"]["title"] == "Bread"
    assert reading.hidden == ((0, len(reading.text)),)


def test_a_slide_of_too_many_shapes_is_no_chart(recognise, read, draw):
    many = draw.chart + draw.shape(8, "rect", (0, 0, 9, 9)) * 1000
    assert not recognise(many)
    assert read(many)[0].reason == "no_process_chart"


def test_a_damaged_slide_keeps_no_other_from_being_recognised(recognise, draw):
    raw = {"ppt/slides/slide1.xml": "<broken cxnSp"}
    assert [tuple(one.pages) for one in recognise(draw.chart, draw.chart, raw=raw)] == [(2,)]


def test_a_slide_without_a_chart_is_unread_so_that_the_next_reads_it(read, draw):
    reading = read(draw.text)[0]
    assert (reading.reason, reading.text, reading.metadata) == ("no_process_chart", "", None)


def test_a_page_that_is_none_is_unread(pptx, draw):
    source = SourceContent.of_bytes(pptx(draw.chart), media_type=MEDIA_TYPES[0])
    from indx_core.deadline import Deadline

    readings = parser().read(StubSession(source, 1), [2, 0], deadline=Deadline())
    assert [one.reason for one in readings] == ["no_such_page", "no_such_page"]


def test_a_source_that_is_no_presentation_is_refused():
    with pytest.raises(SourceError):
        parser().recognise(Observation(MEDIA_TYPES[0], ()), StubSession(SourceContent.of_bytes(b"PK")))


def test_more_slides_than_the_installation_takes_are_refused(recognise, draw, monkeypatch):
    monkeypatch.setenv("INDX_MAX_PAGES", "1")
    with pytest.raises(InputTooLarge):
        recognise(draw.chart, draw.chart)
