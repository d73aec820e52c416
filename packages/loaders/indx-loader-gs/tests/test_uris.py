"""A URI names the current generation of one object in a bucket that may be read."""

from __future__ import annotations

import logging
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.errors import SourceError
from indx_loader_gs._object import parse, permit

BUCKETS = "INDX_LOADER_GS_BUCKETS"


def refusal(uri: str) -> SourceError:
    with pytest.raises(SourceError) as caught:
        permit(parse(uri))
    return caught.value


@pytest.mark.parametrize(
    ("uri", "bucket", "name"),
    [
        ("gs://docs/report.pdf", "docs", "report.pdf"),
        ("GS://docs/a/b//c/", "docs", "a/b//c/"),
        ("gs://my.docs-1/%E8%AD%B0.pdf", "my.docs-1", "議.pdf"),
        ("gs://docs/議 事録.pdf", "docs", "議 事録.pdf"),
        ("gs://docs/a%3Fb%23c%25d+e", "docs", "a?b#c%d+e"),
        ("gs://docs//lead", "docs", "/lead"),
        ("gs://docs/...", "docs", "..."),
    ],
)
def test_a_uri_names_a_bucket_and_a_name(uri: str, bucket: str, name: str) -> None:
    wanted = parse(uri)
    assert (wanted.bucket, wanted.name) == (bucket, name)


@pytest.mark.parametrize(
    "uri",
    ["gs:", "gs://", "gs://docs", "gs://docs/", "gs:///key", "gs://user@docs/key", "gs://docs:80/key",
     "gs://arn:aws:gs:::docs/key", "gs://../key", "gs://docs/%zz", "gs://docs/100%", "gs://docs/%ff",
     "gs://docs/\ud800", "gs://docs/a#b", "http://docs/key"],
)  # fmt: skip
def test_what_names_no_object_is_unreadable(uri: str) -> None:
    assert refusal(uri).code == "source_unreadable"


@pytest.mark.parametrize("query", ["?generation=7", "?Generation=7", "?generation=", "?", "?x=1#y"])
def test_a_query_is_refused_and_not_dropped(query: str) -> None:
    error = refusal("gs://docs/report.pdf" + query)
    assert error.code == "source_unreadable"
    assert "only the current object" in error.message


@pytest.mark.parametrize(
    "key", ["../other/key", "a/../../other", ".", "a/.", "a/%2e%2e/b", r"..\other", "%2E."]
)
def test_a_name_cannot_lead_out_of_its_bucket(key: str) -> None:
    assert refusal(f"gs://docs/{key}").code == "source_unreadable"


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
def test_every_name_can_be_written_as_a_uri(key: str) -> None:
    if not {".", ".."} & set(key.replace("\\", "/").split("/")):
        assert parse("gs://docs/" + quote(key, safe="/")).name == key


def test_any_bucket_may_be_read_until_buckets_are_named() -> None:
    permit(parse("gs://docs/key"))


def test_a_bucket_that_is_not_named_is_forbidden(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(BUCKETS, "docs, reports")
    permit(parse("gs://docs/key"))
    permit(parse("gs://reports/key"))
    with caplog.at_level(logging.WARNING, "indx.loader.gs"):
        error = refusal("gs://other/key")
    assert error.code == "source_forbidden"
    assert BUCKETS in error.message
    assert "reports" not in error.message
    assert "docs, reports" in caplog.text


def test_a_list_without_names_permits_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(BUCKETS, ",")
    assert refusal("gs://docs/key").code == "source_forbidden"
