"""Parts of messages that mailers and lists have damaged, and parts that hold nothing to read."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest

Reader = Callable[[bytes], Any]

HEAD = b"MIME-Version: 1.0\nFrom: a@example.com\n"
PART = b"Content-Type: text/plain\n\nbody\n"


@pytest.mark.parametrize(
    ("stated", "mark"),
    [
        (b'; boundary="of two\n words"', b"--of two words"),
        (b'; boundary="of two\n words"', b"--of two\n words"),
        (b"; boundary=00001", b"--00002"),
        (b"; boundary=mark_", b"--mark"),
        (b"; bo", b"--mark"),
        (b"", b"--mark"),
    ],
)
def test_parts_are_found_when_the_boundary_is_folded_wrong_or_lost(
    read: Reader, stated: bytes, mark: bytes
) -> None:
    data = HEAD + b"Content-Type: multipart/mixed" + stated + b"\n\n" + mark + b"\n" + PART + mark + b"\n"
    mail = read(data + b"Content-Type: image/png\n\nPNG\n" + mark + b"--\n")
    assert mail.text == "From: a@example.com\n\nbody"
    assert [(member.name, member.data) for member in mail.members] == [("attachment-1.png", b"PNG")]


def mixed(*parts: bytes) -> bytes:
    body = b"".join(b"\n--b\n" + part for part in parts)
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\n" + body + b"\n--b--\n"


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (b"\nContent-Type: text/html\n\n<b>bold</b>", "bold"),
        (b"no header\nDate: none\n\nnor here", "no header\nDate: none\n\nnor here"),
        (b"Content-Type: text/plain\n\nMIME-Version: 1.0\n\nof it", "MIME-Version: 1.0\n\nof it"),
    ],
)
def test_a_header_behind_a_blank_line_is_told_from_a_text(read: Reader, part: bytes, text: str) -> None:
    assert read(mixed(part)).text == "From: a@example.com\n\n" + text


def test_messages_of_a_digest_keep_their_headers(read: Reader) -> None:
    inner = b"MIME-Version: 1.0\nFrom: b@example.com\n\nhi"
    mail = read(mixed(b"\n" + inner).replace(b"multipart/mixed", b"multipart/digest"))
    assert [member.data for member in mail.members] == [inner]


@pytest.mark.parametrize("kind", [b"message/rfc822", b"message/global", b"message/news"])
def test_messages_are_named_as_messages(read: Reader, kind: bytes) -> None:
    inner = b"From: b@example.com\n\nhi"
    mail = read(mixed(b"\nx", b"Content-Type: " + kind + b"; name=note.md\n\n" + inner))
    (member,) = mail.members
    assert (member.name, member.media_type, member.data) == ("note.md.eml", "message/rfc822", inner)


def test_a_message_without_a_header_is_a_text(read: Reader) -> None:
    part = b"Content-Type: message/rfc822%s\n\nMessage removed"
    mail = read(mixed(b"\nx", part % b"", part % b"; name=original.eml", part.replace(b"Me", b" Me") % b""))
    assert [(m.name, m.media_type, m.data) for m in mail.members] == [
        ("message-1.txt", "text/plain", b"Message removed"),
        ("original.eml.txt", "text/plain", b"Message removed"),
        ("message-3.txt", "text/plain", b" Message removed"),
    ]


def test_a_message_may_begin_with_a_byte_order_mark(read: Reader) -> None:
    mail = read(mixed(b"\nx", b"Content-Type: message/rfc822\n\n\xef\xbb\xbfFrom: b@example.com\n\nhi"))
    assert mail.names == ["message-1.eml"]


@pytest.mark.parametrize(
    "kind", [b"message/feedback-report", b"message/global-delivery-status", b"message/rfc822-headers"]
)
def test_every_kind_of_report_is_shown(read: Reader, kind: bytes) -> None:
    mail = read(mixed(b"\nfailed", b"Content-Type: " + kind + b"\n\nAction: failed"))
    assert mail.text.endswith("\n\nfailed\n\nAction: failed")
    assert mail.members == []


@pytest.mark.parametrize("kind", [b"pgp-signature; name=signature.asc", b"pkcs7-signature; name=smime.p7s"])
def test_a_signature_is_no_document(read: Reader, kind: bytes) -> None:
    mail = read(mixed(b"\nbody", b"Content-Type: application/" + kind + b"\n\n-----BEGIN\nAAAA"))
    assert mail.text.endswith("\n\nbody")
    assert mail.members == []
    assert mail.metadata["signed"] is True
    assert "signed" not in read(mixed(b"\nbody")).metadata


def test_the_version_of_a_seal_is_no_document_and_a_file_of_that_type_is_one(read: Reader) -> None:
    part = b"Content-Type: application/pgp-encrypted%s\n\n%s"
    mail = read(mixed(b"\nbody", part % (b"", b"Version: 1"), part % (b"; name=a.pdf.gpg", b"\x85\x02")))
    assert [(member.name, member.data) for member in mail.members] == [("a.pdf.gpg", b"\x85\x02")]


def test_a_message_is_sealed_where_what_is_sealed_is_lost(read: Reader) -> None:
    seal = b"--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b--\n"
    mail = read(HEAD + b"Content-Type: multipart/encrypted; boundary=b\n\n" + seal)
    assert (mail.members, mail.metadata["encrypted"]) == ([], True)


@pytest.mark.parametrize("kind", [b"; smime-type=enveloped-data", b""])
def test_a_sealed_part_says_what_to_do(read: Reader, kind: bytes) -> None:
    mail = read(mixed(b"\nbody", b"Content-Type: application/pkcs7-mime; name=smime.p7m" + kind + b"\n\nx"))
    (member,) = mail.members
    assert (member.name, member.data) == ("smime.p7m", b"")
    assert "decrypt" in str(member.reason)
    assert mail.metadata["encrypted"] is True


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_what_a_list_wrote_below_base64_is_a_text(read: Reader, end: bytes) -> None:
    footer = b"\n\n_______________\nA list of ours\nhttps://lists.example.com/\n"
    coded = base64.encodebytes("caf\u00e9 ".encode() * 30)
    kind = b"Content-Type: %s; charset=utf-8\nContent-Transfer-Encoding: base64; x\n\n"
    data = HEAD + kind % b"text/plain" + coded + footer
    expected = "caf\u00e9 " * 30 + "\n" + footer.decode().strip()
    assert read(data.replace(b"\n", end)).text == "From: a@example.com\n\n" + expected
    file = read(mixed(b"\nx", kind % b"application/pdf" + coded + footer).replace(b"\n", end))
    assert file.members[0].data == "caf\u00e9 ".encode() * 30


def test_a_soft_break_may_have_spaces_behind_it(read: Reader) -> None:
    mail = read(HEAD + b"Content-Transfer-Encoding: quoted-printable\n\none line=  \nand no two=20\nend")
    assert mail.text.endswith("one lineand no two \nend")
