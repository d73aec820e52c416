"""Routers: versions that never change, refused where they name what is not there, resolved for the engine."""

import threading

import pytest

from indx_core.contracts import (
    ChunkerRef,
    Correction,
    DocumentTypeSpec,
    EncodeRequest,
    ExtractionSelection,
    FacetTarget,
    InlineSource,
    LabelSpec,
    LaneSelection,
    PlanRequest,
    Recognizer,
    RouterBranch,
    RouterRef,
    RouterSpec,
)
from indx_core.errors import InvalidRecord, InvalidRequest, NotFound, PlanConflict, StoreDisabled
from indx_core.ports import SourceContent
from indx_workspace import resolve

DIGEST = SourceContent.of_bytes(b"plain").digest
KINDS = Recognizer(classifier_id="kinds", facet="kind")


def spec(*branches, label="Router", default=None, recognizer=None):
    return RouterSpec(
        label=label, branches=branches, default=default or RouterBranch(), recognizer=recognizer
    )


@pytest.fixture(autouse=True)
def types(workspace):
    workspace.types.put("invoice", DocumentTypeSpec(label="Invoice", signature="form-parser"))
    workspace.types.put("letter", DocumentTypeSpec(label="Letter"))


INVOICE = RouterBranch(type_id="invoice", reader="patient-reader")


def test_publishing_makes_the_next_version_and_changes_none_before(workspace, clock):
    first = workspace.routers.publish("r", spec(label="First"))
    clock.on(5)
    second = workspace.routers.publish("r", spec(INVOICE, label="Second"))
    assert (first.version, second.version) == (1, 2)
    assert (first.origin, second.created_at) == (None, clock.now)
    assert workspace.routers.get("r", 1) == first
    assert workspace.routers.get("r") == workspace.routers.get("r", 2) == second
    assert workspace.routers.versions("r").versions == (first, second)


def test_the_latest_version_of_each_router_is_listed_by_key(workspace):
    for key in ("b", "a", "b"):
        workspace.routers.publish(key, spec())
    listed = workspace.routers.list()
    assert [(r.id, r.version) for r in listed.routers] == [("a", 1), ("b", 2)]
    assert listed.writable is False


def test_an_old_version_is_restored_by_publishing_it_again(workspace):
    first = workspace.routers.publish("r", spec(INVOICE))
    workspace.routers.publish("r", spec())
    again = RouterSpec(**{name: getattr(first, name) for name in RouterSpec.model_fields})
    restored = workspace.routers.publish("r", again)
    assert (restored.version, restored.origin, restored.branches) == (3, None, first.branches)


@pytest.mark.parametrize(
    ("key", "version"),
    [("none", None), ("r", 2), ("r", 0), ("r", -1), ("r", 2**70), ("Not A Key", None), ("\x00", 1)],
)
def test_a_router_or_version_that_is_not_there_is_not_found(workspace, key, version):
    workspace.routers.publish("r", spec())
    with pytest.raises(NotFound) as refused:
        workspace.routers.get(key, version)
    assert refused.value.code == "router_not_found"
    if key != "r":
        with pytest.raises(NotFound):
            workspace.routers.versions(key)
        workspace.routers.delete(key)


def test_a_deleted_router_is_gone_with_its_history(workspace):
    for _ in range(2):
        workspace.routers.publish("r", spec())
    workspace.routers.delete("r")
    workspace.routers.delete("r")
    for look in (workspace.routers.get, workspace.routers.versions):
        with pytest.raises(NotFound):
            look("r")


def test_what_is_no_key_cannot_be_published_under(workspace):
    with pytest.raises(InvalidRequest):
        workspace.routers.publish("Not A Key", spec())


@pytest.mark.parametrize(
    ("branch", "place"),
    [
        (RouterBranch(reader="none"), "reader"),
        (RouterBranch(chunkers=(ChunkerRef(id="none"),)), "chunkers"),
        (RouterBranch(chunkers=(ChunkerRef(id="lines", version=2),)), "chunkers"),
        (RouterBranch(classification=LaneSelection(page_ids=("kinds",))), "classification.page_ids"),
        (RouterBranch(extraction=ExtractionSelection(page_ids=("none",))), "extraction.page_ids"),
        (RouterBranch(enrichment=LaneSelection(document_ids=("kinds",))), "enrichment.document_ids"),
        (RouterBranch(embedding_space_ids=("none",)), "embedding_space_ids"),
    ],
)
@pytest.mark.parametrize("where", ["default", "branches.1"])
def test_a_branch_that_names_what_is_not_installed_is_refused(workspace, branch, place, where):
    letter = branch.model_copy(update={"type_id": "letter"})
    tried = spec(default=branch) if where == "default" else spec(INVOICE, letter)
    with pytest.raises(InvalidRecord) as refused:
        workspace.routers.publish("r", tried)
    assert (refused.value.code, refused.value.param) == ("invalid_router", f"{where}.{place}")
    assert workspace.routers.list().routers == ()


def test_a_branch_for_a_type_the_workspace_does_not_hold_is_refused(workspace):
    with pytest.raises(InvalidRecord) as refused:
        workspace.routers.publish("r", spec(RouterBranch(type_id="none")))
    assert (refused.value.code, refused.value.param) == ("invalid_router", "branches.0.type_id")


@pytest.mark.parametrize("name", ["none", "tags", "kinds-chunk"])
def test_a_recognizer_is_an_installed_classifier_of_documents_or_pages(workspace, name):
    with pytest.raises(InvalidRecord) as refused:
        workspace.routers.publish("r", spec(recognizer=Recognizer(classifier_id=name, facet="kind")))
    assert (refused.value.code, refused.value.param) == ("invalid_router", "recognizer.classifier_id")


def test_everything_that_is_installed_may_be_named(workspace):
    everything = RouterBranch(
        reader="form-parser",
        chunkers=(ChunkerRef(id="lines"), ChunkerRef(id="lines", version=1)),
        classification=LaneSelection(
            document_ids=("kinds",), page_ids=("kinds-page",), chunk_ids=("kinds-chunk",)
        ),
        extraction=ExtractionSelection(page_ids=("tags",), chunk_ids=("tags-chunk",)),
        embedding_space_ids=("sense", "apart"),
    )
    invoice = everything.model_copy(update={"type_id": "invoice", "reader": "manual-review"})
    assert workspace.routers.publish("r", spec(invoice, default=everything, recognizer=KINDS)).version == 1


# Resolving


def judge(
    workspace,
    verdict="approved",
    label="invoice",
    *,
    unit="document",
    page=None,
    facet="kind",
    fix=None,
    data=b"plain",
):
    target = FacetTarget(unit=unit, page=page, facet=facet, label=label)
    correction = Correction(label=fix) if fix else None
    workspace.labels.put(
        LabelSpec(
            digest=SourceContent.of_bytes(data).digest,
            document_name="x",
            target=target,
            verdict=verdict,
            correction=correction,
        )
    )


def test_a_router_is_resolved_with_the_parsers_of_its_types(workspace):
    workspace.routers.publish("r", spec(INVOICE, RouterBranch(type_id="letter")))
    resolved = workspace.resolve(RouterRef(id="r"))
    assert (resolved.id, resolved.version, resolved.parsers) == ("r", 1, {"invoice": "form-parser"})
    assert (resolved.approved, resolved.given) == ({}, None)


def test_without_a_version_it_is_the_latest(workspace):
    for _ in range(2):
        workspace.routers.publish("r", spec())
    assert workspace.resolve(RouterRef(id="r")).version == 2
    assert workspace.resolve(RouterRef(id="r", version=1)).version == 1


@pytest.mark.parametrize("reference", [RouterRef(id="none"), RouterRef(id="r", version=2)])
def test_a_router_that_is_not_there_cannot_be_resolved(workspace, reference):
    workspace.routers.publish("r", spec())
    with pytest.raises(NotFound) as refused:
        workspace.resolve(reference)
    assert refused.value.code == "router_not_found"


def test_a_router_is_resolved_without_a_workspace_and_leaves_one_that_is_open_alone(workspace):
    workspace.routers.publish("r", spec(INVOICE, recognizer=KINDS))
    reference = RouterRef(id="r")
    assert resolve(reference, workspace.engine) == workspace.resolve(reference)
    with pytest.raises(NotFound):
        resolve(RouterRef(id="none"), workspace.engine)
    assert workspace.routers.publish("r", spec()).version == 2
    assert resolve(reference, workspace.engine).version == 2


def test_where_no_routers_are_kept_none_is_resolved(workspace, monkeypatch):
    monkeypatch.delenv("INDX_ROUTER_STORE")
    with pytest.raises(StoreDisabled, match="INDX_ROUTER_STORE"):
        resolve(RouterRef(id="r"), workspace.engine)


def test_what_people_approved_on_the_recognizers_facet_is_resolved_by_digest(workspace):
    workspace.routers.publish("r", spec(INVOICE, RouterBranch(type_id="letter"), recognizer=KINDS))
    judge(workspace, data=b"a")
    judge(workspace, "corrected", "other", fix="letter", data=b"b")
    judge(workspace, "rejected", data=b"c")
    judge(workspace, label="none", data=b"d")
    judge(workspace, facet="another", data=b"e")
    approved = {data: SourceContent.of_bytes(data).digest for data in (b"a", b"b")}
    assert workspace.resolve(RouterRef(id="r")).approved == {
        approved[b"a"]: "invoice",
        approved[b"b"]: "letter",
    }
    workspace.routers.publish("r", spec(INVOICE, RouterBranch(type_id="letter")))
    assert workspace.resolve(RouterRef(id="r")).approved == {}, "without a recognizer there is no facet"


def test_of_several_verdicts_the_latest_on_the_document_counts(workspace, clock):
    workspace.routers.publish("r", spec(INVOICE, RouterBranch(type_id="letter"), recognizer=KINDS))
    judge(workspace, label="letter", unit="page", page=1)
    assert workspace.resolve(RouterRef(id="r")).approved == {DIGEST: "letter"}
    judge(workspace, label="invoice", unit="page", page=2)
    assert workspace.resolve(RouterRef(id="r")).approved == {}, "its pages disagree"
    clock.on(1)
    judge(workspace, label="letter")
    clock.on(1)
    judge(workspace, label="invoice")
    assert workspace.resolve(RouterRef(id="r")).approved == {DIGEST: "invoice"}
    clock.on(1)
    judge(workspace, label="letter")
    assert workspace.resolve(RouterRef(id="r")).approved == {DIGEST: "letter"}


def test_a_router_that_names_a_deleted_type_stays_and_says_so_when_used(workspace):
    workspace.routers.publish("r", spec(INVOICE))
    workspace.types.delete("invoice")
    assert workspace.routers.get("r").version == 1
    with pytest.raises(InvalidRecord) as refused:
        workspace.resolve(RouterRef(id="r"))
    assert (refused.value.code, refused.value.param) == ("invalid_router", "router")


# Routing documents


def request(text, kind=EncodeRequest, **more):
    source = InlineSource(data=text.encode(), media_type="text/plain")
    return kind(source=source, router=RouterRef(id="r"), **more)


def encode(workspace, text):
    asked = request(text)
    return workspace.engine.encode(asked, routing=workspace.resolve(asked.router))


def reader_of(result):
    return next(b.provenance.capability_id for b in result.blocks if b.scope == "PAGE")


@pytest.mark.parametrize(
    ("text", "kind", "by", "reader"),
    [
        ("plain", None, None, "plain-reader"),
        ("FORM 7", "invoice", "signature", "patient-reader"),
        ("KIND:letter", "letter", "recognised", "plain-reader"),
        ("KIND:invoice", "invoice", "recognised", "patient-reader"),
    ],
)
def test_documents_take_the_branch_of_their_type(workspace, text, kind, by, reader):
    default = RouterBranch(reader="plain-reader")
    letter = RouterBranch(type_id="letter", reader="plain-reader")
    workspace.routers.publish("r", spec(INVOICE, letter, default=default, recognizer=KINDS))
    result = encode(workspace, text)
    assert [entry.type_id for entry in result.trace.branches] == [kind]
    assert reader_of(result) == reader
    assert [t.by for t in result.plan.typed_pages] == ([by] if by == "signature" else [])


def test_an_approved_document_follows_its_type_whatever_the_recognizer_says(workspace):
    workspace.routers.publish("r", spec(INVOICE, RouterBranch(type_id="letter"), recognizer=KINDS))
    judge(workspace, data=b"KIND:letter")
    result = encode(workspace, "KIND:letter")
    assert [(t.type_id, t.by) for t in result.plan.typed_pages] == [("invoice", "approved")]
    assert reader_of(result) == "patient-reader"


def test_a_plan_made_before_another_version_was_published_is_a_conflict(workspace):
    workspace.routers.publish("r", spec())
    asked = request("plain", PlanRequest)
    plan = workspace.engine.plan(asked, routing=workspace.resolve(asked.router)).plan
    workspace.routers.publish("r", spec())
    again = request("plain", plan=plan)
    with pytest.raises(PlanConflict) as refused:
        workspace.engine.encode(again, routing=workspace.resolve(again.router))
    assert refused.value.param == "plan.router"
    pinned = RouterRef(id="r", version=1)
    asked = again.model_copy(update={"router": pinned})
    assert workspace.engine.encode(asked, routing=workspace.resolve(pinned)).plan.router.version == 1


# Races


def test_publishes_at_one_moment_get_versions_of_their_own(workspace):
    together, made = threading.Barrier(6), []

    def publish():
        together.wait(30)
        made.append(workspace.routers.publish("r", spec()).version)

    threads = [threading.Thread(target=publish) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == [1, 2, 3, 4, 5, 6]
    assert [r.version for r in workspace.routers.versions("r").versions] == [1, 2, 3, 4, 5, 6]
