"""What a server answers is bounded, understood, and kept to the log where it tells of what is inside."""

from __future__ import annotations

import base64
import gzip
import itertools
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError, TimedOut
from indx_core.ports import SourceContent
from indx_loader_gs import loader

URI = "gs://docs/folder/report.pdf"
TIMEOUT = "INDX_LOADER_GS_TIMEOUT_SECONDS"
ENDPOINT = "INDX_LOADER_GS_ENDPOINT_URL"


def load(limit: int = 1 << 20, deadline: Deadline | None = None) -> SourceContent:
    return loader().load(URI, limit=limit, deadline=deadline or Deadline()).content


def refusal() -> SourceError:
    with pytest.raises(SourceError) as caught:
        load()
    return caught.value


def answer(body: bytes, *fields: str, status: str = "200 OK") -> Callable[[bytes], bytes]:
    head = "\r\n".join([f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *fields, "", ""])
    return lambda _: head.encode() + body


def fails(status: str, reason: str = "") -> Callable[[bytes], bytes]:
    error = {"message": f"secret detail {reason}", "errors": [{"reason": reason, "message": "secret"}]}
    return answer(
        json.dumps({"error": error}).encode(),
        "Content-Type: application/json",
        status=status,
    )


def test_an_endpoint_without_a_key_is_asked_anonymously(
    server: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    own = tmp_path / "own.json"
    own.write_text(json.dumps({"type": "authorized_user", "refresh_token": "mine", "client_id": "i"}))
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(own))
    server.answer = answer(b"bytes", "Content-Type: Text/Plain; charset=utf-8")
    content = load()
    assert (content.data, content.media_type, content.filename) == (b"bytes", "text/plain", "report.pdf")
    assert content.charset == "utf-8"
    (request,) = server.requests
    assert request.startswith(b"GET /download/storage/v1/b/docs/o/folder%2Freport.pdf?alt=media")
    assert b"authorization" not in request.lower()


def test_a_key_is_used_where_one_is_set(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    key = {
        "type": "service_account",
        "client_email": "reader@example.test",
        "token_uri": f"{server.url}/token",
        "private_key": private_key(),
    }
    monkeypatch.setenv("INDX_LOADER_GS_CREDENTIALS_JSON", json.dumps(key))
    token = answer(b'{"access_token": "granted", "expires_in": 3600}', "Content-Type: application/json")
    data = answer(b"bytes")
    server.answer = lambda request: (token if b" /token " in request else data)(request)
    assert load().data == b"bytes"
    assert b"authorization: Bearer granted\r\n".lower() in server.requests[-1].lower()
    server.answer = answer(b'{"error": "invalid_grant"}', status="400 Bad Request")
    assert "refuses these credentials" in refusal().message


def private_key() -> str:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()


def test_without_a_key_the_default_credentials_apply(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    assert "no credentials; set INDX_LOADER_GS_CREDENTIALS_JSON" in refusal().message
    own = tmp_path / "own.json"
    own.write_text("no JSON")
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(own))
    message = refusal().message
    assert "credentials" in message
    assert str(own) not in message


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        (fails("404 Not Found"), "source_unreadable", "no such object"),
        (fails("403 Forbidden"), "source_unreadable", "refuses these credentials"),
        (fails("401 Unauthorized"), "source_unreadable", "refuses these credentials"),
        (
            fails("400 Bad Request", "ResourceIsEncryptedWithCustomerEncryptionKey"),
            "source_encrypted",
            "encrypted",
        ),
        (fails("400 Bad Request"), "source_unreadable", "status 400"),
        (answer(b"not JSON at all", status="418 Odd"), "source_unreadable", "status 418"),
    ],
)
def test_refusals_are_told_apart_without_the_servers_words(
    server: Any, given: Callable[[bytes], bytes], code: str, said: str
) -> None:
    server.answer = given
    error = refusal()
    assert (error.code, said in error.message) == (code, True)
    for word in ("secret", "not JSON", "127.0.0.1", "download/storage"):
        assert word not in error.message


def test_a_body_that_is_not_what_its_checksum_says_is_unreadable(server: Any) -> None:
    wrong = base64.b64encode(bytes(16)).decode()
    server.answer = answer(b"bytes", f"X-Goog-Hash: md5={wrong}", "X-Goog-Hash: crc32c=AAAAAA==")
    assert "the request failed (DataCorruption)" in refusal().message


def test_a_body_cut_short_is_asked_for_again(server: Any) -> None:
    parts = iter([b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234"])
    server.answer = lambda request: next(parts, b"") or answer(b"0123456789")(request)
    assert load().data == b"0123456789"
    assert len(server.requests) == 2


def test_a_server_that_always_fails_is_asked_until_the_time_is_up(
    server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TIMEOUT, "0.3")
    server.answer = fails("503 Busy")
    assert refusal().code == "source_unreadable"
    assert len(server.requests) >= 1


def test_more_than_the_limit_is_refused_whatever_was_announced(server: Any) -> None:
    for head in (
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 900000000000\r\n\r\n",
    ):
        server.answer = lambda _, head=head: itertools.chain([head], itertools.repeat(b"x" * 65536))
        with pytest.raises(InputTooLarge, match="more than 1000 bytes"):
            load(limit=1000)


def test_a_packed_object_is_unpacked_within_the_limit(server: Any) -> None:
    packed = gzip.compress(bytes(1 << 20))
    server.answer = answer(packed, "Content-Encoding: gzip", "X-Goog-Stored-Content-Encoding: gzip")
    assert load(1 << 20).data == bytes(1 << 20)
    with pytest.raises(InputTooLarge):
        load((1 << 20) - 1)


def drips(server: Any) -> Callable[[bytes], Iterator[bytes]]:
    def pieces(_: bytes) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
        while not server.closing.wait(0.01):
            yield b"x"

    return pieces


def test_a_body_that_only_drips_is_given_up(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    server.answer = drips(server)
    monkeypatch.setenv(TIMEOUT, "0.4")
    assert TIMEOUT in refusal().message


def test_the_callers_own_deadline_ends_it(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    server.answer = drips(server)
    monkeypatch.setenv(TIMEOUT, "2")
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


def test_the_log_says_what_the_storage_answered(server: Any, caplog: pytest.LogCaptureFixture) -> None:
    server.answer = fails("403 Forbidden")
    with caplog.at_level(logging.DEBUG, "indx.loader.gs"):
        refusal()
    assert "status 403" in caplog.text
