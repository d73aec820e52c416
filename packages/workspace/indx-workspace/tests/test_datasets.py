"""Datasets: documents for one purpose, examples counted when asked for, sources held for experiments."""

import pytest

from indx_core.contracts import (
    DatasetDocument,
    DatasetSpec,
    DocumentTypeSpec,
    EncodeRequest,
    FacetTarget,
    InlineSource,
    LabelSpec,
)
from indx_core.errors import InputTooLarge, InvalidRecord, InvalidRequest, NotFound
from indx_core.ports import SourceContent

TEXTS = ("one", "two", "three")


def digest_of(text):
    return SourceContent.of_bytes(text.encode()).digest


def spec(*texts, purpose="training", **members):
    documents = tuple(DatasetDocument(digest=digest_of(text), name=text) for text in texts)
    return DatasetSpec(label="Set", purpose=purpose, documents=documents, **members)


@pytest.fixture
def judge(workspace):
    def judged(text, label="invoice", facet="kind"):
        target = FacetTarget(unit="document", facet=facet, label=label)
        return workspace.labels.put(
            LabelSpec(digest=digest_of(text), document_name=text, target=target, verdict="approved")
        )

    return judged


@pytest.fixture
def types(workspace):
    for key in ("invoice", "letter"):
        workspace.types.put(key, DocumentTypeSpec(label=key))


def test_a_dataset_is_a_live_view_of_the_labels_its_documents_hold(workspace, judge):
    judge("one")
    assert workspace.datasets.put("d", spec("one", "two")).examples == 1
    second, third = judge("two"), judge("one", facet="other")
    judge("three")
    assert workspace.datasets.get("d").examples == 3
    labels = workspace.datasets.labels("d").labels
    assert [label.id for label in labels] == [
        label.id
        for label in sorted(workspace.labels.list().labels, key=lambda one: (one.digest, one.id))
        if label.digest != digest_of("three")
    ]
    workspace.labels.delete(second.id)
    workspace.labels.delete(third.id)
    assert workspace.datasets.get("d").examples == 1


def test_datasets_are_listed_by_key_with_what_they_hold(workspace, judge, keep):
    keep("ann", "one")
    judge("two")
    for key in ("b", "a"):
        workspace.datasets.put(key, spec("one", "two"), owner="ann")
    listed = workspace.datasets.list()
    assert [(d.id, d.examples, d.readable) for d in listed.datasets] == [("a", 1, 1), ("b", 1, 1)]
    assert listed.writable is False


def test_replacing_a_dataset_keeps_when_it_was_first_made(workspace, clock):
    first = workspace.datasets.put("d", spec("one"))
    clock.on(5)
    second = workspace.datasets.put("d", spec("two"))
    assert (second.created_at, second.updated_at) == (first.created_at, clock.now)
    assert workspace.datasets.get("d") == second


@pytest.mark.parametrize("key", ["none", "Not A Key", "\x00"])
def test_a_dataset_that_is_not_there_is_not_found(workspace, key):
    for look in (workspace.datasets.get, workspace.datasets.labels):
        with pytest.raises(NotFound) as refused:
            look(key)
        assert refused.value.code == "dataset_not_found"
    workspace.datasets.delete(key)


def test_what_is_no_key_cannot_be_written_under(workspace):
    with pytest.raises(InvalidRequest):
        workspace.datasets.put("Not A Key", spec())


def test_a_type_the_workspace_does_not_hold_is_refused(workspace):
    with pytest.raises(InvalidRecord) as refused:
        workspace.datasets.put("d", spec("one", type_id="none"))
    assert (refused.value.code, refused.value.param) == ("invalid_dataset", "type_id")


def test_a_document_does_not_both_teach_and_grade_a_type(workspace, types):
    workspace.datasets.put("train", spec("one", "two", type_id="invoice"))
    with pytest.raises(InvalidRecord) as refused:
        workspace.datasets.put("grade", spec("three", "two", type_id="invoice", purpose="evaluation"))
    assert (refused.value.code, refused.value.param) == ("invalid_dataset", "documents")
    assert "'two'" in refused.value.message
    assert "'train'" in refused.value.message
    assert len(workspace.datasets.list().datasets) == 1


def test_a_document_may_teach_one_type_and_grade_another(workspace, types):
    workspace.datasets.put("train", spec("one", type_id="invoice"))
    workspace.datasets.put("grade", spec("one", type_id="letter", purpose="evaluation"))
    workspace.datasets.put("more", spec("one", type_id="invoice"))
    workspace.datasets.put("untyped", spec("one", purpose="evaluation"))


def test_a_dataset_may_change_its_own_purpose(workspace, types):
    workspace.datasets.put("d", spec("one", type_id="invoice"))
    assert (
        workspace.datasets.put("d", spec("one", type_id="invoice", purpose="evaluation")).purpose
        == "evaluation"
    )


def test_a_deleted_dataset_leaves_the_labels(workspace, judge):
    judge("one")
    workspace.datasets.put("d", spec("one"))
    workspace.datasets.delete("d")
    workspace.datasets.delete("d")
    assert workspace.datasets.list().datasets == ()
    assert len(workspace.labels.list().labels) == 1


# Sources


def stored(workspace):
    return sorted(text for text in TEXTS if digest_of(text) in workspace.datasets.readable())


def test_the_callers_sources_are_copied_to_the_installation_and_do_not_expire(workspace, keep, clock):
    keep("ann", "one", filename="one.txt")
    assert workspace.datasets.put("d", spec("one", "two"), owner="ann").readable == 1
    clock.on(10**8)
    workspace.expire()
    assert workspace.documents.list("ann").documents == ()
    assert workspace.datasets.get("d").readable == 1
    source = workspace._stores.sources.get(None, digest_of("one"), now=clock.now)
    assert (source.data, source.filename) == (b"one", "one.txt")


@pytest.mark.parametrize("owner", ["bob", None])
def test_a_document_the_caller_did_not_keep_joins_unreadable(workspace, keep, owner):
    keep("ann", "one")
    made = workspace.datasets.put("d", spec("one"), owner=owner)
    assert (len(made.documents), made.readable) == (1, 0)


def test_a_document_becomes_readable_when_the_dataset_is_put_again_by_one_who_kept_it(workspace, keep):
    workspace.datasets.put("d", spec("one"))
    keep("ann", "one")
    assert workspace.datasets.put("d", spec("one"), owner="ann").readable == 1
    assert workspace.datasets.put("d", spec("one")).readable == 1, "what is stored stays"


def test_a_source_goes_with_the_last_dataset_that_names_it(workspace, keep):
    for text in TEXTS:
        keep("ann", text)
    workspace.datasets.put("a", spec("one", "two"), owner="ann")
    workspace.datasets.put("b", spec("two", "three"), owner="ann")
    assert stored(workspace) == ["one", "three", "two"]
    workspace.datasets.put("a", spec("two"), owner="ann")
    assert stored(workspace) == ["three", "two"]
    workspace.datasets.delete("b")
    assert stored(workspace) == ["two"]
    workspace.datasets.delete("a")
    assert stored(workspace) == []
    assert workspace.documents.source("ann", digest_of("one")).data == b"one", "the caller's own stays"


def test_without_a_source_store_a_dataset_is_unreadable(choose, open_workspace, monkeypatch):
    choose("memory")
    monkeypatch.delenv("INDX_SOURCE_STORE")
    workspace = open_workspace()
    assert workspace.datasets.put("d", spec("one"), owner="ann").readable == 0
    workspace.datasets.delete("d")


def test_without_labels_and_types_a_dataset_has_no_examples_and_no_type(choose, open_workspace):
    choose("memory", "INDX_DATASET_STORE")
    workspace = open_workspace()
    assert workspace.datasets.put("d", spec("one")).examples == 0
    assert workspace.datasets.labels("d").labels == ()
    with pytest.raises(InvalidRecord):
        workspace.datasets.put("d", spec("one", type_id="invoice"))


def test_sources_that_datasets_hold_fill_a_store_and_the_dataset_is_refused_whole(
    choose, open_workspace, monkeypatch
):
    choose("memory")
    workspace = open_workspace()
    for text in ("a" * 400, "b" * 400, "c" * 400):
        source = InlineSource(data=text.encode(), media_type="text/plain")
        workspace.documents.keep("ann", workspace.engine.encode(EncodeRequest(source=source)), source=source)
    workspace.datasets.put("a", spec("a" * 400), owner="ann")
    monkeypatch.setenv("INDX_STORE_MEMORY_MAX_BYTES", "500")
    with pytest.raises(InputTooLarge):
        workspace.datasets.put("b", spec("b" * 400), owner="ann")
    assert [d.id for d in workspace.datasets.list().datasets] == ["a"]
