"""What the model is asked, what is taken of its answer, and what becomes of no answer."""

from __future__ import annotations

import json
import threading

import pytest

from indx_core.ports import Enrichment, LaneError, Scored
from indx_enrich_llm.provider import chunks, documents, pages
from indx_enrich_llm.settings import MAX_CHARACTERS, MODEL, SUMMARY_SENTENCES, TAGS
from indx_testkit.serving import Response, chat


def said(summary="It is so.", tags=(), cost=None, **more):
    named = [{"label": label, "confidence": sure} for label, sure in tags]
    return chat(json.dumps({"summary": summary, "tags": named, **more}), cost=cost)


def test_one_call_answers_summary_and_tags(server):
    server.will(said("It is\n so.", [("b", 0.2), ("a", 0.9)], cost=0.25))
    answers = documents().enrich(["text"])
    assert list(answers.items) == [Enrichment("It is so.", [Scored("a", 0.9), Scored("b", 0.2)])]
    assert answers.cost_usd == 0.25
    assert len(server.requests) == 1


@pytest.mark.parametrize("factory", [documents, pages])
def test_only_chunks_are_asked_which_questions_they_answer(server, factory):
    server.will(said(questions=["Why?", "", "Why?", "How?", "Who?", "When?"]))
    assert chunks().enrich(["text"]).items[0].questions == ["Why?", "How?", "Who?"]
    server.will(said())
    assert factory().enrich(["text"]).items[0].questions is None
    asked = [one.body["messages"][0]["content"] for one in server.requests]
    assert ["questions" in one for one in asked] == [True, False]


def test_the_prompt_says_how_long_a_summary_and_how_many_tags(server, monkeypatch):
    server.will(said())
    documents().enrich(["The text."])
    monkeypatch.setenv(SUMMARY_SENTENCES.name, "1")
    monkeypatch.setenv(TAGS.name, "7")
    documents().enrich(["The text."])
    first, second = (one.body["messages"][0]["content"] for one in server.requests)
    assert "2 sentences" in first
    assert "at most 5 short" in first
    assert "1 sentence;" in second
    assert "at most 7 short" in second
    schemas = [one.body["response_format"]["json_schema"]["schema"] for one in server.requests]
    assert [one["properties"]["tags"]["maxItems"] for one in schemas] == [5, 7]


def test_tags_beyond_the_most_are_dropped_the_surest_kept(server, monkeypatch):
    monkeypatch.setenv(TAGS.name, "2")
    server.will(said(tags=[("a", 0.1), ("b", 0.3), ("c", 0.2)]))
    assert documents().enrich(["text"]).items[0].tags == [Scored("b", 0.3), Scored("c", 0.2)]


def test_where_no_tags_are_wanted_none_are_asked_for(server, monkeypatch):
    monkeypatch.setenv(TAGS.name, "0")
    server.will(said(tags=[("a", 0.1)]))
    assert list(documents().enrich(["text"]).items) == [Enrichment("It is so.")]
    assert "tags" not in server.requests[0].body["messages"][0]["content"]


def test_a_tag_stands_once_and_is_sure_of_something(server):
    server.will(said(tags=[("Tax", 0.5), ("tax ", 0.4), ("", 1), ("x", 95), ("y", 0)]))
    assert documents().enrich(["text"]).items[0].tags == [Scored("Tax", 0.5)]


def test_an_empty_answer_is_no_opinion(server):
    server.will(said(" \n"))
    assert list(documents().enrich(["text", ""]).items) == [None, None]
    assert len(server.requests) == 1


def test_an_endless_summary_is_cut_at_white_space(server):
    server.will(said("word " * 10_000, [("t" * 1000, 1)]))
    (item,) = documents().enrich(["text"]).items
    assert len(item.summary) <= 4000
    assert item.summary.endswith("word")
    assert len(item.tags[0].label) == 100


def test_only_the_head_of_a_text_is_shown(server, monkeypatch):
    server.will(said())
    documents().enrich(["x" * 200_000])
    monkeypatch.setenv(MAX_CHARACTERS.name, "10")
    documents().enrich(["x" * 200_000])
    assert [len(one.body["messages"][1]["content"]) for one in server.requests] == [6000, 10]


@pytest.mark.parametrize(
    "text",
    [
        "It is so.",
        '{"summary": "It is',
        '{"tags": []}',
        '{"summary": null}',
        '{"summary": "x", "tags": ["tax"]}',
        '{"summary": "x", "mood": "good"}',
        '{"summary": "\\ud800"}',
        "",
    ],
)
def test_an_answer_of_another_shape_fails_its_text_alone_and_is_charged(server, text):
    server.will(said("one"), chat(text, cost=0.5), said("three"))
    answers = documents().enrich(["a", "b", "c"])
    assert [answers.items[place].summary for place in (0, 2)] == ["one", "three"]
    assert isinstance(answers.items[1], LaneError)
    assert answers.cost_usd == 0.5


def test_a_server_that_hangs_is_left_after_its_time_and_the_batch_ends(server, monkeypatch):
    monkeypatch.setenv(MODEL.timeout.name, "0.2")
    server.will(Response(wait=threading.Event()))
    items = documents().enrich(["a", "b", "c"]).items
    assert all(isinstance(item, LaneError) for item in items)
    assert MODEL.timeout.name in items[0].message
    assert len(server.requests) == 2
