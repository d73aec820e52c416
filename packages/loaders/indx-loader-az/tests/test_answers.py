"""What a server answers is bounded, understood, and kept to the log where it tells of what is inside."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError, TimedOut
from indx_core.ports import SourceContent
from indx_loader_az import _fetch, loader

URI = "az://docs/folder/report.pdf"
TIMEOUT = "INDX_LOADER_AZ_TIMEOUT_SECONDS"
CONNECTION = "INDX_LOADER_AZ_CONNECTION_STRING"


def load(limit: int = 1 << 20, deadline: Deadline | None = None) -> SourceContent:
    return loader().load(URI, limit=limit, deadline=deadline or Deadline()).content


def refusal() -> SourceError:
    with pytest.raises(SourceError) as caught:
        load()
    return caught.value


def answer(body: bytes, *fields: str, status: str = "200 OK") -> Callable[[bytes], bytes]:
    head = "\r\n".join([f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *fields, "", ""])
    return lambda _: head.encode() + body


def whole(body: bytes, *fields: str) -> Callable[[bytes], bytes]:
    place = f"Content-Range: bytes 0-{len(body) - 1}/{len(body)}"
    return answer(body, place, *fields, status="206 Partial Content")


def fails(code: str, status: str) -> Callable[[bytes], bytes]:
    body = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>secret detail</Message></Error>"
    return answer(body.encode(), "Content-Type: application/xml", f"x-ms-error-code: {code}", status=status)


def test_the_connection_string_is_enough_and_wins(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_LOADER_AZ_ACCOUNT", "another")
    server.answer = whole(b"bytes", "Content-Type: Text/Plain; charset=utf-8")
    content = load()
    assert (content.data, content.media_type, content.filename) == (b"bytes", "text/plain", "report.pdf")
    assert content.charset == "utf-8"
    (request,) = server.requests
    assert request.startswith(b"GET /devstoreaccount1/docs/folder/report.pdf HTTP/1.1\r\n")
    assert b"\r\nauthorization: sharedkey devstoreaccount1:" in request.lower()


@pytest.mark.parametrize("text", ["nonsense", "AccountKey=hush", "AccountName=a;AccountKey=hush;x"])
def test_what_is_no_connection_string_is_not_repeated(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CONNECTION, text)
    message = refusal().message
    assert CONNECTION in message
    assert "hush" not in message


def test_an_account_is_read_by_the_default_credential(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CONNECTION)
    monkeypatch.setenv("INDX_LOADER_AZ_ACCOUNT", "reports")
    made: list[Any] = []

    class Service(_fetch.BlobServiceClient):  # type: ignore[misc]
        def __init__(self, account_url: str, credential: Any, **options: Any) -> None:
            made.append((account_url, type(credential).__name__))
            super().__init__(server.url + "/reports", credential=None, **options)

    monkeypatch.setattr(_fetch, "BlobServiceClient", Service)
    server.answer = whole(b"bytes")
    assert load().data == b"bytes"
    assert made == [("https://reports.blob.core.windows.net", "DefaultAzureCredential")]


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        (fails("BlobNotFound", "404 Not Found"), "source_unreadable", "no such blob"),
        (fails("ContainerNotFound", "404 Not Found"), "source_unreadable", "no such blob"),
        (fails("AuthenticationFailed", "403 Forbidden"), "source_unreadable", "refuses these credentials"),
        (fails("AuthorizationFailure", "403 Forbidden"), "source_unreadable", "refuses these credentials"),
        (fails("NoAuthenticationInformation", "401 No"), "source_unreadable", "refuses these credentials"),
        (fails("BlobArchived", "409 Conflict"), "source_unreadable", "archived"),
        (
            fails("BlobUsesCustomerSpecifiedEncryption", "409 Conflict"),
            "source_encrypted",
            "encrypted with a key",
        ),
        (fails("ServerBusy", "503 Busy"), "source_unreadable", "status 503"),
        (answer(b"not XML at all", status="418 Odd"), "source_unreadable", "status 418"),
        (lambda _: b"nonsense\r\n\r\n", "source_unreadable", "the request failed"),
        (lambda _: b"", "source_unreadable", "the request failed"),
    ],
)
def test_refusals_are_told_apart_without_the_servers_words(
    server: Any, given: Callable[[bytes], bytes], code: str, said: str
) -> None:
    server.answer = given
    error = refusal()
    assert (error.code, said in error.message) == (code, True)
    for word in ("secret detail", "not XML", "Eby8", "127.0.0.1", "devstoreaccount1", "nonsense"):
        assert word not in error.message
    assert len(server.requests) == 1


def test_the_bytes_are_those_that_are_stored(server: Any) -> None:
    server.answer = whole(b"\x1f\x8bpacked", "Content-Encoding: gzip")
    assert load().data == b"\x1f\x8bpacked"


def test_more_than_the_limit_is_refused_by_what_is_there(blobs: dict[str, bytes]) -> None:
    blobs["docs/folder/report.pdf"] = bytes(6 << 20)
    assert load(6 << 20).size == 6 << 20
    with pytest.raises(InputTooLarge, match="more than 6291455 bytes"):
        load((6 << 20) - 1)


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 900000000000\r\n\r\n",
        b"HTTP/1.1 206 OK\r\nContent-Length: 900000000000\r\nContent-Range: bytes 0-4/5\r\n\r\n",
        b"HTTP/1.1 206 OK\r\nContent-Range: bytes 0-4/5\r\n\r\n",
    ],
)
def test_an_answer_longer_than_was_asked_for_is_not_read(server: Any, head: bytes) -> None:
    server.answer = lambda _: itertools.chain([head], itertools.repeat(b"x" * 65536))
    assert "the request failed" in refusal().message


def drips(server: Any) -> Callable[[bytes], Iterator[bytes]]:
    def pieces(_: bytes) -> Iterator[bytes]:
        yield b"HTTP/1.1 206 Partial\r\nContent-Length: 100000\r\nContent-Range: bytes 0-99999/100000\r\n\r\n"
        while not server.closing.wait(0.01):
            yield b"x"

    return pieces


def test_a_body_that_only_drips_is_given_up(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    server.answer = drips(server)
    monkeypatch.setenv(TIMEOUT, "0.4")
    assert TIMEOUT in refusal().message


def test_the_callers_own_deadline_ends_it(server: Any) -> None:
    server.answer = drips(server)
    with pytest.raises(TimedOut) as caught:
        load(deadline=Deadline(0.3))
    assert caught.value.code == "deadline_exceeded"
    asked = len(server.requests)
    left = Deadline()
    left.cancel()
    with pytest.raises(TimedOut) as caught:
        load(deadline=left)
    assert caught.value.code == "client_disconnected"
    assert len(server.requests) == asked


def test_a_caller_that_leaves_while_a_body_drips_is_noticed(
    server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TIMEOUT, "2")
    deadline = Deadline()
    slowly = drips(server)

    def leave(request: bytes) -> Iterator[bytes]:
        deadline.cancel()
        return slowly(request)

    server.answer = leave
    with pytest.raises(TimedOut) as caught:
        load(deadline=deadline)
    assert caught.value.code == "client_disconnected"


def test_the_log_says_what_the_storage_answered_and_no_secret(
    server: Any, caplog: pytest.LogCaptureFixture
) -> None:
    server.answer = fails("BlobArchived", "409 Conflict")
    with caplog.at_level(logging.DEBUG, "indx.loader.az"):
        refusal()
    assert "BlobArchived" in caplog.text
    assert "Eby8" not in caplog.text
