"""Mailboxes: told from single messages, listed on a page, their messages members."""

from __future__ import annotations

from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_core.ports import SourceContent
from indx_reader_email import _mailbox, observer, reader, sniffer
from indx_testkit.checks import assert_reading
from indx_testkit.reading import CapabilityKit, ObserverKit
from indx_testkit.samples import DocumentSample

MBOX = "application/mbox"
MARK = b"From ann@example.com Thu Jan  2 10:00:00 2025\n"
HEAD = (
    b"From: Ann <ann@example.com>\nDate: Thu, 2 Jan 2025 10:00:00 +0000\nSubject: %b\nMessage-ID: <x@y>\n\n"
)
FIRST = HEAD % b"=?utf-8?b?5LiA?=" + b"one\n\n>From here on it is quoted\nFrom inside a paragraph 2025\n"
WHOLE = MARK + FIRST + b"\n" + MARK + HEAD % b"two\tcolumns" + b"second\n"
SAMPLES = (
    DocumentSample(
        WHOLE, MBOX, "a.mbox", pages=1, expected=["一", "two"], members=["message-1.eml", "message-2.eml"]
    ),
)


class TestMailboxObserver(ObserverKit):
    factory = staticmethod(observer)
    documents = SAMPLES


class TestMailboxReader(CapabilityKit):
    factory = staticmethod(reader)
    observer = staticmethod(observer)
    documents = SAMPLES


def sniffed(data: bytes) -> str | None:
    found = sniffer().sniff(data, filename=None, declared=None)
    return None if found is None else found.media_type


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_mailbox_of_several_is_told_from_one_message(end: bytes) -> None:
    assert sniffed(WHOLE.replace(b"\n", end)) == MBOX
    assert sniffed((MARK + FIRST).replace(b"\n", end)) == "message/rfc822"
    long = MARK + HEAD % b"long" + b"x\n" * 100_000 + b"\n" + MARK + HEAD % b"later"
    assert sniffed(long.replace(b"\n", end)) == MBOX
    assert sniffed(b"From " + b"0" * 40 + b" Mon Sep 17 00:00:00 2001\nFrom: a@b\nSubject: patch\n\n") is None


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_messages_are_listed_and_are_members(end: bytes) -> None:
    source = SourceContent.of_bytes(WHOLE.replace(b"\n", end), media_type=MBOX)
    with closing(observer().open(source)) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
        members = list(session.members())
    assert_reading(page)
    assert page.text.split("\n") == [
        "From\tDate\tSubject",
        "Ann <ann@example.com>\tThu, 2 Jan 2025 10:00:00 +0000\t一",
        "Ann <ann@example.com>\tThu, 2 Jan 2025 10:00:00 +0000\ttwo columns",
    ]
    assert page.metadata == {"messages": 2}
    assert [member.media_type for member in members] == ["message/rfc822"] * 2
    assert members[0].data.replace(b"\r\n", b"\n") == FIRST.replace(b">From", b"From") + b"\n"


def test_more_messages_than_are_taken_out_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_mailbox, "MAX_MESSAGES", 1)
    with closing(observer().open(SourceContent.of_bytes(WHOLE, media_type=MBOX))) as session:
        members = list(session.members())
        (page,) = reader().read(session, [1], deadline=Deadline())
    assert [(member.name, member.reason is None) for member in members] == [
        ("message-1.eml", True),
        ("message-2.eml", False),
    ]
    assert page.metadata == {"messages": 2, "members_left_out": 1}


def test_what_is_no_mailbox_is_refused() -> None:
    with pytest.raises(SourceError):
        observer().open(SourceContent.of_bytes(b"Subject: x\n\nFrom nobody\n", media_type=MBOX))


@pytest.mark.parametrize(
    ("line", "before"),
    [
        (b"From - ", b"\n"),
        (b"From ", b"\n"),
        (b"From ???@??? Thu Jan  2 10:00:00 2025", b""),
        (b"From ann at example.com  Thu Jan  2 10:00:00 2025", b""),
        (b"From ann@example.com Thu Jan  2 10:00:00 CEST 2025", b""),
        (b"From ann@example.com Thu, Jan  2 10:00 2025 +0100", b""),
        (b"From ann@example.com Thu Jan  2 10:00:00 2025 +0100\nStatus: R", b"\n"),
    ],
)
def test_messages_are_told_apart_without_a_date_or_without_a_blank_line(line: bytes, before: bytes) -> None:
    data = b"".join(before + line + b"\n" + HEAD % b"one" + b"body\n" for _ in range(3)).lstrip(b"\n")
    assert sniffed(data) == MBOX
    with closing(observer().open(SourceContent.of_bytes(data, media_type=MBOX))) as session:
        members = list(session.members())
    held = (line + b"\n").partition(b"\n")[2] + HEAD % b"one" + b"body"
    assert [member.data.rstrip() for member in members] == [held] * 3


def test_lines_of_a_text_do_not_part_a_message() -> None:
    for text in (b"From \nhere: on", b"x\nFrom me at noon on 2025\nBye: now", b"\nFrom - here: on\nSee: it"):
        assert sniffed(MARK + HEAD % b"one" + text) == "message/rfc822"


@pytest.mark.parametrize("said", [len(FIRST), 9, 10**11])
@pytest.mark.parametrize("below", [b"", b"<plist>", b'<!DOCTYPE plist PUBLIC "">\n<plist>'])
def test_a_message_with_its_length_above_it_is_read(said: int, below: bytes) -> None:
    data = b"%d\n" % said + FIRST
    if below and said < 10**11:
        data += b'<?xml version="1.0"?>\n' + below + b"<key>flags</key></plist>\n"
    assert sniffed(data) == "message/rfc822"
    with closing(observer().open(SourceContent.of_bytes(data, media_type="message/rfc822"))) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
    assert page.text.startswith("\u4e00\n\nFrom: Ann")
    assert page.text.endswith("inside a paragraph 2025")


def test_what_a_message_quotes_of_a_property_list_is_its_own() -> None:
    text = FIRST + b'<?xml version="1.0"?>\n<plist>\nshown so\n'
    data = b"%d\n" % len(text) + text
    with closing(observer().open(SourceContent.of_bytes(data, media_type="message/rfc822"))) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
    assert page.text.endswith("shown so")


def test_a_message_without_a_date_has_that_of_its_line() -> None:
    data = b"From a@b.c Tue May 10 11:28:07 2005\nFrom: a@b.c\nTo: x@y.z\n\nhi\n\n"
    data += b"From d@e.f Wed May 11 10:00:00 2005\nFrom: d@e.f\nDate: today\n\nyo\n\n"
    data += b"From - \nFrom: g@h.i\nTo: x@y.z\n\nyo\n"
    with closing(observer().open(SourceContent.of_bytes(data, media_type=MBOX))) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
    assert_reading(page)
    assert page.text.split("\n")[1:] == ["a@b.c\tTue May 10 11:28:07 2005\t", "d@e.f\ttoday\t", "g@h.i\t\t"]
