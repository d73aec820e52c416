"""A local server whose answers are written out byte for byte by the test."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

ALLOW = "INDX_LOADER_HTTP_ALLOW_PRIVATE_HOSTS"


class Server:
    """Answers each connection with what `answer` makes of the request; keeps every request."""

    def __init__(self) -> None:
        self.requests: list[bytes] = []
        self.answer: Callable[[bytes], Iterator[bytes] | bytes] = lambda _: b"HTTP/1.1 200 OK\r\n\r\n"
        self.closing = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._threads = [threading.Thread(target=self._serve, daemon=True)]
        self._threads[0].start()

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._talk, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _talk(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            request = b""
            while b"\r\n\r\n" not in request and not request.startswith(b"\x16"):
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
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(65536):
                pass

    def close(self) -> None:
        self.closing.set()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for thread in self._threads:
            thread.join(10)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv(ALLOW, "true")
    running = Server()
    yield running
    running.close()
