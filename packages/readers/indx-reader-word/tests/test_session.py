"""Opening Word documents, and what of them is hostile or damaged."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from contextlib import closing

import pytest
from msoffcrypto.method.ecma376_agile import ECMA376Agile

from indx_core.deadline import Deadline
from indx_core.errors import SourceError, TimedOut
from indx_core.ports import Session, SourceContent
from indx_reader_word.provider import MEDIA_TYPES, observer, reader

Docx = Callable[..., bytes]
P = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"


def opened(data: bytes) -> Session:
    return observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_doctype_in_the_main_part_is_refused(docx: Docx, encoding: str) -> None:
    hostile = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'.encode(encoding)
    with pytest.raises(SourceError, match="DOCTYPE") as caught:
        opened(docx("", raw={"word/document.xml": hostile}))
    assert caught.value.code == "source_unreadable"


def test_a_doctype_in_another_part_is_refused_too(docx: Docx) -> None:
    data = docx(P.format("a"), comments="", raw={"word/comments.xml": "<!DOCTYPE x><x/>"})
    with closing(opened(data)) as session, pytest.raises(SourceError, match="DOCTYPE"):
        session.observe()


def test_a_damaged_part_beside_the_main_one_is_named_and_the_rest_is_read(docx: Docx) -> None:
    data = docx(P.format("text"), footnotes="", raw={"word/footnotes.xml": "<broken"})
    with closing(opened(data)) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
    assert page.text == "text"
    assert page.metadata is not None
    assert list(page.metadata["unread_parts"]) == ["word/footnotes.xml"]


def test_a_damaged_main_part_is_refused(docx: Docx) -> None:
    with pytest.raises(SourceError, match="word/document"):
        opened(docx("", raw={"word/document.xml": "<broken"}))


def test_a_locked_document_is_refused_as_encrypted_unless_its_password_is_known(
    docx: Docx, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = docx(P.format("secret"), raw={"word/media/pad.bin": os.urandom(5000)})
    locked = ECMA376Agile.encrypt("pass", io.BytesIO(plain), spin_count=20)
    with pytest.raises(SourceError) as caught:
        opened(locked)
    assert caught.value.code == "source_encrypted"
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", '["pass"]')
    with closing(opened(locked)) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
    assert page.text == "secret"


def test_a_document_says_what_it_holds(docx: Docx) -> None:
    table = f"<w:tbl><w:tr><w:tc>{P.format('c')}</w:tc></w:tr></w:tbl>"
    heading = '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>H</w:t></w:r></w:p>'
    pictures = "<w:p><w:r><w:drawing><pic:pic/><pic:pic/></w:drawing></w:r></w:p>"
    with closing(opened(docx(heading + table + P.format("two words") + pictures))) as session:
        seen = session.observe()
    assert [(page.text_characters, page.images) for page in seen.pages] == [(10, 2)]
    assert seen.facts == {"tables": "1 table", "headings": "1 heading", "images": "2 images"}


def test_the_properties_of_the_document_are_facts_of_its_page(docx: Docx) -> None:
    rels = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="1" Type="http://x/officeDocument" Target="word/document.xml"/>'
        '<Relationship Id="2" Type="http://x/core-properties" Target="core.xml"/></Relationships>'
    )
    core = '<c:coreProperties xmlns:c="c" xmlns:d="d"><d:title>Report</d:title></c:coreProperties>'
    with closing(opened(docx(P.format("a"), raw={"_rels/.rels": rels, "core.xml": core}))) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
    assert page.metadata == {"properties": {"title": "Report"}}


def test_embedded_documents_are_listed_on_the_page(docx: Docx) -> None:
    rels = [("r", "package", "embeddings/a.xlsx"), ("s", "image", "a.png")]
    with closing(
        opened(docx(P.format("a"), rels=rels, raw={"word/embeddings/a.xlsx": b"PK", "word/a.png": b""}))
    ) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
        (member,) = session.members()
    assert page.metadata == {"members": [{"name": "word/embeddings/a.xlsx", "size": 2}]}
    assert (member.name, member.data) == ("word/embeddings/a.xlsx", b"PK")


def test_a_page_that_is_not_there_is_unread(docx: Docx) -> None:
    with closing(opened(docx(P.format("a")))) as session:
        pages = list(reader().read(session, [2, 1, 0], deadline=Deadline()))
    assert [(page.page, page.reason) for page in pages] == [
        (2, "no_such_page"),
        (1, None),
        (0, "no_such_page"),
    ]


def test_reading_stops_at_its_deadline(docx: Docx) -> None:
    late = Deadline(1, clock=iter([0.0, 2.0]).__next__)
    with closing(opened(docx(P.format("a")))) as session, pytest.raises(TimedOut):
        list(reader().read(session, [1], deadline=late))


def test_deep_nesting_is_refused_and_not_a_crash(docx: Docx) -> None:
    deep = "<w:sdt><w:sdtContent>" * 120 + P.format("deep") + "</w:sdtContent></w:sdt>" * 120
    with closing(opened(docx(deep))) as session:
        assert session.observe().pages[0].text_characters == 4
    with pytest.raises(SourceError):
        opened(docx("<w:sdt>" * 500 + "</w:sdt>" * 500))
