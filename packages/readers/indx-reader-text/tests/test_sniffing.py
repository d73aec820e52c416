"""What the sniffer claims, and what it leaves to others."""

import pytest

from indx_reader_text import reader, sniffer

XML = b'<?xml version="1.0"?>\n<!-- c -->\n'


def kind(data, filename=None, declared=None):
    found = sniffer().sniff(data, filename=filename, declared=declared)
    return found and (found.media_type, found.strength)


def test_every_answer_is_a_type_that_is_read():
    assert set(sniffer().declaration.media_types) <= set(reader().declaration.media_types)


@pytest.mark.parametrize(
    ("data", "filename"),
    [
        (b"<!DOCTYPE html><p>x", None),
        (b"<!-- c -->\n<html>", "page"),
        (b"<p>x", "page.html"),
        (b"Subject: x\n\ny", "mail.eml"),
        (XML + b"<html/>", None),
        ("<html>".encode("utf-16"), None),
        (b"%PDF-1.7\n", None),
        (b"{\\rtf1 x}", None),
        (b"%!PS-Adobe-3.0\n", None),
        (b"PK\x03\x04junk", "a.docx"),
        (b"  0\nSECTION\n  2\nHEADER\n", None),
        (b"999\r\nmade by x\r\n0\r\nSECTION\r\n", None),
        (b"\x00\x01\x02\x03\x04\x05", None),
        (b"\xff\xfe\x00\xd8", None),
        ("naïve".encode("latin-1"), "README"),
        (b"", None),
    ],
)
def test_what_is_not_for_this_reader_is_left_alone(data, filename):
    assert kind(data, filename) is None


def test_a_text_that_begins_almost_as_a_drawing_is_one():
    assert kind(b"0\nSECTIONS of a text\n", None) == ("text/plain", "weak")


@pytest.mark.parametrize(
    ("data", "filename", "declared", "expected"),
    [
        (XML + b"<feed/>", "f.txt", "text/plain", ("application/xml", "strong")),
        (XML + b"<feed/>", None, "text/xml", ("text/xml", "strong")),
        (
            XML + b"<!DOCTYPE a [ <!ENTITY b 'c'> ]><a/>",
            None,
            "application/rss+xml",
            ("application/rss+xml", "strong"),
        ),
        ("<?xml?><a/>".encode("utf-16"), None, None, ("application/xml", "strong")),
        ("a,b".encode("utf-16"), None, "text/csv", ("text/csv", "strong")),
        (
            '<?xml version="1.0" encoding="cp932"?><あ/>'.encode("cp932"),
            None,
            None,
            ("application/xml", "weak"),
        ),
        (b"\xef\xbb\xbf<?xml version='1.0'?><a/>", None, None, ("application/xml", "strong")),
        *(
            (XML + inner, filename, None, ("application/xml", "weak"))
            for inner, filename in (
                (b'<?mso-application progid="Excel.Sheet"?><Workbook/>', "old.xls"),
                (b'<?mso-application progid="Word.Document"?><w:wordDocument/>', "old.doc"),
                (b"<document><p>x</p></document>", None),
                (b"<office:document/>", "flat.xml"),
            )
        ),
        (b"\x00\x01", "notes.txt", None, ("text/plain", "weak")),
        (b"", "empty.md", None, ("text/markdown", "weak")),
        (b"{}", "data.JSON", None, ("application/json", "weak")),
        (b"x", "C:\\docs\\a.yml", None, ("application/yaml", "weak")),
        ("日本語" * 30_000, "README", None, ("text/plain", "weak")),
    ],
)
def test_texts_are_told_by_signature_then_by_name(data, filename, declared, expected):
    assert kind(data.encode() if isinstance(data, str) else data, filename, declared) == expected


@pytest.mark.parametrize(
    "data",
    [
        b'<tt xmlns="http://www.w3.org/ns/ttml">\n<body><p>x</p></body>\n</tt>\n',
        b'<Project Sdk="Microsoft.NET.Sdk">\r\n<A>x</A>\r\n</Project>\r\n',
        b'<!-- c -->\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "a.dtd">\n<plist>x</plist>',
        b"<x:a>" + b"<b>x</b>\n" * 9000 + b"</x:a>",
    ],
)
def test_one_element_throughout_is_xml_without_a_declaration(data):
    assert kind(data, "a.own") == ("application/xml", "weak")
    assert kind(data) == ("application/xml", "weak")
    assert kind(data, "a.txt") == ("text/plain", "weak")


@pytest.mark.parametrize(
    "data",
    [
        b"<details>\n<b>x</b>\n</details>",
        b"<event>x</event>\n<event>y</event>\n",
        b"<SAMI><BODY>x</BODY></SAMI>",
        b"<name> is a placeholder",
        b"<name>\nx\n</name>\nand so on",
    ],
)
def test_pieces_of_markup_are_texts(data):
    assert kind(data, "README") == ("text/plain", "weak")


@pytest.mark.parametrize(
    ("data", "filename"),
    [
        (b"FROM python:3.11\nRUN make\n", "Dockerfile"),
        (b"from sys import argv\n", "tool"),
        (b"From 2024 on it is so.\n", "notes.own"),
        (b"Time: 12\nReceived: 5 parts\n", "log"),
        (b"<body>$x</body>", "a.tmpl"),
        (b"[2f1dd6c3] {loop\n[p0, p1]", "a.own"),
        (b"[2024-01-01] done {x}", None),
        (b"[1234] begun\n[1235] done [ok]", None),
        (b"[] milk\n[x] bread [x]", None),
        (b"[true story] of [x]", None),
    ],
)
def test_what_only_begins_as_something_else_is_a_text(data, filename):
    assert kind(data, filename) == ("text/plain", "weak")


@pytest.mark.parametrize("data", [b"[1, 2]", b"[-1.5e3]", b"[ ]\n", b'["a"]', b"[[1]]", b"[null,1]"])
def test_lists_are_json(data):
    assert kind(data) == ("application/json", "weak")


def test_substation_alpha_says_what_it_is():
    assert kind(b"\xef\xbb\xbf[Script Info]\r\nTitle: x\r\n", "a.txt") == ("text/x-ssa", "strong")
    assert kind(b"[Script Infos]", "a.txt") == ("text/plain", "weak")
