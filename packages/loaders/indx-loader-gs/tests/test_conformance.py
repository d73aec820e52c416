"""The loader keeps the rules of its port, against an emulator."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from google.auth.credentials import AnonymousCredentials
from google.cloud.exceptions import Conflict
from google.cloud.storage import Client

from indx_loader_gs.provider import loader
from indx_testkit.loading import LoaderKit, Refusal


class TestGsLoader(LoaderKit):
    factory = staticmethod(loader)
    names = itertools.count()

    @pytest.fixture(autouse=True)
    def _server(self, emulator: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("INDX_LOADER_GS_ENDPOINT_URL", emulator)
        self.client = Client("test", AnonymousCredentials(), client_options={"api_endpoint": emulator})
        with suppress(Conflict):
            self.client.create_bucket("docs")

    @contextmanager
    def serve(self, data: bytes, tmp_path: Path) -> Iterator[str]:
        name = f"folder/{next(self.names)}.bin"
        self.client.bucket("docs").blob(name).upload_from_string(data, "application/octet-stream")
        yield f"gs://docs/{name}"

    def missing(self, tmp_path: Path) -> str:
        return "gs://docs/absent.pdf"

    def refusals(self, tmp_path: Path) -> Sequence[Refusal]:
        return [
            Refusal("gs://absent-bucket/object", "source_unreadable"),
            Refusal("gs://docs/folder/0.bin?generation=1", "source_unreadable"),
            Refusal("gs://docs/../docs/folder/0.bin", "source_unreadable"),
        ]
