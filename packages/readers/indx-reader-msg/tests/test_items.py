"""Calendar items, contacts and tasks: when, where and who stand beside their text."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from indx_core.deadline import Deadline
from indx_core.ports import Member, PageReading, SourceContent
from indx_reader_msg import MEDIA_TYPES, observer, reader
from indx_testkit.checks import assert_reading

Make = Callable[..., bytes]
CALENDAR, TASK, CONTACT = 0x00062002, 0x00062003, 0x00062004
TIME = 131_000_000_000_000_000.0
SHOWN = "2016-02-15T08:53:20Z"


def opened(data: bytes) -> tuple[PageReading, list[Member]]:
    with closing(observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
        members = list(session.members())
    assert_reading(page)
    return page, members


@pytest.mark.parametrize("kind", ["IPM.Appointment", "IPM.Schedule.Meeting.Request"])
def test_a_calendar_item_says_when_and_where(msg: Make, kind: str) -> None:
    names = [(CONTACT, 0x8083), (CALENDAR, 0x8208), (CALENDAR, 0x820D), (CALENDAR, 0x820E)]
    values = {0x001A: kind, 0x0037: "Plan", 0x1000: "body", 0x8000: "x", 0x8001: "Room 4", 0x8002: TIME}
    page, _ = opened(msg({**values, 0x8003: TIME}, names=names))
    assert page.text == f"Plan\n\nStart: {SHOWN}\nEnd: {SHOWN}\nLocation: Room 4\n\nbody"
    assert (page.metadata or {})["details"]["Location"] == "Room 4"


def test_a_contact_says_how_to_reach_it(msg: Make) -> None:
    values = {0x001A: "IPM.Contact", 0x3001: "Ann", 0x3A16: "Ducks", 0x3A08: "+1 2", 0x8000: "a@b.example"}
    page, _ = opened(msg({**values, 0x8001: "1 Pond\r\nLake"}, names=[(CONTACT, 0x8083), (CONTACT, 0x801B)]))
    assert page.text == (
        "Name: Ann\nCompany: Ducks\nEmail: a@b.example\nBusiness phone: +1 2\nBusiness address: 1 Pond Lake"
    )


def test_a_task_says_until_when(msg: Make) -> None:
    page, _ = opened(msg({0x001A: "IPM.Task", 0x0037: "Feed", 0x8000: TIME}, names=[(TASK, 0x8105)]))
    assert page.text == f"Feed\n\nDue: {SHOWN}"


def test_a_message_says_nothing_of_the_kind(msg: Make) -> None:
    page, _ = opened(msg({0x001A: "IPM.Note", 0x1000: "body", 0x8000: "x"}, names=[(CALENDAR, 0x8208)]))
    assert page.text == "body"


def test_an_item_inside_a_message_keeps_the_names_of_its_properties(
    msg: Make, inside: Callable[..., Any]
) -> None:
    item = inside({0x001A: "IPM.Appointment", 0x0037: "Plan", 0x8000: "Room 4"})
    attachments = [{0x3705: 5, 0x3701: item}]
    _, (member,) = opened(msg({0x1000: "x"}, attachments=attachments, names=[(CALENDAR, 0x8208)]))
    assert opened(member.data)[0].text == "Plan\n\nLocation: Room 4"


def test_damaged_names_are_none(msg: Make) -> None:
    data = msg({0x001A: "IPM.Appointment", 0x1000: "body", 0x8000: "x"}, names=[(CALENDAR, 0x8208)])
    broken = data.replace(b"\x02\x20\x06\0" + bytes(4) + b"\xc0", b"\xff" * 9)
    assert broken != data
    assert opened(broken)[0].text == "body"
