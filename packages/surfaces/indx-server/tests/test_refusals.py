"""Every refusal is one flat envelope under its status, in the order that is promised."""

import base64
import io
import json
import zipfile

import pytest

from indx_core.errors import Unavailable

CASES = {
    "no source": ({}, 422, "invalid_request", "validation_error", "source"),
    "empty uri": (
        {"source": {"type": "uri", "uri": ""}},
        422,
        "invalid_request",
        "validation_error",
        "source.uri.uri",
    ),
    "bad base64": (
        {"source": {"type": "inline", "data": "@"}},
        422,
        "invalid_request",
        "validation_error",
        "source.inline.data",
    ),
    "unknown member": ({"nope": 1}, 422, "invalid_request", "validation_error", "nope"),
    "reserved label": (
        {"metadata": {"lanes": 1}},
        422,
        "invalid_request",
        "reserved_metadata_key",
        "metadata",
    ),
    "region": (
        {"granularities": ["REGION"]},
        422,
        "invalid_request",
        "unsupported_granularity",
        "granularities",
    ),
    "classifier": (
        {"classification": {"document_ids": ["no"]}},
        422,
        "invalid_lane",
        "unknown_classifier",
        "classification.document_ids",
    ),
    "extractor": (
        {"extraction": {"page_ids": ["no"]}},
        422,
        "invalid_lane",
        "unknown_extractor",
        "extraction.page_ids",
    ),
    "enricher": (
        {"enrichment": {"document_ids": ["no"]}},
        422,
        "invalid_lane",
        "unknown_enricher",
        "enrichment.document_ids",
    ),
    "chunk lane": (
        {"enrichment": {"chunk_ids": ["extractive-chunk"]}},
        422,
        "invalid_lane",
        "granularity_required",
        "enrichment.chunk_ids",
    ),
    "chunker": (
        {"granularities": ["CHUNK"], "chunking": {"chunkers": [{"id": "no"}]}},
        422,
        "invalid_chunker",
        "unknown_chunker",
        "chunking.chunkers",
    ),
    "chunker version": (
        {"granularities": ["CHUNK"], "chunking": {"chunkers": [{"id": "pdf", "version": 99}]}},
        422,
        "invalid_chunker",
        "unknown_chunker_version",
        "chunking.chunkers",
    ),
    "chunker without chunks": (
        {"chunking": {"chunkers": [{"id": "page"}]}},
        422,
        "invalid_chunker",
        "granularity_required",
        "chunking",
    ),
    "space": (
        {"granularities": ["CHUNK"], "embedding_space_ids": ["no"]},
        422,
        "invalid_embedding_space",
        "unknown_embedding_space",
        "embedding_space_ids",
    ),
    "router": ({"router": {"id": "r"}}, 404, "store_disabled", "store_disabled", None),
    "snapshot": ({"snapshot_id": "sha256:" + "0" * 64}, 409, "plan_conflict", "plan_conflict", "snapshot_id"),
    "scheme": (
        {"source": {"type": "uri", "uri": "gopher://x"}},
        415,
        "unsupported_media_type",
        "unsupported_source",
        "source.uri.uri",
    ),
    "type": (
        {"source": {"type": "inline", "data": "AAEC"}},
        415,
        "unsupported_media_type",
        "unsupported_media_type",
        None,
    ),
    "broken": (
        {"source": {"type": "inline", "data": "JVBERi0xLjQK", "filename": "x.pdf"}},
        422,
        "source_error",
        "source_unreadable",
        None,
    ),
    "exhausted": (
        {
            "source": {
                "type": "inline",
                "data": base64.b64encode(b"bug").decode(),
                "media_type": "text/x-slow",
            },
        },
        422,
        "source_error",
        "source_unreadable",
        None,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_request_is_refused_and_its_own_identifier_comes_back(client, inline, envelope, case):
    fields, status, kind, code, param = CASES[case]
    source = {} if case == "no source" else {"source": inline()}
    answer = client.post("/v1/encode", json={**source, **fields, "request_id": "mine"})
    envelope(answer, status, code, type=kind, param=param, request_id="mine")
    assert answer.headers["x-request-id"] != "mine"


def test_an_archive_is_refused_with_what_reads_it_and_no_command_is_told(client, inline, envelope):
    with zipfile.ZipFile(packed := io.BytesIO(), "w") as archive:
        archive.writestr("a.md", "words")
    for path in ("/v1/plan", "/v1/encode"):
        answer = client.post(path, json={"source": inline(packed.getvalue(), filename="docs")})
        message = envelope(answer, 415, "unsupported_media_type")["message"]
        assert message.endswith("application/zip; a ZIP or TAR is read when a knowledge space is built of it")
    answer = client.post("/v1/plan", json={"source": inline(b"\0\1\2", filename="a.bin")})
    message = envelope(answer, 415, "unsupported_media_type")["message"]
    assert message.endswith("; the capabilities of this installation list what it reads")


def test_a_route_that_is_exhausted_is_503(client, inline, envelope):
    told = {"constraints": {"fallbacks_allowed": False, "capability_ids": ["slow-reader-apart"]}}
    answer = client.post(
        "/v1/encode", json={"source": inline(b"die", media_type="text/x-slow-apart"), **told}
    )
    envelope(answer, 503, "route_exhausted", type="unavailable")


def test_an_embedder_that_fails_is_503(client, envelope, monkeypatch, registry):
    embedder = registry.find("indx.embedders", "hash")

    def fail(batch, *, role, deadline):
        raise OSError("down")

    provider = embedder or registry.usable("indx.embedders")[0]
    space = provider.item.declaration.space.id
    monkeypatch.setattr(type(provider.item), "embed", lambda self, *given, **told: fail(*given, **told))
    query = {"embedding_space_id": space, "input": {"type": "text", "text": "words"}, "request_id": "mine"}
    answer = client.post("/v1/embed", json=query)
    envelope(answer, 503, "embedder_unavailable", type="unavailable", request_id="mine")


def test_unknown_paths_and_wrong_methods_have_the_envelope_too(client, envelope):
    for path in ("/nope", "/v1", "/v1/plan/", "/v1/documents/", "//v1/plan", "/v1/%00", "/v1/routers/x"):
        envelope(client.get(path), 404 if path != "/v1/routers/x" else 405, client.get(path).json()["code"])
    answer = client.put("/v1/plan")
    envelope(answer, 405, "method_not_allowed", type="http_error")
    assert answer.headers["allow"] == "POST"
    envelope(client.get("/nope"), 404, "not_found", type="http_error")
    several = client.options("/v1/types/a")
    assert envelope(several, 405, "method_not_allowed")["message"].endswith("use DELETE, GET, PUT")
    assert several.headers["allow"] == "DELETE, GET, PUT"


@pytest.mark.parametrize("body", [b"{", b"", b"[1", b"\xff\xfe", b"nul"])
def test_a_body_that_is_no_json_is_named(client, envelope, body):
    answer = client.post("/v1/encode", content=body, headers={"content-type": "application/json"})
    envelope(answer, 422, "validation_error", param="body")


@pytest.mark.parametrize(
    "body", ['"text"', '{"source": NaN}', "[]", "null", '{"request_id": 7}', '{"request_id": "a\\u0000b"}']
)
def test_json_of_another_shape_is_refused(client, envelope, body):
    answer = client.post("/v1/encode", content=body, headers={"content-type": "application/json"})
    envelope(answer, 422, "validation_error")


def test_text_that_utf8_cannot_hold_is_answered_in_utf8(client, envelope):
    for text in ("\\ud800", "\\u0000", "a\\nb"):
        body = f'{{"source": {{"type": "uri", "uri": "x:{text}"}}, "request_id": "{text}"}}'
        answer = client.post("/v1/encode", content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (415, 422)
        assert json.loads(answer.content.decode("utf-8"))["code"]


def test_deep_json_is_refused_and_not_followed(client, envelope):
    body = b'{"metadata": ' + b'{"a":' * 10_000 + b"1" + b"}" * 10_000 + b"}"
    answer = client.post("/v1/encode", content=body, headers={"content-type": "application/json"})
    envelope(answer, 422, "validation_error")


@pytest.mark.parametrize(
    "kind",
    [
        None,
        "text/plain",
        "application/xml",
        "application/json; charset=latin-1",
        "application/x-www-form-urlencoded",
    ],
)
def test_another_content_type_is_refused_before_the_body_is_looked_at(client, envelope, kind):
    headers = {} if kind is None else {"content-type": kind}
    answer = client.post("/v1/encode", content=b"{", headers=headers)
    envelope(answer, 415, "unsupported_content_type", type="unsupported_media_type")


@pytest.mark.parametrize(
    "kind", ["application/json; charset=UTF-8", "APPLICATION/JSON", "application/ld+json"]
)
def test_json_may_be_declared_in_any_usual_way(client, inline, kind):
    body = json.dumps({"source": inline()})
    assert client.post("/v1/plan", content=body, headers={"content-type": kind}).status_code == 200


def test_a_compressed_body_is_refused(client, envelope):
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    envelope(client.post("/v1/plan", content=b"x", headers=headers), 415, "unsupported_content_type")


def test_a_store_that_is_not_there_is_said_before_the_token_and_the_body(client, envelope):
    paths = [
        ("GET", "/v1/documents"),
        ("POST", "/v1/documents"),
        ("GET", "/v1/documents/x"),
        ("DELETE", "/v1/documents/x"),
        ("GET", "/v1/documents/x/source"),
        ("POST", "/v1/search"),
        ("GET", "/v1/types"),
        ("GET", "/v1/types/x"),
        ("PUT", "/v1/types/x"),
        ("DELETE", "/v1/types/x"),
        ("GET", "/v1/labels"),
        ("PUT", "/v1/labels"),
        ("DELETE", "/v1/labels/x"),
        ("GET", "/v1/datasets"),
        ("GET", "/v1/datasets/x"),
        ("PUT", "/v1/datasets/x"),
        ("DELETE", "/v1/datasets/x"),
        ("GET", "/v1/datasets/x/labels"),
        ("GET", "/v1/routers"),
        ("PUT", "/v1/routers/x"),
        ("DELETE", "/v1/routers/x"),
        ("GET", "/v1/routers/x/versions"),
        ("GET", "/v1/routers/x/versions/1"),
        ("GET", "/v1/experiments"),
        ("GET", "/v1/experiments/x"),
        ("PUT", "/v1/experiments/x"),
        ("DELETE", "/v1/experiments/x"),
        ("PUT", "/v1/experiments/x/run"),
        ("DELETE", "/v1/experiments/x/run"),
        ("PUT", "/v1/experiments/x/promotion"),
    ]
    for method, path in paths:
        envelope(client.request(method, path, content=b"{"), 404, "store_disabled", type="store_disabled")


def test_a_bug_is_told_to_the_log_and_to_no_caller(client, inline, envelope, caplog, monkeypatch):
    def fail(*given, **told):
        raise RuntimeError("the password is hunter2, at /etc/shadow")

    monkeypatch.setattr(client.service.engine, "encode", fail)
    answer = client.post("/v1/encode", json={"source": inline()}, headers={"X-Request-ID": "find-me"})
    body = envelope(answer, 500, "internal_error", type="internal_error")
    assert "hunter2" not in answer.text
    assert "shadow" not in answer.text
    assert "Traceback" not in answer.text
    assert "X-Request-ID" in body["message"]
    assert answer.headers["x-request-id"] == "find-me"
    assert "hunter2" in caplog.text


def test_a_store_that_is_busy_says_when_to_come_back_and_the_log_says_why(
    keeping, envelope, caplog, monkeypatch
):
    def fail(**narrowed):
        raise Unavailable("the store is busy", code="busy") from OSError("no route to db.internal")

    monkeypatch.setattr(keeping.service.workspace.labels, "list", fail)
    answer = keeping.get("/v1/labels")
    envelope(answer, 503, "busy", type="unavailable")
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    assert "db.internal" not in answer.text
    assert "db.internal" in caplog.text


def test_a_setting_that_went_wrong_meanwhile_is_told_to_the_log_alone(
    client, inline, envelope, caplog, monkeypatch
):
    monkeypatch.setenv("INDX_MAX_INPUT_BYTES", "lots")
    answer = client.post("/v1/encode", json={"source": inline()})
    envelope(answer, 500, "internal_error")
    assert "INDX_MAX_INPUT_BYTES" not in answer.text
    assert "INDX_MAX_INPUT_BYTES" in caplog.text


def test_what_the_contract_has_and_this_version_has_not_is_501(client, inline, envelope, monkeypatch):
    from indx_core.errors import NotLanded

    def refuse(*given, **told):
        raise NotLanded("not yet")

    monkeypatch.setattr(client.service.engine, "plan", refuse)
    answer = client.post("/v1/plan", json={"source": inline()})
    envelope(answer, 501, "not_implemented", type="not_implemented")


@pytest.mark.parametrize(
    "uri",
    [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://[::1]/",
        "http://169.254.169.254/latest/meta-data",
        "http://10.0.0.1/",
        "http://100.64.0.1/",
        "http://0.0.0.0/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://[::ffff:127.0.0.1]/",
    ],
)
def test_a_server_fetches_nothing_from_its_own_network(client, envelope, uri):
    for path in ("/v1/plan", "/v1/encode"):
        answer = client.post(path, json={"source": {"type": "uri", "uri": uri}, "request_id": "mine"})
        body = envelope(answer, 422, "source_forbidden", type="source_error", request_id="mine")
        assert "INDX_LOADER_HTTP_ALLOW_PRIVATE_HOSTS" in body["message"]
    query = {"embedding_space_id": "default-text", "input": {"type": "uri", "uri": uri}}
    assert client.post("/v1/embed", json=query).status_code == 422


def test_an_address_looked_up_by_name_is_guarded_and_not_told(client, envelope, monkeypatch):
    import socket

    def found(host, port, *more, **told):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.20.30.40", port or 80))]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    answer = client.post("/v1/plan", json={"source": {"type": "uri", "uri": "http://example.org/a.md"}})
    envelope(answer, 422, "source_forbidden")
    assert "10.20.30.40" not in answer.text


def test_files_outside_the_roots_and_schemes_that_are_closed_are_refused(
    client, envelope, tmp_path, monkeypatch
):
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "a.md").write_text("# A")
    (tmp_path / "b.md").write_text("# B")
    monkeypatch.setenv("INDX_LOADER_FILE_ROOTS", str(inside))

    def ask(path):
        return client.post("/v1/plan", json={"source": {"type": "uri", "uri": f"file://{path}"}})

    assert ask(inside / "a.md").status_code == 200
    envelope(ask(tmp_path / "b.md"), 422, "source_forbidden")
    envelope(ask(inside / ".." / "b.md"), 422, "source_forbidden")
    monkeypatch.setenv("INDX_URI_SCHEMES", "none")
    envelope(ask(inside / "a.md"), 415, "unsupported_source")
    assert client.get("/v1/capabilities").json()["resolvable"]["schemes"] == []
