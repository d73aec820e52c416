"""The records of a workspace: types, labels, datasets, routers and experiments."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from indx_core.contracts import (
    Dataset,
    DatasetRecord,
    DatasetSpec,
    DocumentTypeSpec,
    ExperimentReport,
    ExperimentSpec,
    Label,
    LabelList,
    LabelSpec,
    PromotionRequest,
    ResolvedRouter,
    Router,
    RouterBranch,
    RouterSpec,
)

A = "sha256:" + "a" * 64
WHEN = "2026-06-06T12:00:00Z"
ENTITY = {"kind": "entity", "block_id": "p1.c0", "label": "date", "range": [0, 3], "surface": "5/8"}
FACET = {"kind": "facet", "unit": "document", "facet": "document_type", "label": "invoice"}
LABEL: dict[str, Any] = {"digest": A, "document_name": "a.pdf", "target": ENTITY, "verdict": "approved"}


def refusal(model: type[BaseModel], body: Any) -> tuple[str, str]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(body)
    first = caught.value.errors(include_url=False)[0]
    return ".".join(map(str, first["loc"])), first["type"]


def label_id(**change: Any) -> str:
    return LabelSpec.model_validate({**LABEL, **change}).label_id()


def test_the_label_id_is_pinned() -> None:
    assert label_id() == "sha256:d98d4fd7ceb09b442334a3888916d7f034909b56859d3423b14edf2cb9224f6c"


def test_a_second_verdict_on_one_answer_has_the_same_id() -> None:
    again = label_id(verdict="corrected", correction={"surface": "5/9"}, reviewer="me", document_name="b")
    assert again == label_id()
    for aside in ({"page": 1}, {"bbox": [0, 0, 1, 1]}):
        assert label_id(target={**ENTITY, **aside}) == label_id()


@pytest.mark.parametrize(
    "change", [{"block_id": "p1.c1"}, {"label": "money"}, {"range": [1, 3]}, {"surface": "5/9"}]
)
def test_another_answer_has_another_id(change: dict[str, Any]) -> None:
    assert label_id(target={**ENTITY, **change}) != label_id()


def test_a_facet_of_a_page_has_one_id_however_the_page_is_named() -> None:
    page = {**FACET, "unit": "page"}
    ids = {label_id(target={**page, "page": 2}), label_id(target={**page, "block_id": "p2"})}
    assert len(ids) == 1
    assert label_id(target={**page, "page": 3}) not in ids


def test_a_facet_of_the_document_has_one_id_with_and_without_its_block() -> None:
    assert label_id(target=FACET) == label_id(target={**FACET, "block_id": "doc"})


@pytest.mark.parametrize(
    ("change", "where", "why"),
    [
        ({"verdict": "corrected"}, "", "correction_unfit"),
        ({"correction": {"label": "x"}}, "", "correction_unfit"),
        ({"verdict": "corrected", "correction": {}}, "correction", "correction_empty"),
        ({"verdict": "maybe"}, "verdict", "literal_error"),
        ({"digest": "abc"}, "digest", "string_pattern_mismatch"),
        ({"target": {**ENTITY, "range": [3, 3]}}, "target.entity.range", "range_empty"),
        ({"target": {**ENTITY, "kind": "x"}}, "target", "union_tag_invalid"),
        ({"target": {**FACET, "unit": "chunk"}}, "target.facet", "target_unfit"),
        ({"target": {**FACET, "unit": "page"}}, "target.facet", "target_unfit"),
        ({"target": {**FACET, "block_id": "p1"}}, "target.facet", "target_unfit"),
        ({"target": {**FACET, "surface": "x"}}, "target.facet.surface", "extra_forbidden"),
        ({"document_name": "a\0"}, "document_name", "text_unfit"),
    ],
)
def test_a_label_that_does_not_fit_is_refused(change: dict[str, Any], where: str, why: str) -> None:
    assert refusal(LabelSpec, {**LABEL, **change}) == (where, why)


def test_a_kept_label_reads_back_also_from_a_newer_writer() -> None:
    spec = LabelSpec.model_validate(LABEL)
    label = Label.model_validate({**LABEL, "id": spec.label_id(), "created_at": WHEN, "updated_at": WHEN})
    wire = label.model_dump(mode="json")
    assert wire["created_at"] == WHEN
    assert "correction" not in wire
    assert Label.model_validate({**wire, "later": 1}) == label
    nested = {**wire, "target": {**wire["target"], "later": 1}}
    assert Label.model_validate(nested, extra="ignore") == label
    assert LabelList(labels=(label,)).model_dump(mode="json") == {"labels": [wire]}


@pytest.mark.parametrize("key", ["A", "", "-a", "a b", "a" * 65, "a/b", "é"])
def test_a_key_a_person_may_not_choose_is_refused(key: str) -> None:
    assert refusal(PromotionRequest, {"candidate": key}) == ("candidate", "string_pattern_mismatch")


@pytest.mark.parametrize("key", ["a", "0", "a.b_c-d", "a" * 64])
def test_a_key_a_person_may_choose_is_taken(key: str) -> None:
    assert PromotionRequest(candidate=key).candidate == key


def test_a_type_names_each_field_once() -> None:
    field = {"key": "total", "label": "Total", "kind": "entity", "name": "money"}
    assert DocumentTypeSpec.model_validate({"label": "Invoice", "fields": [field]}).signature is None
    assert refusal(DocumentTypeSpec, {"label": "Invoice", "fields": [field, field]}) == ("fields", "repeated")
    assert refusal(DocumentTypeSpec, {"label": ""}) == ("label", "string_too_short")


def test_a_dataset_has_one_purpose_and_names_each_document_once() -> None:
    member = {"digest": A, "name": "a.pdf"}
    spec = {"label": "Set", "purpose": "training", "documents": [member]}
    assert DatasetSpec.model_validate(spec).type_id is None
    assert refusal(DatasetSpec, {**spec, "purpose": "testing"}) == ("purpose", "literal_error")
    assert refusal(DatasetSpec, {**spec, "documents": [member, member]}) == ("documents", "repeated")


def test_a_dataset_is_answered_with_counts_that_its_record_does_not_hold() -> None:
    kept = {
        "label": "S",
        "purpose": "training",
        "documents": [],
        "id": "s",
        "created_at": WHEN,
        "updated_at": WHEN,
    }
    record = DatasetRecord.model_validate(kept)
    answer = Dataset.model_validate({**record.model_dump(), "examples": 2, "readable": 1})
    assert answer.model_dump(mode="json") == {**kept, "examples": 2, "readable": 1}


def test_a_router_has_one_branch_for_each_type_and_a_default_without_one() -> None:
    branch = {"type_id": "invoice", "reader": "ocr"}
    spec = {"label": "R", "branches": [branch], "default": {}}
    assert RouterSpec.model_validate(spec).default == RouterBranch()
    assert refusal(RouterSpec, {**spec, "branches": [branch, branch]}) == ("", "repeated")
    assert refusal(RouterSpec, {**spec, "branches": [{"reader": "ocr"}]}) == ("", "branch_unfit")
    assert refusal(RouterSpec, {**spec, "default": branch}) == ("", "branch_unfit")
    assert refusal(RouterSpec, {**spec, "default": {"lanes": []}}) == ("default.lanes", "extra_forbidden")


def test_the_origin_of_a_version_that_no_promotion_made_is_null() -> None:
    router = Router(label="R", default=RouterBranch(), id="r", version=1, created_at=WHEN)
    wire = router.model_dump(mode="json")
    assert wire["origin"] is None
    assert wire["default"] == {}
    assert "recognizer" not in wire


def test_a_resolved_router_finds_the_branch_of_a_type() -> None:
    invoice = RouterBranch(type_id="invoice", reader="ocr")
    resolved = ResolvedRouter(
        id="r",
        version=2,
        branches=(invoice,),
        default=RouterBranch(),
        parsers={"invoice": "invoice-parser"},
        approved={A: "invoice"},
    )
    assert resolved.branch_for("invoice") is invoice
    assert resolved.branch_for("letter") is resolved.default
    assert resolved.branch_for(None) is resolved.default


def test_an_experiment_measures_distinct_candidates_and_leaves_production_to_the_router() -> None:
    candidate = {"key": "ocr", "label": "OCR", "branch": {"reader": "ocr"}}
    spec = {"label": "E", "dataset_id": "d", "router_id": "r", "candidates": [candidate]}
    assert ExperimentSpec.model_validate(spec).candidates[0].branch.reader == "ocr"
    for wrong, why in (
        ([candidate, candidate], "repeated"),
        ([{**candidate, "key": "production"}], "candidate_reserved"),
    ):
        assert refusal(ExperimentSpec, {**spec, "candidates": wrong}) == ("candidates", why)
    typed = {**candidate, "branch": {"type_id": "invoice"}}
    assert refusal(ExperimentSpec, {**spec, "candidates": [typed]}) == ("candidates.0.branch", "branch_unfit")


def test_a_report_writes_a_null_promotion_and_leaves_out_absent_errors() -> None:
    report = ExperimentReport.model_validate(
        {
            "id": "e",
            "label": "E",
            "state": "stopped",
            "type_id": "invoice",
            "documents": [{"digest": A, "name": "a.pdf"}],
            "router_id": "r",
            "router_version": 1,
            "cells": 2,
            "done": 1,
            "candidates": [],
            "results": [
                {
                    "digest": A,
                    "candidate": "production",
                    "pages": 1,
                    "needs_person": 0,
                    "expected": 1,
                    "right": 1,
                    "cost_usd": 0,
                    "latency_ms": 5,
                }
            ],
            "created_at": WHEN,
        }
    )
    wire = report.model_dump(mode="json")
    assert wire["promotion"] is None
    assert "error" not in wire["results"][0]
