"""Planned and read by the engine: the parser leads the pages of invoices, the generic ladder behind it."""

from __future__ import annotations

import pytest

from indx import Indx
from indx_core.contracts.invoice import Invoice
from indx_core.ports import Signature
from indx_parser_invoice.provider import InvoiceParser


@pytest.fixture
def indx(tmp_path, monkeypatch):
    monkeypatch.setenv("INDX_CACHE_DIR", str(tmp_path / "cache"))
    return Indx()


@pytest.fixture
def papers(pdf, english, tmp_path):
    file = tmp_path / "papers.pdf"
    file.write_bytes(pdf((("A letter about nothing",),), english, (("Terms and conditions",),)))
    return file


def test_it_leads_the_pages_of_the_invoice_alone_with_the_ladder_behind_it(indx, papers):
    plan = indx.plan(papers, signature_detection=True).plan
    (match,) = plan.signature_matches
    assert (match.signature, match.scope, match.pages) == ("invoice", "PAGE", (2,))
    assert (match.capability_id, match.installed, match.confidence) == ("invoice-parser", True, 1.0)
    assert plan.default.capability_id == "pdf-reader"
    (own,) = plan.pages
    assert (own.page, own.route.capability_id) == (2, "invoice-parser")
    assert own.route.fallbacks == (plan.default.capability_id, *plan.default.fallbacks)


def test_unasked_it_leads_nothing(indx, papers):
    plan = indx.plan(papers).plan
    assert (plan.signature_matches, plan.pages) == ((), ())


def test_the_fields_ride_on_the_block_of_the_page_that_printed_them(indx, papers):
    result = indx.encode(papers, signature_detection=True)
    holding = [block.id for block in result.blocks if "invoice" in (block.metadata or {})]
    assert holding == ["p2"]
    (page,) = (block for block in result.blocks if block.id == "p2")
    assert Invoice.model_validate(page.metadata["invoice"]).total == "1357.95"
    assert page.metadata["invoice"]["issue_date"] == "5/8/2026"
    assert [(event.capability_id, event.pages, event.outcome) for event in result.trace.events] == [
        ("pdf-reader", (1, 3), "read"),
        ("invoice-parser", (2,), "read"),
    ]


def test_money_is_never_a_number(indx, papers):
    result = indx.encode(papers, signature_detection=True)
    (found,) = (block.metadata["invoice"] for block in result.blocks if "invoice" in (block.metadata or {}))
    assert {type(value) for value in found.values()} == {str}
    assert '"total":"1357.95"' in result.model_dump_json()


def test_text_and_chunks_are_those_of_the_reader_of_the_format(indx, papers):
    def said(asked):
        result = indx.encode(papers, signature_detection=asked, granularities=["PAGE", "CHUNK"])
        return [(block.id, block.text, block.bbox, block.layout) for block in result.blocks]

    assert said(True) == said(False)


@pytest.mark.parametrize("suffix", ["docx", "html"])
def test_every_format_is_led_and_read(indx, docx, html, japanese, tmp_path, suffix):
    made = {"docx": docx(japanese), "html": html(japanese)}
    file = tmp_path / f"seikyu.{suffix}"
    file.write_bytes(made[suffix])
    result = indx.encode(file, signature_detection=True)
    assert result.plan.default.capability_id == "invoice-parser"
    assert result.plan.signature_matches[0].scope == "DOCUMENT"
    (page,) = (block for block in result.blocks if block.scope == "PAGE")
    assert page.metadata["invoice"]["total"] == "11000"
    assert page.metadata["invoice"]["number"] == "２０２６-００１"


def test_a_wrong_match_costs_one_attempt_and_the_page_is_read(indx, papers, monkeypatch):
    wrong = (Signature("invoice", "PAGE", (1,), ("wrong",), 0.5),)
    monkeypatch.setattr(InvoiceParser, "recognise", lambda self, observation, session: wrong)
    result = indx.encode(papers, signature_detection=True)
    attempts = [(e.capability_id, e.outcome, e.reason) for e in result.trace.events if 1 in e.pages]
    assert attempts == [("invoice-parser", "unread", "no_invoice"), ("pdf-reader", "read", None)]
    (page,) = (block for block in result.blocks if block.id == "p1")
    assert (page.status, page.text) == ("ok", "A letter about nothing")


def test_a_worker_process_reads_it_alike(indx, papers):
    with Indx(isolate=True) as apart:
        led = apart.encode(papers, signature_detection=True)
    assert led.blocks == indx.encode(papers, signature_detection=True).blocks
