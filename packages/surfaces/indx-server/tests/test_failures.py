"""What failed beside the reading, over HTTP: in the answer, and in the description of it."""

import pytest
from jsonschema import Draft202012Validator

from indx_core.discovery import Candidate, Registry
from indx_core.ports import LaneDeclaration

SECRET = "key-0123456789"


class Lane:
    port_version = 1
    declaration = LaneDeclaration("down", "page")

    def availability(self):
        return None

    def classify(self, texts, context):
        raise RuntimeError(f"401 for https://h.example/v1?key={SECRET} ({SECRET})")


@pytest.fixture
def registry(registry):
    """Everything that is installed, and a classifier that is down."""
    down = Candidate("indx.classifiers", "down", "x:x", "odd", "1", lambda: Lane)
    return Registry([*registry.candidates, down])


@pytest.fixture
def described(client):
    """Hold an answer of encode to what the server's own document says of it."""

    def check(body):
        document = client.get("/openapi.json").json()
        ok = document["paths"]["/v1/encode"]["post"]["responses"]["200"]
        schema = ok["content"]["application/json"]["schema"]
        Draft202012Validator({**schema, "components": document["components"]}).validate(body)
        return document

    return check


def test_a_classifier_that_was_down_is_told_without_its_key(client, inline, described, monkeypatch):
    monkeypatch.setenv("INDX_FAKE_API_KEY", SECRET)
    asked = {"source": inline(), "classification": {"page_ids": ["down"], "document_ids": ["words"]}}
    answer = client.post("/v1/encode", json=asked)
    assert answer.status_code == 200
    assert SECRET not in answer.text
    body = answer.json()
    assert body["trace"]["failures"] == [
        {
            "role": "classifier",
            "id": "down",
            "unit": "page",
            "asked": 1,
            "failed": 1,
            "reason": "RuntimeError: 401 for https://h.example/v1?*** (***)",
            "block_ids": ["p1"],
        }
    ]
    document = described(body)
    assert "TraceFailure" in document["components"]["schemas"]


def test_an_answer_in_which_nothing_failed_has_no_such_member(client, inline, described):
    body = client.post("/v1/encode", json={"source": inline()}).json()
    assert "failures" not in body["trace"]
    described(body)
