"""The page of a message: header lines, body, metadata."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from indx_core.errors import SourceError
from indx_core.ports import SourceContent
from indx_reader_email import observer

Reader = Callable[[bytes], Any]

HEAD = b"MIME-Version: 1.0\nFrom: a@example.com\n"


def test_the_subject_heads_the_lines_of_the_header(read: Reader) -> None:
    mail = read(
        b"Received: from x\nMessage-ID: <7@example.com>\nDate: Tue, 10 May 2005 11:26:39 -0600\n"
        b"From: Ann <ann@example.com>\nTo: Bob <bob@example.com>,\n Cy <cy@example.com>\n"
        b"Cc: dee@example.com\n"
        b"Subject: A long\n subject\n\nHello,\n\nBob\n\n"
    )
    assert mail.text == (
        "A long subject\n\nFrom: Ann <ann@example.com>\nTo: Bob <bob@example.com>, Cy <cy@example.com>\n"
        "Cc: dee@example.com\nDate: Tue, 10 May 2005 11:26:39 -0600\n\nHello,\n\nBob"
    )
    assert [(h.start, h.end, h.level) for h in mail.reading.headings] == [(0, 14, 1)]
    assert mail.metadata == {
        "subject": "A long subject",
        "from": "Ann <ann@example.com>",
        "to": "Bob <bob@example.com>, Cy <cy@example.com>",
        "cc": "dee@example.com",
        "date": "Tue, 10 May 2005 11:26:39 -0600",
        "message_id": "<7@example.com>",
    }
    assert mail.reading.boxes is None


@pytest.mark.parametrize(
    ("field", "subject"),
    [
        (b"=?UTF-8?B?44G+44G/44KA?=", "まみむ"),
        (b"=?iso-2022-jp?B?GyRCJF4kXyRgGyhC?=", "まみむ"),
        (b"=?utf-8?q?caf=C3=A9_au_lait?=", "café au lait"),
        (b"=?utf-8?B?44G+44E=?= =?utf-8?B?v+OCgA==?=", "まみむ"),
        (b"=?utf-8?Q?a?=\n =?utf-8?Q?b?= c", "ab c"),
        (b"=?iso-8859-1*fr?Q?=E9t=E9?=", "été"),
        (b"Re: =?cp932?B?g3aDjIN6?=!", "Re: プレホ!"),
        ("raw ünï 🎉".encode(), "raw ünï 🎉"),
        ("生の件名".encode("iso2022_jp"), "生の件名"),
        (b"=?utf-8?X?abc?= stays", "=?utf-8?X?abc?= stays"),
        (b"=?utf-8?B?4?=", ""),
    ],
)
def test_subjects_are_decoded(read: Reader, field: bytes, subject: str) -> None:
    assert read(HEAD + b"Subject: " + field + b"\n\nx").metadata.get("subject", "") == subject


def test_bytes_in_a_header_are_read_as_the_body_is(read: Reader) -> None:
    mail = read(
        HEAD
        + b"Content-Type: text/plain; charset=Shift_JIS\nSubject: "
        + "件名テスト".encode("cp932")
        + b"\n\nx"
    )
    assert mail.metadata["subject"] == "件名テスト"


def test_an_unknown_charset_falls_back_and_is_noted(read: Reader) -> None:
    mail = read(
        HEAD + b"Subject: =?x-unknown-9?Q?caf=C3=A9?=\nContent-Type: text/plain; charset=x-unknown-9\n"
        b"Content-Transfer-Encoding: base64\n\nY2Fmw6k="
    )
    assert mail.text.endswith("café")
    assert mail.metadata["subject"] == "café"
    assert mail.metadata["notes"] == [
        "header: charset 'x-unknown-9' is unknown; read as utf-8",
        "body: charset 'x-unknown-9' is unknown; read as utf-8",
    ]


@pytest.mark.parametrize(
    ("encoding", "body", "text"),
    [
        (b"quoted-printable", b"caf=C3=A9 =\nau lait", "café au lait"),
        (b"base64", b"Y2Fmw6kg\r\nYXUgbGFpdA==", "café au lait"),
        (b"BASE64", b"Y2Fmw6kgYXUgbGFpdA", "café au lait"),
        (b"base64", b"Y2Fmw6kgY", "café "),
        (b"base64", b"words of a text that is not coded", "words of a text that is not coded"),
        (b"8bit", "café au lait".encode(), "café au lait"),
        (b"x-uuencode", b"begin 644 a.txt\n&8V%FPZD*\n`\nend", "café"),
        (b"x-uuencode", b"begin 644 a.txt\nno such code", "begin 644 a.txt\nno such code"),
        (b"x-uuencode", b"no file", "no file"),
        (b"x-other", b"as it is", "as it is"),
    ],
)
def test_transfer_encodings_are_undone(read: Reader, encoding: bytes, body: bytes, text: str) -> None:
    mail = read(
        HEAD
        + b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: "
        + encoding
        + b"\n\n"
        + body
    )
    assert mail.text == "From: a@example.com\n\n" + text.strip()


def test_a_flowed_body_is_put_back_together(read: Reader) -> None:
    body = b"One paragraph \nover two lines.\n\n> quoted \n> text\n stuffed\n-- \nsignature"
    mail = read(HEAD + b"Content-Type: text/plain; format=flowed\n\n" + body)
    assert mail.text.partition("\n\n")[2] == (
        "One paragraph over two lines.\n\n> quoted text\nstuffed\n-- \nsignature"
    )
    (quote,) = mail.reading.roles
    assert (mail.text[quote.start : quote.end], quote.role) == ("> quoted text", "quote")
    deleting = read(
        HEAD + "Content-Type: text/plain; format=flowed; delsp=yes; charset=utf-8\n\n日本 \n語".encode()
    )
    assert deleting.text.endswith("日本語")


def test_plain_text_is_preferred_and_chosen_once(read: Reader) -> None:
    mail = read(
        HEAD + b"Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>marked"
        b"\n--b\nContent-Type: text/plain\n\nplain\n--b--\n"
    )
    assert mail.text.endswith("\n\nplain")
    assert "marked" not in mail.text
    assert mail.members == []


def test_html_is_read_where_plain_text_is_blank(read: Reader) -> None:
    mail = read(
        HEAD + b"Subject: s\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\n  \n--b\n"
        b"Content-Type: text/html; charset=utf-8\n\n<title>T</title><h1>Head</h1><a href='x'>l</a>"
        b"<table><tr><th>a<th>b<tr><td>1<td>2</table><p hidden>h\n--b--\n"
    )
    text = mail.text
    assert text == "s\n\nFrom: a@example.com\n\nHead\n\nl\n\na\tb\n1\t2\n\nh"
    assert [(text[h.start : h.end], h.level) for h in mail.reading.headings] == [("s", 1), ("Head", 2)]
    assert [(text[one.start : one.end], one.target) for one in mail.reading.links] == [("l", "x")]
    assert [text[start:end] for start, end in mail.reading.hidden] == ["h"]
    (table,) = mail.reading.tables
    assert text[table.start : table.end] == "a\tb\n1\t2"
    assert mail.facts == {"tables": "1 table"}


def test_pictures_of_an_html_body_are_counted_and_are_no_attachments(read: Reader) -> None:
    mail = read(
        HEAD + b'Content-Type: multipart/related; boundary=b; start="<main>"\n\n'
        b"--b\nContent-Type: image/png\nContent-ID: <p>\n\nPNG\n"
        b"--b\nContent-Type: text/html\nContent-ID: <main>\n\n<p>body<img src=cid:p>\n"
        b"--b\nContent-Type: application/pdf; name=a.pdf\n\n%PDF\n--b--"
    )
    assert mail.text.endswith("body")
    assert mail.metadata["inline_images"] == 1
    assert mail.names == ["a.pdf"]


def test_several_text_parts_follow_each_other(read: Reader) -> None:
    mail = read(
        HEAD
        + b"Content-Type: multipart/mixed; boundary=b\n\npreamble\n--b\n\none\n--b\n\ntwo\n--b--\nepilogue"
    )
    assert mail.text == "From: a@example.com\n\none\n\ntwo"


def test_a_report_shows_what_people_are_meant_to_read(read: Reader) -> None:
    mail = read(
        HEAD + b"Content-Type: multipart/report; boundary=b\n\n--b\n\nfailed\n--b\n"
        b"Content-Type: message/delivery-status\n\nAction: failed\n--b\nContent-Type: message/rfc822\n\n"
        b"From: a@example.com\n\nthe mail\n--b--"
    )
    assert mail.text.endswith("failed\n\nAction: failed")
    assert mail.names == ["message-1.eml"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (
            HEAD + b"Content-Type: multipart/mixed\n\n--b\n\nno boundary is given",
            "--b\n\nno boundary is given",
        ),
        (HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--other\n\ntext", "--other\n\ntext"),
        (HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nnever closed", "never closed"),
        (HEAD + b"Content-Type: nonsense\n\ntext", "text"),
        (HEAD + b"a line that is no header\nmore", "a line that is no header\nmore"),
        (HEAD + b'Content-Type: text/plain; charset="\n\ntext', "text"),
        (HEAD + b"Subject : spaced\n\ntext", "text"),
        (b" folded first\nFrom: a@example.com\n\ntext", "text"),
        (HEAD.replace(b"\n", b"\r\n") + b"\r\ntext\r\nmore", "text\nmore"),
        (HEAD.replace(b"\n", b"\r") + b"\rtext\rmore", "text\nmore"),
        (b"From postmark line 2005\n" + HEAD + b"\ntext", "text"),
        (b"\xef\xbb\xbf" + HEAD + b"\ntext", "text"),
    ],
)
def test_broken_messages_are_read(read: Reader, data: bytes, text: str) -> None:
    assert read(data).text.partition("From: a@example.com\n\n")[2] == text


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-be", "utf-16-le"])
def test_a_message_saved_as_utf_16_is_read(read: Reader, codec: str) -> None:
    message = (
        "From: a@example.com\nSubject: 件名\nContent-Type: text/plain; charset=iso-2022-jp\n"
        "Content-Transfer-Encoding: 8bit\n\n本文 été"
    )
    data = ("\ufeff" + message).encode(codec).removeprefix(b"" if codec != "utf-16" else b"\xff\xfe")
    mail = read(data)
    assert mail.metadata["subject"] == "件名"
    assert mail.text.endswith("本文 été")


@pytest.mark.parametrize("data", [b"\x00" * 100, b"just text", b"\n\n\n", b"From: \xff"[:4]])
def test_what_has_no_header_is_refused(data: bytes) -> None:
    with pytest.raises(SourceError, match="no header field") as caught:
        observer().open(SourceContent.of_bytes(data, media_type="message/rfc822"))
    assert caught.value.code == "source_unreadable"


def test_an_encrypted_message_says_so(read: Reader) -> None:
    mail = read(
        HEAD
        + b"Content-Type: multipart/encrypted; boundary=b\n\n--b\nContent-Type: application/pgp-encrypted\n\n"
        b"Version: 1\n--b\nContent-Type: application/octet-stream; name=e.asc\n\nxx\n--b--"
    )
    assert mail.metadata["encrypted"] is True
    (sealed,) = mail.members
    assert (sealed.name, sealed.data) == ("e.asc", b"")
    assert "decrypt" in str(sealed.reason)


def test_readings_of_words_in_a_body_are_kept_beside_its_text(read: Reader) -> None:
    body = "<p><ruby>東京<rt>とうきょう</rt></ruby>へ</p>".encode()
    mail = read(HEAD + b"Subject: s\nContent-Type: text/html; charset=utf-8\n\n" + body)
    assert mail.text.endswith("東京へ")
    assert mail.metadata["ruby"] == [{"base": "東京", "reading": "とうきょう"}]


def test_a_header_that_is_longer_than_is_read_is_noted(read: Reader) -> None:
    mail = read(HEAD + b"X-Filler: x\n" * 100_000 + b"Subject: late\n\nbody")
    assert mail.text == "From: a@example.com\n\nbody"
    (note,) = mail.metadata["notes"]
    assert "not read" in note
    assert "notes" not in read(HEAD + b"Subject: soon\n\nbody").metadata
