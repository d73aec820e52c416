"""Planned and read by the engine: the parser leads its slides, and whoever reads slides stands behind it."""

from __future__ import annotations

import pytest

from indx import Indx
from indx_core.contracts.process_chart import ProcessChart
from indx_core.ports import Signature
from indx_parser_process_chart import _parser
from indx_parser_process_chart.provider import ProcessChartParser


@pytest.fixture
def indx(tmp_path, monkeypatch):
    monkeypatch.setenv("INDX_CACHE_DIR", str(tmp_path / "cache"))
    return Indx()


@pytest.fixture
def deck(pptx, draw, tmp_path):
    file = tmp_path / "bread.pptx"
    file.write_bytes(pptx(draw.text, draw.chart, draw.title("End")))
    return file


def test_it_leads_its_own_slide_alone_with_the_ladder_behind_it(indx, deck):
    plan = indx.plan(deck, signature_detection=True).plan
    (match,) = plan.signature_matches
    assert (match.signature, match.scope, match.pages) == ("process-chart", "PAGE", (2,))
    assert (match.capability_id, match.installed) == ("process-chart-parser", True)
    assert match.confidence == round((3 + 2 / 3) / 4, 6)
    assert (plan.default.capability_id, plan.default.fallbacks) == ("slides-reader", ("manual-review",))
    (own,) = plan.pages
    assert (own.page, own.route.capability_id) == (2, "process-chart-parser")
    assert own.route.fallbacks == ("slides-reader", "manual-review")


def test_unasked_it_leads_nothing(indx, deck):
    plan = indx.plan(deck).plan
    assert (plan.signature_matches, plan.pages) == ((), ())


def test_the_chart_rides_on_the_block_of_its_slide(indx, deck):
    result = indx.encode(deck, signature_detection=True)
    pages = {block.page: block for block in result.blocks if block.scope == "PAGE"}
    chart = pages[2].metadata["process_chart"]
    assert ProcessChart.model_validate(chart).title == "Bread"
    assert all("process_chart" not in (block.metadata or {}) for block in result.blocks if block.page != 2)
    assert [(event.capability_id, event.pages, event.outcome) for event in result.trace.events] == [
        ("slides-reader", (1, 3), "read"),
        ("process-chart-parser", (2,), "read"),
    ]


def test_the_text_and_the_chunks_are_those_of_the_reader_of_slides(indx, deck):
    chunks = {"granularities": ["PAGE", "CHUNK"]}
    led, plain = (indx.encode(deck, signature_detection=asked, **chunks) for asked in (True, False))

    def said(result):
        return [(b.id, b.text, b.bbox, b.bbox_reason, b.layout) for b in result.blocks]

    assert said(led) == said(plain)


def test_a_node_is_overlaid_with_the_arithmetic_of_chunks(indx, pptx, draw, tmp_path):
    file = tmp_path / "one.pptx"
    file.write_bytes(pptx(draw.chart.replace("Bread", "").replace("Knead", "")))
    result = indx.encode(file, signature_detection=True, granularities=["CHUNK"])
    (chunk,) = (block for block in result.blocks if block.scope == "CHUNK")
    (page,) = (block for block in result.blocks if block.scope == "PAGE")
    assert chunk.text == "Flour"
    assert tuple(page.metadata["process_chart"]["nodes"][0]["bbox"]) == tuple(chunk.bbox)


def test_a_wrong_match_costs_one_attempt_and_the_slide_is_read(indx, deck, monkeypatch):
    monkeypatch.setattr(_parser, "_chart", lambda slides, page: None)
    monkeypatch.setattr(ProcessChartParser, "recognise", lambda self, observation, session: found)
    found = (Signature("process-chart", "PAGE", (1,), ("wrong",), 0.5),)
    result = indx.encode(deck, signature_detection=True)
    attempts = [(e.capability_id, e.outcome, e.reason) for e in result.trace.events if 1 in e.pages]
    assert attempts == [
        ("process-chart-parser", "unread", "no_process_chart"),
        ("slides-reader", "read", None),
    ]
    assert next(b for b in result.blocks if b.page == 1).text == "Only words"


def test_a_worker_process_reads_it_alike(indx, deck):
    with Indx(isolate=True) as apart:
        led = apart.encode(deck, signature_detection=True)
    assert led.blocks == indx.encode(deck, signature_detection=True).blocks
