from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from indx_loader_http import provider
from indx_testkit.loading import LoaderKit, Refusal

ALLOW = "INDX_LOADER_HTTP_ALLOW_PRIVATE_HOSTS"


class TestHttpLoader(LoaderKit):
    factory = staticmethod(provider.http_loader)

    @pytest.fixture(autouse=True)
    def _server(self, server: Any) -> None:
        self.server = server

    @contextmanager
    def serve(self, data: bytes, tmp_path: Path) -> Iterator[str]:
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(data)}\r\n\r\n".encode()
        self.server.answer = lambda _: iter((head, data))
        yield self.server.url("/files/source.bin")

    def missing(self, tmp_path: Path) -> str:
        self.server.answer = lambda _: b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        return str(self.server.url("/absent"))

    def refusals(self, tmp_path: Path) -> Sequence[Refusal]:
        return [
            Refusal("http://localhost/", "source_forbidden", ["127.0.0.1", "::1"]),
            Refusal("http://127.1/", "source_forbidden", ["127.0.0.1"]),
            Refusal("http://0x7f000001/", "source_forbidden", ["127.0.0.1"]),
            Refusal("http://2130706433/", "source_forbidden", ["127.0.0.1"]),
            Refusal("https://[::ffff:127.0.0.1]/", "source_forbidden"),
        ]

    def test_it_refuses_without_revealing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[override]
        monkeypatch.delenv(ALLOW)
        super().test_it_refuses_without_revealing(tmp_path)


class TestDataLoader(LoaderKit):
    factory = staticmethod(provider.data_loader)

    @contextmanager
    def serve(self, data: bytes, tmp_path: Path) -> Iterator[str]:
        yield "data:application/octet-stream;base64," + base64.b64encode(data).decode()

    def missing(self, tmp_path: Path) -> str:
        return "data:nothing"
