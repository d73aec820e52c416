"""Types, labels, datasets, routers and experiments over HTTP."""

import pytest

INVOICE = {
    "label": "Invoice",
    "fields": [{"key": "total", "label": "Total", "kind": "entity", "name": "money"}],
}
ZERO = "sha256:" + "0" * 64


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def place(request):
    """Every answer is the same from every store."""
    return request.param


def label(digest=ZERO, **more):
    target = {"kind": "facet", "unit": "document", "facet": "document_type", "label": "invoice"}
    return {"digest": digest, "document_name": "a.md", "target": target, "verdict": "approved", **more}


WRITES = [
    ("PUT", "/v1/types/a"),
    ("DELETE", "/v1/types/a"),
    ("PUT", "/v1/labels"),
    ("DELETE", f"/v1/labels/{ZERO}"),
    ("PUT", "/v1/datasets/a"),
    ("DELETE", "/v1/datasets/a"),
    ("PUT", "/v1/routers/a"),
    ("DELETE", "/v1/routers/a"),
    ("PUT", "/v1/experiments/a"),
    ("DELETE", "/v1/experiments/a"),
    ("PUT", "/v1/experiments/a/run"),
    ("DELETE", "/v1/experiments/a/run"),
    ("PUT", "/v1/experiments/a/promotion"),
]


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_a_write_needs_the_operators_token_before_anything_of_it_is_read(keeping, envelope, method, path):
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic operator-token"}):
        answer = keeping.request(method, path, headers=headers, content=b"{")
        envelope(answer, 401, "unauthorized", type="unauthorized")
        assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_without_an_operator_nothing_is_written(serve_here, envelope, keeping, monkeypatch, method, path):
    monkeypatch.delenv("INDX_WORKSPACE_TOKEN")
    answer = keeping.request(method, path, headers={"Authorization": "Bearer operator-token"})
    envelope(answer, 403, "workspace_read_only", type="workspace_read_only")


def test_lists_say_whether_the_deployment_takes_writes_whoever_asks(keeping, monkeypatch):
    lists = {"types": "types", "labels": "labels", "datasets": "datasets", "routers": "routers"}
    for path, name in lists.items():
        assert keeping.get(f"/v1/{path}").json() == {name: [], "writable": True}
    assert keeping.get("/v1/experiments").json()["experiments"] == []
    monkeypatch.delenv("INDX_WORKSPACE_TOKEN")
    assert keeping.get("/v1/types").json()["writable"] is False


def test_what_is_not_there_is_named(keeping, envelope):
    for path, code in (
        ("types/x", "type_not_found"),
        ("datasets/x", "dataset_not_found"),
        ("datasets/x/labels", "dataset_not_found"),
        ("routers/x/versions", "router_not_found"),
        ("routers/x/versions/1", "router_not_found"),
        ("experiments/x", "experiment_not_found"),
        ("types/A B", "type_not_found"),
        ("types/%00", "type_not_found"),
    ):
        envelope(keeping.get(f"/v1/{path}"), 404, code, type="not_found")


@pytest.mark.parametrize("version", ["0", "x", "-1", "1.5", "9" * 30])
def test_a_version_that_is_no_number_of_one_is_refused(keeping, envelope, version):
    envelope(keeping.get(f"/v1/routers/a/versions/{version}"), 422, "validation_error", param="version")


def test_types_are_made_replaced_and_dropped(keeping, operator, envelope):
    made = keeping.put("/v1/types/invoice", json=INVOICE, headers=operator)
    assert made.status_code == 200
    assert {**INVOICE, "id": "invoice"}.items() <= made.json().items()
    again = keeping.put("/v1/types/invoice", json={"label": "Bill"}, headers=operator).json()
    assert (again["label"], again["created_at"]) == ("Bill", made.json()["created_at"])
    assert keeping.get("/v1/types/invoice").json() == again
    assert keeping.get("/v1/types").json()["types"] == [again]
    signed = {"label": "A", "signature": "text-reader"}
    envelope(
        keeping.put("/v1/types/a", json=signed, headers=operator), 422, "invalid_type", type="invalid_type"
    )
    signed = {"label": "A", "signature": "invoice-parser"}
    assert keeping.put("/v1/types/a", json=signed, headers=operator).status_code == 200
    for body in ({}, {"label": ""}, {"label": "A", "nope": 1}):
        envelope(keeping.put("/v1/types/a", json=body, headers=operator), 422, "validation_error")
    envelope(keeping.put("/v1/types/A", json=INVOICE, headers=operator), 422, "validation_error", param="id")
    for _ in range(2):
        assert keeping.delete("/v1/types/invoice", headers=operator).status_code == 204
    envelope(keeping.get("/v1/types/invoice"), 404, "type_not_found")


def test_a_second_verdict_on_one_answer_replaces_the_first(keeping, operator, envelope):
    keeping.put("/v1/types/invoice", json=INVOICE, headers=operator)
    first = keeping.put("/v1/labels", json=label(type_id="invoice"), headers=operator).json()
    second = keeping.put("/v1/labels", json=label(verdict="rejected"), headers=operator).json()
    assert first["id"] == second["id"]
    assert [one["verdict"] for one in keeping.get("/v1/labels").json()["labels"]] == ["rejected"]
    other = keeping.put(
        "/v1/labels", json=label("sha256:" + "1" * 64, type_id="invoice"), headers=operator
    ).json()
    assert keeping.get("/v1/labels", params={"digest": other["digest"]}).json()["labels"] == [other]
    assert keeping.get("/v1/labels", params={"type_id": "invoice"}).json()["labels"] == [other]
    for body, code in (
        (label(type_id="nope"), "invalid_label"),
        (label(type_id="invoice", field="nope"), "invalid_label"),
        (label(verdict="corrected"), "validation_error"),
    ):
        envelope(keeping.put("/v1/labels", json=body, headers=operator), 422, code)
    for _ in range(2):
        assert keeping.delete(f"/v1/labels/{first['id']}", headers=operator).status_code == 204


def test_a_dataset_copies_what_the_caller_kept_and_counts_it(keeping, operator, inline, envelope):
    kept = keeping.post("/v1/documents", json={"source": inline()}).json()["summary"]
    keeping.put("/v1/types/invoice", json=INVOICE, headers=operator)
    documents = [{"digest": kept["digest"], "name": kept["name"]}, {"digest": ZERO, "name": "unknown"}]
    spec = {"label": "Set", "purpose": "evaluation", "type_id": "invoice", "documents": documents}
    made = keeping.put("/v1/datasets/set", json=spec, headers=operator).json()
    assert (made["readable"], made["examples"]) == (1, 0)
    verdict = keeping.put("/v1/labels", json=label(kept["digest"]), headers=operator).json()
    assert keeping.get("/v1/datasets/set").json()["examples"] == 1
    assert keeping.get("/v1/datasets/set/labels").json()["labels"] == [verdict]
    keeping.delete(f"/v1/documents/{kept['digest']}")
    assert keeping.get("/v1/datasets/set").json()["readable"] == 1
    clash = {**spec, "purpose": "training"}
    envelope(keeping.put("/v1/datasets/other", json=clash, headers=operator), 422, "invalid_dataset")
    assert keeping.delete("/v1/datasets/set", headers=operator).status_code == 204
    assert keeping.get("/v1/labels").json()["labels"] == [verdict]


def test_versions_of_a_router_stay_and_its_requests_follow_the_latest(keeping, operator, inline, envelope):
    keeping.put("/v1/types/invoice", json=INVOICE, headers=operator)
    spec = {"label": "R", "branches": [{"type_id": "invoice"}], "default": {}}
    one = keeping.put("/v1/routers/r", json=spec, headers=operator).json()
    two = keeping.put("/v1/routers/r", json={**spec, "label": "R2"}, headers=operator).json()
    assert (one["version"], two["version"], two["origin"]) == (1, 2, None)
    assert keeping.get("/v1/routers/r/versions").json()["versions"] == [one, two]
    assert keeping.get("/v1/routers/r/versions/1").json() == one
    assert keeping.get("/v1/routers").json()["routers"] == [two]
    asked = {"source": inline(), "router": {"id": "r"}}
    plan = keeping.post("/v1/plan", json=asked).json()["plan"]
    assert plan["router"] == {"id": "r", "version": 2}
    assert keeping.post("/v1/documents", json=asked).json()["result"]["plan"]["router"]["version"] == 2
    older = {"source": inline(), "router": {"id": "r", "version": 1}, "plan": plan, "request_id": "mine"}
    conflict = keeping.post("/v1/encode", json=older)
    envelope(conflict, 409, "plan_conflict", param="plan.router", request_id="mine")
    unknown = keeping.post("/v1/plan", json={**asked, "router": {"id": "nope"}, "request_id": "mine"})
    envelope(unknown, 404, "router_not_found", request_id="mine")
    own = keeping.post(
        "/v1/encode", json={**asked, "chunking": {"chunkers": [{"id": "page"}]}, "granularities": ["CHUNK"]}
    )
    envelope(own, 422, "router_conflict")
    for branch in ({"reader": "nope"}, {"chunkers": [{"id": "nope"}]}, {"embedding_space_ids": ["nope"]}):
        answer = keeping.put("/v1/routers/r", json={**spec, "default": branch}, headers=operator)
        envelope(answer, 422, "invalid_router", type="invalid_router")
    assert keeping.delete("/v1/routers/r", headers=operator).status_code == 204
    envelope(keeping.get("/v1/routers/r/versions"), 404, "router_not_found")


@pytest.fixture
def experiment(keeping, operator, inline):
    """An experiment on one document, not yet run."""
    kept = keeping.post("/v1/documents", json={"source": inline()}).json()["summary"]
    keeping.put("/v1/types/invoice", json=INVOICE, headers=operator)
    keeping.put("/v1/routers/r", json={"label": "R", "branches": [], "default": {}}, headers=operator)
    documents = [{"digest": kept["digest"], "name": kept["name"]}]
    dataset = {"label": "S", "purpose": "evaluation", "type_id": "invoice", "documents": documents}
    keeping.put("/v1/datasets/s", json=dataset, headers=operator)
    keeping.put("/v1/labels", json=label(kept["digest"]), headers=operator)
    branch = {"classification": {"document_ids": ["words"]}}
    candidates = [{"key": "words", "label": "Words", "branch": branch}]
    spec = {"label": "E", "dataset_id": "s", "router_id": "r", "candidates": candidates}
    answer = keeping.put("/v1/experiments/e", json=spec, headers=operator)
    assert answer.status_code == 200, answer.text
    return spec, answer.json()


def test_an_experiment_is_made_once_run_and_promoted(keeping, operator, experiment, envelope, until):
    spec, made = experiment
    assert (made["state"], made["cells"], made["done"]) == ("stopped", 2, 0)
    assert [one["key"] for one in made["candidates"]] == ["production", "words"]
    again = keeping.put("/v1/experiments/e", json=spec, headers=operator)
    envelope(again, 409, "experiment_exists", type="experiment_conflict")
    early = keeping.put("/v1/experiments/e/promotion", json={"candidate": "words"}, headers=operator)
    envelope(early, 409, "experiment_incomplete")
    assert keeping.put("/v1/experiments/e/run", headers=operator).status_code == 200
    until(lambda: keeping.get("/v1/experiments/e").json()["state"] != "running")
    report = keeping.get("/v1/experiments/e").json()
    assert (report["state"], report["done"]) == ("complete", 2)
    promoted = keeping.put(
        "/v1/experiments/e/promotion", json={"candidate": "words"}, headers=operator
    ).json()
    assert promoted["origin"] == {"experiment_id": "e", "candidate": "words"}
    assert keeping.get("/v1/experiments/e").json()["promotion"]["version"] == promoted["version"] == 2
    stale = keeping.put("/v1/routers/r", json={"label": "R", "default": {}}, headers=operator)
    assert stale.status_code == 200
    for candidate in ("production", "nope"):
        answer = keeping.put("/v1/experiments/e/promotion", json={"candidate": candidate}, headers=operator)
        envelope(answer, 422, "invalid_experiment")
    for _ in range(2):
        assert keeping.delete("/v1/experiments/e", headers=operator).status_code == 204
    envelope(keeping.get("/v1/experiments/e"), 404, "experiment_not_found")


def test_a_run_is_stopped_and_an_unknown_one_is_named(keeping, operator, experiment, envelope):
    assert keeping.delete("/v1/experiments/e/run", headers=operator).status_code == 204
    for method in ("PUT", "DELETE"):
        envelope(
            keeping.request(method, "/v1/experiments/x/run", headers=operator), 404, "experiment_not_found"
        )


def test_without_a_runner_an_experiment_is_read_and_not_run(serve_here, operator, envelope, stores):
    del stores["INDX_JOB_RUNNER"]
    client = serve_here(**stores, INDX_WORKSPACE_TOKEN="operator-token")
    assert client.get("/v1/experiments").status_code == 200
    envelope(client.put("/v1/experiments/e/run", headers=operator), 404, "store_disabled")
