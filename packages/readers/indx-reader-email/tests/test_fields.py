"""The fields of a header: where it ends, and what stands between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Reader = Callable[[bytes], Any]

HEAD = b"From: a@example.com\n"


@pytest.mark.parametrize(
    "content", [b"Content-Type: text/plain\n", b"Content-Type: text/plain;\n charset=utf-8\n"]
)
def test_what_follows_the_type_in_a_long_header_is_read(read: Reader, content: bytes) -> None:
    seals = b"ARC-Seal: i=1; a=rsa-sha256; b=" + b"0123456789abcdef" * 300 + b"\n"
    mail = read(seals + content + HEAD + b"Content-Language: en\nSubject: Minutes\n\nbody")
    assert mail.text == "Minutes\n\nFrom: a@example.com\n\nbody"


@pytest.mark.parametrize(
    "line", [b"From x@example.com  Sun Apr  5 09:24:45 2015\n", b">From x Sun Apr  5 2015\r\n"]
)
def test_the_line_of_a_mailbox_among_the_fields_is_none(read: Reader, line: bytes) -> None:
    mail = read(b"Return-Path: <x@example.com>\n" + line + HEAD + b"Subject: Minutes\n\nFrom here on: body")
    assert mail.text == "Minutes\n\nFrom: a@example.com\n\nFrom here on: body"


def test_a_body_that_begins_like_one_stays_a_body(read: Reader) -> None:
    assert read(HEAD + b"From here on it is the body\nand more").text.endswith(
        "From here on it is the body\nand more"
    )


BROKEN = b"X-Report: it was looked at\nby the machine: and is fine,\nas far as one knows\n"


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("between", [BROKEN, b"MIME-Version: 1.0\n\n"])
def test_a_header_that_is_broken_in_the_middle_goes_on(read: Reader, between: bytes, end: bytes) -> None:
    parts = (
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nbody\n--b\nContent-Type: image/png\n\nP\n--b--"
    )
    mail = read((HEAD + between + parts).replace(b"\n", end))
    assert mail.text == "From: a@example.com\n\nbody"
    assert mail.names == ["attachment-1.png"]


@pytest.mark.parametrize(
    "body",
    [
        b"\nContent-Type: is what this text is about\nand more\n",
        b"no blank line\n\nSubject: quoted\n",
        b"--b\nContent-Type: text/plain\n\nx",
    ],
)
def test_a_text_with_lines_like_fields_is_a_text(read: Reader, body: bytes) -> None:
    assert read(HEAD + body).text == "From: a@example.com\n\n" + body.decode().strip()


def test_bytes_in_the_header_of_several_parts_are_read_as_their_text_is(read: Reader) -> None:
    subject = "\u041f\u0440\u043e\u0442\u043e\u043a\u043e\u043b"
    mail = read(
        HEAD + b"Subject: " + subject.encode("koi8-r") + b"\nContent-Type: multipart/mixed; boundary=b\n\n"
        b"--b\nContent-Type: text/plain; charset=koi8-r\n\n" + subject.encode("koi8-r") + b"\n--b--"
    )
    assert mail.text == f"{subject}\n\nFrom: a@example.com\n\n{subject}"
