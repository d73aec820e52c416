"""Objects come with their bytes, their type and their name, from a server of moto's."""

from __future__ import annotations

import gzip
from typing import Any

import boto3
import pytest

from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_core.ports import SourceContent
from indx_loader_s3 import loader


@pytest.fixture
def bucket(moto: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("INDX_LOADER_S3_ENDPOINT_URL", moto)
    resource = boto3.resource(
        "s3",
        endpoint_url=moto,
        region_name="us-east-1",
        aws_access_key_id="test-key",
        aws_secret_access_key="test-secret",
    )
    bucket = resource.Bucket("objects")
    bucket.create()
    return bucket


def load(uri: str) -> SourceContent:
    return loader().load(uri, limit=1 << 20, deadline=Deadline()).content


def test_an_object_comes_with_its_type_and_name(bucket: Any) -> None:
    bucket.put_object(Key="議/事 録.html", Body=b"<p>x", ContentType="Text/HTML; charset=utf-8")
    content = load("s3://objects/議/事%20録.html")
    assert (content.data, content.media_type, content.filename) == (b"<p>x", "text/html", "事 録.html")
    assert content.charset == "utf-8"


def test_an_object_that_was_packed_before_it_was_stored_comes_unpacked(bucket: Any) -> None:
    packed = gzip.compress(b"<p>text</p>" * 1000)
    bucket.put_object(Key="page", Body=packed, ContentType="text/html", ContentEncoding="gzip")
    content = load("s3://objects/page")
    assert (content.data, content.media_type) == (b"<p>text</p>" * 1000, "text/html")
    bucket.put_object(Key="page", Body=packed, ContentType="text/html", ContentEncoding="br")
    with pytest.raises(SourceError, match="packed as 'br'"):
        load("s3://objects/page")


def test_an_object_without_a_type_declares_none(bucket: Any) -> None:
    bucket.put_object(Key="plain", Body=b"x")
    assert load("s3://objects/plain").media_type == ""


def test_keys_of_any_letters_are_found(bucket: Any) -> None:
    for key, uri in [("a?b#c", "a%3Fb%23c"), ("100%", "100%25"), ("a+b", "a+b"), ("folder/", "folder/")]:
        bucket.put_object(Key=key, Body=key.encode())
        assert load(f"s3://objects/{uri}").data == key.encode()


def test_the_credentials_of_boto3s_own_chain_serve_where_none_are_set(
    bucket: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket.put_object(Key="k", Body=b"x")
    monkeypatch.delenv("INDX_LOADER_S3_ACCESS_KEY_ID")
    monkeypatch.delenv("INDX_LOADER_S3_SECRET_ACCESS_KEY")
    with pytest.raises(SourceError, match="no credentials; set INDX_LOADER_S3_ACCESS_KEY_ID"):
        load("s3://objects/k")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "chain")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "chain")
    assert load("s3://objects/k").data == b"x"
