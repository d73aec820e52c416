"""A load has its time and its limit, whatever brings the bytes."""

from __future__ import annotations

import gzip
import threading

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import SourceContent
from indx_loader_object import Attempt, Fetched, Storage


def load(
    storage: Storage, fetched: Fetched, limit: int = 100, uri: str = "xs://docs/a/b.txt"
) -> SourceContent:
    wanted = storage.parse(uri)
    return storage.load(wanted, lambda attempt: fetched, limit, Deadline()).content


def test_an_object_has_the_last_part_of_its_name_and_its_declared_type(storage: Storage) -> None:
    content = load(storage, Fetched(b"x", "Text/HTML; charset=UTF-8"))
    assert (content.data, content.media_type, content.filename) == (b"x", "text/html", "b.txt")
    assert load(storage, Fetched(b"x", "binary/octet-stream")).media_type == ""
    assert load(storage, Fetched(b"x"), uri="xs://docs/folder/").filename is None


def test_a_packed_one_is_unpacked(storage: Storage) -> None:
    assert load(storage, Fetched(gzip.compress(b"y" * 100), "", "gzip")).data == b"y" * 100
    with pytest.raises(InputTooLarge, match="more than 99 bytes"):
        load(storage, Fetched(gzip.compress(b"y" * 100), "", "gzip"), limit=99)


def test_more_than_the_limit_is_told(storage: Storage) -> None:
    with pytest.raises(InputTooLarge, match=r"'xs://docs/a/b.txt' has more than 100 bytes"):
        load(storage, Fetched(None))


def test_what_comes_after_its_time_is_not_taken(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_SECONDS", "0.05")
    let_go = threading.Event()

    def slow(attempt: Attempt) -> Fetched:
        assert attempt.seconds == 0.05
        let_go.wait(30)
        return Fetched(b"late")

    try:
        with pytest.raises(SourceError, match=r"over 0\.05 s; raise TEST_SECONDS"):
            storage.load(storage.parse("xs://docs/a"), slow, 10, Deadline())
    finally:
        let_go.set()


def test_each_error_has_its_code_and_says_what_would_help(storage: Storage) -> None:
    wanted = storage.parse("xs://docs/a")
    assert wanted.encrypted().code == "source_encrypted"
    assert "check its box and name" in wanted.absent().message
    assert "credentials" in wanted.refused().message
    assert wanted.unreadable("why").message == "'xs://docs/a' cannot be loaded: why"


def test_unpacking_ends_with_the_time_too(storage: Storage) -> None:
    """Of streams that hold nothing there may be as many as there is room for."""
    packed = gzip.compress(b"", mtime=0) * 1000

    def brought(attempt: Attempt) -> Fetched:
        started.append(attempt.own)
        return Fetched(Ending(packed), "", "gzip")

    class Ending(bytes):
        """Bytes that are begun with just before the time is up."""

        def __getitem__(self, key: object) -> bytes:
            started[0].cancel()
            return packed[key]  # type: ignore[index]

    started: list[Deadline] = []
    with pytest.raises(SourceError, match="TEST_SECONDS"):
        storage.load(storage.parse("xs://docs/a"), brought, 10, Deadline())
