"""One way from what a caller wrote to a model or to a typed refusal."""

import pytest

from indx_core.contracts import EmbedRequest, EncodeRequest, LabelSpec, PlanRequest
from indx_core.contracts.parsing import parse, parse_json
from indx_core.errors import InvalidRequest


@pytest.mark.parametrize(
    ("body", "param", "code"),
    [
        ({"source": {"type": "uri", "uri": ""}}, "source.uri.uri", "validation_error"),
        (
            {"source": {"type": "uri", "uri": "x:y"}, "metadata": {"lanes": 1}},
            "metadata",
            "reserved_metadata_key",
        ),
        ({"source": {"type": "uri", "uri": "x:y"}, "nope": 1}, "nope", "validation_error"),
        ({}, "source", "validation_error"),
    ],
)
def test_the_field_at_fault_and_the_callers_identifier_are_named(body, param, code):
    with pytest.raises(InvalidRequest) as caught:
        parse(EncodeRequest, {**body, "request_id": "r1"})
    assert (caught.value.param, caught.value.code, caught.value.request_id) == (param, code, "r1")


def test_text_that_is_not_json_names_the_body():
    with pytest.raises(InvalidRequest) as caught:
        parse_json(PlanRequest, "{")
    assert caught.value.param == "body"


def test_json_that_does_not_fit_still_echoes_the_identifier():
    with pytest.raises(InvalidRequest) as caught:
        parse_json(PlanRequest, '{"request_id": "r1"}')
    assert (caught.value.param, caught.value.request_id) == ("source", "r1")


def test_a_model_of_the_same_shape_is_taken():
    request = parse_json(PlanRequest, '{"source": {"type": "uri", "uri": "x:y"}}')
    assert parse(PlanRequest, request) == request


@pytest.mark.parametrize("body", [[1], b"x", "x", 5, None])
def test_what_is_no_object_is_refused_as_a_whole(body):
    with pytest.raises(InvalidRequest) as caught:
        parse(PlanRequest, body)
    assert (caught.value.param, caught.value.request_id) == ("body", None)


SPACE = {"embedding_space_id": "default-text"}
LABEL = {"document_name": "a.md", "digest": "sha256:" + "0" * 64, "verdict": "confirmed"}
KINDS = [
    (EncodeRequest, {}, "source", "type", "'inline', 'uri'"),
    (EmbedRequest, SPACE, "input", "type", "'inline', 'text', 'uri'"),
    (LabelSpec, LABEL, "target", "kind", "'entity', 'facet'"),
]


@pytest.mark.parametrize(("model", "body", "param", "member", "values"), KINDS)
@pytest.mark.parametrize(
    ("given", "fault"), [({}, "is missing"), ({"type": "x" * 999, "kind": "x" * 999}, f"is {'x' * 100!r}")]
)
def test_the_member_that_says_which_kind_it_is_is_named_with_its_values(
    model, body, param, member, values, given, fault
):
    with pytest.raises(InvalidRequest) as caught:
        parse(model, {**body, param: given})
    assert caught.value.param == param
    assert caught.value.message == f"{param}: {member} {fault}; give one of {values}"
