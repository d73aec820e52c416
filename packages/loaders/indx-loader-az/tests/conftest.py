"""A blob service whose answers the test writes out byte for byte, or that keeps blobs."""

from __future__ import annotations

import base64
import gc
import hmac
import os
import re
import socket
import subprocess
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import PackageNotFoundError, distribution
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from indx_loader_az.settings import SETTINGS
from indx_testkit.storages import RawServer


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
    else ["test_answers.py", "test_blobs.py", "test_conformance.py", "test_encode.py"]
)

KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
"""The public key of the account that emulators have."""

SIGNED = (
    *("Content-Encoding", "Content-Language", "Content-Length", "Content-MD5", "Content-Type", "Date"),
    *("If-Modified-Since", "If-Match", "If-None-Match", "If-Unmodified-Since", "Range"),
)
"""The fields whose values are signed without their names, in this order."""


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


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[RawServer]:
    running = RawServer()
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
def blobs(server: RawServer) -> dict[str, bytes]:
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


class Account(BaseHTTPRequestHandler):
    """Keeps blobs, and believes only who signs with the account's key, as Shared Key authorization asks."""

    protocol_version = "HTTP/1.1"
    server: ThreadingHTTPServer
    containers: dict[str, dict[str, tuple[bytes, dict[str, str]]]]

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        container, name, query = self._asked()
        if not self._is_signed():
            return self._says(403, "AuthenticationFailed")
        if query.get("restype") == ["container"]:
            made = container not in self.containers
            self.containers.setdefault(container, {})
            return self._says(201 if made else 409, "" if made else "ContainerAlreadyExists")
        kinds = {"Content-Type": "x-ms-blob-content-type", "Content-Encoding": "x-ms-blob-content-encoding"}
        said = {name: self.headers[own] for name, own in kinds.items() if self.headers[own]}
        self.containers[container][name] = (body, said)
        return self._says(201)

    def do_GET(self) -> None:
        container, name, _ = self._asked()
        if not self._is_signed():
            return self._says(403, "AuthenticationFailed")
        if container not in self.containers:
            return self._says(404, "ContainerNotFound")
        if name not in self.containers[container]:
            return self._says(404, "BlobNotFound")
        data, said = self.containers[container][name]
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers["x-ms-range"] or self.headers["Range"] or "")
        if asked is None:
            return self._says(200, body=data, **said)
        first = int(asked[1])
        if first >= len(data):
            return self._says(416, "InvalidRange")
        part = data[first : int(asked[2]) + 1]
        place = {"Content-Range": f"bytes {first}-{first + len(part) - 1}/{len(data)}"}
        return self._says(206, body=part, **said, **place)

    def _asked(self) -> tuple[str, str, dict[str, list[str]]]:
        parts = urlsplit(self.path)
        container, _, name = parts.path.removeprefix("/devstoreaccount1/").partition("/")
        return container, unquote(name), parse_qs(parts.query, keep_blank_values=True)

    def _is_signed(self) -> bool:
        values = [self.headers[name] or "" for name in SIGNED]
        values[2] = "" if values[2] == "0" else values[2]
        own = sorted(
            (name.lower(), value) for name, value in self.headers.items() if name.lower()[:5] == "x-ms-"
        )
        parts = urlsplit(self.path)
        resource = [f"/devstoreaccount1{parts.path}"]
        for name, given in sorted(parse_qs(parts.query, keep_blank_values=True).items()):
            resource.append(f"{name.lower()}:{','.join(sorted(given))}")
        text = "\n".join([self.command, *values, *(f"{name}:{value}" for name, value in own), *resource])
        made = hmac.digest(base64.b64decode(KEY), text.encode(), "sha256")
        return (
            self.headers["Authorization"] == f"SharedKey devstoreaccount1:{base64.b64encode(made).decode()}"
        )

    def _says(self, status: int, error: str = "", body: bytes = b"", **fields: str) -> None:
        self.send_response(status)
        fields = {"Content-Length": str(len(body)), "ETag": '"1"', **fields}
        if error:
            fields["x-ms-error-code"] = error
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


@contextmanager
def azurite(program: str) -> Iterator[str]:
    options = ["--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry", "--silent"]
    command = [program, "--blobPort", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            endpoint = next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
            yield endpoint
        finally:
            process.terminate()
    place = urlsplit(endpoint)
    with pytest.raises(ConnectionRefusedError):  # a `node` that only starts another would leave that one here
        socket.create_connection((place.hostname, place.port)).close()


@contextmanager
def account_server() -> Iterator[str]:
    handler = type("Handler", (Account,), {"containers": {}})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads, server.block_on_close = True, False
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def account() -> Iterator[str]:
    """The connection string of an account that checks its key.

    With `AZURITE_BLOB=azurite-blob`, which comes from npm, it is Azurite's.
    """
    program = os.environ.get("AZURITE_BLOB")
    with azurite(program) if program else account_server() as endpoint:
        yield connection(endpoint)
