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
