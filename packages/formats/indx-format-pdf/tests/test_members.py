"""Files embedded in a document."""

from __future__ import annotations

import zlib

import pytest

from indx_core.ports import RoleSpan


def embed(pdf, files: dict[bytes, bytes]) -> None:
    names = b""
    for number, (name, data) in enumerate(files.items()):
        stream = pdf.stream(zlib.compress(data), b"/Type/EmbeddedFile/Filter/FlateDecode")
        file = pdf.add(b"<</Type/Filespec/F(%s)/UF(%s)/EF<</F %d 0 R>>>>" % (name, name, stream))
        names += b"(%04d) %d 0 R " % (number, file)
    pdf.catalog = b"/Names<</EmbeddedFiles<</Names[%s]>>>>" % names


def members(opened, pdf, limit=1000):
    return [(one.name, one.data, one.reason) for one in opened(pdf).members(limit=limit)]


def test_embedded_files_come_out_whole_and_in_order(pdf, opened):
    pdf.page()
    embed(pdf, {b"data.csv": b"a,b\n1,2\n", b"note.txt": b"x", b"sub/deep.bin": bytes(range(256))})
    assert members(opened, pdf) == [
        ("data.csv", b"a,b\n1,2\n", None),
        ("note.txt", b"x", None),
        ("sub/deep.bin", bytes(range(256)), None),
    ]
    assert opened(pdf).member_names == ("data.csv", "note.txt", "sub/deep.bin")


def test_a_document_without_embedded_files_has_none(pdf, opened):
    pdf.page()
    assert members(opened, pdf) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (b"../../etc/passwd", "etc/passwd"),
        (b"/absolute/x", "absolute/x"),
        (b"..\\\\..\\\\x.txt", "x.txt"),
        (b"C:\\\\temp\\\\x.txt", "C:/temp/x.txt"),
        (b"...", "..."),
        (b"..", "attachment-1"),
        (b"", "attachment-1"),
    ],
)
def test_no_name_leads_anywhere(name, expected, pdf, opened):
    pdf.page()
    embed(pdf, {name: b"x"})
    assert [one[0] for one in members(opened, pdf)] == [expected]


def test_a_file_larger_than_allowed_is_a_member_without_its_bytes(pdf, opened):
    pdf.page()
    embed(pdf, {b"big.bin": bytes(5000), b"small.bin": b"x"})
    big, small = members(opened, pdf, limit=4999)
    assert big[1] == b""
    assert "5000" in big[2]
    assert small == ("small.bin", b"x", None)


def test_a_file_without_bytes_says_so(pdf, opened):
    pdf.page()
    file = pdf.add(b"<</Type/Filespec/F(gone.txt)>>")
    pdf.catalog = b"/Names<</EmbeddedFiles<</Names[(a) %d 0 R]>>>>" % file
    ((name, data, reason),) = members(opened, pdf)
    assert (name, data) == ("gone.txt", b"")
    assert reason


def test_a_file_attached_to_a_page_is_named_there_and_is_a_member(pdf, opened):
    stream = pdf.stream(b"figures", b"/Type/EmbeddedFile")
    file = pdf.add(b"<</Type/Filespec/F(figures.csv)/UF(figures.csv)/EF<</F %d 0 R>>>>" % stream)
    clip = b"<</Type/Annot/Subtype/FileAttachment/Rect[500 700 520 720]/FS %d 0 R>>" % file
    pdf.page(pdf.text(72, 700, "first"))
    pdf.page(pdf.text(72, 700, "second"), annotations=(clip,))
    embed(pdf, {b"whole.txt": b"of the document"})
    document = opened(pdf)
    assert members(lambda _: document, pdf) == [
        ("whole.txt", b"of the document", None),
        ("figures.csv", b"figures", None),
    ]
    page = document.page(2)
    assert (page.text, page.attachments) == ("second\nfigures.csv", ("figures.csv",))
    assert page.roles == (RoleSpan(7, 18, "attachment"),)
    assert members(lambda _: document, pdf, limit=6)[1][2]


def test_files_past_the_names_that_are_kept_are_counted_and_come_out(pdf, opened, monkeypatch):
    monkeypatch.setattr("indx_format_pdf._document._MOST_NAMES", 3)
    pdf.page()
    embed(pdf, {b"%d.txt" % number: b"%d" % number for number in range(5)})
    document = opened(pdf)
    assert document.member_count == 5
    assert document.member_names == ("0.txt", "1.txt", "2.txt")
    assert [(one.name, one.data) for one in document.members(limit=1000)] == [
        (f"{number}.txt", b"%d" % number) for number in range(5)
    ]


def test_files_of_a_page_that_are_too_large_together_are_members_without_their_bytes(pdf, opened):
    stream = pdf.stream(b"x" * 60, b"/Type/EmbeddedFile")
    file = pdf.add(b"<</Type/Filespec/F(a)/EF<</F %d 0 R>>>>" % stream)
    pdf.page(annotations=(b"<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS %d 0 R>>" % file,) * 4)
    found = members(opened, pdf, limit=100)
    assert [(name, len(data)) for name, data, _ in found] == [("a", 60), ("a", 60), ("a", 0), ("a", 0)]
    assert [reason for *_, reason in found] == [
        None, None, *["not taken out: the files of its page have more than 100 bytes"] * 2,
    ]  # fmt: skip
