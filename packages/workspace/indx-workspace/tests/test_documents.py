"""Kept documents: each caller's apart, until their time is up, all of one or nothing."""

import pytest

from indx_core.contracts import EncodeRequest, InlineSource, SearchRequest, UriSource
from indx_core.errors import InputTooLarge, NotFound, Unavailable
from indx_core.hooks import Hooks, hookimpl
from indx_core.ports import SourceContent
from indx_runtime import Engine
from indx_workspace import Workspace

ABSENT = "sha256:" + "0" * 64


def found(workspace, owner, query):
    return [hit.text for hit in workspace.documents.search(owner, SearchRequest(query=query)).hits]


def test_a_document_is_kept_as_a_summary_beside_its_whole_result(workspace, keep, clock):
    kept = keep("ann", "one\ntwo", filename="notes.txt", embedding_space_ids=["sense", "apart"])
    summary = kept.summary
    assert (summary.name, summary.media_type, summary.pages, summary.chunks) == (
        "notes.txt",
        "text/plain",
        1,
        2,
    )
    assert summary.embedding_space_ids == ("sense", "apart")
    assert summary.digest == SourceContent.of_bytes(b"one\ntwo").digest
    assert summary.created_at == summary.updated_at == clock.now
    assert (summary.expires_at - clock.now).total_seconds() == 86400
    assert [b.id for b in kept.result.blocks] == ["doc", "p1", "p1.c0", "p1.c1"]
    assert workspace.documents.get("ann", summary.digest) == kept


def test_a_document_without_vectors_is_in_no_space(keep):
    assert keep("ann", "one").summary.embedding_space_ids == ()


@pytest.mark.parametrize(
    ("name", "filename", "expected"),
    [
        ("Given", "file.txt", "Given"),
        (None, "file.txt", "file.txt"),
        ("  ", "file.txt", "file.txt"),
        (None, None, None),
    ],
)
def test_the_name_is_the_one_given_else_the_files_else_the_digest(keep, name, filename, expected):
    kept = keep("ann", "one", name=name, filename=filename)
    assert kept.summary.name == (expected or kept.summary.digest)


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("https://example.org/a/report%20one.txt?x=1", "report one.txt"),
        ("https://example.org/folder/", "folder"),
        ("https://example.org/a%00b%FFc", "a\ufffdb\ufffdc"),
        ("https://example.org/", None),
        ("https://[broken", None),
    ],
)
def test_a_document_from_a_uri_bears_the_last_part_of_its_path(workspace, uri, expected):
    source = InlineSource(data=b"one", media_type="text/plain")
    result = workspace.engine.encode(EncodeRequest(source=source))
    document = result.blocks[0]
    origin = document.provenance.model_copy(update={"source_uri": uri})
    moved = result.model_copy(
        update={"blocks": (document.model_copy(update={"provenance": origin}), *result.blocks[1:])}
    )
    kept = workspace.documents.keep("ann", moved, source=UriSource(uri="https://example.org/x"))
    assert kept.summary.name == (expected or kept.summary.digest)
    assert kept.summary.source_kept is False


def test_the_same_bytes_are_one_document_whatever_they_are_called(workspace, keep):
    keep("ann", "one", name="first")
    keep("ann", "one", name="second")
    assert [s.name for s in workspace.documents.list("ann").documents] == ["second"]


def test_keeping_again_replaces_the_result_and_starts_its_time_anew(workspace, keep, clock):
    first = keep("ann", "one\ntwo").summary
    clock.on(1000)
    second = keep("ann", "one\ntwo", granularities=["DOCUMENT"]).summary
    assert second.created_at == first.created_at
    assert second.updated_at == clock.now
    assert (second.expires_at - first.expires_at).total_seconds() == 1000
    assert [b.id for b in workspace.documents.get("ann", first.digest).result.blocks] == ["doc"]
    assert found(workspace, "ann", "two") == [], "chunks of the first keep are gone with it"


def test_documents_are_listed_the_last_kept_first_then_by_digest(workspace, keep, clock):
    texts = ["c", "a", "b"]
    for text in texts:
        keep("ann", text)
    clock.on(1)
    keep("ann", "a")
    rest = sorted(SourceContent.of_bytes(text.encode()).digest for text in ("b", "c"))
    listed = [s.digest for s in workspace.documents.list("ann").documents]
    assert listed == [SourceContent.of_bytes(b"a").digest, *rest]


def test_what_another_caller_kept_was_never_kept(workspace, keep):
    digest = keep("ann", "one").summary.digest
    for owner in ("bob", None, ""):
        assert workspace.documents.list(owner).documents == ()
        with pytest.raises(NotFound) as theirs:
            workspace.documents.get(owner, digest)
        with pytest.raises(NotFound) as nobodys:
            workspace.documents.get(owner, ABSENT)
        assert theirs.value.envelope() == nobodys.value.envelope()
        assert theirs.value.code == "document_not_found"


@pytest.mark.parametrize("digest", ["", "x", "sha256:" + "G" * 64, "sha256:\x00", "\ud800", "%00" * 30])
def test_what_is_no_digest_was_never_kept(workspace, digest):
    with pytest.raises(NotFound):
        workspace.documents.get("ann", digest)
    with pytest.raises(NotFound):
        workspace.documents.source("ann", digest)
    workspace.documents.delete("ann", digest)


def test_a_deleted_document_is_gone_with_its_chunks_and_source(workspace, keep):
    digest = keep("ann", "one").summary.digest
    workspace.documents.delete("ann", digest)
    workspace.documents.delete("ann", digest)
    assert workspace.documents.list("ann").documents == ()
    assert found(workspace, "ann", "one") == []
    with pytest.raises(NotFound):
        workspace.documents.source("ann", digest)


def test_a_caller_deletes_what_is_their_own_only(workspace, keep):
    digest = keep("ann", "one").summary.digest
    workspace.documents.delete("bob", digest)
    workspace.documents.delete(None, digest)
    assert workspace.documents.get("ann", digest).summary.digest == digest


def test_a_document_vanishes_after_its_time_counted_from_the_last_keep(workspace, keep, clock, monkeypatch):
    monkeypatch.setenv("INDX_STORE_TTL_SECONDS", "100")
    digest = keep("ann", "one").summary.digest
    clock.on(60)
    keep("ann", "one")
    clock.on(99)
    assert workspace.documents.get("ann", digest)
    assert workspace.documents.source("ann", digest)
    clock.on(1)
    assert workspace.documents.list("ann").documents == ()
    assert found(workspace, "ann", "one") == []
    for look in (workspace.documents.get, workspace.documents.source):
        with pytest.raises(NotFound):
            look("ann", digest)


def test_the_time_and_the_ceiling_are_read_at_every_keep(workspace, keep, monkeypatch):
    first = keep("ann", "one").summary
    monkeypatch.setenv("INDX_STORE_TTL_SECONDS", "7")
    monkeypatch.setenv("INDX_STORE_MAX_DOCUMENTS_PER_OWNER", "1")
    second = keep("ann", "two").summary
    assert (second.expires_at - second.updated_at).total_seconds() == 7
    assert (first.expires_at - first.updated_at).total_seconds() == 86400
    assert [s.digest for s in workspace.documents.list("ann").documents] == [second.digest]


def test_a_time_beyond_the_calendar_is_the_end_of_it(keep, monkeypatch):
    monkeypatch.setenv("INDX_STORE_TTL_SECONDS", str(2**62))
    assert keep("ann", "one").summary.expires_at.year == 9999


def test_over_the_ceiling_the_callers_oldest_goes_whole(workspace, keep, clock, monkeypatch):
    monkeypatch.setenv("INDX_STORE_MAX_DOCUMENTS_PER_OWNER", "2")
    keep("bob", "apple pie")
    texts = ["apple one", "apple two", "apple three"]
    for text in texts:
        clock.on(1)
        kept = keep("ann", text).summary
    assert sorted(found(workspace, "ann", "apple")) == ["apple three", "apple two"]
    assert found(workspace, "bob", "apple") == ["apple pie"]
    assert len(workspace.documents.list("ann").documents) == 2
    assert workspace.documents.get("ann", kept.digest)
    with pytest.raises(NotFound):
        workspace.documents.source("ann", SourceContent.of_bytes(b"apple one").digest)


def test_keeping_an_old_document_again_makes_it_the_newest(workspace, keep, clock, monkeypatch):
    monkeypatch.setenv("INDX_STORE_MAX_DOCUMENTS_PER_OWNER", "2")
    for text in ("one", "two", "one", "three"):
        clock.on(1)
        keep("ann", text)
    assert {hit for word in ("one", "two", "three") for hit in found(workspace, "ann", word)} == {
        "one",
        "three",
    }


def test_expired_documents_are_dropped_and_those_kept_again_are_not(workspace, keep, clock):
    old = keep("ann", "old").summary
    clock.on(80000)
    keep("ann", "new")
    clock.on(10000)
    assert workspace.expire() == 1
    assert workspace.expire() == 0
    clock.now = old.created_at
    assert [s.digest for s in workspace.documents.list("ann").documents] != [old.digest]
    assert found(workspace, "ann", "old") == []
    assert found(workspace, "ann", "new") == ["new"]


def test_a_keep_sweeps_what_expired_of_others(workspace, keep, clock):
    keep("bob", "old")
    clock.on(90000)
    keep("ann", "new")
    assert workspace.expire() == 0


# Sources


def test_a_source_comes_back_byte_for_byte_with_its_type_and_name(workspace, keep):
    text = "Größe\r\n日本語 \x7f"
    digest = keep("ann", text, filename='日本 "x"\r\n.txt').summary.digest
    source = workspace.documents.source("ann", digest)
    assert (source.data, source.media_type, source.filename) == (
        text.encode(),
        "text/plain",
        '日本 "x"\r\n.txt',
    )


def test_whether_the_source_is_kept_is_said(workspace, keep):
    kept = keep("ann", "one")
    assert kept.summary.source_kept is True
    again = workspace.documents.keep("ann", kept.result, source=UriSource(uri="data:,one"))
    assert again.summary.source_kept is False
    with pytest.raises(NotFound):
        workspace.documents.source("ann", kept.summary.digest)


def test_every_source_that_is_not_there_is_missing_in_the_same_words(workspace, keep):
    mine = keep("ann", "one").summary.digest
    uri = keep("ann", "two")
    workspace.documents.keep("ann", uri.result, source=UriSource(uri="data:,two"))
    refusals = []
    for owner, digest in (("bob", mine), ("ann", ABSENT), ("ann", uri.summary.digest), (None, mine)):
        with pytest.raises(NotFound) as refused:
            workspace.documents.source(owner, digest)
        refusals.append(refused.value.envelope())
    assert all(envelope == refusals[0] for envelope in refusals)
    assert refusals[0]["code"] == "source_not_kept"


def test_without_a_source_store_files_are_gone_once_read(choose, open_workspace):
    choose("memory", "INDX_DOCUMENT_STORE", "INDX_VECTOR_INDEX")
    workspace = open_workspace()
    source = InlineSource(data=b"one", media_type="text/plain")
    kept = workspace.documents.keep(
        "ann", workspace.engine.encode(EncodeRequest(source=source)), source=source
    )
    assert kept.summary.source_kept is False
    with pytest.raises(NotFound) as refused:
        workspace.documents.source("ann", kept.summary.digest)
    assert refused.value.code == "source_not_kept"
    assert "keep the document again" in refused.value.message


# All or nothing


def test_a_keep_that_fails_leaves_what_was_there(workspace, keep, monkeypatch):
    digest = keep("ann", "one apple").summary.digest
    before = workspace.documents.get("ann", digest)
    monkeypatch.setattr(workspace.documents, "_sources", Full(workspace._stores.sources))
    for text in ("one apple", "another apple"):
        with pytest.raises(OSError, match="the disk is full"):
            keep("ann", text)
    assert workspace.documents.get("ann", digest) == before
    assert [s.digest for s in workspace.documents.list("ann").documents] == [digest]
    assert found(workspace, "ann", "apple") == ["one apple"]


class Full:
    """A store whose disk is full."""

    def __init__(self, store):
        self._store = store

    def __getattr__(self, name):
        return getattr(self._store, name)

    def put(self, *_, **__):
        raise OSError("the disk is full")


def test_a_document_larger_than_the_memory_store_is_refused_and_nothing_changes(
    choose, open_workspace, monkeypatch
):
    choose("memory")
    workspace = open_workspace()
    source = InlineSource(data=b"one", media_type="text/plain")
    result = workspace.engine.encode(EncodeRequest(source=source))
    monkeypatch.setenv("INDX_STORE_MEMORY_MAX_BYTES", "100")
    with pytest.raises(InputTooLarge):
        workspace.documents.keep("ann", result, source=source)
    assert workspace.documents.list("ann").documents == ()


def test_what_a_full_store_dropped_is_dropped_everywhere(choose, open_workspace, monkeypatch):
    choose("memory")
    workspace = open_workspace()
    monkeypatch.setenv("INDX_STORE_MEMORY_MAX_DOCUMENTS", "1")
    digests = []
    for text in (b"apple one", b"apple two"):
        source = InlineSource(data=text, media_type="text/plain")
        asked = EncodeRequest(source=source, granularities=["CHUNK"])
        digests.append(
            workspace.documents.keep("ann", workspace.engine.encode(asked), source=source).summary.digest
        )
    assert [s.digest for s in workspace.documents.list("ann").documents] == digests[1:]
    assert found(workspace, "ann", "apple") == ["apple two"]
    with pytest.raises(NotFound):
        workspace.documents.source("ann", digests[0])


def test_what_is_kept_in_a_file_is_there_after_a_restart(choose, open_workspace, engine, clock):
    choose("sqlite")
    source = InlineSource(data=b"apple", media_type="text/plain")
    with Workspace.open(engine(), clock=clock) as first:
        asked = EncodeRequest(source=source, granularities=["CHUNK"], embedding_space_ids=["sense"])
        kept = first.documents.keep("ann", first.engine.encode(asked), source=source)
    second = open_workspace()
    assert second.documents.get("ann", kept.summary.digest) == kept
    assert found(second, "ann", "apple") == ["apple"]
    assert second.documents.source("ann", kept.summary.digest).data == b"apple"


def test_watchers_are_told_of_what_is_kept(choose, engine, clock):
    class Watch:
        seen = ()

        @hookimpl
        def indx_document_kept(self, digest, chunks):
            self.seen += ((digest, chunks),)

    choose("memory")
    hooks, watch = Hooks(), Watch()
    hooks.register(watch)
    watched = Engine(engine().registry, hooks=hooks)
    source = InlineSource(data=b"one\ntwo", media_type="text/plain")
    with Workspace.open(watched, clock=clock) as workspace:
        result = watched.encode(EncodeRequest(source=source, granularities=["CHUNK"]))
        kept = workspace.documents.keep("ann", result, source=source)
    assert watch.seen == ((kept.summary.digest, 2),)


def test_a_keep_that_is_done_does_not_fail_for_what_cannot_be_expired(workspace, keep, monkeypatch):
    def busy():
        raise Unavailable("the store is busy", code="busy")

    monkeypatch.setattr(workspace.documents, "expire", busy)
    assert workspace.documents.get("ann", keep("ann", "one").summary.digest)


def test_a_document_that_is_kept_again_while_it_expires_stays(workspace, keep, monkeypatch):
    digest = keep("ann", "one").summary.digest

    class Late:
        def __getattr__(self, name):
            return getattr(workspace._stores.documents, name)

        def expired(self, **_):
            return [("ann", digest)]

    monkeypatch.setattr(workspace.documents, "_documents", Late())
    workspace.expire()
    assert workspace.documents.get("ann", digest)
    assert workspace.documents.source("ann", digest)


def test_what_one_store_dropped_the_others_drop_at_the_next_keep(choose, open_workspace, monkeypatch):
    choose("memory", "INDX_DOCUMENT_STORE")
    choose("sqlite", "INDX_VECTOR_INDEX", "INDX_SOURCE_STORE")
    monkeypatch.setenv("INDX_STORE_MEMORY_MAX_DOCUMENTS", "1")
    workspace = open_workspace()
    for text in (b"apple one", b"apple two"):
        source = InlineSource(data=text, media_type="text/plain")
        asked = EncodeRequest(source=source, granularities=["CHUNK"])
        kept = workspace.documents.keep("ann", workspace.engine.encode(asked), source=source)
    assert list(workspace._stores.index.list("ann")) == [kept.summary.digest]
    assert found(workspace, "ann", "apple") == ["apple two"]


def test_what_a_process_kept_that_ended_expires_in_the_stores_that_outlive_it(choose, open_workspace, clock):
    choose("memory", "INDX_DOCUMENT_STORE")
    choose("sqlite", "INDX_VECTOR_INDEX", "INDX_SOURCE_STORE")
    first = open_workspace()
    source = InlineSource(data=b"apple", media_type="text/plain")
    asked = EncodeRequest(source=source, granularities=["CHUNK"])
    digest = first.documents.keep("ann", first.engine.encode(asked), source=source).summary.digest
    then = clock.now
    first.close()
    clock.on(90000)
    second = open_workspace()
    assert list(second._stores.index.list("ann")) == []
    assert second._stores.sources.get("ann", digest, now=then) is None


def test_a_long_name_is_cut_between_characters_as_people_see_them(keep):
    kept = keep("ann", "one", name="x" * 511 + "👩\u200d👧" + "y")
    assert kept.summary.name == "x" * 511
