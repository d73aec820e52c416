"""The lanes keep the rules of their port, with a server that names what it knows, and invents besides."""

from __future__ import annotations

import json

import pytest

from indx_ner_llm.provider import pages
from indx_testkit.lanes import ExtractorKit
from indx_testkit.serving import Asked, Response, chat

KNOWN = {"Ann Lee": "person", "Oslo": "location", "東京": "location", "a": "organization", "x": "date"}


def named(asked: Asked) -> Response:
    text = asked.body["messages"][-1]["content"]
    found = [{"label": label, "surface": surface} for surface, label in KNOWN.items() if surface in text]
    return chat(json.dumps({"entities": [*found, {"label": "person", "surface": "Nobody Here"}]}))


class TestPages(ExtractorKit):
    factory = staticmethod(pages)
    texts = ("Ann Lee met Oslo in Oslo", "東京の x", "nothing", "👩\u200d👧 Oslo")
    examples = 5

    @pytest.fixture(autouse=True)
    def serving(self, server):
        server.will(named)
