from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from indx_core.deadline import Deadline
from indx_core.ports import Member, PageReading, SourceContent
from indx_reader_email import observer, reader
from indx_testkit.checks import assert_reading


class Read:
    """A message as read: its page, its metadata, its members."""

    def __init__(self, data: bytes) -> None:
        session = observer().open(SourceContent.of_bytes(data, media_type="message/rfc822"))
        (self.page,) = reader().read(session, [1], deadline=Deadline())
        assert_reading(self.page)
        self.members: list[Member] = list(session.members())
        self.facts = dict(session.observe().facts)
        session.close()

    @property
    def reading(self) -> PageReading:
        return self.page

    @property
    def text(self) -> str:
        return self.page.text

    @property
    def metadata(self) -> dict[str, Any]:
        return dict(self.page.metadata or {})

    @property
    def names(self) -> list[str]:
        return [member.name for member in self.members]


@pytest.fixture
def read() -> Callable[[bytes], Read]:
    return Read


def _der(tag: int, *content: bytes, open_end: bool = False) -> bytes:
    held = b"".join(content)
    if open_end:
        return bytes((tag, 0x80)) + held + b"\0\0"
    size = len(held)
    return bytes((tag, size) if size < 0x80 else (tag, 0x83, *size.to_bytes(3, "big"))) + held


def _wrapped(content: bytes, *, parted: bool = False, kind: str = "2a864886f70d010702") -> bytes:
    """A signed message as mail programs wrap it; in parts of open length where it is long."""
    octets = _der(0x04, content)
    if parted:
        octets = _der(0x24, _der(0x04, content[:7]), _der(0x04, content[7:]), open_end=True)
    data_type = _der(0x06, bytes.fromhex("2a864886f70d010701"))
    held = _der(0x30, data_type, _der(0xA0, octets, open_end=parted), open_end=parted)
    data = _der(0x30, _der(2, b"\1"), _der(0x31, b""), held, _der(0x31, b""), open_end=parted)
    return _der(0x30, _der(6, bytes.fromhex(kind)), _der(0xA0, data, open_end=parted), open_end=parted)


@pytest.fixture(scope="session")
def wrapped() -> Callable[..., bytes]:
    """Wraps what is signed as mail programs do; in parts of open length where it is long."""
    return _wrapped
