"""Plan, encode and embed over HTTP: JSON and multipart are one request, and the answer is the contract's."""

import json
import struct
import zlib

import pytest

CHUNKS = {"granularities": ["PAGE", "CHUNK"], "embedding_space_ids": ["default-text"]}


def png():
    def part(kind, data):
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + part(b"IHDR", head)
        + part(b"IDAT", zlib.compress(bytes(4)))
        + part(b"IEND", b"")
    )


def masked(value):
    if isinstance(value, dict):
        return {name: 0 if name == "latency_ms" else masked(member) for name, member in value.items()}
    return [masked(member) for member in value] if isinstance(value, list) else value


def test_health_tells_the_version_and_nothing_else(client):
    answer = client.get("/health")
    assert answer.status_code == 200
    assert set(answer.json()) == {"status", "version"}
    assert answer.json()["status"] == "ok"


def test_ready_tells_what_was_checked(client):
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()) == (
        200,
        {"ready": True, "checks": {"engine": True, "stores": True}},
    )


def test_a_server_whose_store_fails_is_not_ready(client, monkeypatch, caplog):
    def fail():
        raise OSError("gone")

    monkeypatch.setattr(client.service.workspace, "expire", fail)
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()["checks"]["stores"]) == (503, False)
    assert "gone" not in answer.text
    assert "gone" in caplog.text


def test_capabilities_are_those_of_the_engine_now_and_as_retained(client, envelope):
    current = client.get("/v1/capabilities").json()
    assert current == json.loads(client.service.engine.capabilities().model_dump_json())
    again = client.get("/v1/capabilities", params={"snapshot_id": current["snapshot_id"]})
    assert again.json() == current
    for unknown in ("sha256:" + "0" * 64, "../../etc/passwd", ""):
        answer = client.get("/v1/capabilities", params={"snapshot_id": unknown})
        envelope(answer, 404, "snapshot_not_found", type="not_found", param="snapshot_id")


@pytest.mark.parametrize("operation", ["plan", "encode"])
def test_a_file_beside_its_request_is_the_same_request_as_json(client, inline, operation):
    told = {**CHUNKS, "request_id": "mine"}
    whole = client.post(f"/v1/{operation}", json={"source": inline(), **told})
    apart = client.post(
        f"/v1/{operation}",
        files={
            "file": ("note.md", _note(inline), "application/octet-stream"),
            "request": (None, json.dumps(told)),
        },
    )
    assert whole.status_code == apart.status_code == 200, apart.text
    assert masked(whole.json()) == masked(apart.json())
    assert whole.json()["plan"]["request_id"] == "mine"


def _note(inline):
    import base64

    return base64.b64decode(inline()["data"])


def test_a_part_may_come_as_a_file_with_a_name_of_its_own_and_may_be_left_out(client):
    named = {"file": ("a.md", b"# A"), "request": ("r.json", b'{"request_id": "x"}', "application/json")}
    assert client.post("/v1/plan", files=named).json()["plan"]["request_id"] == "x"
    assert client.post("/v1/plan", files={"file": ("a.md", b"# A")}).status_code == 200


def test_the_declared_type_and_the_name_of_an_upload_travel_with_it(client):
    answer = client.post("/v1/encode", files={"file": ('記録 "1".csv', b"a,b\n1,2\n", "text/csv")})
    document = answer.json()["blocks"][0]
    assert document["provenance"]["filename"].startswith("記録")
    assert document["provenance"]["media_type"] == "text/csv"


def test_a_plan_given_back_is_executed_and_one_for_other_bytes_conflicts(client, inline, envelope):
    plan = client.post("/v1/plan", json={"source": inline(), **CHUNKS}).json()["plan"]
    told = {"plan": plan, **CHUNKS}
    answer = client.post("/v1/encode", json={"source": inline(), **told})
    assert answer.json()["plan"]["plan_id"] == plan["plan_id"]
    other = client.post("/v1/encode", json={"source": inline(b"# Other", filename="o.md"), **told})
    envelope(other, 409, "plan_conflict", param="plan.source_digest")


def test_an_unsatisfied_plan_is_an_answer(client, inline):
    told = {"constraints": {"capability_ids": ["nothing-of-this-name"]}}
    answer = client.post("/v1/encode", json={"source": inline(), **told})
    assert answer.status_code == 200
    assert answer.json()["trace"]["status"] == "failed"
    assert answer.json()["plan"]["unsatisfied"][0].startswith("capability_ids:")


def test_a_query_is_embedded_and_an_image_only_where_a_space_takes_images(client, envelope):
    query = {
        "embedding_space_id": "default-text",
        "input": {"type": "text", "text": "words"},
        "request_id": "q",
    }
    answer = client.post("/v1/embed", json=query).json()
    assert (len(answer["vectors"][0]["values"]), answer["request_id"]) == (256, "q")
    part = {"embedding_space_id": "default-text", "request_id": "q"}
    files = {"file": ("a.png", png(), "image/png"), "request": (None, json.dumps(part))}
    refused = client.post("/v1/embed", files=files)
    envelope(refused, 422, "no_query_embedder", type="invalid_embedding_space", request_id="q")
    missing = client.post("/v1/embed", files={"file": ("a.png", png())})
    envelope(missing, 422, "validation_error", param="embedding_space_id")


def test_nothing_is_kept_of_an_operation(keeping, inline):
    keeping.post("/v1/encode", json={"source": inline(), **CHUNKS})
    assert "set-cookie" not in keeping.post("/v1/plan", json={"source": inline()}).headers
    assert keeping.get("/v1/documents").json() == {"documents": []}


def test_thirty_requests_at_once_each_get_their_own_answer(client):
    from concurrent.futures import ThreadPoolExecutor

    def ask(number):
        text = f"# Document {number}\n\nword{number} stands here.\n".encode()
        told = json.dumps({"granularities": ["CHUNK"], "request_id": str(number), "metadata": {"n": number}})
        files = {"file": (f"{number}.md", text, "text/markdown"), "request": (None, told)}
        return number, client.post("/v1/encode", files=files, headers={"X-Request-ID": f"r{number}"})

    with ThreadPoolExecutor(8) as threads:
        for number, answer in threads.map(ask, range(30)):
            body = answer.json()
            assert answer.headers["x-request-id"] == f"r{number}"
            assert body["request_id"] == str(number)
            assert body["blocks"][0]["metadata"]["n"] == number
            assert any(f"word{number} " in block.get("text", "") for block in body["blocks"])
