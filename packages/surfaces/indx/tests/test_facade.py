"""Indx takes models, mappings and documents alike, and gives contract models."""

import pytest

from indx import Indx
from indx.facade import read_source
from indx_core.contracts import EncodeRequest, InlineSource, PlanResult, UriSource
from indx_core.errors import InputTooLarge, InvalidRequest, SourceError


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


def test_a_name_that_is_not_utf8_is_still_a_name(tmp_path):
    file = tmp_path / "bad\udcff.txt"
    file.write_text("x")
    source = read_source(file)
    assert source.filename == "bad\ufffd.txt"


def test_isolated_work_gives_the_same_answer(note):
    with Indx(isolate=True) as isolated:
        one = isolated.encode(note, granularities=["CHUNK"])
    assert one.blocks == Indx().encode(note, granularities=["CHUNK"]).blocks
