"""Plans, blocks, traces and snapshots: identity, absent members, and what does not fit together."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError

from indx_core.contracts import (
    Annotations,
    BBox,
    Block,
    ChartEdge,
    EncodeResult,
    ErrorEnvelope,
    Invoice,
    Layout,
    Limits,
    Plan,
    PlanResult,
    Provenance,
    Resolvable,
    SearchHitKept,
    Snapshot,
    Timestamp,
    Trace,
    TraceEvent,
    TraceFailure,
    Vector,
)


def test_every_answer_reads_back_as_itself(encode_result: EncodeResult) -> None:
    assert EncodeResult.model_validate_json(encode_result.model_dump_json()) == encode_result
    assert EncodeResult.model_validate(encode_result.model_dump(mode="json")) == encode_result
    assert EncodeResult.model_validate(encode_result.model_dump()) == encode_result


def test_both_ways_of_writing_agree(encode_result: EncodeResult) -> None:
    assert json.loads(encode_result.model_dump_json()) == encode_result.model_dump(mode="json")


def test_absent_members_are_left_out_and_named_nulls_are_written(encode_result: EncodeResult) -> None:
    wire = encode_result.model_dump(mode="json")
    document, page, chunk = wire["blocks"]
    assert document == {
        "id": "doc",
        "parent_id": None,
        "scope": "DOCUMENT",
        "status": "ok",
        "provenance": document["provenance"],
    }
    assert set(document["provenance"]) == {"plan_id", "source_digest", "snapshot_id"}
    assert set(page) == {"id", "parent_id", "scope", "page", "status", "text", "provenance"}
    assert chunk["bbox"] == [0.1, 0.1, 0.5, 0.2]
    assert "request_id" not in wire
    assert wire["trace"]["events"][0]["quality"] is None
    assert wire["trace"]["actuals"]["quality"] is None
    assert "reason" not in wire["trace"]["events"][0]
    assert "branches" not in wire["trace"]
    assert "failures" not in wire["trace"]


def failure(**members: Any) -> TraceFailure:
    sound = {"role": "classifier", "id": "words", "unit": "page", "asked": 2, "failed": 1, "reason": "down"}
    return TraceFailure.model_validate({**sound, "block_ids": ["p2"], **members})


def test_a_failure_reads_back_as_itself_without_what_it_lacks(encode_result: EncodeResult) -> None:
    trace = encode_result.trace.model_copy(update={"failures": (failure(),)})
    wire = trace.model_dump(mode="json")["failures"]
    assert wire == [
        {
            "role": "classifier",
            "id": "words",
            "unit": "page",
            "asked": 2,
            "failed": 1,
            "reason": "down",
            "block_ids": ["p2"],
        }
    ]
    assert Trace.model_validate_json(trace.model_dump_json()) == trace


@pytest.mark.parametrize("wrong", [{"reason": "x" * 501}, {"block_ids": ["p1"] * 101}, {"role": "reader"}])
def test_a_failure_is_bounded_and_of_a_known_part(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        failure(**wrong)


def test_scores_of_a_leg_that_missed_are_null(digest_a: str) -> None:
    hit = SearchHitKept(digest=digest_a, name="a", block_id="p1.c0", text="x", score=1.0, lanes=("vector",))
    wire = hit.model_dump(mode="json")
    assert wire["text_score"] is None
    assert wire["vector_score"] is None
    assert "page" not in wire


def test_an_error_envelope_is_flat_and_leaves_out_what_it_lacks() -> None:
    envelope = ErrorEnvelope(type="http_error", code="not_found", message="no such path")
    assert json.loads(envelope.model_dump_json()) == {
        "type": "http_error",
        "code": "not_found",
        "message": "no such path",
    }


def test_answers_ignore_keys_they_do_not_know(plan: Plan) -> None:
    assert Plan.model_validate({**plan.model_dump(mode="json"), "later": 1}) == plan


def test_the_plan_id_covers_everything_but_itself_and_the_request_id(plan_members: dict[str, Any]) -> None:
    plan = Plan.create(**plan_members)
    assert plan.plan_id == plan.content_id()
    assert Plan.create(**plan_members, request_id="mine").plan_id == plan.plan_id
    for change in (
        {"media_type": "text/html"},
        {"policy_version": "2"},
        {"source_digest": "sha256:" + "c" * 64},
        {"granularities": ("DOCUMENT",)},
        {"reasons": ({"code": "a", "message": "b"},)},
        {"pages": ({"page": 2, "route": {"capability_id": "ocr"}},)},
        {"estimates": {"cost_usd": 0, "latency_ms": 1, "quality": 0.9}},
        {"router": {"id": "r", "version": 1}},
        {"branches": ()},
    ):
        assert Plan.create(**{**plan_members, **change}).plan_id != plan.plan_id


def test_the_plan_id_is_pinned(plan: Plan) -> None:
    """A change here breaks every plan kept by a caller: it needs a new policy version and a reason."""
    assert plan.plan_id == "sha256:1f557db276930d78c93e213408077d851fb51e69acd608b2b79498deb094d649"


def test_a_plan_sent_out_and_back_keeps_its_id(plan_members: dict[str, Any]) -> None:
    plan = Plan.create(**plan_members, estimates={"cost_usd": 1, "latency_ms": 5, "quality": 1})
    returned = Plan.model_validate_json(plan.model_dump_json())
    assert returned.content_id() == plan.plan_id
    # A client whose JSON has one kind of number sends 1 for 1.0.
    whole = json.loads(plan.model_dump_json(), parse_float=lambda text: int(float(text)))
    assert Plan.model_validate(whole).content_id() == plan.plan_id


@pytest.mark.parametrize(
    "change",
    [
        {"status": "ready", "default": None},
        {"status": "ready", "unsatisfied": ("why",)},
        {"status": "unsatisfied", "unsatisfied": ("why",)},
        {"status": "unsatisfied", "default": None},
        {
            "status": "unsatisfied",
            "default": None,
            "unsatisfied": ("x",),
            "estimates": {"cost_usd": 0, "latency_ms": 0, "quality": 0},
        },
        {
            "status": "unsatisfied",
            "default": None,
            "unsatisfied": ("x",),
            "pages": ({"page": 1, "route": {"capability_id": "x"}},),
        },
    ],
)
def test_a_plan_whose_status_does_not_fit_is_refused(
    plan_members: dict[str, Any], change: dict[str, Any]
) -> None:
    with pytest.raises(ValidationError, match="does not fit its members"):
        Plan.create(**{**plan_members, **change})


def test_an_unsatisfied_plan_has_lines_and_no_routes(plan_members: dict[str, Any]) -> None:
    lines = ("capability_ids: 'x' is not installed",)
    plan = Plan.create(**{**plan_members, "status": "unsatisfied", "default": None, "unsatisfied": lines})
    wire = plan.model_dump(mode="json")
    assert "default" not in wire
    assert "estimates" not in wire
    assert wire["pages"] == []


def test_components_stand_beside_the_plan(plan: Plan) -> None:
    result = PlanResult.model_validate(
        {"plan": plan, "components": [{"role": "observer", "distribution": "indx-reader-text"}]}
    )
    assert result.model_dump(mode="json")["components"] == [
        {"role": "observer", "distribution": "indx-reader-text"}
    ]


def snapshot(**change: Any) -> Snapshot:
    members: dict[str, Any] = {
        "policy_version": "1",
        "capabilities": [
            {
                "id": "text-reader",
                "kind": "native",
                "distribution": "indx-reader-text",
                "version": "0.1.0",
                "device": "cpu",
                "media_types": ["text/plain"],
                "available": True,
            }
        ],
        "embedding_spaces": [],
        "limits": Limits(max_input_bytes=1),
        "resolvable": Resolvable(schemes=(), observable_media_types=()),
    }
    return Snapshot.create(**{**members, **change})


def test_the_snapshot_id_covers_what_routing_decides_by_and_nothing_else() -> None:
    lane = {"id": "words", "unit": "document", "device": "cpu", "distribution": "d"}
    chunker = {
        "id": "p",
        "version": 1,
        "default": True,
        "media_types": [],
        "summary": "s",
        "distribution": "d",
    }
    base = snapshot()
    outside = snapshot(
        limits=Limits(max_input_bytes=9),
        resolvable=Resolvable(schemes=("file",), observable_media_types=("a/b",)),
        chunkers=[chunker],
        classifiers=[lane],
        extractors=[lane],
        enrichers=[lane],
        language_detectors=[lane],
    )
    assert outside.snapshot_id == base.snapshot_id == base.content_id()
    assert base.snapshot_id == "sha256:cc06c7a9e31c86106a76354719a03f649d21940207f7e90483d9f044ba60a093"
    capability = base.capabilities[0]
    assert snapshot(policy_version="2").snapshot_id != base.snapshot_id
    for change in ({"device": "external"}, {"version": "0.2.0"}, {"available": False, "reason": "x"}):
        altered = capability.model_copy(update=change)
        assert snapshot(capabilities=[altered]).snapshot_id != base.snapshot_id


def test_a_chunk_has_a_box_or_a_reason_and_never_both(provenance: Provenance) -> None:
    chunk = {"id": "p1.c0", "parent_id": "p1", "scope": "CHUNK", "provenance": provenance}
    box = (0.0, 0.0, 1.0, 1.0)
    assert Block(**chunk, bbox=box).bbox == box
    assert Block(**chunk, bbox_reason="hidden").bbox is None
    for wrong in ({}, {"bbox": box, "bbox_reason": "hidden"}):
        with pytest.raises(ValidationError, match=r"block 'p1.c0': a chunk block has exactly one"):
            Block(**chunk, **wrong)


@pytest.mark.parametrize(
    ("members", "rule"),
    [
        ({"scope": "PAGE", "bbox": (0, 0, 1, 1)}, "only a chunk block has bbox"),
        ({"scope": "PAGE", "bbox_reason": "hidden"}, "only a chunk block has bbox"),
        ({"scope": "PAGE", "vectors": ()}, "only a chunk block has bbox, bbox_reason or vectors"),
        ({"scope": "DOCUMENT", "parent_id": None, "text": "x"}, "the document block has no text"),
        ({"scope": "DOCUMENT"}, "the document block, and no other, has no parent"),
        ({"scope": "PAGE", "parent_id": None}, "the document block, and no other, has no parent"),
        ({"scope": "PAGE", "status": "failed"}, "a block that was not read has a reason"),
        ({"scope": "CHUNK", "bbox_reason": "hidden", "metadata": {}}, "a chunk block has no metadata"),
    ],
)
def test_a_block_whose_members_do_not_fit_is_refused(
    provenance: Provenance, members: dict[str, Any], rule: str
) -> None:
    with pytest.raises(ValidationError, match=rule):
        Block(**{"id": "b", "parent_id": "doc", "provenance": provenance, **members})


@pytest.mark.parametrize(
    "box", [(0.5, 0, 0.4, 1), (0, 0.5, 1, 0.4), (-0.1, 0, 1, 1), (0, 0, 1.1, 1), (0, 0, 1)]
)
def test_a_box_outside_the_page_or_turned_round_is_refused(box: tuple[float, ...]) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(BBox).validate_python(box)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_no_answer_holds_a_number_that_json_lacks(provenance: Provenance, number: float) -> None:
    unfit: list[tuple[type[BaseModel], dict[str, Any]]] = [
        (Vector, {"embedding_space_id": "s", "embedder_id": "e", "modality": "text", "values": [number]}),
        (
            TraceEvent,
            {
                "capability_id": "c",
                "scope": "PAGE",
                "pages": [1],
                "outcome": "read",
                "quality": number,
                "latency_ms": 0,
            },
        ),
        (
            Block,
            {
                "id": "p1",
                "parent_id": "doc",
                "scope": "PAGE",
                "provenance": provenance,
                "metadata": {"a": {"b": [number]}},
            },
        ),
    ]
    for model, members in unfit:
        with pytest.raises(ValidationError):
            model.model_validate(members)


def test_a_table_cell_counts_from_one() -> None:
    layout = Layout.model_validate(
        {
            "role": "table",
            "rows": 1,
            "columns": 1,
            "header_rows": 0,
            "cells": [{"row": 1, "column": 1, "text": "x"}],
        }
    )
    assert layout.model_dump(mode="json")["cells"] == [
        {"row": 1, "column": 1, "row_span": 1, "column_span": 1, "text": "x"}
    ]
    with pytest.raises(ValidationError):
        Layout.model_validate({"role": "table", "cells": [{"row": 0, "column": 1, "text": "x"}]})


def test_annotations_read_what_indx_wrote_and_leave_the_labels() -> None:
    metadata = {
        "owner": "me",
        "languages": [{"language": "ja", "confidence": 0.98}],
        "classification": {"document_type": [{"label": "invoice", "confidence": 0.9}]},
        "entities": {
            "spans": {"p1": [{"label": "date", "surface": "5/8", "range": [0, 3], "confidence": 1.0}]},
            "counts": [{"label": "date", "form": "5/8", "count": 1, "surfaces": ["5/8"]}],
        },
        "enrichment": {"summary": "short"},
        "lanes": {"words": {"classification": {"document_type": [{"label": "invoice", "confidence": 0.9}]}}},
        "invoice": {"number": "7", "total": "1200.50"},
    }
    read = Annotations.model_validate(metadata)
    assert read.model_dump(mode="json") == {key: value for key, value in metadata.items() if key != "owner"}
    with pytest.raises(ValidationError, match="covers nothing"):
        Annotations.model_validate(
            {
                "entities": {
                    "counts": [],
                    "spans": {"p1": [{"label": "x", "surface": "", "range": [3, 3], "confidence": 1}]},
                }
            }
        )


@pytest.mark.parametrize("amount", ["1,200", "$5", "1.2.3", "", "¥5", "1e3"])
def test_money_is_a_digit_string(amount: str) -> None:
    with pytest.raises(ValidationError):
        Invoice(total=amount)


def test_a_chart_edge_says_from_and_to() -> None:
    wire = {
        "id": "shape:3",
        "kind": "connection",
        "from": "shape:1",
        "to": "shape:2",
        "arrow": True,
        "path": [[0.1, 0.2], [0.3, 0.4]],
    }
    edge = ChartEdge.model_validate(wire)
    assert edge.from_ == "shape:1"
    assert edge.model_dump(mode="json") == wire


@given(st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=9))])))
def test_instants_are_written_in_utc_with_z(instant: datetime) -> None:
    adapter = TypeAdapter(Timestamp)
    try:
        written = adapter.dump_json(adapter.validate_python(instant))
    except OverflowError:
        return
    assert written.endswith(b'Z"')
    assert adapter.validate_json(written) == instant


def test_an_instant_without_a_zone_is_refused() -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Timestamp).validate_python(datetime(2026, 1, 1))  # noqa: DTZ001
