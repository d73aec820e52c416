"""Messages: header lines, the body that is chosen, encodings, what is inside."""

from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import closing
from typing import Any

import compressed_rtf
import pytest

from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_core.ports import Member, PageReading, SourceContent
from indx_format_office.compound import open_compound
from indx_format_office.compound_writer import compound_file
from indx_reader_msg import MEDIA_TYPES, observer, reader
from indx_testkit.checks import assert_reading

Make = Callable[..., bytes]
SENT = 131_000_000_000_000_000.0


def opened(data: bytes) -> tuple[PageReading, list[Member]]:
    with closing(observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
        members = list(session.members())
    assert_reading(page)
    return page, members


def facts(page: PageReading) -> dict[str, Any]:
    return dict(page.metadata or {})


def test_the_head_says_who_wrote_to_whom_and_when(msg: Make) -> None:
    data = msg(
        {
            0x0037: "Hi",
            0x0C1A: "Ann",
            0x0C1F: "ann@a.example",
            0x0039: SENT,
            0x1000: "body",
            0x001A: "IPM.Note",
        },
        [
            {0x3001: "Bob", 0x3003: "/O=EX/CN=BOB", 0x39FE: "bob@b.example", 0x0C15: 1},
            {0x3001: "cy@c.example", 0x3003: "cy@c.example", 0x0C15: 2},
            {0x3001: "Dan", 0x0C15: 1},
            {0x3001: "secret", 0x0C15: 3},
        ],
    )
    page, _ = opened(data)
    assert page.text == (
        "Hi\n\nFrom: Ann <ann@a.example>\nTo: Bob <bob@b.example>, Dan\nCc: cy@c.example\n"
        "Date: 2016-02-15T08:53:20Z\n\nbody"
    )
    assert [(page.text[h.start : h.end], h.level) for h in page.headings] == [("Hi", 1)]
    assert facts(page)["message_class"] == "IPM.Note"


def test_the_date_of_the_header_is_shown_as_printed(msg: Make) -> None:
    header = "Received: x\r\nDate: Sun, 22 Dec 2024\r\n 11:23:00 +0300\r\nSubject: s\r\n"
    page, _ = opened(msg({0x007D: header, 0x0039: SENT}))
    assert facts(page)["date"] == "Sun, 22 Dec 2024 11:23:00 +0300"
    assert facts(page)["subject"] == "s"


def test_texts_that_are_not_unicode_are_decoded_by_the_stated_code_page(msg: Make) -> None:
    page, _ = opened(msg({0x0037: "題名", 0x1000: "本文", 0x3FFD: 932}, ansi="cp932"))
    assert page.text == "題名\n\n本文"


def test_html_is_read_where_there_is_no_plain_text(msg: Make) -> None:
    html = '<h1>Kopf</h1><p>Größe <a href="https://a.example">hier</a></p>'.encode("cp1252")
    page, _ = opened(msg({0x0037: "S", 0x1000: " \r\n", 0x1013: html, 0x3FDE: 1252}))
    assert "Größe hier" in page.text
    assert [(page.text[h.start : h.end], h.level) for h in page.headings] == [("S", 1), ("Kopf", 2)]
    assert [link.target for link in page.links] == ["https://a.example"]


@pytest.mark.parametrize("packed", [True, False])
def test_rich_text_is_read_where_there_is_nothing_else(msg: Make, packed: bool) -> None:
    rich = rb"{\rtf1\ansi\ansicpg1252 caf\'e9 {\b again and again and again}\par}"
    page, _ = opened(msg({0x1009: compressed_rtf.compress(rich, compressed=packed)}))
    assert page.text == "café again and again and again"
    wrapped = rb"{\rtf1\ansi\fromhtml1{\*\htmltag64 <h2>}Head{\*\htmltag72 </h2>}}"
    page, _ = opened(msg({0x1009: compressed_rtf.compress(wrapped, compressed=packed)}))
    assert [(page.text[h.start : h.end], h.level) for h in page.headings] == [("Head", 3)]


def test_a_damaged_body_is_noted(msg: Make) -> None:
    page, _ = opened(msg({0x0037: "S", 0x1009: b"\x20\0\0\0\x20\0\0\0LZFu\1\2\3\4 not so"}))
    assert page.text == "S"
    assert facts(page)["notes"][0].startswith("body: its Rich Text is damaged")


def test_attachments_are_members_under_safe_names(msg: Make) -> None:
    data = msg(
        {0x1000: "x"},
        attachments=[
            {0x3707: "..\\..\\evil\u202etxt.pdf", 0x3701: b"%PDF", 0x370E: "application/pdf"},
            {0x3704: "SHORT.TXT", 0x3701: b"a"},
            {0x3701: b"b", 0x3703: ".bin"},
            {0x3707: "elsewhere.doc", 0x3705: 4},
            {0x3707: "logo.png", 0x3701: b"PNG", 0x7FFE: True},
        ],
    )
    page, members = opened(data)
    assert [(m.name, m.media_type, m.data, m.reason) for m in members] == [
        ("eviltxt.pdf", "application/pdf", b"%PDF", None),
        ("SHORT.TXT", None, b"a", None),
        ("attachment-3.bin", None, b"b", None),
        ("elsewhere.doc", None, b"", "it is a link to a file elsewhere"),
    ]
    assert facts(page)["inline_images"] == 1
    assert [one["name"] for one in facts(page)["members"]] == [m.name for m in members]


def test_an_embedded_message_is_a_message_of_its_own(msg: Make, inside: Callable[..., Any]) -> None:
    inner = inside(
        {0x0037: "inner", 0x1000: "inner body " * 1000, 0x0039: SENT},
        [{0x3707: "deep.txt", 0x3701: b"deep"}],
    )
    _, (member,) = opened(msg({0x1000: "outer"}, attachments=[{0x3001: "Re: it", 0x3705: 5, 0x3701: inner}]))
    assert (member.name, member.media_type) == ("Re: it.msg", "application/vnd.ms-outlook")
    page, deeper = opened(member.data)
    assert page.text.startswith("inner\n\nDate: 2016-02-15T08:53:20Z\n\ninner body inner body")
    assert [(one.name, one.data) for one in deeper] == [("deep.txt", b"deep")]


def test_an_embedded_object_is_a_compound_file(msg: Make) -> None:
    held = {"Workbook": b"w" * 5000, "Pool": {"x": b"y"}}
    _, (member,) = opened(msg({}, attachments=[{0x3707: "book.xls", 0x3705: 6, 0x3701: held}]))
    assert member.name == "book.xls"
    with open_compound(member.data) as file:
        assert file.openstream("Workbook").read() == b"w" * 5000
        assert file.openstream("Pool/x").read() == b"y"


def test_a_sealed_message_says_so(msg: Make) -> None:
    page, _ = opened(msg({0x001A: "IPM.Note.SMIME"}))
    assert facts(page)["encrypted"] is True
    page, _ = opened(msg({0x001A: "IPM.Note.SMIME.MultipartSigned"}))
    assert "encrypted" not in facts(page)


def test_another_compound_file_is_refused() -> None:
    data = compound_file({"WordDocument": b"x"})
    with pytest.raises(SourceError):
        observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))


def test_a_receipt_is_read_by_what_it_has_for_subject_and_body(msg: Make) -> None:
    page, _ = opened(
        msg({0x0049: "Our plan", 0x1001: "Message was read on:\r\nMonday", 0x001A: "REPORT.IPM"})
    )
    assert page.text == "Our plan\n\nMessage was read on:\nMonday"
    page, _ = opened(msg({0x0037: "Read: Our plan", 0x0049: "Our plan", 0x1000: "body", 0x1001: "x"}))
    assert page.text == "Read: Our plan\n\nbody"


def test_many_receivers_are_named_without_a_search_for_each(
    msg: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object) -> None:
        raise AssertionError("olefile looked for a stream among all others")

    monkeypatch.setattr("olefile.OleFileIO._find", refuse)
    monkeypatch.setattr("indx_reader_msg._headers._MOST", 30)
    page, _ = opened(msg({0x1000: "x"}, [{0x3001: f"r{place}", 0x0C15: 1} for place in range(32)]))
    assert facts(page)["to"].split(", ") == [f"r{place}" for place in range(30)]
    assert facts(page)["notes"] == ["of more than 30 receivers those are named"]


def test_what_an_object_wraps_is_taken_out_of_it(msg: Make) -> None:
    pdf = b"%PDF-1.4 x"
    native = b"\2\0C:\\a\\Prices.pdf\0C:\\b\0\0\0\3\0" + struct.pack("<L", 2) + b"t\0"
    native += struct.pack("<L", len(pdf)) + pdf
    objects = [
        {"\1Ole10Native": struct.pack("<L", len(native)) + native},
        {"Workbook": b"cells"},
        {"CONTENTS": b"drawn"},
        {"\1Ole10Native": b"cut"},
    ]
    page, members = opened(msg({0x1000: "x"}, attachments=[{0x3705: 6, 0x3701: each} for each in objects]))
    names = ["Prices.pdf", "attachment-2.xls", "attachment-3", "attachment-4"]
    assert [member.name for member in members] == names
    assert [member["name"] for member in facts(page)["members"]] == names
    assert members[0].data == pdf
    assert members[1].media_type == "application/vnd.ms-excel"
    assert open_compound(members[2].data).openstream("CONTENTS").read() == b"drawn"
