"""A URI names the current version of one object in a bucket that may be read."""

from __future__ import annotations

import logging
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.errors import SourceError
from indx_loader_s3._object import parse, permit

BUCKETS = "INDX_LOADER_S3_BUCKETS"


def refusal(uri: str) -> SourceError:
    with pytest.raises(SourceError) as caught:
        permit(parse(uri))
    return caught.value


@pytest.mark.parametrize(
    ("uri", "bucket", "key"),
    [
        ("s3://docs/report.pdf", "docs", "report.pdf"),
        ("S3://docs/a/b//c/", "docs", "a/b//c/"),
        ("s3://my.docs-1/%E8%AD%B0.pdf", "my.docs-1", "議.pdf"),
        ("s3://docs/議 事録.pdf", "docs", "議 事録.pdf"),
        ("s3://docs/a%3Fb%23c%25d+e", "docs", "a?b#c%d+e"),
        ("s3://docs//lead", "docs", "/lead"),
        ("s3://docs/...", "docs", "..."),
    ],
)
def test_a_uri_names_a_bucket_and_a_key(uri: str, bucket: str, key: str) -> None:
    wanted = parse(uri)
    assert (wanted.bucket, wanted.key) == (bucket, key)


@pytest.mark.parametrize(
    "uri",
    ["s3:", "s3://", "s3://docs", "s3://docs/", "s3:///key", "s3://user@docs/key", "s3://docs:80/key",
     "s3://arn:aws:s3:::docs/key", "s3://../key", "s3://docs/%zz", "s3://docs/100%", "s3://docs/%ff",
     "s3://docs/\ud800", "s3://docs/a#b", "http://docs/key"],
)  # fmt: skip
def test_what_names_no_object_is_unreadable(uri: str) -> None:
    assert refusal(uri).code == "source_unreadable"


@pytest.mark.parametrize("query", ["?versionId=abc", "?versionid=abc", "?versionId=", "?", "?x=1#y"])
def test_a_query_is_refused_and_not_dropped(query: str) -> None:
    error = refusal("s3://docs/report.pdf" + query)
    assert error.code == "source_unreadable"
    assert "only the current object" in error.message


@pytest.mark.parametrize(
    "key", ["../other/key", "a/../../other", ".", "a/.", "a/%2e%2e/b", r"..\other", "%2E."]
)
def test_a_key_cannot_lead_out_of_its_bucket(key: str) -> None:
    assert refusal(f"s3://docs/{key}").code == "source_unreadable"


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
def test_every_key_can_be_written_as_a_uri(key: str) -> None:
    if not {".", ".."} & set(key.replace("\\", "/").split("/")):
        assert parse("s3://docs/" + quote(key, safe="/")).key == key


def test_any_bucket_may_be_read_until_buckets_are_named() -> None:
    permit(parse("s3://docs/key"))


def test_a_bucket_that_is_not_named_is_forbidden(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(BUCKETS, "docs, reports")
    permit(parse("s3://docs/key"))
    permit(parse("s3://reports/key"))
    with caplog.at_level(logging.WARNING, "indx.loader.s3"):
        error = refusal("s3://Docs/key")
    assert error.code == "source_forbidden"
    assert BUCKETS in error.message
    assert "reports" not in error.message
    assert "docs, reports" in caplog.text


def test_a_list_without_names_permits_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(BUCKETS, ",")
    assert refusal("s3://docs/key").code == "source_forbidden"
