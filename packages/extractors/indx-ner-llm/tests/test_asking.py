"""What the model is asked, what is taken of its answer, and what becomes of no answer."""

from __future__ import annotations

import json

from indx_core.ports import LaneError
from indx_ner_llm.provider import pages
from indx_ner_llm.settings import LABELS, MAX_CHARACTERS, SETTINGS
from indx_testkit.asking import AskingLaneKit
from indx_testkit.serving import chat


def said(*entities, **more):
    named = [{"label": label, "surface": surface} for label, surface in entities]
    return chat(json.dumps({"entities": named}), **more)


def found(answers, place=0):
    item = answers.items[place]
    assert not isinstance(item, LaneError), item
    return [(span.label, span.start, span.surface) for span in item] if item else None


class TestAsking(AskingLaneKit):
    settings = SETTINGS
    prefix = "INDX_NER_LLM"
    spoilt = (
        "Ann is a person.",
        '{"entities": [{"label": "person", "surface": "An',
        '{"entities": [{"label": "person"}]}',
        '{"entities": [{"label": "person", "surface": 7}]}',
        '{"entities": {}}',
        "",
        json.dumps({"entities": [{"label": "person", "surface": "Ann"}] * 1001}),
    )

    def ask(self, *texts):
        return pages().extract(texts)

    def good(self, **more):
        return said(*(("person", word) for word in ("a", "b", "c", "x", "The", "Ignore")), **more)


def test_entities_stand_where_the_lane_finds_them(server):
    server.will(said(("location", "Oslo"), ("person", "Ann"), ("person", "Nobody"), cost=0.25))
    answers = pages().extract(["Ann in Oslo"])
    assert found(answers) == [("person", 0, "Ann"), ("location", 7, "Oslo")]
    assert answers.cost_usd == 0.25


def test_the_prompt_holds_the_labels_and_the_text(server, monkeypatch):
    server.will(said())
    pages().extract(["The text."])
    monkeypatch.setenv(LABELS.name, "product,品番")
    pages().extract(["The text."])
    first, second = (one.body["messages"] for one in server.requests)
    assert "person, organization, location, date, money, invoice_number" in first[0]["content"]
    assert "product, 品番" in second[0]["content"]
    schema = server.requests[0].body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["entities"]["maxItems"] == 100
    assert first[1]["content"] == second[1]["content"] == "The text."


def test_only_what_was_shown_is_looked_through(server, monkeypatch):
    monkeypatch.setenv(MAX_CHARACTERS.name, "10")
    server.will(said(("location", "Oslo")))
    assert found(pages().extract(["Oslo " * 40_000])) == [("location", 0, "Oslo"), ("location", 5, "Oslo")]
    assert server.requests[0].body["messages"][1]["content"] == "Oslo Oslo "


def test_what_no_json_holds_keeps_its_place(server):
    server.will(said(("location", "Oslo"), ("person", "\ufffd")))
    assert found(pages().extract(["\ud800\x00 Oslo"])) == [("location", 3, "Oslo")]


def test_no_entity_is_no_opinion(server):
    server.will(said())
    assert list(pages().extract(["text", ""]).items) == [None, None]
    assert len(server.requests) == 1
