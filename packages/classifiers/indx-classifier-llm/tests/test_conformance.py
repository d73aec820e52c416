"""The lanes keep the rules of their port, with a server that labels a text by the words in it."""

from __future__ import annotations

import json

import pytest

from indx_classifier_llm.provider import documents
from indx_testkit.lanes import ClassifierKit
from indx_testkit.serving import Asked, Response, chat


def labelled(asked: Asked) -> Response:
    text = asked.body["messages"][-1]["content"]
    found = [label for label in ("invoice", "letter", "report") if label in text]
    return chat(json.dumps({"labels": [{"label": one, "confidence": 1 / (1 + len(one))} for one in found]}))


class TestDocuments(ClassifierKit):
    factory = staticmethod(documents)
    texts = ("An invoice and a report", "a letter", "nothing")
    examples = 5

    @pytest.fixture(autouse=True)
    def serving(self, server):
        server.will(labelled)
