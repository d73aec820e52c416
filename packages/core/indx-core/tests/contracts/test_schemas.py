"""The published schemas: of `index.json`, and of every wire model against a golden file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from indx_core import contracts
from indx_core.contracts import EncodeRequest, EncodeResult, index_schema, wire_schemas

GOLDEN = Path(__file__).with_name("schemas.json")
REGENERATE = (
    "the wire changed; if that is meant, run: "
    "uv run python -m indx_core.contracts.schema > packages/core/indx-core/tests/contracts/schemas.json"
)


def test_the_schemas_of_all_wire_models_are_the_golden_ones() -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))["$defs"]
    schemas = wire_schemas()["$defs"]
    assert schemas.keys() == golden.keys(), REGENERATE
    changed = sorted(name for name in golden if golden[name] != schemas[name])
    assert not changed, f"{changed}: {REGENERATE}"


def test_every_public_model_is_described() -> None:
    described = {name.partition("-")[0] for name in wire_schemas()["$defs"]}
    abstract = {"ContentAddressed", "Numbered", "RequestModel", "SpaceModel", "WireModel"}
    models = {name for name in contracts.__all__ if hasattr(getattr(contracts, name), "model_json_schema")}
    assert models - abstract <= described


def test_the_index_schema_is_a_valid_draft_2020_12_schema_with_the_published_parts() -> None:
    schema = index_schema()
    Draft202012Validator.check_schema(schema)
    assert schema["title"] == "indx index.json"
    assert schema["required"] == ["version", "root", "documents", "chunks"]
    assert list(schema["$defs"]) == ["source", "relation", "chunk", "document", "stats"]
    assert schema["$defs"]["chunk"]["required"] == ["id", "doc_id", "position", "text"]


@pytest.mark.parametrize("key", ["version", "root", "documents", "chunks"])
def test_an_index_without_a_mandatory_key_is_invalid(key: str) -> None:
    index = {"version": "1.0", "root": "/docs", "documents": [], "chunks": []}
    Draft202012Validator(index_schema()).validate(index)
    del index[key]
    with pytest.raises(ValidationError):
        Draft202012Validator(index_schema()).validate(index)


def test_an_answer_validates_against_its_own_schema(encode_result: EncodeResult) -> None:
    schema = EncodeResult.model_json_schema(mode="serialization")
    Draft202012Validator(schema).validate(json.loads(encode_result.model_dump_json()))


def test_an_optional_member_of_an_answer_is_described_as_absent_and_never_null() -> None:
    block = EncodeResult.model_json_schema(mode="serialization")["$defs"]["Block"]
    assert block["properties"]["text"]["type"] == "string"
    assert "text" not in block["required"]
    assert {"type": "null"} in block["properties"]["parent_id"]["anyOf"]
    assert "parent_id" in block["required"]


@pytest.mark.parametrize(
    ("body", "sound"),
    [
        ({"source": {"type": "uri", "uri": "file:///a"}}, True),
        ({"source": {"type": "uri", "uri": ""}}, False),
        ({"source": {"uri": "file:///a"}}, False),
        ({"source": {"type": "inline", "data": "YQ==", "name": "a"}}, False),
        ({"source": {"type": "uri", "uri": "a\0"}}, False),
        ({"source": {"type": "uri", "uri": "a:b"}, "metadata": {"lanes": 1}}, False),
        ({"source": {"type": "uri", "uri": "a:b"}, "metadata": {"lane": {"x": [1]}}}, True),
        ({"source": {"type": "uri", "uri": "a:b"}, "granularities": []}, False),
        ({"source": {"type": "uri", "uri": "a:b"}, "signature_detection": "true"}, False),
        ({"source": {"type": "uri", "uri": "a:b"}, "constraints": {"minimum_quality": 1.5}}, False),
        ({"source": {"type": "uri", "uri": "a:b"}, "constraints": {"maximum_latency_ms": "9"}}, False),
        ({"source": {"type": "uri", "uri": "a:b"}, "extraction": {"document_ids": ["x"]}}, False),
        ({"source": {"type": "uri", "uri": "a:b"}, "router": {"id": "Ä"}}, False),
        ({"source": {"type": "uri", "uri": "a:b"}, "request_id": None}, True),
    ],
)
def test_the_schema_of_a_request_and_its_model_agree(body: dict[str, Any], sound: bool) -> None:
    schema = EncodeRequest.model_json_schema()
    assert Draft202012Validator(schema).is_valid(body) is sound
    try:
        EncodeRequest.model_validate(body)
    except ValueError:
        assert not sound
    else:
        assert sound
