"""The loader against Azurite, with the account's key.

Azurite comes from npm and is asked for by name: with `azurite-blob` on the PATH, run
`pytest packages/loaders/indx-loader-az/tests/azurite.py`.
"""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from azure.core.exceptions import ResourceExistsError
from azure.storage.blob import BlobServiceClient, ContainerClient, ContentSettings

from indx_core.deadline import Deadline
from indx_core.ports import SourceContent
from indx_loader_az import loader
from indx_testkit.loading import LoaderKit

CONNECTION = (
    "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;BlobEndpoint={endpoint}/devstoreaccount1;"
    "AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)
"""Of the account that emulators have, with its public key."""


@pytest.fixture(scope="session")
def azurite() -> Iterator[str]:
    """The connection string of the emulator."""
    options = ["--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry", "--silent"]
    with subprocess.Popen(
        ["azurite-blob", "--blobPort", "0", *options], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        listening = next(found for line in process.stdout if (found := re.search(r"http://\S+", line)))
        yield CONNECTION.format(endpoint=listening[0])
        process.terminate()


@pytest.fixture
def container(azurite: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ContainerClient]:
    monkeypatch.setenv("INDX_LOADER_AZ_CONNECTION_STRING", azurite)
    with BlobServiceClient.from_connection_string(azurite) as service:
        made = service.get_container_client("docs")
        with suppress(ResourceExistsError):
            made.create_container()
        yield made


class TestAzLoaderWithAzurite(LoaderKit):
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


def load(uri: str) -> SourceContent:
    return loader().load(uri, limit=1 << 30, deadline=Deadline()).content


def test_a_blob_comes_with_its_type_and_name(container: ContainerClient) -> None:
    kind = ContentSettings(content_type="Text/HTML; charset=utf-8")
    container.upload_blob("議/事 録.html", b"<p>x", content_settings=kind)
    content = load("az://docs/議/事%20録.html")
    assert (content.data, content.media_type, content.filename) == (b"<p>x", "text/html", "事 録.html")


def test_a_blob_of_several_parts_comes_whole(container: ContainerClient) -> None:
    data = bytes(range(256)) * 4 * 10_000
    container.upload_blob("large.bin", data)
    assert load("az://docs/large.bin").data == data


def test_names_of_any_letters_are_found(container: ContainerClient) -> None:
    for name, uri in [("a?b#c", "a%3Fb%23c"), ("100%", "100%25"), ("a+b", "a+b"), ("a/b c", "a/b%20c")]:
        container.upload_blob(name, name.encode())
        assert load(f"az://docs/{uri}").data == name.encode()
