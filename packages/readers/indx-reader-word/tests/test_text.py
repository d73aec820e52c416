"""The text of a document: everything once, in order, and nothing that is no longer there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indx_core.ports import PageReading

Read = Callable[..., PageReading]


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(inner: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{inner}</w:p>"


def marked(page: PageReading, role: str) -> list[str]:
    return [page.text[span.start : span.end] for span in page.roles if span.role == role]


def test_paragraphs_are_lines_and_empty_ones_one_blank_line(read: Read) -> None:
    page = read(
        paragraph("") + paragraph(run("one")) + paragraph("") + paragraph(run(" ")) + paragraph(run("two"))
        + paragraph(run("three")) + paragraph("")
    )  # fmt: skip
    assert page.text == "one\n\ntwo\nthree"


def test_tabs_breaks_hyphens_and_symbols_are_characters(read: Read) -> None:
    page = read(
        paragraph(
            "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:br w:type='page'/><w:t>d</w:t>"
            "<w:noBreakHyphen/><w:softHyphen/><w:cr/><w:sym w:font='Wingdings' w:char='F0FC'/>"
            "<w:sym w:font='Symbol' w:char='F061'/><w:sym w:font='Other' w:char='F0FC'/>"
            "<w:sym w:font='Arial' w:char='2192'/><w:sym w:font='x' w:char='zz'/></w:r>"
        )
    )
    assert page.text == "a\tb\nc\nd-\n✓α\uf0fc→"


def test_signs_that_a_run_takes_from_a_symbol_font_are_characters(read: Read) -> None:
    run = "<w:r><w:rPr><w:rFonts w:ascii='{0}' w:hAnsi='{0}'/></w:rPr><w:t>{1}</w:t></w:r>"
    body = run.format("Symbol", "\uf061 = \uf062") + run.format("Wingdings", " \uf0fc")
    assert read(f"<w:p>{body}{run.format('Mine', chr(0xF0FC))}</w:p>").text == "α = β ✓\uf0fc"


def test_letters_of_symbol_fonts_are_the_signs_that_they_show_as(read: Read) -> None:
    run = "<w:r><w:rPr>{}</w:rPr><w:t xml:space='preserve'>{}</w:t></w:r>"
    symbol = "<w:rFonts w:ascii='Symbol' w:hAnsi='Symbol'/>"
    body = run.format(symbol, "a £ Dx") + run.format("<w:rFonts w:ascii='Arial'/>", " a ")
    body += run.format("<w:rFonts w:hAnsi='Wingdings'/>", "ü") + run.format(
        "<w:rStyle w:val='Greek'/>", "b 日"
    )
    styles = f"<w:style w:type='character' w:styleId='Greek'><w:rPr>{symbol}</w:rPr></w:style>"
    styles += (
        "<w:style w:type='paragraph' w:styleId='G'><w:rPr><w:rFonts w:ascii='Symbol'/></w:rPr></w:style>"
    )
    other = (
        "<w:p><w:pPr><w:pStyle w:val='G'/></w:pPr>"
        + run.format("", "g")
        + run.format("<w:rFonts w:ascii='Arial'/>", "g")
    )
    assert read(f"<w:p>{body}</w:p>{other}</w:p>", styles=styles).text == "α ≤ Δξ a ✓β 日\nγg"


RAISED = "<w:position w:val='8'/>"


@pytest.mark.parametrize(
    ("before", "raised", "shown"),
    [
        ("", RAISED + "<w:sz w:val='19'/>", "10^6"),
        ("<w:sz w:val='40'/>", RAISED + "<w:sz w:val='28'/>", "10^6"),
        ("<w:rStyle w:val='Large'/>", RAISED, "10^6"),
        ("<w:rStyle w:val='Large'/>", "<w:rStyle w:val='Up'/>", "10^6"),
        ("", "<w:rStyle w:val='Super'/>", "10^6"),
        ("", RAISED, "106"),
        ("", RAISED + "<w:sz w:val='23'/>", "106"),
        ("<w:sz w:val='16'/>", RAISED + "<w:sz w:val='19'/>", "106"),
        ("", "<w:position w:val='-4'/><w:sz w:val='19'/>", "106"),
        ("", "<w:sz w:val='16'/>", "106"),
        ("", "<w:rStyle w:val='Super'/><w:vertAlign w:val='baseline'/>", "106"),
    ],
)
def test_a_smaller_number_that_is_moved_up_behind_a_number_is_set_off(
    read: Read, before: str, raised: str, shown: str
) -> None:
    run = "<w:r><w:rPr>{}</w:rPr><w:t>{}</w:t></w:r>"
    style = "<w:style w:type='character' w:styleId='{}'><w:rPr>{}</w:rPr></w:style>"
    styles = "<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val='24'/></w:rPr></w:rPrDefault></w:docDefaults>"
    styles += style.format("Large", "<w:sz w:val='40'/>") + style.format("Up", RAISED)
    styles += style.format("Super", "<w:vertAlign w:val='superscript'/>")
    assert (
        read(f"<w:p>{run.format(before, '10')}{run.format(raised, '6')}</w:p>", styles=styles).text == shown
    )


def test_the_size_of_the_style_counts_where_the_text_before_states_none(read: Read) -> None:
    styles = "<w:style w:type='paragraph' w:styleId='B'><w:rPr><w:sz w:val='30'/></w:rPr></w:style>"
    text = f"<w:r><w:t>10</w:t></w:r><w:r><w:rPr>{RAISED}<w:sz w:val='20'/></w:rPr><w:t>6</w:t></w:r></w:p>"
    page = read(f"<w:p><w:pPr><w:pStyle w:val='B'/></w:pPr>{text}<w:p>{text}", styles=styles)
    assert page.text == "10^6\n106"


def test_a_raised_run_is_smaller_than_the_line_and_not_than_the_raised_run_before(read: Read) -> None:
    run = "<w:r><w:rPr>{}</w:rPr>{}</w:r>"
    up = RAISED + "<w:sz w:val='12'/>"
    body = run.format("", "<w:t>10</w:t>") + run.format(up, "<w:lastRenderedPageBreak/>")
    assert read(f"<w:p>{body}{run.format(up, '<w:t>6</w:t>')}</w:p>").text == "10^6"


def test_a_number_raised_behind_a_number_is_set_off(read: Read) -> None:
    run = "<w:r>{}<w:t>{}</w:t></w:r>"
    up = "<w:rPr><w:vertAlign w:val='superscript'/></w:rPr>"
    down = "<w:rPr><w:vertAlign w:val='subscript'/></w:rPr>"
    body = (
        run.format("", "10")
        + run.format(up, "1")
        + run.format(up, "2")
        + run.format("", "m")
        + run.format(up, "2")
    )
    body += run.format("", "7") + run.format(down, "2")
    assert read(f"<w:p>{body}</w:p>").text == "10^12m272"


def test_the_large_first_letter_of_a_paragraph_is_part_of_its_first_word(read: Read) -> None:
    frame = "<w:pPr><w:framePr w:dropCap='{}' w:lines='3'/></w:pPr>"
    text = "<w:p>{}<w:r><w:t>{}</w:t></w:r></w:p>"
    rest = text.format("", "nce upon a time")
    assert read(text.format(frame.format("drop"), "O") + rest).text == "Once upon a time"
    assert read(text.format(frame.format("none"), "O") + rest).text == "O\nnce upon a time"


def test_white_space_of_the_file_is_no_line_break(read: Read) -> None:
    assert read(paragraph(run("a\n b"))).text == "a  b"


def test_insertions_are_read_once_and_deletions_not(read: Read) -> None:
    page = read(
        paragraph(
            run("keep ")
            + '<w:del w:id="1"><w:r><w:delText>gone </w:delText></w:r></w:del>'
            + f'<w:ins w:id="2">{run("new ")}</w:ins>'
            + f'<w:moveFrom w:id="3">{run("moved ")}</w:moveFrom>'
            + f'<w:moveTo w:id="4">{run("moved ")}</w:moveTo>'
        )
    )
    assert page.text == "keep new moved "


def test_what_only_wraps_is_looked_through(read: Read) -> None:
    inner = f"<w:sdt><w:sdtPr/><w:sdtContent>{run('b')}</w:sdtContent></w:sdt>"
    page = read(
        f"<w:sdt><w:sdtContent>{paragraph(run('a') + inner)}</w:sdtContent></w:sdt>"
        f"<w:customXml><w:p><w:smartTag>{run('c')}</w:smartTag><w:bdo>{run('d')}</w:bdo></w:p></w:customXml>"
    )
    assert page.text == "ab\ncd"


def test_fields_show_their_results_and_not_their_instructions(read: Read) -> None:
    def mark(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    def code(text: str) -> str:
        return f"<w:r><w:instrText>{text}</w:instrText></w:r>"

    nested = mark("begin") + code("DATE") + mark("separate") + run("hidden code") + mark("end")
    page = read(
        paragraph(
            mark("begin") + code('HYPERLINK "https://example.org/a" \\l ') + code('"part"') + nested
            + mark("separate") + run("there") + mark("end") + run(" and ")
            + f'<w:fldSimple w:instr="PAGE">{run("7")}</w:fldSimple>'
            + f'<w:fldSimple w:instr=" HYPERLINK \\o &quot;tip&quot; x.docx ">{run("x")}</w:fldSimple>'
        )
    )  # fmt: skip
    assert page.text == "there and 7x"
    assert [(page.text[x.start : x.end], x.target) for x in page.links] == [
        ("there", "https://example.org/a#part"),
        ("x", "x.docx"),
    ]


def test_hyperlinks_have_targets_and_anchors(read: Read) -> None:
    page = read(
        paragraph(
            f'<w:hyperlink r:id="r1">{run("out")}</w:hyperlink>'
            f'<w:hyperlink w:anchor="top">{run("in")}</w:hyperlink>'
            f'<w:hyperlink r:id="r1" w:anchor="p">{run("both")}</w:hyperlink>'
            f'<w:hyperlink r:id="none">{run("lost")}</w:hyperlink>'
        ),
        rels=[("r1", "hyperlink", "../other%20file.docx", "external")],
    )
    assert [(page.text[x.start : x.end], x.target) for x in page.links] == [
        ("out", "../other%20file.docx"),
        ("in", "#top"),
        ("both", "../other%20file.docx#p"),
    ]


def test_hidden_runs_are_read_and_marked(read: Read) -> None:
    styles = (
        '<w:style w:type="character" w:styleId="Ghost"><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>'
    )
    page = read(
        paragraph(
            run("seen ")
            + run("one", "<w:vanish/>")
            + run("two", '<w:rStyle w:val="Ghost"/>')
            + run(" shown", '<w:rStyle w:val="Ghost"/><w:vanish w:val="0"/>')
        )
        + paragraph(run("three"), '<w:pStyle w:val="Secret"/>'),
        styles=styles,
    )
    assert page.text == "seen onetwo shown\nthree"
    assert [page.text[start:end] for start, end in page.hidden] == ["onetwo", "three"]


def test_phonetic_guides_are_no_text(read: Read) -> None:
    page = read(
        paragraph(
            f"<w:r><w:ruby><w:rt>{run('かんじ')}</w:rt><w:rubyBase>{run('漢字')}</w:rubyBase></w:ruby></w:r>"
        )
    )
    assert page.text == "漢字"
    assert (page.metadata or {})["ruby"] == [{"base": "漢字", "reading": "かんじ"}]


def text_box(choice: str, fallback: str) -> str:
    return (
        "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wp:anchor>"
        f"<wp:docPr id='1' name='b'/><a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>{choice}"
        "</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>{fallback}</w:txbxContent></v:textbox>"
        "</v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )


def test_a_text_box_is_read_once_after_its_paragraph(read: Read) -> None:
    box = paragraph(run("in the box")) + paragraph(run("second line"))
    page = read(paragraph(run("before ") + text_box(box, box) + run("after")) + paragraph(run("next")))
    assert page.text == "before after\nin the box\nsecond line\nnext"
    assert marked(page, "text_box") == ["in the box\nsecond line"]


def test_text_boxes_nest_and_old_ones_are_read(read: Read) -> None:
    inner = text_box(paragraph(run("inner")), "")
    old = (
        f"<w:r><w:pict><v:shape><v:textbox><w:txbxContent>{paragraph(run('old'))}</w:txbxContent></v:textbox>"
    )
    art = '<v:shape><v:textpath string="DRAFT"/></v:shape></w:pict></w:r>'
    page = read(paragraph(text_box(paragraph(run("outer") + inner), "") + old + "</v:shape>" + art))
    assert page.text == "outer\ninner\nold\nDRAFT"


def test_pictures_are_described_unless_by_a_file_name(read: Read) -> None:
    picture = (
        "<w:r><w:drawing><wp:inline><wp:docPr id='1' name='x' descr='{}'/>"
        "<a:graphic><a:graphicData><pic:pic/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )
    page = read(paragraph(picture.format("A red bridge") + picture.format("img.png") + run("text")))
    assert page.text == "text\nA red bridge"
    assert marked(page, "caption") == ["A red bridge"]


def squared(letter: str) -> str:
    inner = f"<m:e><m:r><m:t>{letter}</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup>"
    return f"<m:oMath><m:sSup>{inner}</m:sSup></m:oMath>"


def test_a_formula_stays_in_its_sentence(read: Read) -> None:
    page = read(paragraph(run("The area is ") + squared("r") + run(" times ") + squared("s") + run(".")))
    assert page.text == "The area is r^2 times s^2."
    assert marked(page, "formula") == ["r^2", "s^2"]


def test_a_displayed_formula_is_a_line_of_its_own(read: Read) -> None:
    displayed = f"<m:oMathPara>{squared('x')}{squared('y')}</m:oMathPara>"
    alone = read(paragraph(run("before")) + paragraph(displayed) + paragraph(run("after")))
    assert alone.text == "before\nx^2\ny^2\nafter"
    assert marked(alone, "formula") == ["x^2", "y^2"]
    between = read(paragraph(run("before") + displayed + run("after")))
    assert between.text == "before\nx^2\ny^2\nafter"
    broken = read(paragraph(run("before") + "<w:r><w:br/></w:r>" + displayed))
    assert broken.text == "before\nx^2\ny^2"


def test_what_was_deleted_from_a_formula_is_left_out(read: Read) -> None:
    gone = "<m:r><w:rPr><w:del w:id='1'/></w:rPr><m:t>old</m:t></m:r>"
    moved = "<w:del w:id='2'><m:r><m:t>gone</m:t></m:r></w:del>"
    added = "<w:ins w:id='3'><m:r><m:t>new</m:t></m:r></w:ins>"
    assert read(paragraph(f"<m:oMath>{gone}{moved}{added}</m:oMath>")).text == "new"


def complex_field(instruction: str, result: str = "", data: str = "") -> str:
    def mark(kind: str, inner: str = "") -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}">{inner}</w:fldChar></w:r>'

    told = f"<w:r><w:instrText>{instruction}</w:instrText></w:r>"
    return mark("begin", data) + told + (mark("separate") + result) * bool(result) + mark("end")


def test_equations_of_fields_and_words_with_readings_are_text(read: Read) -> None:
    ruby = 'EQ \\* jc2 \\* "Font:MS Mincho" \\* hps10 \\o\\ad(\\s\\up 9(かんじ),漢字)'
    page = read(
        paragraph(
            run("the ") + complex_field(ruby) + run(" word, ") + complex_field("EQ \\f(a+b,2)", run(""))
        )
        + paragraph('<w:fldSimple w:instr="EQ \\r(3,x)"/>')
    )
    assert page.text == "the 漢字 word, (a+b)/2\n3√x"
    assert marked(page, "formula") == ["(a+b)/2", "3√x"]
    assert (page.metadata or {})["ruby"] == [{"base": "漢字", "reading": "かんじ"}]


def test_a_button_in_the_text_shows_its_words(read: Read) -> None:
    page = read(paragraph(run("To: ") + complex_field(" MACROBUTTON  NoMacro [Click here and type] ")))
    assert (page.text, page.roles) == ("To: [Click here and type]", ())


def test_forms_show_what_is_chosen(read: Read) -> None:
    ticked = "<w:ffData><w:checkBox><w:default w:val='0'/><w:checked/></w:checkBox></w:ffData>"
    open_ = "<w:ffData><w:checkBox><w:default w:val='0'/></w:checkBox></w:ffData>"
    choice = "<w:listEntry w:val='red'/><w:listEntry w:val='blue'/>"
    listed = f"<w:ffData><w:ddList><w:result w:val='1'/>{choice}</w:ddList></w:ffData>"
    page = read(
        paragraph(
            complex_field("FORMCHECKBOX", data=ticked)
            + complex_field("FORMCHECKBOX", data=open_)
            + complex_field("FORMDROPDOWN", data=listed)
            + complex_field("FORMTEXT", run("typed"))
        )
    )
    assert page.text == "☒☐bluetyped"


def test_charts_and_smart_art_are_read_from_their_parts(read: Read) -> None:
    open_ = "http://schemas.openxmlformats.org/drawingml/2006"
    chart = (
        f'<c:chartSpace xmlns:c="{open_}/chart"><c:ser><c:tx><c:v>S</c:v></c:tx>'
        '<c:cat><c:strLit><c:pt idx="0"><c:v>K</c:v></c:pt></c:strLit></c:cat>'
        '<c:val><c:numLit><c:pt idx="0"><c:v>5</c:v></c:pt></c:numLit></c:val>'
        "</c:ser></c:chartSpace>"
    )
    diagram = (
        f'<dgm:dataModel xmlns:dgm="{open_}/diagram" xmlns:a="{open_}/main">'
        '<dgm:ptLst><dgm:pt modelId="1"><dgm:t>'
        "<a:p><a:r><a:t>step</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>"
    )
    page = read(
        paragraph(
            "<w:r><w:drawing><wp:inline><a:graphic>"
            "<a:graphicData><c:chart r:id='r1'/></a:graphicData>"
            "<a:graphicData><dgm:relIds r:dm='r2'/></a:graphicData>"
            "</a:graphic></wp:inline></w:drawing></w:r>"
        ),
        rels=[("r1", "chart", "charts/chart1.xml"), ("r2", "diagramData", "diagrams/data1.xml")],
        raw={"word/charts/chart1.xml": chart, "word/diagrams/data1.xml": diagram},
    )
    assert page.text == "\tS\nK\t5\nstep"
    assert len(page.tables) == 1


def test_values_of_a_chart_in_a_cell_that_are_left_out_are_counted(read: Read) -> None:
    points = "".join(f'<c:pt idx="{at}"><c:v>{at}</c:v></c:pt>' for at in range(1200))
    drawn = paragraph(
        "<w:r><w:drawing><wp:inline><a:graphic><a:graphicData><c:chart r:id='r1'/></a:graphicData>"
        "</a:graphic></wp:inline></w:drawing></w:r>"
    )
    page = read(
        f"<w:tbl><w:tr><w:tc>{paragraph(run('a'))}</w:tc><w:tc>{drawn}</w:tc></w:tr></w:tbl>",
        rels=[("r1", "chart", "charts/chart1.xml")],
        raw={
            "word/charts/chart1.xml": "<c:chartSpace "
            'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:ser>'
            f"<c:val><c:numLit>{points}</c:numLit></c:val></c:ser></c:chartSpace>"
        },
    )
    assert "999" in page.text
    assert (page.metadata or {})["chart_values_left_out"] == 200


def test_notes_comments_and_margins_come_after_the_body_with_their_roles(read: Read) -> None:
    reference = '<w:sectPr><w:{}Reference r:id="id-{}"/></w:sectPr>'
    page = read(
        paragraph(run("body"), reference.format("header", "header1"))
        + paragraph(run("more"), reference.format("header", "header2"))
        + reference.format("footer", "footer1"),
        footnotes=f'<w:footnote w:type="separator">{paragraph(run("---"))}</w:footnote>'
        f'<w:footnote w:id="2">{paragraph(run("note one"))}</w:footnote>'
        f'<w:footnote w:id="3">{paragraph(run("note two"))}</w:footnote>',
        endnotes=f'<w:endnote w:id="2">{paragraph(run("at the end"))}</w:endnote>',
        comments=f'<w:comment w:id="0" w:author="A">{paragraph(run("why?"))}</w:comment>',
        header1=paragraph(run("ACME")),
        header2=paragraph(run("ACME")),
        footer1=paragraph(run("Page 1")),
    )
    assert page.text == "body\nmore\nnote one\nnote two\nat the end\nA: why?\nACME\nPage 1"
    assert [(page.text[x.start : x.end], x.role) for x in page.roles] == [
        ("note one", "footnote"),
        ("note two", "footnote"),
        ("at the end", "endnote"),
        ("A: why?", "comment"),
        ("ACME", "header"),
        ("Page 1", "footer"),
    ]


def note(key: int, text: str, kind: str = "footnote", ref: str = "<w:r><w:{}Ref/></w:r>") -> str:
    return f'<w:{kind} w:id="{key}">{paragraph(ref.format(kind) + run(text))}</w:{kind}>'


def reference(key: int, kind: str = "footnote", more: str = "") -> str:
    return f'<w:r><w:{kind}Reference w:id="{key}" {more}/></w:r>'


def test_notes_begin_with_the_number_that_their_reference_shows(read: Read) -> None:
    body = paragraph(
        run("a") + reference(7) + f'<w:del w:id="1">{reference(9)}</w:del>'
        + run("b") + reference(8, more='w:customMarkFollows="1"') + reference(3) + reference(7)
        + reference(2, "endnote")
    )  # fmt: skip
    page = read(
        body,
        footnotes=note(3, " second") + note(7, " first") + note(8, " own sign") + note(9, " gone")
        + note(4, " unnumbered", ref=""),
        endnotes=note(2, " at the end", "endnote"),
    )  # fmt: skip
    assert page.text == "ab\n[2] second\n[1] first\n own sign\n gone\n unnumbered\n[i] at the end"
    assert [page.text[x.start : x.end] for x in page.roles][:2] == ["[2] second", "[1] first"]


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ('<w:numFmt w:val="upperLetter"/><w:numStart w:val="3"/>', "[C] x"),
        ('<w:numRestart w:val="continuous"/>', "[1] x"),
        ('<w:numRestart w:val="eachPage"/>', " x"),
    ],
)
@pytest.mark.parametrize("place", ["section", "settings"])
def test_notes_are_numbered_as_sections_and_settings_state(
    read: Read, stated: str, expected: str, place: str
) -> None:
    stated = f"<w:footnotePr>{stated}</w:footnotePr>"
    section = f"<w:sectPr>{stated}</w:sectPr>" if place == "section" else ""
    settings = {"settings": stated} if place == "settings" else {}
    page = read(paragraph(run("a") + reference(1)) + section, footnotes=note(1, " x"), **settings)
    assert page.text == f"a\n{expected}"


def test_comments_begin_with_who_wrote_them_once(read: Read) -> None:
    comment = '<w:comment w:id="{}" w:author="{}">{}</w:comment>'
    comments = (
        comment.format(0, "Jane&#10; Doe", paragraph("") + paragraph(run("one")) + paragraph(run("two")))
        + comment.format(1, "", paragraph(run("nobody")))
        + comment.format(2, "Mute", paragraph(""))
        + comment.format(3, "Al", paragraph(run("three")))
    )
    page = read(paragraph(run("a")), comments=comments)
    assert [line for line in page.text.split("\n") if line] == [
        "a",
        "Jane Doe: one",
        "two",
        "nobody",
        "Al: three",
    ]
    assert "Mute" not in page.text


def test_a_header_that_no_section_shows_is_left_out(read: Read) -> None:
    assert read(paragraph(run("body")), header1=paragraph(run("old"))).text == "body"


@pytest.mark.parametrize("strict", [False, True])
def test_strict_documents_read_like_others(read: Read, strict: bool) -> None:
    page = read(
        paragraph(run("a"), '<w:pStyle w:val="H"/>')
        + f'<w:p><w:hyperlink r:id="r1">{run("b")}</w:hyperlink></w:p>',
        styles='<w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 2"/></w:style>',
        rels=[("r1", "hyperlink", "https://example.org", "external")],
        strict=strict,
    )
    assert page.text == "a\nb"
    assert [heading.level for heading in page.headings] == [2]
    assert [link.target for link in page.links] == ["https://example.org"]
