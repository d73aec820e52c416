"""Rich Text: characters, structure, what is hidden or deleted, what it wraps."""

from __future__ import annotations

import struct
from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_core.ports import PageReading, SourceContent
from indx_format_office.compound_writer import compound_file
from indx_reader_rtf import MEDIA_TYPES, observer, reader
from indx_testkit.checks import assert_reading


def read(inner: str, head: str = "") -> PageReading:
    data = ("{\\rtf1\\ansi\\deff0" + head + inner + "}").encode("latin-1")
    with closing(observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
    assert_reading(page)
    return page


def marked(page: PageReading, role: str) -> list[str]:
    return [page.text[span.start : span.end] for span in page.roles if span.role == role]


@pytest.mark.parametrize(
    ("head", "inner", "expected"),
    [
        ("\\ansicpg1252", "caf\\'e9", "café"),
        ("\\ansicpg932", "\\'83A", "ア"),
        ("\\ansicpg0", "caf\\'e9", "café"),
        ("\\ansicpg{}", "caf\\'e9", "café"),
        ("\\ansicpg12520", "caf\\'e9", "café"),
        ("\\ansicpg1252{\\fonttbl{\\f1\\fcharset204 A;}}", "\\f1 \\'cf\\plain \\'e9", "Пé"),
        (
            "{\\fonttbl{\\f1\\fcharset2 {\\*\\panose 0505}Symbol;}{\\f2\\fcharset2 Wingdings;}{\\f3 Mine;}}",
            "{\\f1 a\\'62\\u-3999?}(b){\\f2\\'fc}{\\f3 a}",
            "αβα(b)✓a",
        ),
        ("", "{10}{\\super 6} 10\\super 1\\plain 0\\sub 6", "10^6 10^106"),
        ("", "{10}{\\up8\\fs18 6} {10}{\\fs18\\up 6}{\\up8\\fs18 7}", "10^6 10^67"),
        ("", "\\fs20 10{\\up8\\fs16 6} \\fs16 10{\\up8\\fs16 6} 10{\\up8\\fs15 6}", "10^6 106 106"),
        (
            "",
            " 10{\\up8 6} 10{\\dn4\\fs18 6} 10{\\dn-4\\fs18 6} 10{\\fs18 6} 10\\up0\\fs18 6",
            "106 106 10^6 106 106",
        ),
        ("", " 10\\up8\\fs18 6\\plain 10\\up8 6", "10^6106"),
        ("", "{10}{{\\*\\updnprop8000}\\up8 6}{ 10}{{\\*\\updnprop8000}\\dn2 6} 10{\\up8 6}", "10^6 106 106"),
        ("", "{10}{{\\*\\updnprop8000}\\up8 6\\plain  10\\up8 6}", "10^6 106"),
        ("", "\\uc1\\u8364?x", "€x"),
        ("", "\\uc2\\u8364\\'80?x", "€x"),
        ("", "{\\uc0\\u8364}x", "€x"),
        ("", "\\u-10179?\\u-8704?", "😀"),
        ("", "a\\~b\\_c\\-d\\{\\}\\\\", "a\u00a0b\u2011cd{}\\"),
        ("", "\\lquote a\\rquote\\emdash b\\tab c", "‘a’—b\tc"),
        ("", "{\\upr{no}{\\*\\ud{yes}}}", "yes"),
        ("\\mac", "\\'8e", "é"),
        ("", "a\\bin3 }{\\b", "ab"),
        ("", "a\\bin999999 b", "ab"),
        ("", "a\\bin-3 b", "ab"),
    ],
)
def test_characters(head: str, inner: str, expected: str) -> None:
    assert read(inner, head).text == expected


def test_headings_are_told_by_outline_level_and_style() -> None:
    styles = (
        "{\\stylesheet{Normal;}{\\s1 heading 1;}{\\s2\\sbasedon1 My Own;}{\\s3 Title;}{\\*\\cs4 heading 3;}}"
    )
    page = read(
        "\\pard\\s3 T\\par\\pard\\s1 A\\par\\pard\\s2 B\\par"
        "\\pard\\outlinelevel1 C\\par\\pard\\s1\\outlinelevel9 no\\par",
        styles,
    )
    found = [(page.text[h.start : h.end], h.level) for h in page.headings]
    assert found == [("T", 1), ("A", 1), ("B", 1), ("C", 2)]
    assert marked(page, "title") == ["T"]


def test_merged_cells_stand_once_with_their_spans() -> None:
    row = "\\trowd{}\\pard\\intbl {}\\row"
    page = read(
        row.format("\\trhdr\\clmgf\\cellx1000\\clmrg\\cellx2000", "both\\cell\\cell")
        + row.format("\\clvmgf\\cellx1000\\cellx2010", "down\\cell r1\\cell")
        + row.format("\\clvmrg\\cellx1000\\cellx2000", "\\cell r2\\cell")
        + row.format("\\cellx2000", "wide\\par more\\cell")
        + "\\pard after\\par"
    )
    (table,) = page.tables
    assert (table.rows, table.columns, table.header_rows) == (4, 2, 1)
    assert [(c.row, c.column, c.row_span, c.column_span, c.text) for c in table.cells] == [
        (1, 1, 1, 2, "both"),
        (2, 1, 2, 1, "down"),
        (2, 2, 1, 1, "r1"),
        (3, 2, 1, 1, "r2"),
        (4, 1, 1, 2, "wide\nmore"),
    ]
    assert page.text.endswith("\nafter")


def test_notes_comments_and_margins_come_last_with_their_roles() -> None:
    page = read(
        "{\\header H\\par}{\\footerr F}{\\footerl F}\\pard a{\\footnote\\pard foot}{\\footnote\\ftnalt end}"
        "{\\*\\annotation check}b\\par"
    )
    assert page.text == "ab\nfoot\nend\ncheck\nH\nF"
    assert [(role.role, page.text[role.start : role.end]) for role in page.roles] == [
        ("footnote", "foot"),
        ("endnote", "end"),
        ("comment", "check"),
        ("header", "H"),
        ("footer", "F"),
    ]


def test_hidden_text_is_marked_and_deleted_text_left_out() -> None:
    page = read("a {\\v hid}{\\deleted gone}{\\revised new}\\v all\\v0 b")
    assert page.text == "a hidnewallb"
    assert [page.text[start:end] for start, end in page.hidden] == ["hid", "all"]


def test_equations_and_words_with_readings_are_text() -> None:
    field = "{{\\field{{\\*\\fldinst EQ {}}}{{\\fldrslt }}}}"
    page = read(field.format("\\\\o\\\\ad(\\\\s\\\\up 9(Tokyo),east)") + " is " + field.format("\\\\f(1,2)"))
    assert page.text == "east is 1/2"
    assert (page.metadata or {})["ruby"] == [{"base": "east", "reading": "Tokyo"}]


def formula(inner: str) -> str:
    return f"{{\\mmath{{\\*\\moMath{inner}}}{{\\mmathPict{{\\pict 0102}}}}}}"


HALF = "{\\mf{\\mfPr{\\mctrlPr\\f1\\b }}{\\mnum{\\mr\\mscr0 1}}{\\mden{\\mr 2}}}"
BARS = "{\\md{\\mdPr{\\mbegChr |}{\\mendChr |}}{\\me{\\mr {\\i x}}}}"


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (HALF + BARS, "1/2 |x|"),
        ("{\\msSup{\\me{\\mr \\u-10187?\\u-9147?}}{\\msup{\\mr 2}}}", "\U0001d445^2"),
        (
            "{\\mnary{\\mnaryPr{\\mchr \\u8721?}}{\\msub{\\mr i<1}}{\\msup{\\mr n}}{\\me{\\mr i}}}",
            "∑_(i<1)^n i",
        ),
        ("{\\mbox{\\mboxPr{\\mopEmu on}}{\\me{\\mr x}}}", "x"),
        ("{\\mr x}{\\mr\\deleted y}{\\mr z}", "xz"),
        ("{\\mrad{\\mradPr{\\mdegHide on}}{\\mdeg}{\\me{\\mr a & b}}}", "√(a & b)"),
        ("{\\me{\\me " + HALF + "}}", "12"),  # groups in no order that is known
        ("{\\mf{\\mnum x}{\\mden" * 300 + "{\\mr y}" + "}}" * 300, "x" * 300 + "y"),
    ],
)
def test_a_formula_stands_on_one_line_in_its_sentence(inner: str, expected: str) -> None:
    page = read(f"so {formula(inner)} holds {{\\deleted {formula(HALF)}}}and {{\\mr no}} more")
    assert page.text == f"so {expected} holds and no more"
    assert (
        read(f"{{\\mmath{{\\*\\moMathPara{{\\moMathParaPr{{\\mjc left}}}}{formula(inner)}}}}}").text
        == expected
    )


def test_a_formula_in_another_is_a_part_of_it_and_one_in_its_note_is_not() -> None:
    deep = "{\\*\\moMath{\\mf{\\mnum{\\mr a}" * 200 + "}}}" * 200
    assert read(f"so {deep} holds").text == f"so {'a' * 200} holds"
    note = formula("{\\mr x}{\\footnote " + formula("{\\mr y}") + "}{\\mr z}")
    assert read(f"so {note} holds\\par").text.split("\n") == ["so xz holds", "y"]


def test_links_lead_where_their_field_says() -> None:
    field = "{{\\field{{\\*\\fldinst HYPERLINK {}}}{{\\fldrslt {{\\ul there}}}}}}"
    page = read(
        field.format('"https://a.example/"')
        + " {\\field{\\*\\fldinst PAGE}{\\fldrslt 3}} "
        + field.format('\\\\l "here"')
    )
    assert page.text == "there 3 there"
    assert [link.target for link in page.links] == ["https://a.example/", "#here"]


def test_text_boxes_and_descriptions_are_read_once() -> None:
    page = read(
        "be{\\shp{\\*\\shpinst{\\sp{\\sn wzDescription}{\\sv a bird}}{\\shptxt box\\par}}"
        "{\\shprslt{\\*\\do\\dptxbxtext box}}}"
        "fore{\\pict{\\*\\picprop{\\sp{\\sn wzDescription}{\\sv a tree}}}0102}"
        "{\\pict{\\*\\picprop{\\sp{\\sn wzDescription}{\\sv tree.png}}}0102}\\par after\\par"
    )
    assert page.text == "before\na bird\nbox\na tree\nafter"
    assert marked(page, "caption") == ["a bird", "a tree"]
    assert marked(page, "text_box") == ["box"]


def test_letters_that_are_drawn_are_the_text_of_a_box() -> None:
    page = read("be{\\shp{\\*\\shpinst{\\sp{\\sn gtextUNICODE}{\\sv logo.png}}}}fore\\par")
    assert page.text == "before\nlogo.png"
    assert marked(page, "text_box") == ["logo.png"]


def test_a_style_that_older_programs_pass_over_takes_no_text_with_it() -> None:
    link = '{\\field{\\*\\fldinst HYPERLINK "https://a.example"}{\\fldrslt \\*\\cs12\\cf2 there}}'
    assert read(f"go {link} {{\\*\\cs13 now}}\\par").text == "go there now"


def test_a_button_in_the_text_shows_its_words() -> None:
    page = read("To: {\\field{\\*\\fldinst MACROBUTTON NoMacro [Click here]}{\\fldrslt }}.\\par")
    assert (page.text, page.roles) == ("To: [Click here].", ())
    inner = "{\\field{\\*\\fldinst PAGEREF _Toc1 }{\\fldrslt 8}}"
    assert read(f"on {{\\field{{\\*\\fldinst GOTOBUTTON _Toc1  {inner}}}{{\\fldrslt }}}}\\par").text == "on 8"


def test_equations_in_the_instruction_of_another_are_read() -> None:
    field = "{{\\field{{\\*\\fldinst EQ {}}}{{\\fldrslt }}}}"
    root = field.format("\\\\r(3)")
    assert read(field.format(f"\\\\f(1,{root})") + " m\\par").text == "1/(√3) m"
    assert read(field.format(f"x{root}y{root}z") + " m\\par").text == "x√3y√3z m"
    assert read(field.format("x" + field.format(f"y{root}")) + " m\\par").text == "xy m"


def test_labels_of_lists_stay_and_their_definitions_go() -> None:
    page = read("{\\*\\pn\\pnlvlbody{\\pntxta .}}{\\listtext\\tab 1.\\tab}item{\\*\\unknown text}\\par")
    assert page.text.split() == ["1.", "item"]


@pytest.mark.parametrize("before", [True, False])
def test_items_of_lists_are_set_in_by_their_level(before: bool) -> None:
    link = '{\\field{\\*\\fldinst HYPERLINK "https://a.example"}{\\fldrslt there}}'

    def item(text: str, level: int) -> str:
        label, place = "{\\listtext\\pard\\plain -\\tab}", f"\\ls1\\ilvl{level} "
        return "\\pard" + (place + label if before else label + "\\pard" + place) + text + "\\par"

    page = read(item("one", 0) + item(f"{link}{{\\v hid}}", 1) + item("deep", 2) + "\\pard out\\par")
    assert page.text == "- one\n  - therehid\n    - deep\nout"
    assert [page.text[one.start : one.end] for one in page.links] == ["there"]
    assert [page.text[start:end] for start, end in page.hidden] == ["hid"]


def test_a_heading_of_a_list_and_a_level_without_list_are_not_set_in() -> None:
    page = read(
        "\\pard\\ls1\\ilvl1\\outlinelevel1 head\\par\\pard\\ilvl1 body\\par\\pard\\ls0\\ilvl2 none\\par"
    )
    assert page.text == "head\nbody\nnone"


def test_an_item_in_a_cell_is_set_in() -> None:
    page = read("\\trowd\\cellx100\\pard\\intbl\\ls1\\ilvl1 in\\cell\\row\\pard after\\par")
    (table,) = page.tables
    assert [cell.text for cell in table.cells] == ["  in"]


@pytest.mark.parametrize("before", [True, False])
def test_a_list_in_a_cell_stays_in_its_cell_and_its_labels_with_their_items(before: bool) -> None:
    def item(label: str, text: str, level: int) -> str:
        listed, place = f"{{\\listtext\\pard\\plain  {label}\\tab}}", f"\\pard\\intbl\\ls1\\ilvl{level} "
        return (place + listed if before else listed + place) + text

    cells = item("\\bullet", "one\\par", 0) + item("1.", "deep\\par", 1) + item("\\bullet", "two\\cell", 0)
    page = read(f"\\trowd\\cellx100\\cellx200{cells}\\pard\\intbl other\\cell\\row\\pard after\\par")
    (table,) = page.tables
    assert [cell.text for cell in table.cells] == ["• one\n  1. deep\n• two", "other"]
    assert page.text.endswith("\nafter")


def test_a_bullet_that_only_its_font_has_is_a_bullet() -> None:
    assert read("{\\listtext\\plain \\u61623?\\tab}item\\par").text == "• item"


def test_an_item_without_text_leaves_no_label_behind() -> None:
    page = read("{\\listtext 1.\\tab}\\ls1\\par{\\listtext 2.\\tab}two\\par\\pard after\\par")
    assert page.text == "2. two\nafter"


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("{\\deleted {\\listtext 1.\\tab}gone\\par}next\\par", "next"),
        ("{\\deleted {\\listtext\\pard\\plain 1.\\tab}gone\\par}{\\listtext 2.\\tab}two\\par", "2. two"),
        ("{\\listtext 1.\\tab}{\\deleted gone\\par}next\\par", "next"),
        ("{\\deleted\\listtext 1.\\tab}kept\\par", "kept"),
        ("{\\deleted {\\listtext\\pard\\plain 1.\\tab}gone}next\\par", "next"),
        ("{\\listtext 1.\\tab}\\ls1\\par\\pard after\\par", "after"),
    ],
)
def test_the_label_of_an_item_that_is_gone_is_gone(inner: str, expected: str) -> None:
    assert read(inner).text == expected


def test_the_label_of_an_empty_item_in_a_cell_of_a_cell_is_not_that_of_the_next() -> None:
    item = "\\pard\\intbl\\itap2{\\listtext 1.\\tab}\\ls1\\par\\pard\\intbl\\itap2 next\\nestcell"
    page = read(f"\\trowd\\cellx100{item}\\pard\\intbl\\cell\\row\\pard after\\par")
    assert "1." not in page.text
    assert page.text.split() == ["next", "after"]


def test_properties_are_facts() -> None:
    page = read("x", "{\\info{\\title The {\\b Title}}{\\author A}{\\creatim\\yr2020}}")
    assert (page.metadata or {})["properties"] == {"title": "The Title", "author": "A"}


def test_wrapped_html_is_read_as_html() -> None:
    page = read(
        "{\\*\\htmltag64 <h1>}\\htmlrtf {\\b\\htmlrtf0 Caf\\'e9 \\u26085?\\htmlrtf \\par}"
        "\\htmlrtf0{\\*\\htmltag72 </h1>}"
        '{\\*\\htmltag84 <a href="https://a.example">}link{\\*\\htmltag92 </a>}',
        "\\ansicpg1252\\fromhtml1{\\fonttbl{\\f0 Arial;}}",
    )
    assert page.text == "Café 日\n\nlink"
    assert [(page.text[h.start : h.end], h.level) for h in page.headings] == [("Café 日", 1)]
    assert [link.target for link in page.links] == ["https://a.example"]


def test_groups_nested_without_end_are_refused() -> None:
    for head in ("", "\\fromhtml1 "):
        with pytest.raises(SourceError, match="nested"):
            read("{" * 5000, head)


def test_a_row_of_thousands_of_cells_ends() -> None:
    page = read(
        "\\trowd" + "".join(f"\\cellx{n}00" for n in range(1, 3000)) + "\\intbl" + " x\\cell" * 3000 + "\\row"
    )
    assert page.tables[0].columns <= 256


def test_embedded_documents_are_members_and_their_result_is_text() -> None:
    held = compound_file({"WordDocument": b"x" * 600})
    data = struct.pack("<LLLLLL", 0x501, 2, 0, 0, 0, len(held)) + held
    digits = "\n".join(data.hex()[at : at + 62] for at in range(0, 2 * len(data), 62))

    def embedded(stated: str, attributes: str = "") -> str:
        held = f"{{\\*\\objclass W}}{{\\*\\objdata {stated}}}"
        return f"a{{\\object\\objemb{attributes}{held}{{\\result shown}}}}b"

    raw = f"\\bin{len(data)} {data.decode('latin-1')}"
    inner = (
        embedded(digits) + "\\par " + embedded(raw) + embedded(digits[:90]) + embedded(digits, "\\deleted")
    )
    page = read(inner)
    assert page.text.startswith("ashownb\nashownb")
    assert (page.metadata or {})["members"] == [
        {"name": "object-1.doc", "size": len(held), "media_type": "application/msword"},
        {"name": "object-2.doc", "size": len(held), "media_type": "application/msword"},
        {"name": "object-3", "size": 0},
    ]
    whole = ("{\\rtf1" + inner + "}").encode("latin-1")
    with closing(observer().open(SourceContent.of_bytes(whole, media_type=MEDIA_TYPES[0]))) as session:
        members = list(session.members())
    assert [member.data for member in members] == [held, held, b""]
    assert "damaged" in (members[2].reason or "")


def test_a_paragraph_whose_end_was_deleted_goes_on_in_the_next() -> None:
    assert read("one {\\deleted\\par}two\\par three\\par").text == "one two\nthree"


def test_signs_that_are_none_are_shown_as_such_in_cells_as_in_the_text() -> None:
    page = read(
        "a\\'00b\\'0dc\\par\\trowd\\cellx1\\cellx2\\pard\\intbl \\'00x\\cell y\\'0dz\\cell\\row\\pard"
    )
    assert page.text == "a\ufffdb c\n\ufffdx\ty z"
    assert [cell.text for cell in page.tables[0].cells] == ["\ufffdx", "y z"]
