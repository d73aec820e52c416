"""What failed beside the reading, over HTTP: in the answer, and in the description of it."""

import json

import pytest
from jsonschema import Draft202012Validator

from indx_core.discovery import Candidate, Registry
from indx_core.errors import Unavailable
from indx_core.ports import EmbedderDeclaration, LaneDeclaration, Space
from indx_server.logs import JsonFormatter

SECRET = "key-0123456789"
LEAKY = f"no {SECRET} at http://ann:pw-in-address@h/ with Bearer abcdefgh.ijkl"
QUOTED = [SECRET, "pw-in-address", "abcdefgh"]


class Lane:
    port_version = 1
    declaration = LaneDeclaration("down", "page")

    def availability(self):
        return None

    def classify(self, texts, context):
        raise RuntimeError(f"401 for https://h.example/v1?key={SECRET} ({SECRET})")


class Embedder:
    """Raises an error of the tree itself, with all it was called with."""

    port_version = 1
    declaration = EmbedderDeclaration(
        "leaky", Space("leaky", 2, "cosine", True), ("document", "query"), ("text",)
    )

    def availability(self):
        return None

    def embed(self, batch, *, role, deadline):
        raise Unavailable(LEAKY, code="embedder_unavailable") from RuntimeError(LEAKY)


@pytest.fixture
def registry(registry):
    """Everything that is installed, a classifier that is down, and an embedder that tells all it knows."""
    down = Candidate("indx.classifiers", "down", "x:x", "odd", "1", lambda: Lane)
    leaky = Candidate("indx.embedders", "leaky", "x:x", "odd", "1", lambda: Embedder)
    return Registry([*registry.candidates, down, leaky])


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


@pytest.mark.parametrize("path", ["/v1/encode", "/v1/embed"])
def test_what_an_embedder_raises_itself_leaves_without_its_secrets(client, inline, path, monkeypatch, caplog):
    monkeypatch.setenv("INDX_FAKE_API_KEY", SECRET)
    asked = {
        "/v1/encode": {
            "source": inline(),
            "granularities": ["CHUNK"],
            "embedding_space_ids": ["leaky"],
        },
        "/v1/embed": {"embedding_space_id": "leaky", "input": {"type": "text", "text": "a"}},
    }
    answer = client.post(path, json=asked[path])
    assert (answer.status_code, answer.json()["code"]) == (503, "embedder_unavailable")
    assert answer.json()["message"] == "no *** at http://***@h/ with Bearer ***"
    lines = [JsonFormatter().format(record) for record in caplog.records]
    assert any("RuntimeError" in json.loads(line).get("exception", "") for line in lines)
    assert [secret for secret in QUOTED for line in lines if secret in line] == []
