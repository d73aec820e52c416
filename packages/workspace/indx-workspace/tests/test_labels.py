"""Labels: one verdict an answer, which outlives the document it judges."""

import pytest

from indx_core.contracts import Correction, DocumentTypeSpec, EntityTarget, FacetTarget, LabelSpec, TypeField
from indx_core.errors import InvalidRecord
from indx_core.ports import SourceContent

DIGEST = SourceContent.of_bytes(b"one").digest
OTHER = SourceContent.of_bytes(b"two").digest


def entity(surface="12", start=0, **members):
    return EntityTarget(
        block_id="p1", label="MONEY", range=(start, start + len(surface)), surface=surface, **members
    )


def spec(target=None, *, digest=DIGEST, verdict="approved", **members):
    return LabelSpec(
        digest=digest, document_name="one.txt", target=target or entity(), verdict=verdict, **members
    )


@pytest.fixture
def invoice(workspace):
    fields = (TypeField(key="total", label="Total", kind="entity", name="MONEY"),)
    return workspace.types.put("invoice", DocumentTypeSpec(label="Invoice", fields=fields))


def test_a_verdict_is_kept_with_a_copy_of_the_answer(workspace, clock):
    kept = workspace.labels.put(spec(entity(page=1, bbox=(0, 0, 1, 1)), reviewer="Ann"))
    assert (kept.target.surface, kept.verdict, kept.reviewer) == ("12", "approved", "Ann")
    assert kept.created_at == kept.updated_at == clock.now
    assert workspace.labels.list().labels == (kept,)


def test_a_second_verdict_on_an_answer_replaces_the_first(workspace, clock):
    first = workspace.labels.put(spec())
    clock.on(5)
    second = workspace.labels.put(
        spec(entity(page=1), verdict="corrected", correction=Correction(surface="13"))
    )
    assert second.id == first.id
    assert (second.created_at, second.updated_at) == (first.created_at, clock.now)
    assert workspace.labels.list().labels == (second,)


def test_labels_are_listed_by_digest_then_id_and_narrowed(workspace, invoice):
    made = [
        workspace.labels.put(spec(entity(str(number)), digest=digest, type_id=kind))
        for number in range(3)
        for digest in (DIGEST, OTHER)
        for kind in ([None, "invoice"][number % 2],)
    ]
    made.sort(key=lambda label: (label.digest, label.id))
    listed = workspace.labels.list()
    assert (list(listed.labels), listed.writable) == (made, False)
    for digest in (None, DIGEST):
        for kind in (None, "invoice", "letter"):
            found = workspace.labels.list(digest=digest, type_id=kind).labels
            assert list(found) == [
                label for label in made if digest in (None, label.digest) and kind in (None, label.type_id)
            ]


@pytest.mark.parametrize("wrong", [{"digest": "x"}, {"type_id": "Not A Key"}, {"digest": "\x00"}])
def test_what_no_label_can_have_narrows_to_none(workspace, wrong):
    workspace.labels.put(spec())
    assert workspace.labels.list(**wrong).labels == ()


@pytest.mark.parametrize(
    ("members", "param"),
    [
        ({"type_id": "letter"}, "type_id"),
        ({"type_id": "invoice", "field": "none"}, "field"),
        ({"field": "total"}, "type_id"),
    ],
)
def test_a_type_or_field_the_workspace_does_not_hold_is_refused(workspace, invoice, members, param):
    with pytest.raises(InvalidRecord) as refused:
        workspace.labels.put(spec(**members))
    assert (refused.value.code, refused.value.param) == ("invalid_label", param)
    assert workspace.labels.list().labels == ()


def test_a_label_may_be_assigned_to_a_field(workspace, invoice):
    assert workspace.labels.put(spec(type_id="invoice", field="total")).field == "total"


def test_a_deleted_label_is_gone_and_may_be_deleted_again(workspace):
    key = workspace.labels.put(spec()).id
    for again in (key, key, "x", "\ud800"):
        workspace.labels.delete(again)
    assert workspace.labels.list().labels == ()


def test_a_label_outlives_its_document_and_its_type(workspace, keep, invoice, clock):
    digest = keep("ann", "one").summary.digest
    kept = workspace.labels.put(spec(digest=digest, type_id="invoice"))
    workspace.documents.delete("ann", digest)
    workspace.types.delete("invoice")
    clock.on(10**9)
    assert workspace.labels.list().labels == (kept,)


def test_a_facet_is_judged_by_unit_and_block(workspace):
    targets = [
        FacetTarget(unit="document", facet="kind", label="invoice"),
        FacetTarget(unit="page", page=1, facet="kind", label="invoice"),
        FacetTarget(unit="chunk", block_id="p1.c0", facet="kind", label="invoice"),
    ]
    assert len({workspace.labels.put(spec(target)).id for target in targets}) == 3
