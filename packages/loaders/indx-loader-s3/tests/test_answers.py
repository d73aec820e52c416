"""What a server answers is bounded, understood, and kept to the log where it tells of what is inside."""

from __future__ import annotations

import importlib
import itertools
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import SourceContent
from indx_loader_s3 import loader
from indx_testkit.storages import RawServer, StorageKit, nobody_stays, response

URI = "s3://docs/folder/report.pdf"


def load(limit: int = 1 << 20) -> SourceContent:
    return loader().load(URI, limit=limit, deadline=Deadline()).content


def refusal() -> SourceError:
    with pytest.raises(SourceError) as caught:
        load()
    return caught.value


def says(body: bytes, *fields: str, status: str = "200 OK") -> Callable[[bytes], bytes]:
    return lambda _: response(body, *fields, status=status)


def fails(code: str, status: str, said: str = "secret detail") -> Callable[[bytes], bytes]:
    body = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>{said}</Message></Error>"
    return says(body.encode(), "Content-Type: application/xml", status=status)


def changes_a_token(server: RawServer, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Have the keys come from a service that changes a token for them."""
    for name in ("INDX_LOADER_S3_ACCESS_KEY_ID", "INDX_LOADER_S3_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    token = folder / "token"
    token.write_text("hush")
    monkeypatch.setenv("AWS_WEB_IDENTITY_TOKEN_FILE", str(token))
    monkeypatch.setenv("AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/reader")
    monkeypatch.setenv("AWS_REGION", "eu-test-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL_STS", server.url)


class TestAnswers(StorageKit):
    factory = staticmethod(loader)
    uri = URI
    timeout = "INDX_LOADER_S3_TIMEOUT_SECONDS"
    hidden = ("not XML", "test-key", "test-secret", "nonsense")

    @pytest.fixture(autouse=True)
    def _server(self, server: RawServer) -> None:
        self.server = server

    def without_credentials(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> bytes:
        changes_a_token(self.server, monkeypatch, folder)
        return b"POST / "

    def refusals(self) -> Sequence[tuple[Any, str, str]]:
        stored = "stored using a form of Server Side Encryption"
        return [
            (fails("NoSuchKey", "404 Not Found"), "source_unreadable", "no such object"),
            (fails("NoSuchBucket", "404 Not Found"), "source_unreadable", "no such object"),
            (fails("AccessDenied", "403 Forbidden"), "source_unreadable", "refuses these credentials"),
            (fails("InvalidAccessKeyId", "403 Forbidden"), "source_unreadable", "refuses these credentials"),
            (fails("ExpiredToken", "400 Bad Request"), "source_unreadable", "not expired"),
            (fails("PermanentRedirect", "301 Moved"), "source_unreadable", "set INDX_LOADER_S3_REGION"),
            (fails("InvalidObjectState", "403 Forbidden"), "source_unreadable", "archived"),
            (fails("InvalidRequest", "400 Bad Request", stored), "source_encrypted", "encrypted"),
            (fails("InvalidRequest", "400 Bad Request"), "source_unreadable", "status 400"),
            (fails("Odd", "409 Conflict"), "source_unreadable", "status 409"),
            (says(b"not XML at all", status="418 Odd"), "source_unreadable", "status 418"),
            (says(b"", status="204 No Content"), "source_unreadable", "status 204"),
            (lambda _: b"nonsense\r\n\r\n", "source_unreadable", "the request failed"),
            (lambda _: b"", "source_unreadable", "the request failed"),
        ]


def test_the_bucket_stands_in_the_path_and_the_keys_sign(
    server: RawServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INDX_LOADER_S3_REGION", "eu-test-1")
    monkeypatch.setenv("INDX_LOADER_S3_SESSION_TOKEN", "the-token")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "chain")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "chain")
    server.answer = says(b"bytes")
    assert load().data == b"bytes"
    (request,) = server.requests
    assert request.startswith(b"GET /docs/folder/report.pdf HTTP/1.1\r\n")
    assert b"Credential=test-key/" in request
    assert b"/eu-test-1/s3/" in request
    assert b"x-amz-security-token: the-token\r\n" in request.lower()
    assert b"test-secret" not in request


def test_half_a_key_is_no_credential(server: RawServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INDX_LOADER_S3_SECRET_ACCESS_KEY")
    assert "INDX_LOADER_S3_SECRET_ACCESS_KEY" in refusal().message
    assert server.requests == []


def test_a_body_cut_short_is_unreadable(server: RawServer) -> None:
    server.answer = lambda _: b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"
    assert "the request failed" in refusal().message


def test_a_body_that_is_not_what_its_checksum_says_is_unreadable(server: RawServer) -> None:
    server.answer = says(b"bytes", "x-amz-checksum-crc32: AAAAAA==")
    assert "the request failed" in refusal().message


def test_more_than_the_limit_is_refused_whatever_was_announced(server: RawServer) -> None:
    for head in (
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 900000000000\r\n\r\n",
    ):
        server.answer = lambda _, head=head: itertools.chain([head], itertools.repeat(b"x" * 65536))
        with pytest.raises(InputTooLarge, match="more than 1000 bytes"):
            load(limit=1000)


def test_the_log_says_what_the_storage_answered_and_no_secret(
    server: RawServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.answer = fails("AccessDenied", "403 Forbidden")
    with caplog.at_level(logging.DEBUG, "indx.loader.s3"):
        refusal()
    assert "AccessDenied" in caplog.text
    assert "test-secret" not in caplog.text


SECRETS = {
    "INDX_LOADER_S3_SESSION_TOKEN": "hush\nX-Other: field",
    "INDX_LOADER_S3_ENDPOINT_URL": "http://reader:hush@127.0.0.1:1",
}


@pytest.mark.parametrize("name", sorted(SECRETS))
@pytest.mark.usefixtures("server")
def test_a_failure_that_tells_a_secret_is_told_without_it(
    name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(name, SECRETS[name])
    with caplog.at_level(logging.DEBUG, "indx"):
        error = refusal()
    assert "the request failed" in error.message
    assert "hush" not in error.message + caplog.text


def test_a_profile_that_is_not_there_is_a_matter_of_credentials(
    server: RawServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("INDX_LOADER_S3_ACCESS_KEY_ID", "INDX_LOADER_S3_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_PROFILE", "hush")
    message = refusal().message
    assert "brought no credentials (ProfileNotFound)" in message
    assert "INDX_LOADER_S3_ACCESS_KEY_ID" in message
    assert "hush" not in message
    assert server.requests == []


def test_a_service_that_credentials_come_from_has_no_more_time(
    server: RawServer,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A token is changed for keys by another service, which is asked with the same bounds."""
    changes_a_token(server, monkeypatch, tmp_path)
    error = b"<Error><Code>ExpiredToken</Code><Message>secret detail</Message></Error>"
    server.answer = says(b"<ErrorResponse>" + error + b"</ErrorResponse>", status="400 Bad Request")
    assert "refuses these credentials" in refusal().message
    server.requests.clear()
    monkeypatch.setenv("INDX_LOADER_S3_TIMEOUT_SECONDS", "0.4")
    server.answer = lambda _: (server.closing.wait(60), b"")[1]
    assert refusal().code == "source_unreadable"
    nobody_stays()
    assert len(server.requests) <= 2
    assert "secret" not in caplog.text
    assert "Traceback" not in caplog.text


def test_what_the_application_itself_asks_of_botocore_is_logged_as_ever(
    caplog: pytest.LogCaptureFixture,
) -> None:
    importlib.import_module("indx_loader_s3._fetch")
    with caplog.at_level(logging.INFO, "botocore.credentials"):
        try:
            raise ValueError("of the application")
        except ValueError:
            logging.getLogger("botocore.credentials").warning("no credentials", exc_info=True)
    assert "ValueError: of the application" in caplog.text
