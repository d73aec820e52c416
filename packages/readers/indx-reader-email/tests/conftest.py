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
