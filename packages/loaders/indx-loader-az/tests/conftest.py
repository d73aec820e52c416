"""A blob service whose answers the test writes out byte for byte, or that keeps blobs."""

from __future__ import annotations

import gc
import os
import re
import socket
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from urllib.parse import unquote

import pytest

from indx_loader_az.settings import SETTINGS


def installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


# The client is not in everybody's environment. `scripts/test install` (tests/install/test_engines.py) runs
# these files with it; where it is absent they are not collected.
collect_ignore = (
    []
    if installed("azure-storage-blob") and installed("azure-identity")
    else ["test_answers.py", "test_conformance.py", "test_encode.py"]
)

KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
"""The public key of the account that emulators have."""


def connection(endpoint: str) -> str:
    return (
        f"DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey={KEY};"
        f"BlobEndpoint={endpoint}/devstoreaccount1"
    )


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of this machine."""
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)
    for name in [name for name in os.environ if name.startswith(("AZURE_", "IDENTITY_", "MSI_"))]:
        monkeypatch.delenv(name)


class Server:
    """Answers each connection with what `answer` makes of the request, and keeps every request."""

    def __init__(self) -> None:
        self.requests: list[bytes] = []
        self.answer: Callable[[bytes], Iterator[bytes] | bytes] = lambda _: b"HTTP/1.1 200 OK\r\n\r\n"
        self.closing = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._threads = [threading.Thread(target=self._serve, daemon=True)]
        self._threads[0].start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self._threads.append(threading.Thread(target=self._talk, args=(connection,), daemon=True))
            self._threads[-1].start()

    def _talk(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            request = b""
            while b"\r\n\r\n" not in request:
                data = connection.recv(65536)
                if not data:
                    return
                request += data
            self.requests.append(request)
            answer = self.answer(request)
            for piece in [answer] if isinstance(answer, bytes) else answer:
                if self.closing.is_set():
                    return
                connection.sendall(piece)

    def close(self) -> None:
        self.closing.set()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for thread in self._threads:
            thread.join(10)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    running = Server()
    monkeypatch.setenv("INDX_LOADER_AZ_CONNECTION_STRING", connection(running.url))
    yield running
    running.close()
    for thread in threading.enumerate():
        if thread.name == "indx-loader-az":
            thread.join(10)
    with warnings.catch_warnings():  # the client leaves answers it did not like to the garbage collector
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture
def blobs(server: Server) -> dict[str, bytes]:
    """What the server keeps: bytes by `container/blob`."""
    kept: dict[str, bytes] = {}

    def says(status: str, body: bytes, *fields: str) -> bytes:
        always = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close"]
        return "\r\n".join([*always, *fields, "", ""]).encode() + body

    def answer(request: bytes) -> bytes:
        target = request.split(b" ", 2)[1].decode()
        data = kept.get(unquote(target.removeprefix("/devstoreaccount1/")))
        asked = re.search(rb"range: bytes=(\d+)-(\d*)", request, re.IGNORECASE)
        if data is None:
            return says("404 Not Found", b"", "x-ms-error-code: BlobNotFound")
        if asked is None:
            return says("200 OK", data)
        first = int(asked[1])
        if first >= len(data):
            return says("416 No", b"", "x-ms-error-code: InvalidRange")
        part = data[first : int(asked[2]) + 1]
        place = f"Content-Range: bytes {first}-{first + len(part) - 1}/{len(data)}"
        return says("206 Partial", part, place)

    server.answer = answer
    return kept
