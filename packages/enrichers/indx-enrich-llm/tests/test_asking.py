"""What the model is asked, what is taken of its answer, and what becomes of no answer."""

from __future__ import annotations

import json

from indx_core.ports import Enrichment, Scored
from indx_enrich_llm.provider import documents
from indx_enrich_llm.settings import SETTINGS
from indx_testkit.asking import AskingLaneKit
from indx_testkit.serving import chat


def said(summary="It is so.", tags=(), cost=None, **more):
    named = [{"label": label, "confidence": sure} for label, sure in tags]
    return chat(json.dumps({"summary": summary, "tags": named, **more}), cost=cost)


class TestAsking(AskingLaneKit):
    settings = SETTINGS
    prefix = "INDX_ENRICH_LLM"
    spoilt = (
        "It is so.",
        '{"summary": "It is',
        '{"tags": []}',
        '{"summary": null}',
        '{"summary": "x", "tags": ["tax"]}',
        '{"summary": "x", "mood": "good"}',
        '{"summary": "\\ud800"}',
        "",
    )

    def ask(self, *texts):
        return documents().enrich(texts)

    def good(self, **more):
        return chat(json.dumps({"summary": "It is so.", "tags": []}), **more)


def test_one_call_answers_summary_and_tags(server):
    server.will(said("It is\n so.", [("b", 0.2), ("a", 0.9)], cost=0.25))
    answers = documents().enrich(["text"])
    assert list(answers.items) == [Enrichment("It is so.", [Scored("a", 0.9), Scored("b", 0.2)])]
    assert answers.cost_usd == 0.25
    assert len(server.requests) == 1
