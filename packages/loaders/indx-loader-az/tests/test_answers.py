"""What a server answers is bounded, understood, and kept to the log where it tells of what is inside."""

from __future__ import annotations

import itertools
import logging
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError, TimedOut
from indx_core.ports import SourceContent
from indx_loader_az import _fetch, loader
from indx_testkit.storages import RawServer, StorageKit, nobody_stays, response

URI = "az://docs/folder/report.pdf"
TIMEOUT = "INDX_LOADER_AZ_TIMEOUT_SECONDS"
CONNECTION = "INDX_LOADER_AZ_CONNECTION_STRING"


def load(limit: int = 1 << 20) -> SourceContent:
    return loader().load(URI, limit=limit, deadline=Deadline()).content


def refusal() -> SourceError:
    with pytest.raises(SourceError) as caught:
        load()
    return caught.value


def answer(body: bytes, *fields: str, status: str = "200 OK") -> Callable[[bytes], bytes]:
    return lambda _: response(body, *fields, status=status)


def whole(body: bytes, *fields: str) -> bytes:
    place = f"Content-Range: bytes 0-{len(body) - 1}/{len(body)}"
    return response(body, place, *fields, status="206 Partial Content")


def fails(code: str, status: str) -> Callable[[bytes], bytes]:
    body = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>secret detail</Message></Error>"
    return answer(body.encode(), "Content-Type: application/xml", f"x-ms-error-code: {code}", status=status)


class TestAnswers(StorageKit):
    factory = staticmethod(loader)
    uri = URI
    timeout = TIMEOUT
    hidden = ("not XML", "Eby8", "devstoreaccount1", "nonsense")

    @pytest.fixture(autouse=True)
    def _server(self, server: RawServer) -> None:
        self.server = server

    def sends(self, body: bytes, *fields: str) -> bytes:
        return whole(body, *fields)

    def drip(self) -> bytes:
        return (
            b"HTTP/1.1 206 Partial\r\nContent-Length: 100000\r\nContent-Range: bytes 0-99999/100000\r\n\r\n"
        )

    def refusals(self) -> Sequence[tuple[Any, str, str]]:
        own = "BlobUsesCustomerSpecifiedEncryption"
        return [
            (fails("BlobNotFound", "404 Not Found"), "source_unreadable", "no such blob"),
            (fails("ContainerNotFound", "404 Not Found"), "source_unreadable", "no such blob"),
            (fails("AuthenticationFailed", "403 Forbidden"), "source_unreadable", "these credentials"),
            (fails("AuthorizationFailure", "403 Forbidden"), "source_unreadable", "these credentials"),
            (fails("NoAuthenticationInformation", "401 No"), "source_unreadable", "these credentials"),
            (fails("BlobArchived", "409 Conflict"), "source_unreadable", "archived"),
            (fails(own, "409 Conflict"), "source_encrypted", "encrypted with a key"),
            (fails("ConditionNotMet", "412 No"), "source_unreadable", "it changed while it was read"),
            (fails("ServerBusy", "503 Busy"), "source_unreadable", "status 503"),
            (answer(b"not XML at all", status="418 Odd"), "source_unreadable", "status 418"),
            (lambda _: b"nonsense\r\n\r\n", "source_unreadable", "the request failed"),
            (lambda _: b"", "source_unreadable", "the request failed"),
        ]

    def without_credentials(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> bytes:
        monkeypatch.delenv(CONNECTION)
        monkeypatch.setenv("INDX_LOADER_AZ_ACCOUNT", "reports")
        monkeypatch.setenv("IDENTITY_ENDPOINT", f"{self.server.url}/identity")
        monkeypatch.setenv("IDENTITY_HEADER", "hush")
        return b"GET /identity?"

    def test_a_refusal_is_asked_for_once(self) -> None:
        for refusing, _, _ in self.refusals():
            self.server.answer = refusing
            self.server.requests.clear()
            self.refusal()
            assert len(self.server.requests) == 1


def test_the_connection_string_is_enough_and_wins(server: RawServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_LOADER_AZ_ACCOUNT", "another")
    server.answer = lambda _: whole(b"bytes")
    assert load().data == b"bytes"
    (request,) = server.requests
    assert request.startswith(b"GET /devstoreaccount1/docs/folder/report.pdf HTTP/1.1\r\n")
    assert b"\r\nauthorization: sharedkey devstoreaccount1:" in request.lower()


@pytest.mark.parametrize("text", ["nonsense", "AccountKey=hush", "AccountName=a;AccountKey=hush;x"])
def test_what_is_no_connection_string_is_not_repeated(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CONNECTION, text)
    message = refusal().message
    assert CONNECTION in message
    assert "hush" not in message


def test_an_account_is_read_by_the_default_credential(
    server: RawServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(CONNECTION)
    monkeypatch.setenv("INDX_LOADER_AZ_ACCOUNT", "reports")
    made: list[Any] = []

    class Service(_fetch.BlobServiceClient):  # type: ignore[misc]
        def __init__(self, account_url: str, credential: Any, **options: Any) -> None:
            made.append((account_url, type(credential).__name__))
            super().__init__(server.url + "/reports", credential=None, **options)

    monkeypatch.setattr(_fetch, "BlobServiceClient", Service)
    server.answer = lambda _: whole(b"bytes")
    assert load().data == b"bytes"
    assert made == [("https://reports.blob.core.windows.net", "DefaultAzureCredential")]


def test_where_nobody_answers_the_setting_in_force_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_LOADER_AZ_ACCOUNT", "reports")
    monkeypatch.setenv(CONNECTION, f"BlobEndpoint=http://127.0.0.1:9/a;AccountName=a;AccountKey={'aa' * 8}")
    assert f"check the account that {CONNECTION} names, or try again later" in refusal().message

    class Service(_fetch.BlobServiceClient):  # type: ignore[misc]
        def __init__(self, account_url: str, credential: Any, **options: Any) -> None:
            super().__init__("http://127.0.0.1:9/reports", credential=None, **options)

    monkeypatch.delenv(CONNECTION)
    monkeypatch.setattr(_fetch, "BlobServiceClient", Service)
    assert "check the account that INDX_LOADER_AZ_ACCOUNT names, or try again later" in refusal().message


def test_a_server_that_makes_no_connection_secure_is_left_when_the_time_is_up(
    server: RawServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is connected to, and never says a word of what a secure connection begins with."""
    monkeypatch.setenv(
        CONNECTION, f"BlobEndpoint={server.url.replace('http:', 'https:')}/a;AccountName=a;AccountKey=aa=="
    )
    monkeypatch.setenv(TIMEOUT, "0.4")
    assert refusal().code == "source_unreadable"
    nobody_stays()


def test_a_connection_is_left_while_it_is_made_secure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between a connection and what secures it urllib3 has no public place; its private one has to be met."""
    deadline, rest = Deadline(), []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        endpoint = f"https://127.0.0.1:{listening.getsockname()[1]}/a"
        monkeypatch.setenv(CONNECTION, f"BlobEndpoint={endpoint};AccountName=a;AccountKey=aa==")

        def leave() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1)
                deadline.cancel()
                while connection.recv(1 << 16):
                    pass
                rest.append("the end")

        other = threading.Thread(target=leave, daemon=True)
        other.start()
        with pytest.raises(TimedOut):
            loader().load(URI, limit=1, deadline=deadline)
        other.join(10)
        assert rest == ["the end"], "it still waits"


def test_a_server_that_takes_no_connection_is_left_when_the_time_is_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its queue is full and nobody takes from it: whoever connects waits."""
    monkeypatch.setenv(TIMEOUT, "0.4")
    with socket.socket() as full, ExitStack() as opened:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for _ in range(4):
            waiting = opened.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(full.getsockname())
        endpoint = f"http://127.0.0.1:{full.getsockname()[1]}/a"
        monkeypatch.setenv(CONNECTION, f"BlobEndpoint={endpoint};AccountName=a;AccountKey=aa==")
        assert refusal().code == "source_unreadable"
        nobody_stays()


def test_an_identity_that_is_not_there_is_told_from_one_that_is_refused(
    server: RawServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv(CONNECTION)
    monkeypatch.setenv("INDX_LOADER_AZ_ACCOUNT", "reports")
    monkeypatch.setenv("IDENTITY_ENDPOINT", f"{server.url}/identity")
    monkeypatch.setenv("IDENTITY_HEADER", "hush")
    said = b'{"error": "secret", "message": "secret"}'
    server.answer = answer(said, "Content-Type: application/json", status="400 No")
    message = refusal().message
    assert "there are no credentials that serve; set INDX_LOADER_AZ_CONNECTION_STRING" in message
    assert "secret" not in message + caplog.text


def test_what_the_application_itself_asks_of_an_identity_is_logged_as_ever(
    caplog: pytest.LogCaptureFixture,
) -> None:
    logging.getLogger("azure.identity._credentials.chained").warning("of the application")
    assert "of the application" in caplog.text


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
def test_an_answer_longer_than_was_asked_for_is_not_read(server: RawServer, head: bytes) -> None:
    server.answer = lambda _: itertools.chain([head], itertools.repeat(b"x" * 65536))
    assert "other parts than were asked for" in refusal().message


SIZE = 1 << 20


@pytest.mark.parametrize(
    "second",
    [
        response(bytes(SIZE // 2), f"Content-Range: bytes 0-{SIZE // 2 - 1}/{SIZE}", status="206 Partial"),
        response(
            bytes(100), f"Content-Range: bytes {SIZE // 2}-{SIZE // 2 + 99}/{SIZE}", status="206 Partial"
        ),
        response(bytes(100), f"Content-Range: bytes {SIZE // 2}-{SIZE - 1}/{SIZE}", status="206 Partial"),
        response(bytes(SIZE // 2), status="206 Partial"),
        response(
            bytes(9),
            f"Content-Range: bytes {SIZE // 2}-{SIZE // 2 + 8}/{SIZE // 2 + 9}",
            status="206 Partial",
        ),
        response(bytes(SIZE)),
    ],
)
def test_a_part_that_was_not_asked_for_is_not_put_behind_the_first(server: RawServer, second: bytes) -> None:
    place = f"Content-Range: bytes 0-{SIZE // 2 - 1}/{SIZE}"
    first = response(bytes(SIZE // 2), place, "Connection: close", status="206 Partial Content")
    server.answer = lambda _: first if len(server.requests) == 1 else second
    assert "other parts than were asked for" in refusal().message
    assert len(server.requests) == 2


def test_a_failure_that_tells_a_secret_is_told_without_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    signature = "SharedAccessSignature=sv=2024&sig=hush;BlobEndpoint=http://127.0.0.1:1/a"
    for text in (
        signature,
        "BlobEndpoint=http://reader:hush@127.0.0.1:1/a;AccountName=a;AccountKey=aHVzaA==",
    ):
        monkeypatch.setenv(CONNECTION, text)
        with caplog.at_level(logging.DEBUG, "indx"):
            error = refusal()
        assert error.code == "source_unreadable"
        assert "hush" not in error.message + caplog.text


def test_the_log_says_what_the_storage_answered_and_no_secret(
    server: RawServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.answer = fails("BlobArchived", "409 Conflict")
    with caplog.at_level(logging.DEBUG, "indx.loader.az"):
        refusal()
    assert "BlobArchived" in caplog.text
    assert "Eby8" not in caplog.text
