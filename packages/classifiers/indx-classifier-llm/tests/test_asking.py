"""What the model is asked, what is taken of its answer, and what becomes of no answer."""

from __future__ import annotations

import json
import threading

import pytest

from indx_classifier_llm.provider import documents
from indx_classifier_llm.settings import LABELS, MAX_CHARACTERS, MODEL
from indx_core.ports import LaneContext, LaneError
from indx_testkit.serving import Response, chat

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


def test_labels_come_surest_first_with_what_was_charged(server):
    server.will(said(("letter", 0.4), ("invoice", 0.9), cost=0.25))
    answers = ask("Dear Sir", "Dear Madam")
    assert found(answers) == found(answers, 1) == [("invoice", 0.9), ("letter", 0.4)]
    assert answers.cost_usd == 0.5


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


def test_only_the_head_of_a_text_is_shown(server, monkeypatch):
    server.will(said())
    ask("x" * 200_000)
    monkeypatch.setenv(MAX_CHARACTERS.name, "10")
    ask("x" * 200_000)
    assert [len(one.body["messages"][1]["content"]) for one in server.requests] == [6000, 10]


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


def test_a_blank_text_asks_nobody(server):
    assert list(ask("", " \n").items) == [None, None]
    assert server.requests == []


@pytest.mark.parametrize(
    "text",
    [
        "It is a letter.",
        '{"labels": [{"label": "letter", "confidence": 0.',
        '{"labels": [{"label": "letter", "confidence": NaN}]}',
        '{"labels": [{"label": "letter"}]}',
        '{"labels": "letter"}',
        '{"label": "letter"}',
        "[]",
        "",
        json.dumps({"labels": [{"label": "letter", "confidence": 1}] * 101}),
    ],
)
def test_an_answer_of_another_shape_fails_its_text_alone_and_is_charged(server, text):
    server.will(said(("letter", 1)), chat(text, cost=0.5), said(("report", 1)))
    answers = ask("a", "b", "c")
    assert found(answers) == [("letter", 1.0)]
    assert isinstance(answers.items[1], LaneError)
    assert "shape" in answers.items[1].message
    assert found(answers, 2) == [("report", 1.0)]
    assert answers.cost_usd == 0.5


def test_an_answer_cut_short_fails_its_text(server):
    server.will(said(("letter", 1), finish="length"))
    (item,) = ask("a").items
    assert isinstance(item, LaneError)
    assert "cut" in item.message


def test_an_answer_in_a_code_fence_is_taken(server):
    server.will(chat('```json\n{"labels": [{"label": "faq", "confidence": 0.5}]}\n```'))
    assert found(ask("a")) == [("faq", 0.5)]


def test_a_server_that_hangs_is_left_after_its_time_and_the_batch_ends(server, monkeypatch):
    monkeypatch.setenv(MODEL.timeout.name, "0.2")
    server.will(Response(wait=threading.Event()))
    items = ask("a", "b", "c", "d").items
    assert all(isinstance(item, LaneError) for item in items)
    assert MODEL.timeout.name in items[0].message
    assert "not asked" in items[2].message
    assert len(server.requests) == 2


def test_a_server_that_is_gone_is_said_to_be(server, monkeypatch):
    monkeypatch.setenv(MODEL.api_base.name, "http://127.0.0.1:9/v1")
    items = ask("a", "b", "c").items
    assert all(isinstance(item, LaneError) for item in items)
    assert MODEL.api_base.name in items[0].message


@pytest.mark.parametrize(("status", "name"), [(401, MODEL.api_key.name), (404, MODEL.model.name)])
def test_a_refusal_names_the_variable(server, monkeypatch, status, name):
    monkeypatch.setenv(MODEL.api_key.name, "sk-secret")
    server.will(Response({"error": {"message": "no"}}, status=status))
    (item,) = ask("a").items
    assert isinstance(item, LaneError)
    assert name in item.message
    assert "sk-secret" not in item.message


def test_a_failing_server_is_asked_again_as_often_as_is_set(server, monkeypatch):
    from indx_model_litellm import _model

    monkeypatch.setenv(MODEL.retries.name, "2")
    monkeypatch.setattr(_model, "_FIRST_PAUSE", 0.0)
    broken = Response({"error": {"message": "overloaded"}}, status=503)
    server.will(broken, broken, said(("letter", 1)))
    assert found(ask("a")) == [("letter", 1.0)]
    assert len(server.requests) == 3
