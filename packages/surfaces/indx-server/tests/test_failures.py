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
def described(serve_here):
    """Hold an answer to what the server's own document says of it."""

    def check(body, path="/v1/encode", method="post"):
        document = serve_here().get("/openapi.json").json()
        ok = document["paths"][path][method]["responses"]["200"]
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


# What is kept


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def place(request):
    """Every answer is the same from every store."""
    return request.param


def test_what_failed_of_a_kept_document_is_kept_with_it(keeping, inline, described):
    asked = {"source": inline(), "classification": {"page_ids": ["down"]}}
    kept = keeping.post("/v1/documents", json=asked).json()
    found = keeping.get(f"/v1/documents/{kept['summary']['digest']}").json()
    (failure,) = found["result"]["trace"]["failures"]
    assert (failure["id"], failure["block_ids"]) == ("down", ["p1"])
    assert found["result"]["trace"] == kept["result"]["trace"]
    described(found, "/v1/documents/{digest}", "get")


@pytest.fixture
def experiment(keeping, operator, inline):
    """One document with a verdict on its page, read by a branch whose classifier is down and by another."""
    kept = keeping.post("/v1/documents", json={"source": inline()}).json()["summary"]
    target = {"kind": "facet", "unit": "page", "page": 1, "facet": "document_type", "label": "invoice"}
    named = {"digest": kept["digest"], "name": kept["name"]}
    down, words = ({"classification": {"page_ids": [lane]}} for lane in ("down", "words-page"))
    records = {
        "types/invoice": {"label": "Invoice", "fields": []},
        "routers/r": {"label": "R", "branches": [], "default": down},
        "datasets/s": {"label": "S", "purpose": "evaluation", "type_id": "invoice", "documents": [named]},
        "labels": {"digest": kept["digest"], "document_name": "a", "target": target, "verdict": "approved"},
        "experiments/e": {
            "label": "E",
            "dataset_id": "s",
            "router_id": "r",
            "candidates": [{"key": "words", "label": "Words", "branch": words}],
        },
    }
    for name, record in records.items():
        answer = keeping.put(f"/v1/{name}", json=record, headers=operator)
        assert answer.status_code == 200, answer.text


def test_an_experiment_tells_a_lane_that_was_down_from_one_that_is_wrong(
    keeping, operator, experiment, until, described, monkeypatch
):
    monkeypatch.setenv("INDX_FAKE_API_KEY", SECRET)
    keeping.put("/v1/experiments/e/run", headers=operator)
    until(lambda: keeping.get("/v1/experiments/e").json()["state"] != "running")
    answer = keeping.get("/v1/experiments/e")
    assert SECRET not in answer.text
    report = answer.json()
    described(report, "/v1/experiments/{id}", "get")
    production, words = report["candidates"]
    assert (production["documents"], production["failed"]) == (0, 0)  # none that could be scored
    assert [production[name] for name in ("expected", "right", "unanswered")] == [0, 0, 1]
    assert [production["rows"][0][name] for name in ("expected", "right", "unanswered")] == [0, 0, 1]
    assert (words["expected"], "unanswered" in words, "unanswered" in words["rows"][0]) == (1, False, False)
    first, second = report["results"]
    assert (first["unanswered"], first["failures"][0]["id"], "error" in first) == (1, "down", False)
    assert "unanswered" not in second
    assert "failures" not in second
