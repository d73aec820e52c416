"""Indx takes models, mappings and documents alike, and gives contract models."""

import hashlib

import pytest

from indx import Indx
from indx.facade import read_source
from indx_core.contracts import EmbedRequest, EncodeRequest, InlineSource, PlanResult, UriSource
from indx_core.errors import InputTooLarge, InvalidEmbeddingSpace, InvalidRequest, SourceError
from indx_runtime import Workers


def test_a_model_a_mapping_a_path_and_bytes_give_the_same_plan(note):
    indx = Indx()
    data = note.read_bytes()
    request = EncodeRequest(source=InlineSource(data=data, filename="note.md"))
    mapping = request.model_dump()
    plans = [indx.encode(form).plan for form in (request, mapping, note, str(note))]
    plans.append(indx.plan({"source": mapping["source"]}).plan)
    assert len({p.plan_id for p in plans}) == 1
    assert isinstance(indx.plan(data, granularities=["PAGE"]), PlanResult)


def test_keywords_win_over_the_request(note):
    request = EncodeRequest(source=InlineSource(data=b"x", filename="a.txt"), request_id="a")
    assert Indx().encode(request, request_id="b").request_id == "b"


def test_a_wrong_field_is_the_contracts_refusal(note):
    with pytest.raises(InvalidRequest) as caught:
        Indx().encode(note, granularity=["PAGE"])
    assert caught.value.param == "granularity"


@pytest.mark.parametrize("uri", ["https://example.org/a.pdf", "data:,x", "s3://b/k"])
def test_a_string_with_a_scheme_is_a_uri(uri):
    assert isinstance(read_source(uri), UriSource)


def test_a_path_that_looks_like_a_uri_and_exists_is_a_path(tmp_path, monkeypatch):
    (tmp_path / "ab:c.txt").write_text("x")
    monkeypatch.chdir(tmp_path)
    assert isinstance(read_source("ab:c.txt"), InlineSource)


def test_a_path_that_cannot_be_read_is_unreadable_and_a_large_one_refused(tmp_path, monkeypatch):
    with pytest.raises(SourceError):
        read_source(tmp_path)
    with pytest.raises(SourceError):
        read_source(tmp_path / "nope")
    big = tmp_path / "big"
    big.write_bytes(b"123456")
    monkeypatch.setenv("INDX_MAX_INPUT_BYTES", "5")
    with pytest.raises(InputTooLarge):
        read_source(big)


@pytest.mark.parametrize("name", ["a\x00b", "x" * 10_000, "\ud800"])
def test_what_is_no_name_of_a_file_is_unreadable(name):
    with pytest.raises(SourceError) as caught:
        read_source(name)
    assert len(caught.value.message) < 1500


def test_a_uri_longer_than_any_name_of_a_file_is_a_uri():
    assert isinstance(read_source("data:text/plain," + "x" * 10_000), UriSource)


def test_a_digest_is_held_against_a_path_and_bytes_too(note):
    right = hashlib.sha256(note.read_bytes()).hexdigest()
    assert read_source(note, sha256=right) == read_source(note, sha256=f"sha256:{right}")
    for document in (note, note.read_bytes()):
        with pytest.raises(
            SourceError, match=r"expected sha256, but sha256:[0-9a-f]{64}: give another document, or that"
        ):
            read_source(document, sha256="0" * 64)


def test_a_uri_is_not_declared_by_the_caller():
    with pytest.raises(InvalidRequest, match="media_type"):
        read_source("https://example.org/a", media_type="text/plain")


@pytest.mark.parametrize("request_", [5, None, [b"x"], object()])
def test_what_is_no_request_is_refused_as_a_whole(request_):
    indx = Indx()
    for call in (indx.plan, indx.encode, indx.embed):
        with pytest.raises(InvalidRequest) as caught:
            call(request_)
        assert caught.value.param == "body"


def test_a_query_may_be_a_mapping_with_keywords_a_model_or_a_text():
    indx = Indx()
    text = {"input": {"type": "text", "text": "retention"}}
    model = EmbedRequest(embedding_space_id="default-text", **text)
    answers = [
        indx.embed("retention", embedding_space_id="default-text"),
        indx.embed(text, embedding_space_id="default-text"),
        indx.embed(model),
        indx.embed(model, request_id=None),
    ]
    assert answers.count(answers[0]) == 4


@pytest.mark.parametrize("form", ["path", "bytes"])
def test_a_path_or_bytes_are_a_query_image(note, form):
    image = note if form == "path" else note.read_bytes()
    with pytest.raises(InvalidEmbeddingSpace) as caught:
        Indx().embed(image, embedding_space_id="default-text")
    assert caught.value.code == "no_query_embedder"


def test_leaving_by_an_exception_does_not_wait_for_the_work(note, monkeypatch):
    closed, close = [], Workers.close

    def spy(self, *, cancel=False):
        closed.append(cancel)
        close(self, cancel=cancel)

    monkeypatch.setattr(Workers, "close", spy)
    with Indx(isolate=True):
        pass
    with pytest.raises(KeyboardInterrupt), Indx(isolate=True):
        raise KeyboardInterrupt
    assert closed == [False, True]


def test_a_name_that_is_not_utf8_is_still_a_name(tmp_path):
    file = tmp_path / "bad\udcff.txt"
    file.write_text("x")
    source = read_source(file)
    assert source.filename == "bad\ufffd.txt"


def test_isolated_work_gives_the_same_answer(note):
    with Indx(isolate=True) as isolated:
        one = isolated.encode(note, granularities=["CHUNK"])
    assert one.blocks == Indx().encode(note, granularities=["CHUNK"]).blocks
