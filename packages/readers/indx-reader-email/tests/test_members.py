"""Documents inside a message: attachments and embedded messages, each once, under its owner."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge
from indx_core.ports import SourceContent
from indx_reader_email import _headers, _mime, _session, observer, reader
from indx_reader_email._signed import signed_content
from indx_testkit.checks import assert_reading, tolerate_typed

Reader = Callable[[bytes], Any]
Wrapped = Callable[..., bytes]

HEAD = b"MIME-Version: 1.0\nFrom: a@example.com\n"


def mixed(*parts: bytes) -> bytes:
    body = b"".join(b"\n--b\n" + part for part in parts)
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\n" + body + b"\n--b--\n"


def test_attachments_are_listed_and_taken_out_as_they_are(read: Reader) -> None:
    mail = read(
        mixed(
            b"\nbody",
            b"Content-Type: application/pdf\nContent-Disposition: attachment; filename=a.pdf\n"
            b"Content-Transfer-Encoding: base64\n\nJVBE\nRi0=\n",
            b"Content-Type: text/csv; name=b.csv\n\na,b\r\n1,2\r\n",
        )
    )
    assert mail.text == "From: a@example.com\n\nbody"
    assert [(m.name, m.media_type, m.data) for m in mail.members] == [
        ("a.pdf", "application/pdf", b"%PDF-"),
        ("b.csv", "text/csv", b"a,b\r\n1,2\r\n"),
    ]
    assert mail.metadata["members"] == [
        {"name": "a.pdf", "media_type": "application/pdf", "size": 5},
        {"name": "b.csv", "media_type": "text/csv", "size": 10},
    ]
    assert mail.facts == {"attachments": "2 attachments"}


def test_an_embedded_message_is_one_member_with_its_own_parts(read: Reader) -> None:
    inner = HEAD + b"Subject: inner\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\ninner text\n--c\n"
    inner += b"Content-Type: image/png; name=p.png\n\nPNG\n--c--\n"
    outer = read(mixed(b"\nouter text", b"Content-Type: message/rfc822\n\n" + inner))
    assert outer.text.endswith("outer text")
    assert outer.names == ["message-1.eml"]
    (member,) = outer.members
    assert (member.media_type, member.data) == ("message/rfc822", inner)
    nested = read(member.data)
    assert nested.text.startswith("inner\n\n")
    assert nested.names == ["p.png"]


def test_an_embedded_message_in_base64_is_decoded(read: Reader) -> None:
    part = (
        b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nRnJvbTogYkBleGFtcGxlLmNvbQoKaGk="
    )
    assert read(mixed(part)).members[0].data == b"From: b@example.com\n\nhi"


def test_the_parts_of_a_digest_are_messages(read: Reader) -> None:
    mail = read(
        HEAD + b"Content-Type: multipart/digest; boundary=b\n\n--b\n\nFrom: x@example.com\n\none\n--b\n\n"
        b"From: y@example.com\n\ntwo\n--b--"
    )
    assert mail.names == ["message-1.eml", "message-2.eml"]
    assert mail.members[1].data == b"From: y@example.com\n\ntwo"


def test_attachments_of_an_alternative_not_chosen_are_kept(read: Reader) -> None:
    mail = read(
        HEAD + b"Content-Type: multipart/alternative; boundary=b\n\n--b\n\nplain\n--b\n"
        b"Content-Type: multipart/mixed; boundary=c\n\n--c\nContent-Type: text/html\n\n<p>marked\n--c\n"
        b"Content-Type: application/pdf; name=a.pdf\n\n%PDF\n--c--\n\n"
        b"--b\nContent-Type: text/calendar\n\nBEGIN\n--b--"
    )
    assert mail.text.endswith("plain")
    assert [(m.name.partition(".")[0], m.media_type) for m in mail.members] == [
        ("a", "application/pdf"),
        ("attachment-2", "text/calendar"),
    ]


def test_a_container_of_outlook_is_a_member_as_it_is(read: Reader) -> None:
    part = b"Content-Type: application/ms-tnef; name=winmail.dat\n\nx\x9f>"
    mail = read(mixed(b"\ntext", part))
    assert [(m.name, m.media_type, m.data) for m in mail.members] == [
        ("winmail.dat", "application/ms-tnef", b"x\x9f>")
    ]


def test_a_message_that_is_only_a_file_has_it_as_member(read: Reader) -> None:
    mail = read(HEAD + b"Content-Type: application/pdf\n\n%PDF")
    assert mail.text == "From: a@example.com"
    assert [(m.name, m.data) for m in mail.members] == [("attachment-1.pdf", b"%PDF")]


def test_an_invitation_without_a_name_is_a_calendar(read: Reader) -> None:
    data = (
        b"From: a@b.c\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nCome.\n--x\n"
        b"Content-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n--x--\n"
    )
    assert read(data).names == ["attachment-1.ics"]


SIGNED = b"From: a@b.c\nSubject: s\nContent-Type: application/pkcs7-mime; name=smime.p7m%s\n"
SIGNED += b"Content-Transfer-Encoding: base64\n\n%s\n"
INNER = b"Content-Type: multipart/mixed; boundary=y\n\n--y\n\nThe text.\n"
INNER += b"--y\nContent-Type: image/png\n\nP\n--y--\n"


@pytest.mark.parametrize("parted", [False, True])
@pytest.mark.parametrize("said", [b"", b"; smime-type=signed-data"])
def test_a_message_that_is_wrapped_to_be_signed_is_read(
    read: Reader, parted: bool, said: bytes, wrapped: Wrapped
) -> None:
    mail = read(SIGNED % (said, base64.b64encode(wrapped(INNER, parted=parted))))
    assert mail.text == "s\n\nFrom: a@b.c\n\nThe text."
    assert mail.names == ["attachment-1.png"]
    assert "encrypted" not in mail.metadata


def test_a_part_that_is_wrapped_to_be_signed_is_a_message(read: Reader, wrapped: Wrapped) -> None:
    mail = read(mixed(b"\nbody", (SIGNED % (b"", base64.b64encode(wrapped(INNER)))).partition(b"s\n")[2]))
    (member,) = mail.members
    assert (member.name, member.media_type, member.data) == ("smime.p7m.eml", "message/rfc822", INNER)
    assert "encrypted" not in mail.metadata


def test_a_file_that_is_wrapped_to_be_signed_is_the_file(read: Reader, wrapped: Wrapped) -> None:
    part = b"Content-Type: application/pkcs7-mime; name=invoice.xml.p7m\n"
    part += b"Content-Transfer-Encoding: base64\n\n" + base64.b64encode(wrapped(b"<invoice/>"))
    (member,) = read(mixed(b"\nbody", part)).members
    assert (member.name, member.media_type) == ("invoice.xml", "application/octet-stream")
    assert member.data == b"<invoice/>"


@given(place=st.integers(0, 400), byte=st.integers(0, 255))
def test_a_damaged_wrapping_is_a_member(place: int, byte: int, wrapped: Wrapped) -> None:
    data = bytearray(wrapped(INNER, parted=True))
    data[place % len(data)] = byte
    for damaged in (data, data[: place + 1]):
        assert isinstance(signed_content(bytes(damaged)), bytes | None)
    assert signed_content(wrapped(INNER, kind="2a864886f70d010703")) is None


def test_the_only_text_is_the_body_even_with_a_name(read: Reader) -> None:
    mail = read(mixed(b"Content-Type: text/plain; name=body.txt\n\nhello", b"Content-Type: image/png\n\nPNG"))
    assert mail.text.endswith("hello")
    assert mail.names == ["attachment-1.png"]


@pytest.mark.parametrize(
    ("field", "name"),
    [
        (b'attachment; filename="..\\\\..\\\\evil.exe"', "evil.exe"),
        (b"attachment; filename=../../etc/passwd", "passwd"),
        (b"attachment; filename=/etc/passwd", "passwd"),
        (b'attachment; filename="C:\\\\temp\\\\a.txt"', "a.txt"),
        (b"attachment; filename=C:a.txt", "a.txt"),
        (b"attachment; filename=..", "attachment-1.bin"),
        (b'attachment; filename="dir/"', "dir"),
        (b'attachment; filename="   "', "attachment-1.bin"),
        (b'attachment; filename="a\x01b\x7f.txt"', "ab.txt"),
        ('attachment; filename="a\u202etxt.exe"'.encode(), "atxt.exe"),
        (b"attachment; filename*=utf-8''%e8%ad%b0%e4%ba%8b.pdf", "議事.pdf"),
        (b"attachment; filename*0*=utf-8''%e8%ad%b0;\n filename*1=end.pdf", "議end.pdf"),
        (b"attachment; filename*=utf-8''..%2f..%2fx.pdf", "x.pdf"),
        (b'attachment; filename="=?utf-8?B?6K2w5LqLLnBkZg==?="', "議事.pdf"),
        ('attachment; filename="生の名前.pdf"'.encode(), "生の名前.pdf"),
        ('attachment; filename="生.pdf"'.encode("cp932"), "生.pdf"),
        (b"attachment", "attachment-1.bin"),
        (b'attachment; filename="' + b"x" * 400 + b'.pdf"', "x" * 251 + ".pdf"),
    ],
)
def test_names_are_names_and_never_paths(read: Reader, field: bytes, name: str) -> None:
    part = b"Content-Type: application/octet-stream\nContent-Disposition: " + field + b"\n\nx"
    assert read(mixed(part)).names == [name]


@given(st.text(max_size=300))
def test_any_name_becomes_safe_or_nothing(name: str) -> None:
    safe = _headers.safe_name(name)
    assert not set(safe) & set("/\\\x00\n\r")
    assert safe.strip() == safe
    assert safe not in (".", "..")
    assert len(safe) <= 255
    assert _headers.safe_name(safe) == safe or ":" in safe


def test_more_members_than_the_bound_are_counted(read: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_session, "MAX_MEMBERS", 2)
    mail = read(mixed(*[b"Content-Type: image/png\n\nPNG"] * 5))
    assert mail.names == ["attachment-1.png", "attachment-2.png", "attachment-3"]
    assert mail.members[2].data == b""
    assert mail.members[2].reason == "3 more parts are left inside: 2 are taken out of one message"
    assert mail.metadata["members_left_out"] == 3
    assert len(mail.metadata["members"]) == 2


def test_endless_parts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_mime, "MAX_PARTS", 20)
    with pytest.raises(InputTooLarge, match="more than 20 parts"):
        observer().open(SourceContent.of_bytes(mixed(*[b"\nx"] * 30), media_type="message/rfc822"))


def test_parts_nested_without_end_are_read_to_a_bound(read: Reader) -> None:
    data = b"\ninnermost\n"
    for level in range(2000):
        mark = b"m%d" % level
        data = (
            b"Content-Type: multipart/mixed; boundary="
            + mark
            + b"\n\n--"
            + mark
            + b"\n"
            + data
            + b"\n--"
            + mark
            + b"--"
        )
    assert "innermost" in read(HEAD + data).text


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Type: text/plain" + b";" * 200_000,
        b'Content-Type: text/plain; a="' + b'\\"' * 100_000,
        b"Content-Disposition: " + b"; a*0=b" * 50_000,
        b"Subject: " + b"=?utf-8?q?" * 100_000,
        b"To: " + b"(" * 100_000,
        b"X: y\n" * 100_000 + b"Z: z",
        b"Subject: a" + b"\n b" * 100_000,
    ],
)
def test_endless_headers_end(read: Reader, header: bytes) -> None:
    assert read(HEAD + header + b"\n\ntext").text.endswith("text")


PIECES = rb"""\n|\r\n|--b|--b--|--c|From: a@b\n|Subject: =?utf-8?B?4?=\n|Content-Type: |message/rfc822
\x00| |\xff\xfe|multipart/mixed; boundary=b|multipart/alternative; boundary=c
multipart/related; boundary=b; start=x|multipart/digest; boundary=b
text/html; charset=x|text/plain; format=flowed|name*=|>> q \n|text \n
Content-Transfer-Encoding: base64\n|Content-Transfer-Encoding: x-uue\n|begin 644 x\n#\xff
Content-Disposition: attachment; filename*0*=x''%"""
pieces_of_mail = st.sampled_from(
    [
        one.decode("unicode_escape").encode("latin-1")
        for line in PIECES.split(b"\n")
        for one in line.split(b"|")
    ]
)


@given(st.lists(pieces_of_mail, max_size=40))
def test_any_message_is_read_or_refused_by_a_typed_error(pieces: list[bytes]) -> None:
    source = SourceContent.of_bytes(b"From: x@y\n" + b"".join(pieces), media_type="message/rfc822")
    with tolerate_typed("a message of pieces"):
        session = observer().open(source)
        session.observe()
        for one in reader().read(session, [1], deadline=Deadline()):
            assert_reading(one)
        for member in session.members():
            assert member.name


def test_what_a_mac_keeps_beside_a_file_is_no_document(read: Reader) -> None:
    fork = b"Content-Type: application/applefile; name=a.pdf\n\nfork"
    double = b"Content-Type: multipart/appledouble; boundary=c\n\n--c\n%s\n--c\n%s\n--c--"
    mail = read(mixed(b"\nbody", double % (fork, b"Content-Type: application/pdf; name=a.pdf\n\n%PDF"), fork))
    assert [(member.name, member.data) for member in mail.members] == [("a.pdf", b"%PDF"), ("a.pdf", b"fork")]
    alone = b"Content-Type: multipart/appledouble; boundary=c\n\n--c\n%s\n--c--" % fork
    (member,) = read(mixed(b"\nbody", alone)).members
    assert (member.name, member.data) == ("a.pdf", b"fork")
