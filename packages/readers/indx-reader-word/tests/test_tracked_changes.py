"""Tracked changes wherever text can stand: insertions once, deletions never."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indx_core.ports import PageReading

Read = Callable[..., PageReading]

CHANGED = (
    '<w:p><w:r><w:t xml:space="preserve">keep </w:t></w:r>'
    '<w:del w:id="1" w:author="a"><w:r><w:delText xml:space="preserve">gone </w:delText></w:r></w:del>'
    '<w:ins w:id="2" w:author="b"><w:r><w:t>new</w:t></w:r>'
    '<w:del w:id="3"><w:r><w:delText> withdrawn</w:delText></w:r></w:del></w:ins></w:p>'
)
BOX = (
    '<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor>'
    "<a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>{0}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic>"
    "</wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>{0}"
    "</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
)


@pytest.mark.parametrize(
    "body",
    [
        CHANGED,
        f"<w:tbl><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid><w:tr><w:tc>{CHANGED}</w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl>",
        BOX.format(CHANGED),
        f"<w:sdt><w:sdtContent>{CHANGED}</w:sdtContent></w:sdt>",
        f'<w:ins w:id="9"><w:sdt><w:sdtContent>{CHANGED}</w:sdtContent></w:sdt></w:ins>',
        CHANGED.replace("<w:p>", '<w:p><w:hyperlink w:anchor="x">').replace("</w:p>", "</w:hyperlink></w:p>"),
    ],
    ids=["paragraph", "cell", "text box", "control", "inserted control", "link"],
)
def test_in_the_body(read: Read, body: str) -> None:
    page = read(body)
    assert page.text.replace("\t", "").strip() == "keep new"


@pytest.mark.parametrize("story", ["footnotes", "endnotes", "comments"])
def test_in_notes_and_comments(read: Read, story: str) -> None:
    name = story.removesuffix("s")
    mark = {"comments": "commentReference"}.get(story, f"{name}Reference")
    body = f'<w:p><w:r><w:t>body</w:t></w:r><w:r><w:{mark} w:id="1"/></w:r></w:p>'
    page = read(body, **{story: f'<w:{name} w:id="1">{CHANGED}</w:{name}>'})
    assert page.text.count("keep new") == 1
    assert "gone" not in page.text
    assert "withdrawn" not in page.text


def test_in_margins(read: Read) -> None:
    shown = '<w:headerReference w:type="default" r:id="id-header1"/>'
    body = f"<w:p><w:r><w:t>body</w:t></w:r></w:p><w:sectPr>{shown}</w:sectPr>"
    page = read(body, header1=CHANGED)
    assert page.text.count("keep new") == 1
    assert "gone" not in page.text


def paragraph(text: str, *, ended: bool = True, properties: str = "") -> str:
    mark = "" if ended else '<w:rPr><w:del w:id="7" w:author="a"/></w:rPr>'
    run = f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>' if text else ""
    return f"<w:p><w:pPr>{properties}{mark}</w:pPr>{run}</w:p>"


def test_a_paragraph_whose_end_was_deleted_goes_on_in_the_next_and_is_what_that_is(read: Read) -> None:
    level = '<w:outlineLvl w:val="{}"/>'
    page = read(
        paragraph("one ", ended=False, properties=level.format(0))
        + paragraph("and two ", ended=False)
        + paragraph("and three", properties=level.format(1))
        + paragraph("four")
    )
    assert page.text == "one and two and three\nfour"
    assert [(page.text[x.start : x.end], x.level) for x in page.headings] == [("one and two and three", 2)]


def test_a_deleted_item_of_a_list_is_not_counted(read: Read) -> None:
    level = (
        '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
    )
    numbering = (
        f'<w:abstractNum w:abstractNumId="0">{level}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )
    listed = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    gone = paragraph("", ended=False, properties=listed)
    body = paragraph("a", properties=listed) + gone + paragraph("b", properties=listed)
    assert read(body, numbering=numbering).text == "1. a\n2. b"


def test_an_end_that_was_deleted_before_a_table_or_at_the_end_still_ends(read: Read) -> None:
    cell = f"<w:tc>{paragraph('cell', ended=False)}</w:tc>"
    table = f"<w:tbl><w:tblGrid><w:gridCol/></w:tblGrid><w:tr>{cell}</w:tr></w:tbl>"
    page = read(paragraph("before", ended=False) + table + paragraph("after", ended=False))
    assert page.text == "before\ncell\nafter"


def test_an_end_that_was_deleted_inside_a_control_joins_what_follows_it(read: Read) -> None:
    held = f"<w:sdt><w:sdtContent>{paragraph('in ', ended=False)}</w:sdtContent></w:sdt>"
    assert read(held + paragraph("out")).text == "in out"
