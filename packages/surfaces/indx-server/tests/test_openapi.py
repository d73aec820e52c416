"""The OpenAPI document describes every route, and a client made from it works against a running server."""

import importlib
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROUTES = {
    "/health": "get",
    "/ready": "get",
    "/metrics": "get",
    "/v1/capabilities": "get",
    "/v1/plan": "post",
    "/v1/encode": "post",
    "/v1/embed": "post",
    "/v1/documents": "get post",
    "/v1/documents/{digest}": "get delete",
    "/v1/documents/{digest}/source": "get",
    "/v1/search": "post",
    "/v1/types": "get",
    "/v1/types/{id}": "get put delete",
    "/v1/labels": "get put",
    "/v1/labels/{id}": "delete",
    "/v1/datasets": "get",
    "/v1/datasets/{id}": "get put delete",
    "/v1/datasets/{id}/labels": "get",
    "/v1/routers": "get",
    "/v1/routers/{id}": "put delete",
    "/v1/routers/{id}/versions": "get",
    "/v1/routers/{id}/versions/{version}": "get",
    "/v1/experiments": "get",
    "/v1/experiments/{id}": "get put delete",
    "/v1/experiments/{id}/run": "put delete",
    "/v1/experiments/{id}/promotion": "put",
}


@pytest.fixture
def document(client):
    return client.get("/openapi.json").json()


def operations(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def test_every_route_of_the_contract_is_there_and_no_other(document):
    assert {path: set(methods) for path, methods in document["paths"].items()} == {
        path: set(methods.split()) for path, methods in ROUTES.items()
    }


def test_every_refusal_is_the_envelope_and_names_its_codes(document):
    from indx_core import errors

    known = {}
    for kind in (getattr(errors, name) for name in errors.__all__ if name[0].isupper()):
        for code in kind.codes:
            known.setdefault(kind.status, set()).add(code)
    for name, operation in operations(document):
        for status, response in operation["responses"].items():
            assert "X-Request-ID" in response["headers"], name
            if int(status) >= 400 and (name, status) != ("GET /ready", "503"):
                schema = response["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/ErrorEnvelope"}
                codes = {code.strip("`") for code in response["description"].split(", ")}
                assert codes <= known[int(status)], (name, status)


def test_unknown_paths_and_wrong_methods_belong_to_no_operation(document):
    for name, operation in operations(document):
        assert "405" not in operation["responses"], name
        assert "`not_found`" not in json.dumps(operation), name


def test_every_deletion_answers_204_and_a_keep_201(document):
    for name, operation in operations(document):
        success = [status for status in operation["responses"] if status[0] == "2"]
        expected = "204" if name.startswith("DELETE") else "201" if name == "POST /v1/documents" else "200"
        assert success == [expected], name


def test_an_answer_has_one_kind_of_content(document):
    kinds = {
        name: list(response["content"])
        for name, operation in operations(document)
        for status, response in operation["responses"].items()
        if status[0] == "2" and "content" in response
    }
    assert kinds.pop("GET /metrics") == ["text/plain"]
    assert kinds.pop("GET /v1/documents/{digest}/source") == ["application/octet-stream"]
    assert {kind for only in kinds.values() for kind in only} == {"application/json"}


def test_a_part_beside_a_file_has_a_schema_of_its_own(document):
    schemas = document["components"]["schemas"]
    for path, form, part in (
        ("plan", "PlanForm", "PlanRequestPart"),
        ("encode", "EncodeForm", "EncodeRequestPart"),
        ("embed", "EmbedForm", "EmbedRequestPart"),
        ("documents", "EncodeForm", "EncodeRequestPart"),
    ):
        content = document["paths"][f"/v1/{path}"]["post"]["requestBody"]["content"]
        assert set(content) == {"application/json", "multipart/form-data"}
        assert content["multipart/form-data"]["schema"] == {"$ref": f"#/components/schemas/{form}"}
        assert schemas[form]["properties"]["request"] == {"$ref": f"#/components/schemas/{part}"}
        assert "source" not in schemas[part]["properties"]


def test_every_reference_leads_somewhere_and_nothing_is_left_over(document):
    text = json.dumps(document)
    named = {part.partition('"')[0] for part in text.split('"$ref": "#/components/schemas/')[1:]}
    assert named == set(document["components"]["schemas"])
    assert "$defs" not in text
    assert "HTTPValidationError" not in text


@pytest.fixture(scope="module")
def generated(tmp_path_factory, registry):
    """The package that a client generator makes of the document."""
    from indx_server.app import create_app

    folder = tmp_path_factory.mktemp("generated")
    file, config = folder / "openapi.json", folder / "config.yml"
    file.write_text(json.dumps(create_app()._app.openapi()))
    config.write_text("post_hooks: []\n")
    tool = str(Path(sys.executable).with_name("openapi-python-client"))
    made = subprocess.run(
        [
            tool,
            "generate",
            "--path",
            file,
            "--config",
            config,
            "--meta",
            "none",
            "--output-path",
            folder / "indx_made",
            "--fail-on-warning",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    sys.path.insert(0, str(folder))
    yield lambda name: importlib.import_module(f"indx_made{name}")
    sys.path.remove(str(folder))


def test_a_client_made_from_it_plans_encodes_embeds_keeps_and_searches(generated, serve_apart, tmp_path):
    server = serve_apart("--store", f"sqlite:{tmp_path / 'kept.db'}", INDX_STORE_COOKIE_SECURE="false")
    models, types = generated(".models"), generated(".types")
    client = generated(".client").Client(base_url=server.url, headers={"Connection": "close"})

    def call(operation, **told):
        return generated(f".api.default.{operation}").sync_detailed(client=client, **told)

    snapshot = call("capabilities").parsed
    assert snapshot.limits.max_input_bytes > 0
    text = b"# Retention\n\nBackups are kept for a year.\n"
    plan_form = models.PlanForm(
        file=types.File(payload=io.BytesIO(text), file_name="a.md", mime_type="text/markdown"),
        request=models.PlanRequestPart.from_dict({"granularities": ["CHUNK"], "request_id": "mine"}),
    )
    planned = call("plan", body=plan_form)
    assert planned.status_code == 200
    assert planned.parsed.plan.request_id == "mine"
    source = {"type": "uri", "uri": "data:text/markdown,%23%20A"}
    request = models.EncodeRequest.from_dict({"source": source, "granularities": ["CHUNK"]})
    encoded = call("encode", body=request, x_request_id="correlated")
    assert encoded.headers["x-request-id"] == "correlated"
    assert encoded.parsed.blocks[0].scope == "DOCUMENT"
    query = {"embedding_space_id": "default-text", "input": {"type": "text", "text": "backups"}}
    assert len(call("embed", body=models.EmbedRequest.from_dict(query)).parsed.vectors[0].values) == 256
    form = models.EncodeForm(
        file=types.File(payload=io.BytesIO(text), file_name="a.md", mime_type="text/markdown"),
        request=models.EncodeRequestPart.from_dict({"granularities": ["CHUNK"]}),
    )
    kept = call("keep_document", body=form, name="named")
    assert kept.status_code == 201
    client = client.with_cookies({"indx_owner": kept.headers["set-cookie"].split("=")[1].split(";")[0]})
    found = call("search", body=models.SearchRequest(query="backups")).parsed
    assert [hit.name for hit in found.hits] == ["named"]
    digest = kept.parsed.summary.digest
    assert call("read_source", digest=digest).content == text
    assert call("forget_document", digest=digest).status_code == 204
    refused = call("read_document", digest=digest)
    assert (refused.status_code, refused.parsed.code) == (404, "document_not_found")
