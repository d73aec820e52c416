"""Texts that say what they are, and how cards and drawings are read."""

from __future__ import annotations

import json
from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.ports import PageReading, SourceContent
from indx_reader_text import observer, reader, sniffer
from indx_testkit.checks import assert_reading

SVG = b'<svg width="1" xmlns="http://www.w3.org/2000/svg"><text>Hi</text></svg>'
NOTEBOOK = {"cells": [{"cell_type": "code", "source": "x" * 200_000, "outputs": []}], "nbformat": 4}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"WEBVTT\n\n00:01.000 --> 00:02.000\nHi", "text/vtt"),
        (b"\xef\xbb\xbfWEBVTT - title\r\n\r\n", "text/vtt"),
        (b"1\r\n00:00:01,000 --> 00:00:02,000\r\nHi\r\n", "application/x-subrip"),
        (b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:A\r\nEND:VCARD\r\n", "text/vcard"),
        (b"BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n", "text/calendar"),
        (b"% a comment\n\n\\documentclass[a4paper]{article}\n", "text/x-tex"),
        (SVG, "image/svg+xml"),
        (b'<?xml version="1.0"?>\n<!-- c -->\n<svg/>', "image/svg+xml"),
        (json.dumps(NOTEBOOK).encode(), "application/x-ipynb+json"),
    ],
)
@pytest.mark.parametrize(
    ("filename", "declared"), [(None, None), ("wrong.txt", "text/plain"), ("a.csv", "text/csv")]
)
def test_a_text_that_says_what_it_is_is_that(
    data: bytes, expected: str, filename: str | None, declared: str | None
) -> None:
    found = sniffer().sniff(data, filename=filename, declared=declared)
    assert found is not None
    assert (found.media_type, found.strength) == (expected, "strong")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"a": [1, 2]}', "application/json"),
        (b"[1, 2]\n", "application/json"),
        (b'{"a": 1}\n{"a": 2}\n', "application/x-ndjson"),
        (b"[draft] a note]", "text/plain"),
        (b"{curly} text", "text/plain"),
        (b"WEBVTTX", "text/plain"),
        (b"see BEGIN:VCARD", "text/plain"),
        (b"1\nfirst line", "text/plain"),
        (SVG + b"\n\n# A project\n", "text/plain"),
    ],
)
def test_what_is_only_alike_is_a_weak_answer(data: bytes, expected: str) -> None:
    found = sniffer().sniff(data, filename=None, declared=None)
    assert found is not None
    assert (found.media_type, found.strength) == (expected, "weak")


def test_markdown_that_begins_with_a_drawing_stays_markdown() -> None:
    found = sniffer().sniff(SVG + b"\n\n# A project\n", filename="README.md", declared=None)
    assert found is not None
    assert found.media_type == "text/markdown"


def read(data: bytes, media_type: str) -> PageReading:
    with closing(observer().open(SourceContent.of_bytes(data, media_type=media_type))) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
    assert_reading(page)
    return page


def test_cards_are_a_property_a_line() -> None:
    data = (
        b"BEGIN:VCARD\r\nN;CHARSET=UTF-8:Doe;Jane;;;\r\nFN;LANGUAGE=en:Jane Doe\r\n"
        b"NOTE:long li\r\n ne\\, with a comma\\nand a break\r\nPHOTO;ENCODING=b;TYPE=JPEG:AAAA\r\n BBBB\r\n"
        b"item1.ADR:;;1 Road;Town\r\nEND:VCARD\r\n"
    )
    page = read(data, "text/vcard")
    assert page.text.split("\n") == [
        "BEGIN: VCARD",
        "N: Doe, Jane",
        "FN: Jane Doe",
        "NOTE: long line, with a comma and a break",
        "item1.ADR: 1 Road, Town",
        "END: VCARD",
    ]
    assert page.metadata == {"binary_properties": 1}


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("TEL;CELL;PREF:1", "TEL (cell): 1"),
        ("TEL;TYPE=WORK,fax;TYPE=Work:1", "TEL (work, fax): 1"),
        ('item1.TEL;VALUE=uri;TYPE="voice,home":tel:1', "item1.TEL (voice, home): tel:1"),
        ("EMAIL;INTERNET;QUOTED-PRINTABLE;X=y:a=40b.c", "EMAIL: a@b.c"),
        ("ADR;HOME:;;1 Road;Town", "ADR (home): 1 Road, Town"),
        ('ADR;LABEL="Mr. A; Esq.";TYPE="dom,home":;;1 Road;Town', "ADR (dom, home): 1 Road, Town"),
        ("NOTE;TYPE=x:1", "NOTE: 1"),
        ("TEL;TYPE=,:1", "TEL: 1"),
    ],
)
def test_of_several_numbers_and_addresses_a_card_says_which_they_are(written: str, shown: str) -> None:
    page = read(f"BEGIN:VCARD\n{written}\nEND:VCARD\n".encode(), "text/vcard")
    assert page.text.split("\n")[1] == shown


def test_cards_of_before_are_decoded_by_their_own_charset() -> None:
    data = b"BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE;CHARSET=Shift_JIS:=8E=52=\n=93=63\nEND:VCARD\n"
    assert "FN: 山田" in read(data, "text/vcard").text
    spaced = b"BEGIN:VCARD\nNOTE;ENCODING=QUOTED-PRINTABLE:=C3=A9=\n =C3=A9\n and\nEND:VCARD\n"
    assert "NOTE: é é" in read(spaced, "text/vcard").text
    broken = b"BEGIN:VCARD\nNOTE;ENCODING=QUOTED-PRINTABLE:one=0Dtwo=0D=0Athree=0A\nEND:VCARD\n"
    assert "NOTE: one two three" in read(broken, "text/vcard").text
    unknown = b"BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE;CHARSET=x-none:=C3=A9\n"
    assert "FN: é" in read(unknown, "text/vcard").text


def test_drawings_give_their_texts_titles_and_what_they_hide() -> None:
    data = (
        '<svg xmlns="http://www.w3.org/2000/svg"><title>Plan</title><style>text { fill: red }</style>'
        '<g><desc>of a house</desc><text x="1">Kit<tspan>chen</tspan>\n  and hall</text></g>'
        '<g style="display: none"><text>secret</text></g><text><textPath>along</textPath></text></svg>'
    )
    page = read(data.encode(), "image/svg+xml")
    assert page.text == "Plan\nof a house\nKitchen and hall\nsecret\nalong"
    assert [(page.text[r.start : r.end], r.role) for r in page.roles] == [
        ("Plan", "caption"),
        ("of a house", "caption"),
    ]
    assert [page.text[start:end] for start, end in page.hidden] == ["secret"]


@pytest.mark.parametrize(
    "data", [b"<svg><text>cut", b'<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg><text>&a;</text></svg>']
)
def test_a_drawing_that_is_damaged_or_declares_entities_is_shown_as_written(data: bytes) -> None:
    page = read(data, "image/svg+xml")
    assert page.text == data.decode()
    facts = page.metadata or {}
    assert str(facts["xml"]).startswith("shown as written")
    assert str(facts.get("damaged", "not well-formed")).startswith("not well-formed")
    assert ("damaged" in facts) == (b"ENTITY" not in data)


def test_a_property_folded_inside_a_character_is_whole() -> None:
    data = b"BEGIN:VCALENDAR\r\nSUMMARY:\xe4\xbc\r\n \x9a\xe8\xad\xb0\r\nEND:VCALENDAR\r\n"
    assert "SUMMARY: 会議" in read(data, "text/calendar").text


def test_data_of_a_picture_ends_no_property_after_it() -> None:
    data = (
        b"BEGIN:VCARD\nVERSION:2.1\nNOTE;ENCODING=QUOTED-PRINTABLE:a=\n=3Db\nPHOTO;ENCODING=BASE64:\n"
        b" /9j/4AAQSkZJRgABAQAAAQABAAD=\nTEL;WORK:+1 2\nLOGO;BASE64:\nQUJDREVGR0hJSktMTU5PUFFSU1RVVg==\n"
        b"URL:x=\nFN:End\nEND:VCARD\n"
    )
    page = read(data, "text/vcard")
    assert page.text.split("\n") == [
        "BEGIN: VCARD", "VERSION: 2.1", "NOTE: a=b", "TEL (work): +1 2", "URL: x=", "FN: End", "END: VCARD",
    ]  # fmt: skip
    assert page.metadata == {"binary_properties": 2}


def test_people_keep_their_names_whatever_signs_stand_in_them() -> None:
    data = (
        b'BEGIN:VCALENDAR\nBEGIN:VEVENT\nATTENDEE;ROLE=CHAIR;CN="Doe; Jane: PhD":mailto:j@x\n'
        b"ORGANIZER;CN=Bo:mailto:b@x\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:two\nEND:VEVENT\nEND:VCALENDAR\n"
    )
    assert read(data, "text/calendar").text.split("\n") == [
        "BEGIN: VCALENDAR", "", "BEGIN: VEVENT", "ATTENDEE: Doe; Jane: PhD, mailto:j@x",
        "ORGANIZER: Bo, mailto:b@x", "END: VEVENT", "", "BEGIN: VEVENT", "SUMMARY: two", "END: VEVENT",
        "END: VCALENDAR",
    ]  # fmt: skip


def test_times_keep_the_zone_they_are_in(read):
    page = read(
        b"BEGIN:VEVENT\nDTSTART;TZID=Europe/Berlin:20240305T100000\n"
        b'DTEND;TZID="Berlin; summer":20240305T110000\n',
        "text/calendar",
    )
    assert page.text.split("\n")[1:] == [
        "DTSTART: 20240305T100000 Europe/Berlin", "DTEND: 20240305T110000 Berlin; summer",
    ]  # fmt: skip


def test_lines_of_a_drawing_are_words_apart_and_what_only_defines_is_hidden() -> None:
    data = (
        '<svg xmlns="http://www.w3.org/2000/svg"><defs><text>kept for later</text></defs>'
        '<text y="1"><tspan x="1" y="1">One</tspan><tspan dy="1.2em">two</tspan><tspan x="9">s</tspan></text>'
        '<text><tspan y="1">東京</tspan><tspan y="2">都</tspan></text>'
        "<flowRoot><flowPara>flows</flowPara></flowRoot></svg>"
    )
    page = read(data.encode(), "image/svg+xml")
    assert page.text == "kept for later\nOne twos\n東京都\nflows"
    assert [page.text[start:end] for start, end in page.hidden] == ["kept for later"]


def test_a_card_of_one_very_long_line_is_gone_over_once() -> None:
    long = "a" * 400_000
    data = f"BEGIN:VCARD\nNOTE;ENCODING=QUOTED-PRINTABLE:b=\nc\n{long}\nEND:VCARD\n"
    page = read(data.encode(), "text/vcard")
    assert page.text.split("\n")[1:3] == ["NOTE: bc", long]
