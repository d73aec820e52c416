"""Objects come with their bytes, their type and their name, from an emulator."""

from __future__ import annotations

import gzip
from contextlib import suppress

import pytest
from google.auth.credentials import AnonymousCredentials
from google.cloud.exceptions import Conflict
from google.cloud.storage import Bucket, Client

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge
from indx_core.ports import SourceContent
from indx_loader_gs import loader


@pytest.fixture
def bucket(emulator: str, monkeypatch: pytest.MonkeyPatch) -> Bucket:
    monkeypatch.setenv("INDX_LOADER_GS_ENDPOINT_URL", emulator)
    client = Client("test", AnonymousCredentials(), client_options={"api_endpoint": emulator})
    with suppress(Conflict):
        client.create_bucket("objects")
    return client.bucket("objects")


def load(uri: str, limit: int = 1 << 20) -> SourceContent:
    return loader().load(uri, limit=limit, deadline=Deadline()).content


def test_an_object_comes_with_its_type_and_name(bucket: Bucket) -> None:
    bucket.blob("議/事 録.html").upload_from_string(b"<p>x", "Text/HTML; charset=utf-8")
    content = load("gs://objects/議/事%20録.html")
    assert (content.data, content.media_type, content.filename) == (b"<p>x", "text/html", "事 録.html")


def test_names_of_any_letters_are_found(bucket: Bucket) -> None:
    for name, uri in [("a#b", "a%23b"), ("100%", "100%25"), ("a+b", "a+b"), ("a//b", "a//b")]:
        bucket.blob(name).upload_from_string(name.encode(), "text/plain")
        assert load(f"gs://objects/{uri}").data == name.encode()


def test_the_limit_counts_the_bytes_that_are_stored(bucket: Bucket) -> None:
    packed = gzip.compress(bytes(1 << 20))
    bucket.blob("zeros.gz").upload_from_string(packed, "application/gzip")
    assert load("gs://objects/zeros.gz", len(packed)).data == packed
    with pytest.raises(InputTooLarge):
        load("gs://objects/zeros.gz", len(packed) - 1)
