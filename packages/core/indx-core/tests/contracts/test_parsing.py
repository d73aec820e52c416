"""One way from what a caller wrote to a model or to a typed refusal."""

import json
import re
from typing import Annotated, Literal

import pytest
from pydantic import Field

from indx_core.contracts import EmbedRequest, EncodeRequest, LabelSpec, PlanRequest, RouterSpec
from indx_core.contracts._base import RequestModel
from indx_core.contracts._saying import FORMS
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


class Circle(RequestModel):
    kind: Literal["circle"] = "circle"
    radius: int


class Group(RequestModel):
    kind: Literal["group"] = "group"
    circle: "Shape | None" = None
    members: tuple["Shape", ...] = ()


Shape = Annotated[Circle | Group, Field(discriminator="kind")]
Group.model_rebuild()


class Drawing(RequestModel):
    only: Shape | None = None
    field: Circle | Group | None = Field(default=None, discriminator="kind")
    all: list[Shape] = Field(default_factory=list)


CIRCLE = {"kind": "circle", "radius": 1}
PLACES = [
    ("only", lambda it: {"only": it}),
    ("field", lambda it: {"field": it}),
    ("all.1", lambda it: {"all": [CIRCLE, it]}),
    ("only.group.circle", lambda it: {"only": {"kind": "group", "circle": it}}),
    ("all.0.group.members.1", lambda it: {"all": [{"kind": "group", "members": [CIRCLE, it]}]}),
]


@pytest.mark.parametrize(("param", "around"), PLACES)
@pytest.mark.parametrize(("given", "fault"), [({}, "is missing"), ({"kind": "x"}, "is 'x'")])
def test_a_union_is_told_by_its_values_wherever_it_stands(param, around, given, fault):
    with pytest.raises(InvalidRequest) as caught:
        parse(Drawing, around(given))
    assert caught.value.message == f"{param}: kind {fault}; give one of 'circle', 'group'"


@pytest.mark.parametrize(
    ("body", "param", "told"),
    [
        ({"only": {**CIRCLE, "radios": 2}}, "only.circle.radios", "did you mean 'radius'?"),
        ({"only": {**CIRCLE, "zz": 2}}, "only.circle.zz", "there are kind, radius"),
        ({"zz": 1}, "zz", "there are only, field, all"),
    ],
)
def test_a_member_that_there_is_not_is_told_with_those_there_are(body, param, told):
    with pytest.raises(InvalidRequest) as caught:
        parse(Drawing, body)
    name = param.rpartition(".")[2]
    assert caught.value.message == f"{param}: there is no member {name!r}; {told}"


def test_what_does_not_fit_a_pattern_is_told_in_words_with_its_value():
    source = {"type": "uri", "uri": "x:y"}
    with pytest.raises(InvalidRequest) as caught:
        parse(EncodeRequest, {"source": {**source, "sha256": "ABC"}})
    assert caught.value.message == (
        "source.uri.sha256: 'ABC' does not fit; write 64 hex digits in lower case, with or without "
        "'sha256:' before them"
    )
    with pytest.raises(InvalidRequest) as caught:
        parse(EncodeRequest, {"source": source, "router": {"id": "My router"}})
    assert caught.value.message == (
        "router.id: 'My router' does not fit; "
        "write 1 to 64 of a-z, 0-9, '.', '_' and '-', the first a-z or 0-9"
    )


@pytest.mark.parametrize("model", [EncodeRequest, LabelSpec, PlanRequest, RouterSpec])
def test_every_pattern_of_a_request_has_its_words(model):
    text = json.dumps(model.model_json_schema())
    patterns = {json.loads(f'"{found}"') for found in re.findall(r'"pattern": "((?:[^"\\]|\\.)*)"', text)}
    assert patterns - {"^[^\\u0000]*$"} <= set(FORMS)
    assert patterns & set(FORMS)
