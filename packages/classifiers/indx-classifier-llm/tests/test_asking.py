"""What the model is asked, what is taken of its answer, and what becomes of no answer."""

from __future__ import annotations

import json

from indx_classifier_llm.provider import documents
from indx_classifier_llm.settings import LABELS, SETTINGS
from indx_core.ports import LaneContext, LaneError
from indx_testkit.asking import AskingLaneKit
from indx_testkit.serving import chat

CONTEXT = LaneContext("text/plain")


def said(*labels, **more):
    return chat(
        json.dumps({"labels": [{"label": name, "confidence": sure} for name, sure in labels]}), **more
    )


def ask(*texts):
    return documents().classify(texts, CONTEXT)


def found(answers, place=0):
    item = answers.items[place]
    assert not isinstance(item, LaneError), item
    return [(one.label, one.confidence) for one in item["document_type"]] if item else None


class TestAsking(AskingLaneKit):
    settings = SETTINGS
    prefix = "INDX_CLASSIFIER_LLM"
    spoilt = (
        "It is a letter.",
        '{"labels": [{"label": "letter", "confidence": 0.',
        '{"labels": [{"label": "letter", "confidence": NaN}]}',
        '{"labels": [{"label": "letter"}]}',
        '{"labels": "letter"}',
        '{"label": "letter"}',
        "[]",
        "",
        json.dumps({"labels": [{"label": "letter", "confidence": 1}] * 101}),
    )

    def ask(self, *texts):
        return ask(*texts)

    def good(self, **more):
        return said(("letter", 1), **more)


def test_labels_come_surest_first_with_what_was_charged(server):
    server.will(said(("letter", 0.4), ("invoice", 0.9), cost=0.25))
    answers = ask("Dear Sir", "Dear Madam")
    assert found(answers) == found(answers, 1) == [("invoice", 0.9), ("letter", 0.4)]
    assert answers.cost_usd == 0.5


def test_the_model_is_shown_the_text_alone_whatever_file_it_is_of(server):
    server.will(said(("letter", 1)))
    lane = documents()
    for context in (CONTEXT, LaneContext("application/pdf", "invoice.pdf")):
        lane.classify(["Dear Sir"], context)
    first, second = (request.body for request in server.requests)
    assert first == second
    assert lane.declaration.text_alone


def test_the_prompt_holds_the_labels_and_the_text(server, monkeypatch):
    monkeypatch.setenv(LABELS.name, "alpha,請求書")
    server.will(said())
    ask("The text.")
    (asked,) = server.requests
    system, user = asked.body["messages"]
    assert "alpha, 請求書" in system["content"]
    assert user["content"] == "The text."
    schema = asked.body["response_format"]["json_schema"]["schema"]
    assert schema["$defs"]["Label"]["properties"]["label"]["enum"] == ["alpha", "請求書"]
    assert schema["properties"]["labels"]["maxItems"] == 5


def test_what_no_json_holds_is_sent_as_unknown_characters(server):
    server.will(said(("letter", 1)))
    assert found(ask("\ud800 \x00")) == [("letter", 1.0)]
    assert server.requests[0].body["messages"][1]["content"] == "\ufffd \ufffd"


def test_labels_that_do_not_exist_or_are_not_sure_of_anything_are_dropped(server):
    server.will(said(("poem", 0.9), (" Letter ", 0.5), ("letter", 0.7), ("invoice", 95), ("report", 0)))
    assert found(ask("text")) == [("letter", 0.7)]


def test_no_label_is_no_opinion(server):
    server.will(said())
    assert ask("text").items == [None]
