"""Files, signatures and seals that stand in a plain text itself."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any

import pytest

Reader = Callable[[bytes], Any]
HEAD = b"From: a@example.com\n"
DATA = bytes(range(256))


def uuencoded(name: bytes = b"a.bin", *, end: bytes = b"`\nend\n") -> bytes:
    lines = [binascii.b2a_uu(DATA[at : at + 45]).rstrip(b" \n") for at in range(0, len(DATA), 45)]
    return b"begin 644 " + name + b"\n" + b"\n".join(lines) + b"\n" + end


def body(mail: Any) -> str:
    return str(mail.text).partition("\n\n")[2]


def test_a_file_in_a_text_is_taken_out_of_it(read: Reader) -> None:
    coded = b"begin-base64 644 b.bin\n" + base64.encodebytes(DATA) + b"====\n"
    mail = read(HEAD + b"\nbefore\n" + uuencoded(b"C:\\x\\a.bin") + b"between\n" + coded + b"after\n")
    assert body(mail) == "before\nbetween\nafter"
    assert [(member.name, member.data) for member in mail.members] == [("a.bin", DATA), ("b.bin", DATA)]
    assert [member["name"] for member in mail.metadata["members"]] == ["a.bin", "b.bin"]


@pytest.mark.parametrize(
    "text",
    [
        uuencoded(end=b""),
        uuencoded().replace(b"\nend", b"\nof a sentence\nend"),
        b"> " + uuencoded(),
        b"begin 644 nothing\nend",
        b"begin 100 metres from here\nand go on to the end",
    ],
)
def test_what_is_no_whole_file_stays_in_the_text(read: Reader, text: bytes) -> None:
    mail = read(HEAD + b"\n" + text)
    assert body(mail) == text.decode().strip()
    assert mail.members == []


def test_the_signature_of_a_text_is_no_text(read: Reader) -> None:
    text = b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nwords\n- -- \nAnn\n"
    sign = b"-----BEGIN PGP SIGNATURE-----\n\niQEz\n=ab\n-----END PGP SIGNATURE-----\n"
    mail = read(HEAD + b"\nlist:\n" + text + sign + b"_____\nfooter\n")
    assert body(mail) == "list:\nwords\n-- \nAnn\n\n_____\nfooter"
    assert mail.metadata["signed"] is True
    cut = text.decode().strip()
    assert body(read(HEAD + b"\n" + text)) == cut
    assert body(read(HEAD + b"\n> " + text)) == f"> {cut}"


def test_a_sealed_text_is_a_member_that_says_so(read: Reader) -> None:
    seal = b"-----BEGIN PGP MESSAGE-----\n\nhQEM\n=ab\n-----END PGP MESSAGE-----\n"
    mail = read(HEAD + b"\nsee:\n" + seal)
    assert body(mail) == "see:"
    assert mail.metadata["encrypted"] is True
    (member,) = mail.members
    assert (member.name, member.data) == ("message.asc", b"")
    assert "decrypt" in str(member.reason)


@pytest.mark.parametrize("of", ["MESSAGE", "SIGNATURE"])
def test_words_between_the_marks_of_pgp_are_words(read: Reader, of: str) -> None:
    text = (
        f"from\n-----BEGIN PGP {of}-----\nand all that follows up to\n-----END PGP {of}-----\nit is sealed."
    )
    mail = read(HEAD + b"\n" + text.encode())
    assert body(mail) == text
    assert mail.members == []


def test_marks_of_pgp_within_a_line_are_words(read: Reader) -> None:
    text = "> -----BEGIN PGP MESSAGE-----\nhQEM\n-----END PGP MESSAGE-----"
    assert body(read(HEAD + b"\n" + text.encode())) == text


def test_what_pgp_says_above_a_seal_goes_with_it(read: Reader) -> None:
    above = b"-----BEGIN PGP MESSAGE-----\r\nVersion: 2.0 (GNU)\r\nCharset: utf-8\r\n\r\n"
    seal = above + b"hQEM\r\n=ab\r\n-----END PGP MESSAGE-----\r\n"
    assert body(read(HEAD + b"\nsee\n" + seal + b"bye")) == "see\n\nbye"


def test_a_text_with_the_head_of_a_signed_one_alone_is_not_signed(read: Reader) -> None:
    text = b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nwords\n-----BEGIN PGP SIGNATURE-----\n"
    assert "signed" not in read(HEAD + b"\n" + text).metadata


def test_lines_with_a_sum_behind_them_are_a_file(read: Reader) -> None:
    (member,) = read(HEAD + b"\nbegin 644 a.txt\n#86)C!!\n`\nend\n").members
    assert (member.name, member.data) == ("a.txt", b"abc")


def test_what_only_looks_like_base64_stays_in_the_text(read: Reader) -> None:
    text = "begin-base64 644 a.txt\nit is, so to say, x\n===="
    assert body(read(HEAD + b"\n" + text.encode())) == text


def test_nothing_is_taken_out_of_a_page(read: Reader) -> None:
    head = HEAD + b"Content-Type: text/html\n"
    mail = read(head + b"\n<pre>\nbegin 644 a.txt\n#86)C\n`\nend\n</pre>")
    assert "#86)C" in body(mail)
    assert mail.members == []
