"""A kit for loaders of object storages: what a server answers is bounded, understood, and unpacked.

class TestAnswers(StorageKit):
    factory = staticmethod(loader)
    uri = "s3://docs/folder/report.pdf"
    timeout = "INDX_LOADER_S3_TIMEOUT_SECONDS"

    @pytest.fixture(autouse=True)
    def _server(self, monkeypatch): ...     # makes `self.server = RawServer()` and points the loader to it
"""

from __future__ import annotations

import gzip
import itertools
import socket
import threading
import tracemalloc
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError, TimedOut
from indx_core.ports import SourceContent

__all__ = ["RawServer", "StorageKit", "nobody_stays", "response"]

Answer: TypeAlias = "Callable[[bytes], bytes | Iterator[bytes]]"

_TEXT = b"text " * 100


def response(body: bytes, *fields: str, status: str = "200 OK") -> bytes:
    """An answer of HTTP, with its length and further fields."""
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *fields, "", ""]
    return "\r\n".join(head).encode() + body


def nobody_stays() -> None:
    """Hold every thread of a loader to its end."""
    for thread in threading.enumerate():
        if thread.name.startswith("indx-loader-"):
            thread.join(20)
            assert not thread.is_alive(), "it still reads or waits"


class RawServer:
    """Answers each connection with what `answer` makes of the request, byte for byte.

    Attributes:
        requests: The heads of all requests.
        answer: What to answer; a request may be answered in pieces.
        closing: Set when the server stops.
        url: Its address.
    """

    def __init__(self) -> None:
        """Serve on a free port of the loopback interface."""
        self.requests: list[bytes] = []
        self.answer: Answer = lambda _: response(b"")
        self.closing = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._threads = [threading.Thread(target=self._serve, daemon=True)]
        self._threads[0].start()

    def close(self) -> None:
        """Stop; whoever still waits is let go."""
        self.closing.set()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for thread in self._threads:
            thread.join(10)

    def dripping(self, head: bytes) -> Answer:
        """An answer of `head` and one byte after the other, as long as the server serves."""

        def pieces(_: bytes) -> Iterator[bytes]:
            yield head
            while not self.closing.wait(0.01):
                yield b"x"

        return pieces

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


class StorageKit:
    """Rules of a loader that asks an object storage by the storage's own client."""

    factory: ClassVar[Callable[[], Any]]
    uri: ClassVar[str]
    timeout: ClassVar[str]
    hidden: ClassVar[Sequence[str]] = ()
    """Words of keys and addresses that no message may show."""
    server: RawServer

    def sends(self, body: bytes, *fields: str) -> bytes:
        """The whole object, as the storage sends it."""
        return response(body, *fields)

    def drip(self) -> bytes:
        """The head of an answer that has more to come."""
        return b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"

    def refusals(self) -> Sequence[tuple[Answer, str, str]]:
        """Answers that are refusals, the code of each, and what its message says."""
        raise AssertionError("override refusals(): what your storage answers when it refuses")

    def without_credentials(
        self,
        monkeypatch: pytest.MonkeyPatch,  # noqa: ARG002
        folder: Path,  # noqa: ARG002
    ) -> bytes:
        """Have credentials come from a service at `self.server`, and give what a request to that begins with.

        Args:
            monkeypatch: Sets the environment.
            folder: Takes files, such as a token.
        """
        raise AssertionError("override without_credentials(): where your storage's client fetches tokens")

    def load(self, *, limit: int = 1 << 20, deadline: Deadline | None = None) -> SourceContent:
        """The object at `uri`."""
        content = type(self).factory().load(self.uri, limit=limit, deadline=deadline or Deadline()).content
        assert isinstance(content, SourceContent)
        return content

    def refusal(self) -> SourceError:
        """What a load is refused with."""
        with pytest.raises(SourceError) as caught:
            self.load()
        return caught.value

    def test_an_object_comes_with_its_type_and_name(self) -> None:
        """What the storage says of it is declared."""
        self.server.answer = lambda _: self.sends(b"bytes", "Content-Type: Text/Plain; charset=utf-8")
        content = self.load()
        assert (content.data, content.media_type, content.charset) == (b"bytes", "text/plain", "utf-8")
        assert content.filename == self.uri.rpartition("/")[2]

    @pytest.mark.parametrize(
        ("encoding", "packed"),
        [
            ("gzip", gzip.compress(_TEXT, mtime=0)),
            ("GZIP", gzip.compress(_TEXT[:250], mtime=0) + gzip.compress(_TEXT[250:], mtime=0)),
            ("x-gzip", gzip.compress(_TEXT, mtime=0) + bytes(512)),
            ("deflate", zlib.compress(_TEXT)),
            ("deflate", zlib.compress(_TEXT)[2:-4]),
            ("identity", _TEXT),
            ("aws-chunked", _TEXT),
            ("gzip,aws-chunked", gzip.compress(_TEXT, mtime=0)),
        ],
    )
    def test_a_packed_object_is_unpacked(self, encoding: str, packed: bytes) -> None:
        """The bytes are those that were packed, within a limit that counts them."""
        self.server.answer = lambda _: self.sends(packed, f"Content-Encoding: {encoding}")
        assert self.load(limit=max(len(_TEXT), len(packed))).data == _TEXT
        with pytest.raises(InputTooLarge):
            self.load(limit=len(_TEXT) - 1)

    def test_a_bomb_is_refused_before_it_fills_the_memory(self) -> None:
        """No more is unpacked than may be loaded."""
        bomb = gzip.compress(bytes(64 << 20), mtime=0)
        self.server.answer = lambda _: self.sends(bomb, "Content-Encoding: gzip")
        with pytest.raises(InputTooLarge):
            self.load(limit=1 << 17)  # what the client needs for itself is not what is measured
        tracemalloc.start()
        try:
            with pytest.raises(InputTooLarge):
                self.load(limit=1 << 17)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 8 << 20, f"held {peak} bytes of a bomb"

    @pytest.mark.parametrize(
        ("encoding", "packed"),
        [
            ("gzip", gzip.compress(_TEXT, mtime=0)[:-12]),
            ("gzip", b"no gzip at all"),
            ("gzip", gzip.compress(_TEXT, mtime=0) + b"more"),
            ("gzip, gzip", gzip.compress(gzip.compress(_TEXT, mtime=0), mtime=0)),
            ("br", b"\x8b\x01\x80ab\x03"),
            ("zstd", b"\x28\xb5\x2f\xfd\x00"),
            ("secret-packing", _TEXT),
        ],
    )
    def test_what_cannot_be_unpacked_is_unreadable(self, encoding: str, packed: bytes) -> None:
        """A packing that is unknown, or is not what it says, is refused with what would help."""
        self.server.answer = lambda _: self.sends(packed, f"Content-Encoding: {encoding}")
        error = self.refusal()
        assert error.code == "source_unreadable"
        assert "packed as" in error.message
        assert "store it" in error.message

    def test_refusals_are_told_apart_without_the_servers_words(self) -> None:
        """What the storage says may tell of what is inside, and goes to nobody."""
        for answer, code, said in self.refusals():
            self.server.answer = answer
            error = self.refusal()
            assert error.code == code, f"{error.code}: {error.message}"
            assert said in error.message, error.message
            for word in ("secret", "127.0.0.1", *self.hidden):
                assert word not in error.message

    def test_a_body_that_only_drips_is_given_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The setting is of the whole load, whatever keeps it going."""
        self.server.answer = self.server.dripping(self.drip())
        monkeypatch.setenv(self.timeout, "0.4")
        assert self.timeout in self.refusal().message

    @pytest.mark.parametrize(
        "head",
        [
            b"HTTP/1.1 200",
            b"HTTP/1.1 200 OK\r\nX-Long: ",
            b"HTTP/1.1 404 No\r\nContent-Length: 100000\r\n\r\n",
            b"HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n9000\r\n",
            None,
        ],
    )
    def test_nobody_stays_with_a_server_that_drips(
        self, head: bytes | None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """When the time is up the connection ends, and with it whoever reads headers, bodies or errors."""
        self.server.answer = self.server.dripping(self.drip() if head is None else head)
        monkeypatch.setenv(self.timeout, "0.4")
        assert self.timeout in self.refusal().message
        nobody_stays()

    @pytest.mark.parametrize("field", ["Content-Length: 900000000000", "Transfer-Encoding: chunked", "X: y"])
    def test_an_error_of_any_length_is_not_read_whole(self, field: str) -> None:
        """What a storage says when it refuses is short, or is no word of it."""
        piece = b"10000\r\n" + b"x" * (1 << 16) + b"\r\n" if "chunked" in field else b"x" * (1 << 16)
        head = f"HTTP/1.1 403 Forbidden\r\n{field}\r\n\r\n".encode()
        self.server.answer = lambda _: itertools.chain([head], itertools.repeat(piece, 1 << 10))
        self.refusal()  # what the client needs for itself is not what is measured
        tracemalloc.start()
        try:
            assert self.refusal().code == "source_unreadable"
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 12 << 20, f"held {peak} bytes of an error"

    @pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary Redirect"])
    def test_a_redirect_is_not_followed(self, status: str) -> None:
        """Where it leads nobody has permitted: it may be inside."""
        inside = RawServer()
        inside.answer = lambda _: self.sends(b"of the inside")
        place = f"Location: {inside.url}/latest/meta-data"
        self.server.answer = lambda _: response(b"", place, status=status)
        try:
            assert self.refusal().code == "source_unreadable"
            assert inside.requests == []
        finally:
            inside.close()
        assert len(self.server.requests) < 10

    def test_a_part_is_not_taken_for_the_whole(self) -> None:
        """Bytes that are missing are not passed over."""
        self.server.answer = lambda _: response(b"abc", "Content-Range: bytes 0-2/10", status="206 Partial")
        assert "a part" in self.refusal().message

    def test_a_time_is_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A time that no clock can wait for is said to be wrong, and is not what fails."""
        monkeypatch.setenv(self.timeout, "1e300")
        assert f"{self.timeout}: '1e300' is not a number" in self.refusal().message

    def test_a_server_that_does_not_answer_is_given_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nor does one that says nothing hold anybody."""

        def silent(_: bytes) -> bytes:
            self.server.closing.wait(30)
            return b""

        self.server.answer = silent
        monkeypatch.setenv(self.timeout, "0.4")
        assert self.refusal().code == "source_unreadable"

    def test_the_callers_own_deadline_ends_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Past it nothing is asked for."""
        self.server.answer = self.server.dripping(self.drip())
        monkeypatch.setenv(self.timeout, "2")
        with pytest.raises(TimedOut) as caught:
            self.load(deadline=Deadline(0.3))
        assert caught.value.code == "deadline_exceeded"
        asked = len(self.server.requests)
        left = Deadline()
        left.cancel()
        with pytest.raises(TimedOut) as caught:
            self.load(deadline=left)
        assert caught.value.code == "client_disconnected"
        assert len(self.server.requests) == asked

    def test_a_caller_that_leaves_while_a_body_drips_is_noticed(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nobody waits for what nobody wants."""
        monkeypatch.setenv(self.timeout, "2")
        deadline = Deadline()
        slowly = self.server.dripping(self.drip())

        def leave(request: bytes) -> bytes | Iterator[bytes]:
            deadline.cancel()
            return slowly(request)

        self.server.answer = leave
        with pytest.raises(TimedOut) as caught:
            self.load(deadline=deadline)
        assert caught.value.code == "client_disconnected"

    def test_a_service_that_credentials_come_from_is_left_when_nobody_waits(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        """It is another service than the storage, and may hang like it."""
        asked = self.without_credentials(monkeypatch, tmp_path)
        deadline = Deadline()
        slowly = self.server.dripping(b"HTTP/1.1 200 OK\r\nX: ")

        def leave(request: bytes) -> bytes | Iterator[bytes]:
            deadline.cancel()
            return slowly(request)

        self.server.answer = leave
        with pytest.raises(TimedOut):
            self.load(deadline=deadline)
        nobody_stays()
        (request,) = self.server.requests
        assert request.startswith(asked)
        assert "Traceback" not in caplog.text
