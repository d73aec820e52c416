"""What a caller may write, and what is refused with which place named."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from indx_core.contracts import (
    RESERVED_LABELS,
    RESERVED_METADATA_KEY,
    Constraints,
    EmbedRequest,
    EmbedRequestPart,
    EncodeRequest,
    EncodeRequestPart,
    InlineSource,
    Plan,
    PlanRequest,
    PlanRequestPart,
    SearchRequest,
    TextInput,
    UriSource,
)

URI = {"type": "uri", "uri": "file:///a.txt"}


def refusal(model: type[BaseModel], body: Any) -> tuple[str, str]:
    """Return where and why a body is refused, as a transport would report it."""
    with pytest.raises(ValidationError) as caught:
        model.model_validate(body)
    first = caught.value.errors(include_url=False)[0]
    return ".".join(map(str, first["loc"])), first["type"]


def test_an_encode_request_needs_only_a_source() -> None:
    request = EncodeRequest.model_validate({"source": URI})
    assert request.granularities == ("DOCUMENT", "PAGE")
    assert request.embedding_space_ids == ()
    assert request.signature_detection is False
    assert request.constraints is None
    assert request.plan is None


def test_granularities_are_kept_once_each_in_the_order_of_the_scopes() -> None:
    request = PlanRequest.model_validate(
        {"source": URI, "granularities": ["CHUNK", "PAGE", "CHUNK", "DOCUMENT"]}
    )
    assert request.granularities == ("DOCUMENT", "PAGE", "CHUNK")


@pytest.mark.parametrize(
    ("body", "where", "why"),
    [
        ({}, "source", "missing"),
        ({"source": {"type": "uri", "uri": ""}}, "source.uri.uri", "string_too_short"),
        ({"source": {"type": "inline"}}, "source.inline.data", "missing"),
        ({"source": {"type": "inline", "data": "YQ"}}, "source.inline.data", "base64_invalid"),
        ({"source": {"type": "ftp"}}, "source", "union_tag_invalid"),
        (
            {"source": {"type": "uri", "uri": "a:b", "sha256": "ab"}},
            "source.uri.sha256",
            "string_pattern_mismatch",
        ),
        ({"source": {"type": "uri", "uri": "a\0"}}, "source.uri.uri", "text_unfit"),
        ({"source": {"type": "uri", "uri": "\ud800"}}, "source.uri.uri", "string_unicode"),
        ({"source": URI, "mystery": 1}, "mystery", "extra_forbidden"),
        ({"source": URI, "snapshot_id": "abc"}, "snapshot_id", "string_pattern_mismatch"),
        ({"source": URI, "granularities": ["LINE"]}, "granularities.0", "literal_error"),
        ({"source": URI, "granularities": []}, "granularities", "too_short"),
        (
            {"source": URI, "constraints": {"maximum_cost_usd": -1}},
            "constraints.maximum_cost_usd",
            "greater_than_equal",
        ),
        ({"source": URI, "constraints": {"budget": 1}}, "constraints.budget", "extra_forbidden"),
        (
            {"source": URI, "extraction": {"document_ids": ["x"]}},
            "extraction.document_ids",
            "extra_forbidden",
        ),
        (
            {"source": URI, "classification": {"page_ids": [""]}},
            "classification.page_ids.0",
            "string_too_short",
        ),
        (
            {"source": URI, "chunking": {"chunkers": [{"id": "pdf", "version": 0}]}},
            "chunking.chunkers.0.version",
            "greater_than_equal",
        ),
        ({"source": URI, "router": {"id": "../x"}}, "router.id", "string_pattern_mismatch"),
        ({"source": URI, "metadata": {"a": float("nan")}}, "metadata", "json_unfit"),
        ({"source": URI, "metadata": {"a": ["x\0"]}}, "metadata", "json_unfit"),
        ({"source": URI, "metadata": {"\0": 1}}, "metadata", "json_unfit"),
        ({"source": URI, "metadata": {"a": ["\ud800"]}}, "metadata", "json_unfit"),
        ({"source": URI, "metadata": {"a": {1: 2}}}, "metadata", "json_unfit"),
        ({"source": URI, "metadata": {"a": b"x"}}, "metadata", "json_unfit"),
        ({"source": URI, "metadata": [1]}, "metadata", "dict_type"),
    ],
)
def test_a_bad_member_is_refused_at_its_place(body: dict[str, Any], where: str, why: str) -> None:
    assert refusal(EncodeRequest, body) == (where, why)


@pytest.mark.parametrize("label", sorted(RESERVED_LABELS))
def test_each_reserved_label_is_refused_under_its_own_code(label: str) -> None:
    assert refusal(EncodeRequest, {"source": URI, "metadata": {"owner": "me", label: 1}}) == (
        "metadata",
        RESERVED_METADATA_KEY,
    )


def test_the_reserved_labels_are_the_seven_the_executor_writes() -> None:
    assert sorted(RESERVED_LABELS) == [
        "chunk_classification",
        "chunk_enrichment",
        "classification",
        "enrichment",
        "entities",
        "lanes",
        "languages",
    ]


def test_labels_come_back_as_they_were_given() -> None:
    labels = {"owner": "営業", "nested": {"a": [1, None, {"b": 2.5}]}, "invoice": "mine"}
    assert EncodeRequest.model_validate({"source": URI, "metadata": labels}).metadata == labels


def test_labels_nested_too_deep_are_refused_in_a_short_message() -> None:
    nested: list[Any] = []
    for _ in range(5000):
        nested = [nested]
    with pytest.raises(ValidationError, match="holds more than 64 levels") as caught:
        EncodeRequest.model_validate({"source": URI, "metadata": {"a": nested}})
    assert caught.value.errors()[0]["loc"] == ("metadata",)


def test_an_unfit_label_is_named_by_its_place() -> None:
    with pytest.raises(ValidationError, match=r"'owners\.1\.name' holds a number that is not finite"):
        EncodeRequest.model_validate({"source": URI, "metadata": {"owners": [1, {"name": float("inf")}]}})


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1, 10**5000], ids=["above", "below", "huge"])
def test_a_whole_number_that_stores_cannot_keep_is_refused(number: int) -> None:
    with pytest.raises(ValidationError, match="'a' holds a whole number beyond 64 bits"):
        EncodeRequest.model_validate({"source": URI, "metadata": {"a": number}})


def test_a_plan_request_takes_no_labels() -> None:
    assert refusal(PlanRequest, {"source": URI, "metadata": {}}) == ("metadata", "extra_forbidden")


def test_lanes_keep_their_order_and_are_asked_once() -> None:
    request = EncodeRequest.model_validate({"source": URI, "classification": {"page_ids": ["b", "a", "b"]}})
    assert request.classification is not None
    assert request.classification.page_ids == ("b", "a")
    assert request.classification.document_ids is None


def test_a_whole_plan_result_is_not_a_plan(plan: Plan) -> None:
    result = {"plan": plan.model_dump(mode="json"), "components": []}
    assert refusal(EncodeRequest, {"source": URI, "plan": result})[0].startswith("plan.")
    assert EncodeRequest.model_validate({"source": URI, "plan": result["plan"]}).plan == plan


def test_null_stands_for_an_absent_member() -> None:
    body = {"source": URI, "request_id": None, "constraints": None, "router": None, "metadata": None}
    assert EncodeRequest.model_validate(body) == EncodeRequest.model_validate({"source": URI})


def test_constraints_allow_fallbacks_unless_told() -> None:
    assert Constraints().fallbacks_allowed is True
    assert Constraints().model_dump(mode="json") == {"fallbacks_allowed": True}


@given(st.binary())
def test_inline_bytes_travel_as_base64(data: bytes) -> None:
    source = InlineSource(data=data, filename="a.bin")
    wire = source.model_dump(mode="json")
    assert wire == {"type": "inline", "data": b64encode(data).decode(), "filename": "a.bin"}
    assert InlineSource.model_validate(wire) == source
    assert InlineSource.model_validate_json(source.model_dump_json()) == source
    assert InlineSource.model_validate(source.model_dump()) == source


@pytest.mark.parametrize("text", ["YQ", "Y Q==", "YQ==\n", "YQ==YQ==", "_-==", "Y", "é==="])
def test_text_that_is_not_strict_base64_is_refused(text: str) -> None:
    assert refusal(InlineSource, {"type": "inline", "data": text}) == ("data", "base64_invalid")


def test_the_bytes_stay_out_of_the_representation() -> None:
    assert "secret" not in repr(InlineSource(data=b"secret"))


def test_an_expected_digest_is_taken_with_and_without_its_prefix() -> None:
    bare = "0" * 64
    assert UriSource(uri="a:b", sha256=bare).sha256 == UriSource(uri="a:b", sha256=f"sha256:{bare}").sha256
    assert UriSource(uri="a:b", sha256=bare).sha256 == f"sha256:{bare}"


def test_a_part_is_the_request_without_the_member_that_the_upload_supplies() -> None:
    pairs = [
        (PlanRequest, PlanRequestPart, "source"),
        (EncodeRequest, EncodeRequestPart, "source"),
        (EmbedRequest, EmbedRequestPart, "input"),
    ]
    for whole, part, supplied in pairs:
        expected = whole.model_json_schema()["properties"]
        del expected[supplied]
        assert part.model_json_schema()["properties"] == expected
        assert refusal(part, {supplied: URI, "embedding_space_id": "s"})[0] == supplied


def test_a_part_and_its_upload_make_the_same_request_as_json() -> None:
    inline = {"type": "inline", "data": "YQ==", "filename": "a.txt"}
    body = {"granularities": ["CHUNK"], "metadata": {"a": 1}, "request_id": "r"}
    part = EncodeRequestPart.model_validate(body)
    whole = part.with_source(InlineSource(data=b"a", filename="a.txt"))
    assert whole == EncodeRequest.model_validate({**body, "source": inline})
    assert whole.model_fields_set == {*body, "source"}
    planned = PlanRequestPart().with_source(UriSource(uri="a:b"))
    assert planned == PlanRequest(source=UriSource(uri="a:b"))


def test_a_request_given_another_source_keeps_everything_else() -> None:
    request = EncodeRequest.model_validate({"source": URI, "request_id": "r"})
    again = request.with_source(UriSource(uri="b:c"))
    assert isinstance(again, EncodeRequest)
    assert (again.source, again.request_id) == (UriSource(uri="b:c"), "r")


def test_an_encode_request_is_a_plan_request() -> None:
    assert issubclass(EncodeRequest, PlanRequest)


@pytest.mark.parametrize(
    "query",
    [
        {"type": "text", "text": "hello"},
        {"type": "uri", "uri": "https://a/b.png"},
        {"type": "inline", "data": "YQ==", "media_type": "image/png"},
    ],
)
def test_a_query_is_text_an_image_by_uri_or_an_image_inline(query: dict[str, str]) -> None:
    request = EmbedRequest.model_validate({"embedding_space_id": "default-text", "input": query})
    assert request.model_dump(mode="json") == {"embedding_space_id": "default-text", "input": query}


def test_an_embed_request_needs_its_space() -> None:
    assert refusal(EmbedRequest, {"input": {"type": "text", "text": "x"}}) == (
        "embedding_space_id",
        "missing",
    )
    part = EmbedRequestPart(embedding_space_id="s", request_id="r")
    assert part.with_input(TextInput(text="x")) == EmbedRequest(
        embedding_space_id="s", request_id="r", input=TextInput(text="x")
    )


def test_a_search_asks_for_ten_hits_and_at_most_a_hundred() -> None:
    assert SearchRequest(query="x").limit == 10
    assert refusal(SearchRequest, {"query": "x", "limit": 101}) == ("limit", "less_than_equal")
    assert refusal(SearchRequest, {"query": "x", "limit": 0}) == ("limit", "greater_than_equal")
    assert refusal(SearchRequest, {"query": ""}) == ("query", "string_too_short")


def test_requests_are_frozen() -> None:
    request = PlanRequest.model_validate({"source": URI})
    with pytest.raises(ValidationError, match="frozen"):
        request.request_id = "x"  # type: ignore[misc]
