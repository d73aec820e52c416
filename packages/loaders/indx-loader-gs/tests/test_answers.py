"""What a server answers is bounded, understood, and kept to the log where it tells of what is inside."""

from __future__ import annotations

import base64
import itertools
import json
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import SourceContent
from indx_loader_gs import loader
from indx_testkit.storages import RawServer, StorageKit, response

URI = "gs://docs/folder/report.pdf"
TIMEOUT = "INDX_LOADER_GS_TIMEOUT_SECONDS"


def load(limit: int = 1 << 20) -> SourceContent:
    return loader().load(URI, limit=limit, deadline=Deadline()).content


def refusal() -> SourceError:
    with pytest.raises(SourceError) as caught:
        load()
    return caught.value


def answer(body: bytes, *fields: str, status: str = "200 OK") -> Callable[[bytes], bytes]:
    return lambda _: response(body, *fields, status=status)


def fails(status: str, reason: str = "") -> Callable[[bytes], bytes]:
    error = {"message": f"secret detail {reason}", "errors": [{"reason": reason, "message": "secret"}]}
    return answer(
        json.dumps({"error": error}).encode(),
        "Content-Type: application/json",
        status=status,
    )


def has_a_key(server: RawServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the server give tokens for the key of an account."""
    key = {
        "type": "service_account",
        "client_email": "reader@example.test",
        "token_uri": f"{server.url}/token",
        "private_key": private_key(),
    }
    monkeypatch.setenv("INDX_LOADER_GS_CREDENTIALS_JSON", json.dumps(key))


class TestAnswers(StorageKit):
    factory = staticmethod(loader)
    uri = URI
    timeout = TIMEOUT
    hidden = ("not JSON", "download/storage")

    @pytest.fixture(autouse=True)
    def _server(self, server: RawServer) -> None:
        self.server = server

    def sends(self, body: bytes, *fields: str) -> bytes:
        stored = [f"X-Goog-Stored-{field}" for field in fields if field.startswith("Content-Encoding")]
        return response(body, *fields, *stored)

    def without_credentials(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> bytes:
        has_a_key(self.server, monkeypatch)
        return b"POST /token "

    def refusals(self) -> Sequence[tuple[Any, str, str]]:
        key = "ResourceIsEncryptedWithCustomerEncryptionKey"
        return [
            (fails("404 Not Found"), "source_unreadable", "no such object"),
            (fails("403 Forbidden"), "source_unreadable", "refuses these credentials"),
            (fails("401 Unauthorized"), "source_unreadable", "refuses these credentials"),
            (fails("400 Bad Request", key), "source_encrypted", "encrypted"),
            (fails("400 Bad Request"), "source_unreadable", "status 400"),
            (answer(b"not JSON at all", status="418 Odd"), "source_unreadable", "status 418"),
        ]


def test_an_endpoint_without_a_key_is_asked_anonymously(
    server: RawServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
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


def test_a_key_is_used_where_one_is_set(server: RawServer, monkeypatch: pytest.MonkeyPatch) -> None:
    has_a_key(server, monkeypatch)
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


@pytest.mark.parametrize(
    "key",
    [
        {},
        {"client_email": "reader@example.test", "token_uri": "http://127.0.0.1:1", "private_key": "hush"},
        {"client_email": 1, "token_uri": [], "private_key": None},
    ],
)
def test_a_key_that_opens_nothing_is_named_and_not_repeated(
    key: dict[str, Any], server: RawServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INDX_LOADER_GS_CREDENTIALS_JSON", json.dumps({"type": "service_account", **key}))
    message = refusal().message
    assert "INDX_LOADER_GS_CREDENTIALS_JSON is no usable key" in message
    assert "hush" not in message
    assert server.requests == []


def test_an_endpoint_that_is_no_address_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_LOADER_GS_ENDPOINT_URL", "nonsense")
    assert "check INDX_LOADER_GS_ENDPOINT_URL" in refusal().message


def test_an_endpoint_that_is_down_is_named_and_only_where_one_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    import google.auth
    from google.auth.credentials import AnonymousCredentials

    monkeypatch.setenv(TIMEOUT, "0.5")
    monkeypatch.setenv("INDX_LOADER_GS_ENDPOINT_URL", "http://127.0.0.1:9")
    message = refusal().message
    assert "again and again (ConnectionError); check INDX_LOADER_GS_ENDPOINT_URL, or try later" in message

    monkeypatch.delenv("INDX_LOADER_GS_ENDPOINT_URL")
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", "http://127.0.0.1:9")  # nobody of the network is asked
    monkeypatch.setattr(google.auth, "default", lambda **_: (AnonymousCredentials(), None))
    message = refusal().message
    assert "again and again (ConnectionError); try later" in message
    assert "INDX_LOADER_GS_ENDPOINT_URL" not in message


def test_without_a_key_the_default_credentials_apply(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    assert "no credentials; set INDX_LOADER_GS_CREDENTIALS_JSON" in refusal().message
    own = tmp_path / "own.json"
    own.write_text("no JSON")
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(own))
    message = refusal().message
    assert "credentials" in message
    assert str(own) not in message


def test_a_body_that_is_not_what_its_checksum_says_is_unreadable(server: RawServer) -> None:
    wrong = base64.b64encode(bytes(16)).decode()
    server.answer = answer(b"bytes", f"X-Goog-Hash: md5={wrong}", "X-Goog-Hash: crc32c=AAAAAA==")
    assert "the request failed (DataCorruption)" in refusal().message


def test_a_body_cut_short_is_gone_on_with(server: RawServer) -> None:
    def answers(request: bytes) -> bytes:
        if b"range: bytes=5-" in request.lower():
            return response(b"56789", "Content-Range: bytes 5-9/10", status="206 Partial Content")
        return b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234"

    server.answer = answers
    assert load().data == b"0123456789"
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "rest",
    [
        response(b"0123456789"),
        response(b"012345678", "Content-Range: bytes 0-8/10", status="206 Partial Content"),
        response(b"6789", "Content-Range: bytes 6-9/10", status="206 Partial Content"),
        response(b"56", "Content-Range: bytes 5-6/10", status="206 Partial Content"),
        response(b"56789", status="206 Partial Content"),
    ],
)
def test_what_does_not_go_on_where_the_body_was_cut_is_not_put_behind_it(
    server: RawServer, rest: bytes
) -> None:
    cut = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234"
    server.answer = lambda request: rest if b"range: bytes=5-" in request.lower() else cut
    assert "other parts than were asked for" in refusal().message


def test_a_failure_that_tells_a_secret_is_told_without_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("INDX_LOADER_GS_ENDPOINT_URL", "http://reader:hush@127.0.0.1:1")
    monkeypatch.setenv(TIMEOUT, "0.3")
    with caplog.at_level(logging.DEBUG, "indx"):
        error = refusal()
    assert error.code == "source_unreadable"
    assert "hush" not in error.message + caplog.text


def test_the_bytes_are_asked_for_as_they_are_stored(server: RawServer) -> None:
    server.answer = answer(b"bytes")
    load()
    assert b"\r\naccept-encoding: gzip\r\n" in server.requests[0].lower()


def test_a_server_that_always_fails_is_asked_until_the_time_is_up(
    server: RawServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TIMEOUT, "0.3")
    server.answer = fails("503 Busy")
    assert refusal().code == "source_unreadable"
    assert len(server.requests) >= 1


def test_more_than_the_limit_is_refused_whatever_was_announced(server: RawServer) -> None:
    for head in (
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 900000000000\r\n\r\n",
    ):
        server.answer = lambda _, head=head: itertools.chain([head], itertools.repeat(b"x" * 65536))
        with pytest.raises(InputTooLarge, match="more than 1000 bytes"):
            load(limit=1000)


def test_the_log_says_what_the_storage_answered(server: RawServer, caplog: pytest.LogCaptureFixture) -> None:
    server.answer = fails("403 Forbidden")
    with caplog.at_level(logging.DEBUG, "indx.loader.gs"):
        refusal()
    assert "status 403" in caplog.text
