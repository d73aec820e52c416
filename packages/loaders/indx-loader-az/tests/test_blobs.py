"""Blobs come with their bytes, their type and their name, to who signs with the account's key."""

from __future__ import annotations

import gzip
import itertools
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from azure.core.exceptions import ResourceExistsError
from azure.storage.blob import BlobServiceClient, ContainerClient, ContentSettings

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import SourceContent
from indx_loader_az import loader
from indx_testkit.loading import LoaderKit

CONNECTION = "INDX_LOADER_AZ_CONNECTION_STRING"


@pytest.fixture
def container(account: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ContainerClient]:
    monkeypatch.setenv(CONNECTION, account)
    with BlobServiceClient.from_connection_string(account) as service:
        made = service.get_container_client("docs")
        with suppress(ResourceExistsError):
            made.create_container()
        yield made


class TestAzLoaderWithAnAccount(LoaderKit):
    factory = staticmethod(loader)
    names = itertools.count()

    @pytest.fixture(autouse=True)
    def _server(self, container: ContainerClient) -> None:
        self.container = container

    @contextmanager
    def serve(self, data: bytes, tmp_path: Path) -> Iterator[str]:
        name = f"folder/{next(self.names)}.bin"
        self.container.upload_blob(name, data)
        yield f"az://docs/{name}"

    def missing(self, tmp_path: Path) -> str:
        return "az://docs/absent.pdf"


def load(uri: str, limit: int = 1 << 30) -> SourceContent:
    return loader().load(uri, limit=limit, deadline=Deadline()).content


def test_a_blob_comes_with_its_type_and_name(container: ContainerClient) -> None:
    kind = ContentSettings(content_type="Text/HTML; charset=utf-8")
    container.upload_blob("議/事 録.html", b"<p>x", content_settings=kind)
    content = load("az://docs/議/事%20録.html")
    assert (content.data, content.media_type, content.filename) == (b"<p>x", "text/html", "事 録.html")


def test_a_blob_that_was_packed_before_it_was_stored_comes_unpacked(container: ContainerClient) -> None:
    packed = gzip.compress(bytes(6 << 20))
    kind = ContentSettings(content_type="text/html", content_encoding="gzip")
    container.upload_blob("page", packed, content_settings=kind)
    assert load("az://docs/page").data == bytes(6 << 20)
    with pytest.raises(InputTooLarge):
        load("az://docs/page", limit=(6 << 20) - 1)
    kind.content_encoding = "br"
    container.upload_blob("page", packed, content_settings=kind, overwrite=True)
    with pytest.raises(SourceError, match="packed as 'br'"):
        load("az://docs/page")


def test_a_blob_of_several_parts_comes_whole(container: ContainerClient) -> None:
    data = bytes(range(256)) * 4 * 10_000
    container.upload_blob("large.bin", data)
    assert load("az://docs/large.bin").data == data


def test_names_of_any_letters_are_found(container: ContainerClient) -> None:
    for name, uri in [("a?b#c", "a%3Fb%23c"), ("100%", "100%25"), ("a+b", "a+b"), ("a/b c", "a/b%20c")]:
        container.upload_blob(name, name.encode())
        assert load(f"az://docs/{uri}").data == name.encode()


def test_another_key_is_refused(
    container: ContainerClient, account: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    container.upload_blob("locked", b"x")
    assert load("az://docs/locked").data == b"x"
    monkeypatch.setenv(CONNECTION, account.replace("AccountKey=Eby8", "AccountKey=Eby9"))
    with pytest.raises(SourceError, match="refuses these credentials"):
        load("az://docs/locked")
