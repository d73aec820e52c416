"""Books: the order of their documents, marks at the right places, what is locked or missing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_core.ports import PageReading, SourceContent
from indx_reader_epub import MEDIA_TYPES, observer, reader
from indx_testkit.checks import assert_reading

Make = Callable[..., bytes]


def read(data: bytes) -> PageReading:
    with closing(observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
    assert_reading(page)
    return page


def test_documents_follow_the_spine_and_come_once(epub: Make) -> None:
    spine = '<itemref idref="d1"/><itemref idref="d0"/><itemref idref="d1"/><itemref idref="none"/>'
    page = read(epub({"a.xhtml": "<p>first</p>", "b.xhtml": "<p>second</p>"}, spine=spine))
    assert page.text == "second\n\nfirst"


def test_marks_stand_where_their_document_does(epub: Make) -> None:
    second = '<h2>Two</h2><p>see <a href="a.xhtml#x">there</a> <span style="display:none">not</span></p>'
    table = '<table><tr><td colspan="2">both</td></tr><tr><td>l</td><td>r</td></tr></table>'
    page = read(epub({"a.xhtml": "<h1>One</h1>", "b.xhtml": second + table}))
    assert [(page.text[h.start : h.end], h.level) for h in page.headings] == [("One", 1), ("Two", 2)]
    assert [(page.text[x.start : x.end], x.target) for x in page.links] == [("there", "a.xhtml#x")]
    assert [page.text[start:end] for start, end in page.hidden] == ["not"]
    cell = page.tables[0].cells[0]
    assert (page.text[cell.start : cell.end], cell.column_span) == ("both", 2)


def test_what_the_book_says_of_itself_is_metadata(epub: Make) -> None:
    authors = "<dc:creator>A</dc:creator><dc:creator>B</dc:creator>"
    metadata = f"<dc:title>T</dc:title>{authors}<dc:language>ja</dc:language>"
    page = read(epub({"a.xhtml": "x"}, metadata=metadata))
    assert (page.metadata or {})["properties"] == {"title": "T", "author": "A, B", "language": "ja"}


def test_style_sheets_of_the_book_hide_what_they_hide(epub: Make) -> None:
    chapter = (
        '<link rel="stylesheet" href="../css/a%20b.css"/><link rel="stylesheet" href="gone.css"/>'
        '<link rel="stylesheet" href="http://x.example/a.css"/><p>seen</p><p class="no">not</p>'
    )
    parts = {"EPUB/css/a b.css": "@charset 'utf-8'; .no { display: none }"}
    page = read(epub({"text/a.xhtml": chapter, "text/b.xhtml": chapter}, parts=parts))
    assert page.text == "seen\n\nnot\n\nseen\n\nnot"
    assert [page.text[start:end] for start, end in page.hidden] == ["not", "not"]
    assert "unread_parts" not in (page.metadata or {})


def test_readings_of_words_stand_beside_the_text_and_break_no_word(epub: Make) -> None:
    ruby = "と<ruby>云<rt>い</rt></ruby>う<ruby><rb>男</rb><rp>（</rp><rt>おとこ</rt><rp>）</rp></ruby>は"
    page = read(epub({"a.xhtml": f"<p>{ruby}</p>", "b.xhtml": f"<p>{ruby}</p>"}))
    assert page.text == "と云う男は\n\nと云う男は"
    assert (page.metadata or {})["ruby"] == [
        {"base": "云", "reading": "い"}, {"base": "男", "reading": "おとこ"},
    ]  # fmt: skip


def test_names_are_found_percent_encoded_and_through_folders(epub: Make) -> None:
    items = '<item id="x" href="text/%E4%B8%80%20a.xhtml#top" media-type="application/xhtml+xml"/>'
    page = read(
        epub({}, items=items, spine='<itemref idref="x"/>', parts={"EPUB/text/一 a.xhtml": "<p>found</p>"})
    )
    assert page.text == "found"


def test_a_missing_document_is_named_and_the_rest_read(epub: Make) -> None:
    items = '<item id="x" href="gone.xhtml" media-type="application/xhtml+xml"/>'
    page = read(
        epub({"a.xhtml": "<p>here</p>"}, items=items, spine='<itemref idref="x"/><itemref idref="d0"/>')
    )
    assert page.text == "here"
    assert list((page.metadata or {})["unread_parts"]) == ["EPUB/gone.xhtml"]


def locked(*names: str) -> dict[str, str | bytes]:
    data = "".join(
        f'<enc:EncryptedData><enc:CipherData><enc:CipherReference URI="{name}"/></enc:CipherData>'
        "</enc:EncryptedData>"
        for name in names
    )
    head = (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
        'xmlns:enc="http://www.w3.org/2001/04/xmlenc#">'
    )
    return {"META-INF/encryption.xml": f"{head}{data}</encryption>"}


def test_a_locked_book_is_refused_and_locked_fonts_do_not_matter(epub: Make) -> None:
    documents = {"a.xhtml": "<p>a</p>", "b.xhtml": "<p>b</p>"}
    assert read(epub(documents, parts=locked("EPUB/font.otf"))).text == "a\n\nb"
    page = read(epub(documents, parts=locked("EPUB/a.xhtml")))
    assert page.text == "b"
    assert list((page.metadata or {})["unread_parts"]) == ["EPUB/a.xhtml"]
    data = epub(documents, parts=locked("EPUB/a.xhtml", "EPUB/b.xhtml"))
    with pytest.raises(SourceError) as caught:
        observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))
    assert caught.value.code == "source_encrypted"


def test_the_doctype_of_early_packages_is_borne_and_one_with_declarations_refused(epub: Make) -> None:
    plain = '<!DOCTYPE package PUBLIC "+//ISBN 0-9673008-1-9//DTD OEB 1.2 Package//EN" "http://x.example/oeb.dtd">'
    assert read(epub({"a.xhtml": "<p>a</p>"}, before=plain)).text == "a"
    assert read(epub({"a.xhtml": "<p>a</p>"}, before=plain.replace(">", " [ ]>"))).text == "a"
    bomb = '<!DOCTYPE package [<!ENTITY a "aaaa">]>'
    with pytest.raises(SourceError, match="DOCTYPE"):
        observer().open(
            SourceContent.of_bytes(epub({"a.xhtml": "a"}, before=bomb), media_type=MEDIA_TYPES[0])
        )


def test_pictures_in_the_order_are_counted_and_hold_no_text(epub: Make) -> None:
    items = '<item id="x" href="cover.svg" media-type="image/svg+xml"/>'
    data = epub({"a.xhtml": "<p>a</p>"}, items=items, spine='<itemref idref="x"/><itemref idref="d0"/>')
    with closing(observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))) as session:
        observation = session.observe()
    assert observation.pages[0].images == 1
    assert observation.facts == {"documents": "2 documents", "images": "1 image"}


def test_the_words_of_a_page_that_is_a_drawing_are_read(epub: Make) -> None:
    drawing = (
        '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg '
        'xmlns="http://www.w3.org/2000/svg"><style>.a { fill: red }</style><script>x()</script>'
        '<text class="a"><tspan>In the</tspan> bubble</text></svg>'
    )
    items = '<item id="x" href="p.svg" media-type="image/SVG+xml"/>'
    spine = '<itemref idref="d0"/><itemref idref="x"/>'
    data = epub({"a.xhtml": "<p>a</p>"}, items=items, spine=spine, parts={"EPUB/p.svg": drawing})
    assert read(data).text == "a\n\nIn the bubble"


def test_what_stands_in_for_a_picture_of_the_order_is_read(epub: Make) -> None:
    items = (
        '<item id="x" href="a.jpg" media-type="image/jpeg" fallback="y"/>'
        '<item id="y" href="a.pdf" media-type="application/pdf" fallback="z"/>'
        '<item id="z" href="z.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="o" href="o.jpg" media-type="image/jpeg" fallback="o"/>'
        '<item id="n" href="n.jpg" media-type="image/jpeg" fallback="none"/>'
    )
    spine = "".join(f'<itemref idref="{key}"/>' for key in ("o", "x", "n", "d0"))
    page = read(
        epub({"a.xhtml": "<p>a</p>"}, items=items, spine=spine, parts={"EPUB/z.xhtml": "<p>instead</p>"})
    )
    assert page.text == "instead\n\na"
    assert "unread_parts" not in (page.metadata or {})


def test_a_place_of_the_order_that_nothing_is_listed_for_is_named(epub: Make) -> None:
    page = read(epub({"a.xhtml": "<p>a</p>"}, spine='<itemref idref="lost"/><itemref idref="d0"/>'))
    assert page.text == "a"
    assert list((page.metadata or {})["unread_parts"]) == ["lost"]


@pytest.mark.parametrize(
    "href",
    ["../../../etc/passwd", "/etc/passwd", "..%2f..%2fetc%2fpasswd", "..\\\\x", "file:///etc/passwd", "C:/x"],
)
def test_a_name_that_leads_out_of_the_book_leads_nowhere(epub: Make, href: str) -> None:
    items = f'<item id="x" href="{href}" media-type="application/xhtml+xml"/>'
    spine = '<itemref idref="x"/><itemref idref="d0"/>'
    page = read(epub({"a.xhtml": "<p>inside</p>"}, items=items, spine=spine))
    assert page.text == "inside"
    assert len((page.metadata or {})["unread_parts"]) == 1


def test_nothing_a_book_names_is_fetched(epub: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object, **_named: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr("socket.socket.connect", refuse)
    address = "http://169.254.169.254/"
    items = f'<item id="x" href="{address}" media-type="application/xhtml+xml"/>'
    spine = '<itemref idref="x"/><itemref idref="d0"/>'
    page = read(epub({"a.xhtml": f'<p>a<img alt="pic" src="{address}"/></p>'}, items=items, spine=spine))
    assert page.text == "a pic"


def test_a_doctype_in_another_encoding_is_refused_too(epub: Make) -> None:
    evil = '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE p [<!ENTITY a SYSTEM "file:///etc/passwd">]><p>&a;</p>'
    with pytest.raises(SourceError):
        read(epub({"a.xhtml": "x"}, parts={"EPUB/package.opf": evil.encode("utf-16")}))


PAGE = '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>page</p></body></html>'


@pytest.mark.parametrize(
    ("href", "stands"),
    [
        ("text\\p.xhtml", "EPUB/text/p.xhtml"),
        ("caf\u00e9.xhtml", "EPUB/cafe\u0301.xhtml"),
        ("cafe\u0301.xhtml", "EPUB/caf\u00e9.xhtml"),
    ],
)
def test_a_name_is_found_however_it_is_spelled(epub: Make, href: str, stands: str) -> None:
    items = f'<item id="x" href="{href}" media-type="application/xhtml+xml"/>'
    data = epub({"a.xhtml": "<p>a</p>"}, items=items, spine='<itemref idref="x"/>', parts={stands: PAGE})
    assert read(data).text == "page"


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("p.xhtml", " application/XHTML+xml "),
        ("p.xhtml", ""),
        ("p.xml", "application/xml"),
        ("p.xml", "application/x-dtbook+xml"),
    ],
)
def test_a_page_whose_type_says_little_is_read(epub: Make, name: str, media_type: str) -> None:
    items = f'<item id="x" href="{name}" media-type="{media_type}"/>'
    parts = {f"EPUB/{name}": PAGE}
    assert read(epub({}, items=items, spine='<itemref idref="x"/>', parts=parts)).text == "page"


def test_a_place_of_the_order_that_is_no_page_is_named(epub: Make) -> None:
    items = '<item id="x" href="x.txt" media-type="text/plain"/>'
    spine = '<itemref idref="x"/><itemref idref="d0"/>'
    page = read(epub({"a.xhtml": "<p>a</p>"}, items=items, spine=spine, parts={"EPUB/x.txt": "x"}))
    assert page.text == "a"
    assert "text/plain" in (page.metadata or {})["unread_parts"]["EPUB/x.txt"]


def test_a_document_that_is_no_text_is_named_and_not_shown(epub: Make) -> None:
    noise = bytes(range(256)) * 20
    page = read(epub({"a.xhtml": "<p>a</p>", "b.xhtml": ""}, parts={"EPUB/b.xhtml": noise}))
    assert page.text == "a"
    assert "locked" in (page.metadata or {})["unread_parts"]["EPUB/b.xhtml"]


def test_a_package_that_is_not_quite_xml_is_read(epub: Make) -> None:
    title = "<dc:title>A & B &nbsp; &#67;&lt;</dc:title>"
    page = read(epub({"a.xhtml": "<p>a</p>"}, metadata=title, before='\n <?xml version="1.0"?>'))
    assert page.text == "a"
    assert (page.metadata or {})["properties"]["title"] == "A & B &nbsp; C<"
    bare = epub({"a.xhtml": "<p>a</p>"}, parts={"EPUB/package.opf": PACKAGE})
    assert read(bare).text == "a"


PACKAGE = (
    '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
    '<spine><itemref idref="a"/></spine></package>'
)


def test_a_damaged_container_does_not_hide_the_package(epub: Make) -> None:
    assert (
        read(epub({"a.xhtml": "<p>a</p>"}, parts={"META-INF/container.xml": "<container><root"})).text == "a"
    )
