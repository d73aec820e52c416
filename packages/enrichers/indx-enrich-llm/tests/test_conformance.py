"""The lanes keep the rules of their port, with a server that answers by the text."""

from __future__ import annotations

import json

import pytest

from indx_enrich_llm.provider import chunks
from indx_testkit.lanes import EnricherKit
from indx_testkit.serving import Asked, Response, chat


def described(asked: Asked) -> Response:
    text = asked.body["messages"][-1]["content"]
    words = text.split()[:3]
    tags = [{"label": word[:20], "confidence": 1 / (n + 1)} for n, word in enumerate(words)]
    return chat(json.dumps({"summary": text[:50], "tags": tags, "questions": words}))


class TestChunks(EnricherKit):
    factory = staticmethod(chunks)
    texts = ("An invoice and a report", "a letter", "nothing nothing Nothing")
    examples = 5

    @pytest.fixture(autouse=True)
    def serving(self, server):
        server.will(described)
