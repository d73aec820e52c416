"""Texts: headings, lists, tables, notes, links, what is hidden, what floats."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import PageReading, SourceContent
from indx_reader_opendocument import _story, observer, reader

Read = Callable[..., list[PageReading]]
P = "<text:p>{}</text:p>"


def marked(page: PageReading, role: str) -> list[str]:
    return [page.text[span.start : span.end] for span in page.roles if span.role == role]


def hidden(page: PageReading) -> list[str]:
    return [page.text[start:end] for start, end in page.hidden]


def test_headings_have_their_levels_and_numbers(read: Read) -> None:
    outline = (
        '<office:styles><text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/>'
        '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>'
        "</text:outline-style></office:styles>"
    )
    body = "".join(
        f'<text:h text:outline-level="{level}">{text}</text:h>'
        for level, text in ((1, "A"), (2, "B"), (2, "C"))
    )
    (page,) = read("text", body, shared=outline)
    found = [(page.text[h.start : h.end], h.level) for h in page.headings]
    assert found == [("1 A", 1), ("1.1 B", 2), ("1.2 C", 2)]


def test_a_title_is_told_by_the_style_it_inherits_from(read: Read) -> None:
    style = '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>'
    shared = '<office:styles><style:style style:name="Title" style:family="paragraph"/></office:styles>'
    (page,) = read("text", '<text:p text:style-name="P1">Report</text:p>', styles=style, shared=shared)
    assert marked(page, "title") == ["Report"]
    assert [(h.start, h.end, h.level) for h in page.headings] == [(0, 6, 1)]


def test_white_space_is_what_the_format_means_by_it(read: Read) -> None:
    body = P.format(
        '\n  a\n  b<text:s text:c="3"/>c<text:tab/>d <text:span> e</text:span><text:line-break/>f'
    )
    (page,) = read("text", body)
    assert page.text == "a b   c\td e\nf"


def test_lists_are_labelled_level_by_level(read: Read) -> None:
    style = (
        '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" '
        'style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="a" '
        'style:num-prefix="(" style:num-suffix=")"/><text:list-level-style-bullet text:level="3" '
        'text:bullet-char="\uf0b7"/></text:list-style>'
    )
    item = "<text:list-item>{}</text:list-item>"
    deepest = f"<text:list>{item.format(P.format('c'))}</text:list>"
    inner = f"<text:list>{item.format(P.format('b') + deepest)}</text:list>"
    body = (
        f'<text:list text:style-name="L1">{item.format(P.format("a") + P.format("more") + inner)}'
        f"{item.format(P.format('d'))}</text:list>"
        '<text:list text:style-name="L1" text:continue-numbering="true">'
        f"{item.format(P.format('e'))}</text:list>"
        f'<text:list text:style-name="L1">{item.format(P.format("f"))}</text:list>'
    )
    (page,) = read("text", body, styles=style)
    assert page.text.split("\n") == ["1. a", "more", "  (a) b", "    • c", "2. d", "3. e", "1. f"]


def test_a_heading_in_a_list_is_not_set_in(read: Read) -> None:
    style = (
        '<text:list-style style:name="L1"><text:list-level-style-number text:level="2" style:num-format="1" '
        'style:num-suffix="."/></text:list-style>'
    )
    heading = '<text:h text:outline-level="2">Terms</text:h>'
    item = "<text:list-item>{}</text:list-item>"
    inner = f"<text:list>{item.format(heading)}{item.format(P.format('b'))}</text:list>"
    (page,) = read("text", f'<text:list text:style-name="L1">{item.format(inner)}</text:list>', styles=style)
    assert page.text == "1. Terms\n  2. b"
    assert [page.text[one.start : one.end] for one in page.headings] == ["1. Terms"]


def test_merged_cells_stand_once_with_their_spans(read: Read) -> None:
    body = (
        "<table:table><table:table-header-rows><table:table-row>"
        '<table:table-cell table:number-columns-spanned="2"><text:p>both</text:p></table:table-cell>'
        "<table:covered-table-cell/></table:table-row></table:table-header-rows><table:table-row>"
        '<table:table-cell table:number-rows-spanned="2"><text:p>down</text:p></table:table-cell>'
        "<table:table-cell><text:p>r1</text:p></table:table-cell></table:table-row><table:table-row>"
        "<table:covered-table-cell/><table:table-cell><text:p>r2</text:p></table:table-cell>"
        "</table:table-row></table:table>"
    )
    (page,) = read("text", body)
    (table,) = page.tables
    assert (table.rows, table.columns, table.header_rows) == (3, 2, 1)
    assert [(c.row, c.column, c.row_span, c.column_span, c.text) for c in table.cells] == [
        (1, 1, 1, 2, "both"),
        (2, 1, 2, 1, "down"),
        (2, 2, 1, 1, "r1"),
        (3, 2, 1, 1, "r2"),
    ]


def test_notes_and_comments_come_last_with_their_roles(read: Read) -> None:
    note = (
        '<text:note text:note-class="{0}"><text:note-citation>1</text:note-citation><text:note-body>'
        "<text:p>the {0}</text:p></text:note-body></text:note>"
    )
    comment = "<office:annotation><dc:creator>Ann</dc:creator><text:p>check</text:p></office:annotation>"
    (page,) = read("text", P.format("a" + note.format("endnote") + comment + note.format("footnote") + "b"))
    assert page.text == "ab\n[1] the footnote\n[1] the endnote\nAnn: check"
    assert marked(page, "footnote") == ["[1] the footnote"]
    assert marked(page, "endnote") == ["[1] the endnote"]
    assert marked(page, "comment") == ["Ann: check"]


def test_only_the_first_paragraph_of_a_note_has_its_number_and_an_empty_note_none(read: Read) -> None:
    note = (
        "<text:note><text:note-citation>*</text:note-citation><text:note-body>{}</text:note-body></text:note>"
    )
    listed = f"<text:list><text:list-item>{P.format('b')}</text:list-item></text:list>"
    (page,) = read("text", P.format("x" + note.format(P.format("a") + listed) + note.format(P.format(""))))
    assert [line for line in page.text.split("\n") if line] == ["x", "[*] a", "b"]


def test_deleted_text_is_left_out_and_insertions_stay(read: Read) -> None:
    changes = (
        '<text:tracked-changes><text:changed-region xml:id="c1"><text:deletion><text:p>gone</text:p>'
        "</text:deletion></text:changed-region></text:tracked-changes>"
    )
    body = changes + P.format(
        'keep<text:change text:change-id="c1"/> <text:change-start text:change-id="c2"/>new'
    )
    (page,) = read("text", body)
    assert page.text == "keep new"


def test_deleted_text_between_its_marks_is_left_out(read: Read) -> None:
    region = '<text:changed-region text:id="{0}"><text:{1}/></text:changed-region>'
    mark = '<text:change-{} text:change-id="{}"/>'
    begin, end = mark.format("start", "d"), mark.format("end", "d")
    insert = mark.format("start", "i")
    body = (
        f"<text:tracked-changes>{region.format('d', 'deletion')}{region.format('i', 'insertion')}"
        "</text:tracked-changes>"
        + P.format(f"keep {begin}gone<text:s/><text:span>gone{end} stays</text:span>{insert}new")
        + P.format(f"one{begin}gone")
        + P.format("<text:span>gone</text:span>gone")
        + P.format(f"gone{end}two")
    )
    (page,) = read("text", body)
    assert page.text.split() == ["keep", "staysnew", "one", "two"]


def test_signs_of_symbol_fonts_are_characters(read: Read) -> None:
    style = '<style:style style:name="{}" style:family="{}"><style:text-properties style:font-name="{}"/>'
    style += "</style:style>"
    styles = style.format("T1", "text", "Symbol") + style.format("P1", "paragraph", "Wingdings")
    body = P.format('\uf061<text:span text:style-name="T1">\uf061</text:span>')
    body += '<text:p text:style-name="P1">\uf0fc<text:span>\uf0fc</text:span></text:p>'
    (page,) = read("text", body, styles=styles)
    assert page.text == "\uf061α\n✓✓"
    named = '<style:font-face style:name="Wingdings1" svg:font-family="Wingdings"/>'
    (page,) = read(
        "text",
        P.format('<text:span text:style-name="T1">\uf0fc</text:span>'),
        styles=style.format("T1", "text", "Wingdings1"),
        shared=f"<office:font-face-decls>{named}</office:font-face-decls>",
    )
    assert page.text == "✓"


def test_letters_of_symbol_fonts_are_the_signs_that_they_show_as(read: Read) -> None:
    style = '<style:style style:name="{}" style:family="text" style:parent-style-name="{}">'
    style += "<style:text-properties {}/></style:style>"
    styles = style.format("T1", "", 'style:font-name="Symbol1"') + style.format("T2", "T1", "")
    styles += style.format("T3", "T1", 'style:font-name="Arial"')
    styles += style.format("T4", "", "fo:font-family=\"'Wingdings'\"")
    named = '<style:font-face style:name="Symbol1" svg:font-family="Symbol"/>'
    spans = (
        '<text:span text:style-name="T{}">{}</text:span>'.format(*one)
        for one in ((1, "a£"), (2, "b"), (3, "b"), (4, "ü"))
    )
    (page,) = read(
        "text",
        P.format(f"a {' '.join(spans)}"),
        styles=styles,
        shared=f"<office:font-face-decls>{named}</office:font-face-decls>",
    )
    assert page.text == "a α≤ β b ✓"


def test_a_number_raised_behind_a_number_is_set_off(read: Read) -> None:
    style = (
        '<style:style style:name="{}" style:family="text"><style:text-properties style:text-position="{}"/>'
    )
    named = (("U", "super 58%"), ("V", "33% 58%"), ("D", "sub 58%"), ("N", "0% 100%"))
    styles = "".join(style.format(*each) + "</style:style>" for each in named)
    spans = "".join(f'10<text:span text:style-name="{name}">6</text:span> ' for name, _ in named)
    (page,) = read("text", P.format(spans), styles=styles)
    assert page.text.split() == ["10^6", "10^6", "106", "106"]


def test_a_table_in_which_nothing_is_written_leaves_no_line(read: Read) -> None:
    table = "<table:table><table:table-row>{}</table:table-row></table:table>"
    nothing = table.format("<table:table-cell><text:p/></table:table-cell>")
    within = table.format(f"<table:table-cell>{nothing}</table:table-cell>")
    (page,) = read("text", P.format("before") + nothing + table.format("") + within + P.format("after"))
    assert (page.text, page.tables) == ("before\nafter", ())


def test_hidden_text_is_read_and_marked(read: Read) -> None:
    style = (
        '<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/>'
        "</style:style>"
    )
    body = (
        P.format('seen <text:span text:style-name="T1">unseen</text:span>')
        + '<text:section text:display="none"><text:p>section</text:p></text:section>'
        + P.format('<text:hidden-text text:is-hidden="true" text:string-value="value"/>')
    )
    (page,) = read("text", body, styles=style)
    assert page.text == "seen unseen\nsection\nvalue"
    assert hidden(page) == ["unseen", "section", "value"]


def test_links_keep_their_targets(read: Read) -> None:
    (page,) = read("text", P.format('see <text:a xlink:href="https://a.example/x">there</text:a>.'))
    (link,) = page.links
    assert (page.text[link.start : link.end], link.target) == ("there", "https://a.example/x")


def test_frames_are_lines_after_their_paragraph(read: Read) -> None:
    box = "<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame>"
    described = "<svg:title>Logo</svg:title><svg:desc>a bird</svg:desc>"
    picture = f'<draw:frame><draw:image xlink:href="x.png"/>{described}</draw:frame>'
    named = picture.replace("a bird", "C:\\My Pictures\\a bird.jpg").replace("Logo", "bird.jpg")
    (page,) = read("text", P.format(f"be{box}fore{picture}{named}") + P.format("after"))
    assert page.text == "before\nboxed\nLogo: a bird\nafter"
    assert marked(page, "text_box") == ["boxed"]
    assert marked(page, "caption") == ["Logo: a bird"]


def test_formulas_and_charts_are_read_from_their_objects(read: Read) -> None:
    names = 'xmlns:math="http://www.w3.org/1998/Math/MathML"'
    formula = (
        f"<math:math {names}><math:semantics><math:mi>E</math:mi><math:annotation>E = m c^2"
        "</math:annotation></math:semantics></math:math>"
    )
    ns = "urn:oasis:names:tc:opendocument:xmlns:"
    chart = (
        f'<office:document-content xmlns:office="{ns}office:1.0" xmlns:chart="{ns}chart:1.0" '
        f'xmlns:text="{ns}text:1.0" xmlns:table="{ns}table:1.0"><office:body><office:chart><chart:chart>'
        "<chart:title><text:p>Sales</text:p></chart:title><table:table><table:table-row><table:table-cell>"
        "<text:p>Q1</text:p></table:table-cell><table:table-cell><text:p>7</text:p></table:table-cell>"
        "</table:table-row></table:table></chart:chart></office:chart></office:body></office:document-content>"
    )
    frame = '<draw:frame><draw:object xlink:href="./{}"/><draw:image xlink:href="replacement"/></draw:frame>'
    (page,) = read(
        "text", P.format(frame.format("F") + frame.format("C")), objects={"F": formula, "C": chart}
    )
    assert page.text == "E = m c^2\nSales\nQ1\t7"
    assert marked(page, "formula") == ["E = m c^2"]
    assert len(page.tables) == 1


def test_words_on_pictures_and_in_drawings_that_are_objects_are_read(read: Read) -> None:
    picture = '<draw:frame><draw:image xlink:href="x.png"><text:p>{}</text:p></draw:image></draw:frame>'
    ns = "urn:oasis:names:tc:opendocument:xmlns:"
    shapes = "<draw:g><draw:rect><text:p>LED</text:p></draw:rect></draw:g>"
    shapes += "<draw:line><text:p>5x</text:p></draw:line>"
    drawing = (
        f'<office:document-content xmlns:office="{ns}office:1.0" xmlns:draw="{ns}drawing:1.0" '
        f'xmlns:text="{ns}text:1.0"><office:body><office:drawing><draw:page>{shapes}</draw:page>'
        "</office:drawing></office:body></office:document-content>"
    )
    frame = '<draw:frame><draw:object xlink:href="./D"/><draw:image xlink:href="replacement"/></draw:frame>'
    listed = picture.replace("text:p>", "text:list>").format(
        "<text:list-item><text:p>of</text:p></text:list-item>"
    )
    body = P.format(f"so {picture.format('here')}{picture.format(' ')}{listed}{frame}")
    (page,) = read("text", body, objects={"D": drawing})
    assert page.text == "so \nhere\nof\nLED\n5x"
    (slide,) = read("presentation", f"<draw:page>{picture.format('there')}</draw:page>")
    assert slide.text == "there"


def test_an_object_is_read_though_its_frame_holds_an_empty_paragraph(read: Read) -> None:
    formula = '<math:math xmlns:math="http://www.w3.org/1998/Math/MathML">{}</math:math>'
    half = "<math:mfrac><math:mn>1</math:mn><math:mrow><math:mi>a</math:mi><math:mo>+</math:mo>"
    half += "<math:mi>b</math:mi></math:mrow></math:mfrac>"
    frame = (
        '<draw:frame><draw:object xlink:href="./F"><loext:p xmlns:loext="urn:x"/></draw:object></draw:frame>'
    )
    (page,) = read("text", P.format("so " + frame), objects={"F": formula.format(half)})
    assert page.text == "so 1/(a+b)"


def test_a_formula_stays_in_its_sentence_unless_it_is_anchored_elsewhere(read: Read) -> None:
    formula = '<math:math xmlns:math="http://www.w3.org/1998/Math/MathML"><math:mi>{}</math:mi></math:math>'
    frame = '<draw:frame {}><draw:object xlink:href="./{}"/><draw:image xlink:href="r"/></draw:frame>'
    inline, beside = 'text:anchor-type="as-char"', 'text:anchor-type="paragraph"'
    (page,) = read(
        "text",
        P.format(f"The area {frame.format(inline, 'A')} of {frame.format(beside, 'B')}it."),
        objects={"A": formula.format("r^2"), "B": formula.format("x")},
    )
    assert page.text == "The area r^2 of it.\nx"
    assert marked(page, "formula") == ["r^2", "x"]
    flat = f"<draw:frame><draw:object>{formula.format('y')}</draw:object></draw:frame>"
    (page,) = read("text", P.format(f"a{flat}b"))
    assert page.text == "ayb"


def test_an_object_inside_itself_is_read_once_and_many_are_refused(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    ns = "urn:oasis:names:tc:opendocument:xmlns:"
    frame = '<draw:frame><draw:object xlink:href="./O"/></draw:frame>'
    inside = (
        f'<office:document-content xmlns:office="{ns}office:1.0" xmlns:text="{ns}text:1.0" '
        f'xmlns:draw="{ns}drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><office:body><office:text>'
        f"<text:p>once{frame}{frame}</text:p></office:text></office:body></office:document-content>"
    )
    (page,) = read("text", P.format("x" + frame), objects={"O": inside})
    assert page.text == "x\nonce"
    monkeypatch.setattr(_story, "MAX_OBJECTS", 3)
    with pytest.raises(InputTooLarge):
        read("text", P.format(frame * 4), objects={"O": inside})


def test_an_object_that_is_damaged_is_named(read: Read) -> None:
    frame = '<draw:frame><draw:object xlink:href="./F"/></draw:frame>'
    (page,) = read("text", P.format("text" + frame), objects={"F": "<no xml"})
    assert page.text == "text"
    assert list((page.metadata or {})["unread_parts"]) == ["F/content.xml"]


def test_headers_and_footers_are_read_once(read: Read) -> None:
    masters = "".join(
        f'<style:master-page style:name="{name}"><style:header><text:p>Head</text:p></style:header>'
        f"<style:footer><text:p>Foot {name}</text:p></style:footer></style:master-page>"
        for name in ("A", "B")
    )
    shared = f"<office:master-styles>{masters}</office:master-styles>"
    (page,) = read("text", P.format("body"), shared=shared)
    assert page.text == "body\nHead\nFoot A\nFoot B"
    assert marked(page, "header") == ["Head"]


def test_headers_of_first_pages_are_read_by_the_name_that_libreoffice_gave_them_first(read: Read) -> None:
    loext = 'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'
    kinds = ("header", "header-first", "footer-first")
    inner = "".join(f"<{{0}}:{kind} {{1}}><text:p>{kind}</text:p></{{0}}:{kind}>" for kind in kinds)
    inner = inner.format("loext", loext).replace("loext:header ", "style:header ")
    inner = inner.replace("</loext:header>", "</style:header>")
    shared = f"<office:master-styles><style:master-page>{inner}</style:master-page></office:master-styles>"
    (page,) = read("text", P.format("body"), shared=shared)
    assert page.text == "body\nheader\nheader-first\nfooter-first"
    assert marked(page, "header") == ["header", "header-first"]


def test_a_table_of_contents_is_read_without_its_templates(read: Read) -> None:
    body = (
        "<text:table-of-content><text:table-of-content-source><text:index-title-template>no"
        "</text:index-title-template></text:table-of-content-source><text:index-body>"
        "<text:p>Chapter 1</text:p></text:index-body></text:table-of-content>"
    )
    (page,) = read("text", body)
    assert page.text == "Chapter 1"


def test_ruby_gives_its_base_and_keeps_the_reading_beside(read: Read) -> None:
    ruby = (
        "<text:ruby><text:ruby-base>漢字</text:ruby-base><text:ruby-text>かんじ</text:ruby-text></text:ruby>"
    )
    (page,) = read("text", P.format(f"新{ruby}表"))
    assert page.text == "新漢字表"
    assert (page.metadata or {})["ruby"] == [{"base": "漢字", "reading": "かんじ"}]


def test_properties_are_facts(read: Read) -> None:
    (page,) = read(
        "text",
        P.format("x"),
        meta="<dc:title>T</dc:title><meta:keyword>a</meta:keyword><meta:keyword>b</meta:keyword>",
    )
    assert (page.metadata or {})["properties"] == {"title": "T", "keywords": "a, b"}


def test_what_is_nested_very_deep_is_read_as_plain_text(read: Read) -> None:
    depth = 120
    body = "<text:section>" * depth + P.format("deep") + "</text:section>" * depth
    (page,) = read("text", body)
    assert page.text == "deep"
    spans = "<text:span>" * depth + "deep" + "</text:span>" * depth
    (page,) = read("text", P.format("a" + spans))
    assert page.text.startswith("a")


@pytest.mark.parametrize("times", [10_000, 1_000_000_000])
def test_repeated_cells_are_bounded(read: Read, times: int) -> None:
    cell = f'<table:table-cell table:number-columns-repeated="{times}"><text:p>x</text:p></table:table-cell>'
    row = f'<table:table-row table:number-rows-repeated="{times}">{cell}</table:table-row>'
    with pytest.raises(InputTooLarge):
        read("text", f"<table:table>{row}</table:table>")


def test_a_locked_file_says_so(odf: Callable[..., bytes]) -> None:
    locked = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/>'
        "</manifest:file-entry></manifest:manifest>"
    )
    data = odf("text", "", parts={"META-INF/manifest.xml": locked})
    with pytest.raises(SourceError) as caught:
        observer().open(SourceContent.of_bytes(data, media_type="application/vnd.oasis.opendocument.text"))
    assert caught.value.code == "source_encrypted"


def test_a_doctype_is_refused(odf: Callable[..., bytes]) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'
    data = odf("text", "", parts={"content.xml": bomb})
    with pytest.raises(SourceError, match="DOCTYPE"):
        observer().open(SourceContent.of_bytes(data, media_type="application/vnd.oasis.opendocument.text"))


def test_the_doctypes_that_openoffice_wrote_itself_are_passed_over(odf: Callable[..., bytes]) -> None:
    own = '<?xml version="1.0"?>\n<!DOCTYPE {} PUBLIC "-//OpenOffice.org//DTD {}//EN" "{}">\n'
    manifest = own.format("manifest:manifest", "Manifest 1.0", "Manifest.dtd") + (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    )
    formula = own.format("math:math", "Modified W3C MathML 1.01", "math.dtd") + (
        '<math:math xmlns:math="http://www.w3.org/1998/Math/MathML"><math:mi>x</math:mi></math:math>'
    )
    data = odf(
        "text",
        P.format('so <draw:frame><draw:object xlink:href="./Object 1"/></draw:frame> is.'),
        parts={"META-INF/manifest.xml": manifest},
        objects={"Object 1": formula},
    )
    source = SourceContent.of_bytes(data, media_type="application/vnd.oasis.opendocument.text")
    with closing(observer().open(source)) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
    assert "x" in page.text.split()


@pytest.mark.parametrize("inner", [' [<!ENTITY a "aa">]', ' "http://127.0.0.1:9/x.dtd" []'])
def test_a_doctype_that_says_more_than_a_name_is_refused_whoever_it_names(
    odf: Callable[..., bytes], inner: str
) -> None:
    part = f'<!DOCTYPE x PUBLIC "-//OpenOffice.org//DTD x//EN" "x.dtd"{inner}><x/>'
    data = odf("text", "", parts={"META-INF/manifest.xml": part})
    with pytest.raises(SourceError, match="DOCTYPE"):
        observer().open(SourceContent.of_bytes(data, media_type="application/vnd.oasis.opendocument.text"))


def test_flat_xml_reads_alike() -> None:
    ns = "urn:oasis:names:tc:opendocument:xmlns:"
    data = (
        f'<?xml version="1.0"?><office:document xmlns:office="{ns}office:1.0" xmlns:text="{ns}text:1.0" '
        'office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text>'
        '<text:h text:outline-level="2">flat</text:h></office:text></office:body></office:document>'
    ).encode()
    source = SourceContent.of_bytes(data, media_type="application/vnd.oasis.opendocument.text-flat-xml")
    (page,) = reader().read(observer().open(source), [1], deadline=Deadline())
    assert (page.text, page.headings[0].level) == ("flat", 2)


def test_a_cell_that_repeats_stands_as_often_and_its_notes_once(read: Read) -> None:
    inside = "<text:note-body><text:p>note</text:p></text:note-body>"
    note = f'<text:note text:note-class="footnote">{inside}</text:note>'
    cell = f'<table:table-cell table:number-columns-repeated="2"><text:p>x{note}</text:p></table:table-cell>'
    row = f'<table:table-row table:number-rows-repeated="2">{cell}</table:table-row>'
    (page,) = read("text", f"<table:table>{row}</table:table>")
    assert page.text == "x\tx\nx\tx\nnote"
    assert len(page.tables[0].cells) == 4


def test_a_script_in_a_sentence_is_none_of_its_words(read: Read) -> None:
    (page,) = read("text", "<text:p>a<text:script>alert(1)</text:script>b</text:p>")
    assert page.text == "ab"
