"""What a server answers is bounded, understood, and kept to the log where it tells of what is inside."""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError, TimedOut
from indx_core.ports import SourceContent
from indx_loader_s3 import loader

URI = "s3://docs/folder/report.pdf"
TIMEOUT = "INDX_LOADER_S3_TIMEOUT_SECONDS"


def load(uri: str = URI, limit: int = 1 << 20, deadline: Deadline | None = None) -> SourceContent:
    return loader().load(uri, limit=limit, deadline=deadline or Deadline()).content


def refusal() -> SourceError:
    with pytest.raises(SourceError) as caught:
        load()
    return caught.value


def answer(body: bytes, *fields: str, status: str = "200 OK") -> Callable[[bytes], bytes]:
    head = "\r\n".join([f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *fields, "", ""])
    return lambda _: head.encode() + body


def fails(code: str, status: str, said: str = "secret detail") -> Callable[[bytes], bytes]:
    body = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>{said}</Message></Error>"
    return answer(body.encode(), "Content-Type: application/xml", status=status)


def test_the_bucket_stands_in_the_path_and_the_keys_sign(
    server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INDX_LOADER_S3_REGION", "eu-test-1")
    monkeypatch.setenv("INDX_LOADER_S3_SESSION_TOKEN", "the-token")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "chain")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "chain")
    server.answer = answer(b"bytes")
    assert load().data == b"bytes"
    (request,) = server.requests
    assert request.startswith(b"GET /docs/folder/report.pdf HTTP/1.1\r\n")
    assert b"Credential=test-key/" in request
    assert b"/eu-test-1/s3/" in request
    assert b"x-amz-security-token: the-token\r\n" in request.lower()
    assert b"test-secret" not in request


def test_half_a_key_is_no_credential(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INDX_LOADER_S3_SECRET_ACCESS_KEY")
    assert "INDX_LOADER_S3_SECRET_ACCESS_KEY" in refusal().message
    assert server.requests == []


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        (fails("NoSuchKey", "404 Not Found"), "source_unreadable", "no such object"),
        (fails("NoSuchBucket", "404 Not Found"), "source_unreadable", "no such object"),
        (fails("AccessDenied", "403 Forbidden"), "source_unreadable", "refuses these credentials"),
        (fails("InvalidAccessKeyId", "403 Forbidden"), "source_unreadable", "refuses these credentials"),
        (fails("InvalidObjectState", "403 Forbidden"), "source_unreadable", "archived"),
        (
            fails("InvalidRequest", "400 Bad Request", "stored using a form of Server Side Encryption"),
            "source_encrypted",
            "encrypted",
        ),
        (fails("InvalidRequest", "400 Bad Request"), "source_unreadable", "status 400"),
        (fails("Odd", "409 Conflict"), "source_unreadable", "status 409"),
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
    for word in ("secret detail", "not XML", "test-key", "127.0.0.1", "nonsense"):
        assert word not in error.message


def test_a_body_cut_short_is_unreadable(server: Any) -> None:
    server.answer = lambda _: b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"
    assert "the request failed" in refusal().message


def test_a_body_that_is_not_what_its_checksum_says_is_unreadable(server: Any) -> None:
    server.answer = answer(b"bytes", "x-amz-checksum-crc32: AAAAAA==")
    assert "the request failed" in refusal().message


def endless(head: bytes) -> Callable[[bytes], Iterator[bytes]]:
    return lambda _: itertools.chain([head], itertools.repeat(b"x" * 65536))


def test_more_than_the_limit_is_refused_whatever_was_announced(server: Any) -> None:
    for head in (
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 900000000000\r\n\r\n",
    ):
        server.answer = endless(head)
        with pytest.raises(InputTooLarge, match="more than 1000 bytes"):
            load(limit=1000)


def drips(stop: threading.Event) -> Callable[[bytes], Iterator[bytes]]:
    def pieces(_: bytes) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
        while not stop.wait(0.01):
            yield b"x"

    return pieces


def test_a_body_that_only_drips_is_given_up(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    server.answer = drips(server.closing)
    monkeypatch.setenv(TIMEOUT, "0.4")
    assert TIMEOUT in refusal().message


def test_a_server_that_does_not_answer_is_given_up(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    server.answer = lambda _: b"" if server.closing.wait(10) else b"HTTP/1.1 200 OK\r\n\r\n"
    monkeypatch.setenv(TIMEOUT, "0.4")
    assert TIMEOUT in refusal().message


def test_the_callers_own_deadline_ends_it(server: Any) -> None:
    server.answer = drips(server.closing)
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
    slowly = drips(server.closing)

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
    server.answer = fails("AccessDenied", "403 Forbidden")
    with caplog.at_level(logging.DEBUG, "indx.loader.s3"):
        refusal()
    assert "AccessDenied" in caplog.text
    assert "test-secret" not in caplog.text
