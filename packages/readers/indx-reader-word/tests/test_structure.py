"""Headings, lists and tables of a document."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indx_core.errors import InputTooLarge
from indx_core.ports import PageReading
from indx_format_office.lists import spelled
from indx_reader_word import _tables

Read = Callable[..., PageReading]


def paragraph(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def styled(text: str, style: str) -> str:
    return paragraph(text, f'<w:pStyle w:val="{style}"/>')


def style(key: str, name: str, inner: str = "", based: str = "") -> str:
    on = f'<w:basedOn w:val="{based}"/>' if based else ""
    return f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/>{on}{inner}</w:style>'


def level(number: int) -> str:
    return f'<w:pPr><w:outlineLvl w:val="{number}"/></w:pPr>'


def headings(page: PageReading) -> list[tuple[str, int]]:
    return [(page.text[x.start : x.end], x.level) for x in page.headings]


@pytest.mark.parametrize(
    "name", ["heading 3", "Heading 3", "見出し 3", "見出し３", "Überschrift 3", "Titre 3", "标题 3", "제목 3"]
)
def test_a_style_is_a_heading_by_its_name_in_many_languages(read: Read, name: str) -> None:
    assert headings(read(styled("x", "a"), styles=style("a", name))) == [("x", 3)]


def test_a_style_is_a_heading_by_its_outline_level_or_that_of_its_base(read: Read) -> None:
    styles = (
        style("base", "Mine", level(1))
        + style("child", "Child", based="base")
        + style("toc", "TOC Heading", level(9), based="base")
        + style("loop", "Loop", based="loop")
    )
    page = read(
        "".join(styled(key, key) for key in ("base", "child", "toc", "loop", "unknown")), styles=styles
    )
    assert headings(page) == [("base", 2), ("child", 2)]


def test_a_paragraph_overrides_the_level_of_its_style(read: Read) -> None:
    styles = style("h", "heading 1")
    page = read(
        paragraph("a", '<w:pStyle w:val="h"/><w:outlineLvl w:val="4"/>')
        + paragraph("b", '<w:pStyle w:val="h"/><w:outlineLvl w:val="9"/>')
        + paragraph("c", '<w:outlineLvl w:val="0"/>'),
        styles=styles,
    )
    assert headings(page) == [("a", 5), ("c", 1)]


def test_titles_quotes_captions_and_code_have_their_roles(read: Read) -> None:
    names = {"t": "Title", "q": "Quote", "c": "caption", "s": "Source Code"}
    page = read(
        "".join(styled(f"text {key}", key) for key in names),
        styles="".join(style(key, name) for key, name in names.items()),
    )
    assert [(page.text[x.start : x.end], x.role) for x in page.roles] == [
        ("text t", "title"),
        ("text q", "quote"),
        ("text c", "caption"),
        ("text s", "code"),
    ]
    assert headings(page) == [("text t", 1)]


def test_what_stands_below_a_title_is_no_title_though_it_is_styled_after_it(read: Read) -> None:
    styles = style("t", "Title") + style("m", "My Title", based="t") + style("a", "Author", based="t")
    page = read(styled("one", "m") + styled("Ann", "a"), styles=styles)
    assert headings(page) == [("one", 1)]


def test_a_blank_heading_is_none(read: Read) -> None:
    page = read(styled(" ", "h") + styled(" a ", "h"), styles=style("h", "heading 1"))
    assert headings(page) == [("a", 1)]


def definition(key: str, *levels: tuple[str, str], extra: str = "") -> str:
    made = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for at, (kind, text) in enumerate(levels)
    )
    return f'<w:abstractNum w:abstractNumId="{key}">{extra}{made}</w:abstractNum>'


def number(key: str, definition_key: str, inner: str = "") -> str:
    return f'<w:num w:numId="{key}"><w:abstractNumId w:val="{definition_key}"/>{inner}</w:num>'


def item(text: str, key: str, depth: int = 0) -> str:
    return paragraph(text, f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{key}"/></w:numPr>')


def test_lists_count_by_level_and_restart_below(read: Read) -> None:
    numbering = definition(
        "0", ("decimal", "%1."), ("lowerLetter", "(%2)"), ("decimal", "%1.%2.%3")
    ) + number("1", "0")
    body = (
        item("a", "1")
        + item("b", "1", 1)
        + item("c", "1", 1)
        + item("d", "1", 2)
        + item("e", "1")
        + item("f", "1", 1)
    )
    assert read(body, numbering=numbering).text.split("\n") == [
        "1. a",
        "  (a) b",
        "  (b) c",
        "    1.b.1 d",
        "2. e",
        "  (a) f",
    ]


def test_lists_share_a_count_or_restart_it_as_they_state(read: Read) -> None:
    numbering = (
        definition("0", ("decimal", "%1)"))
        + number("1", "0")
        + number("2", "0")
        + number("3", "0", '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>')
        + number(
            "4",
            "0",
            '<w:lvlOverride w:ilvl="0"><w:lvl w:ilvl="0"><w:lvlText w:val="#%1"/></w:lvl></w:lvlOverride>',
        )
    )
    body = "".join(item("x", key) for key in "1213443") + item("y", "0") + item("z", "99")
    labels = [line.removesuffix(" x") for line in read(body, numbering=numbering).text.split("\n")]
    assert labels == ["1)", "2)", "3)", "5)", "#6", "#7", "8)", "y", "z"]


def test_a_list_has_the_levels_of_the_style_it_is_linked_to(read: Read) -> None:
    numbering = (
        definition("0", extra='<w:numStyleLink w:val="s"/>')
        + definition("1", ("decimal", "%1."), extra='<w:styleLink w:val="s"/>')
        + number("1", "0")
    )
    assert read(item("a", "1") + item("b", "1"), numbering=numbering).text == "1. a\n2. b"


def test_bullets_are_signs_whatever_their_font(read: Read) -> None:
    numbering = definition(
        "0", ("bullet", "\uf0b7"), ("bullet", "o"), ("bullet", "–"), ("none", ""), ("bullet", " ")
    ) + number("1", "0")
    body = "".join(item("x", "1", depth) for depth in range(5))
    assert read(body, numbering=numbering).text == "• x\n  • x\n    – x\nx\nx"


def test_a_style_numbers_its_headings(read: Read) -> None:
    numbering = (
        '<w:abstractNum w:abstractNumId="0">'
        '<w:lvl w:ilvl="0"><w:pStyle w:val="h1"/><w:lvlText w:val="%1"/></w:lvl>'
        '<w:lvl w:ilvl="1"><w:pStyle w:val="h2"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>'
    ) + number("7", "0")
    numbered = '<w:pPr><w:numPr><w:numId w:val="7"/></w:numPr></w:pPr>'
    styles = style("h1", "heading 1", numbered) + style("h2", "heading 2", numbered)
    page = read(
        styled("Scope", "h1") + styled("Terms", "h2") + styled("", "h2") + styled("Rules", "h2"),
        styles=styles,
        numbering=numbering,
    )
    assert headings(page) == [("1 Scope", 1), ("1.1 Terms", 2), ("1.3 Rules", 2)]
    assert page.text.split("\n\n") == ["1 Scope\n1.1 Terms", "1.3 Rules"]  # none is set in


@pytest.mark.parametrize(
    ("style_name", "count", "expected"),
    [
        ("upperRoman", 1994, "MCMXCIV"),
        ("lowerRoman", 4, "iv"),
        ("upperLetter", 27, "AA"),
        ("lowerLetter", 26, "z"),
        ("decimalZero", 7, "07"),
        ("decimalFullWidth", 12, "１２"),
        ("decimalEnclosedCircle", 3, "③"),
        ("chicago", 6, "††"),
        ("japaneseCounting", 21, "二十一"),
        ("japaneseCounting", 10, "十"),
        ("aiueoFullWidth", 2, "イ"),
        ("iroha", 3, "ﾊ"),
        ("none", 3, ""),
        ("unheardOf", 3, "3"),
        ("lowerRoman", 10**12, "1000000000"),
    ],
)
def test_counts_are_spelled_as_the_list_wants(style_name: str, count: int, expected: str) -> None:
    assert spelled(count, style_name) == expected


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{text if text.startswith('<') else paragraph(text)}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


def table(*rows: str, properties: str = "") -> str:
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr>{''.join(rows)}</w:tbl>"


def grid(page: PageReading, at: int = 0) -> list[tuple[int, int, int, int, str]]:
    return [(c.row, c.column, c.row_span, c.column_span, c.text) for c in page.tables[at].cells]


def test_a_merged_cell_is_there_once_with_its_spans(read: Read) -> None:
    down, start = '<w:vMerge w:val="continue"/>', '<w:vMerge w:val="restart"/>'
    page = read(
        table(
            row(cell("wide", '<w:gridSpan w:val="2"/>'), cell("c")),
            row(cell("tall", start), cell("b"), cell("c")),
            row(cell("", down), cell("b"), cell("c", "<w:vMerge/>")),
            row(cell("", "<w:vMerge/>"), cell("b"), cell("", "<w:vMerge/>")),
        )
    )
    assert page.text == "wide\t\tc\ntall\tb\tc\n\tb\tc\n\tb\t"
    assert grid(page)[:2] == [(1, 1, 1, 2, "wide"), (1, 3, 1, 1, "c")]
    assert (2, 1, 3, 1, "tall") in grid(page)
    assert (3, 3, 2, 1, "c") in grid(page)


def test_cells_keep_their_lines_and_the_page_has_one_line_a_row(read: Read) -> None:
    page = read(table(row(cell(paragraph("a") + paragraph("b")), cell("c"))) + paragraph("after"))
    assert page.text == "a b\tc\nafter"
    assert grid(page) == [(1, 1, 1, 1, "a\nb"), (1, 2, 1, 1, "c")]


def test_a_nested_table_is_part_of_its_cell(read: Read) -> None:
    inner = table(row(cell("1"), cell("2")), row(cell("3"), cell("4")))
    page = read(table(row(cell(paragraph("in") + inner), cell("out"))))
    assert page.text == "in 1 2 3 4\tout"
    assert grid(page) == [(1, 1, 1, 1, "in\n1\t2\n3\t4"), (1, 2, 1, 1, "out")]


def test_rows_marked_as_header_head_the_others(read: Read) -> None:
    head = "<w:tblHeader/>"
    page = read(
        table(
            row(cell("a"), properties=head),
            row(cell("b"), properties=head),
            row(cell("c")),
            row(cell("d"), properties=head),
        )
    )
    assert page.tables[0].header_rows == 2


def test_a_look_that_sets_the_first_row_apart_makes_it_a_header(read: Read) -> None:
    look = '<w:tblLook w:val="{}"/>'
    rows = row(cell("name"), cell("value")), row(cell("a"), cell("1"))
    assert read(table(*rows, properties=look.format("04A0"))).tables[0].header_rows == 1
    assert read(table(*rows, properties=look.format("0480"))).tables[0].header_rows == 0
    gap = row(cell(""), cell("value")), rows[1]
    assert read(table(*gap, properties=look.format("04A0"))).tables[0].header_rows == 0


def test_a_caption_right_above_a_table_is_its_caption(read: Read) -> None:
    styles = style("c", "caption")
    page = read(styled("Table 1: Prices", "c") + table(row(cell("a"))) + table(row(cell("b"))), styles=styles)
    assert [each.caption for each in page.tables] == ["Table 1: Prices", None]


def test_deleted_rows_are_gone_and_inserted_ones_are_there(read: Read) -> None:
    page = read(
        table(
            row(cell("a")), row(cell("gone"), properties="<w:del/>"), row(cell("new"), properties="<w:ins/>")
        )
    )
    assert page.text == "a\nnew"
    assert page.tables[0].rows == 2


def test_content_controls_around_rows_and_cells_are_looked_through(read: Read) -> None:
    wrapped = "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>"
    page = read(table(wrapped.format(row(wrapped.format(cell("a")), cell("b")))))
    assert page.text == "a\tb"


def test_cells_before_the_grid_shift_the_row(read: Read) -> None:
    page = read(table(row(cell("a"), cell("b")), row(cell("c"), properties='<w:gridBefore w:val="1"/>')))
    assert page.text == "a\tb\n\tc"


def test_columns_that_hardly_any_row_has_are_not_filled_up(read: Read) -> None:
    wide = row(cell("wide", '<w:gridSpan w:val="99999"/>'))
    page = read(table(wide, *(row(cell("x")) for _ in range(500))))
    assert page.tables[0].columns == 256
    assert page.text == "wide" + "\nx" * 500


def test_links_and_hidden_runs_in_cells_are_marked_where_they_stand(read: Read) -> None:
    link = '<w:p><w:hyperlink r:id="r1"><w:r><w:t>go</w:t></w:r></w:hyperlink></w:p>'
    ghost = "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>ghost</w:t></w:r></w:p>"
    page = read(
        paragraph("x") + table(row(cell(link), cell(ghost))),
        rels=[("r1", "hyperlink", "https://example.org", "external")],
    )
    assert [page.text[x.start : x.end] for x in page.links] == ["go"]
    assert [page.text[start:end] for start, end in page.hidden] == ["ghost"]


def test_more_cells_than_are_read_are_refused(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_tables, "MAX_CELLS", 3)
    row = f"<w:tr><w:tc>{paragraph('a')}</w:tc><w:tc>{paragraph('b')}</w:tc></w:tr>"
    assert len(read(f"<w:tbl>{row}</w:tbl>").tables) == 1
    with pytest.raises(InputTooLarge, match="more than 3 cells"):
        read(f"<w:tbl>{row}</w:tbl><w:tbl>{row}</w:tbl>")


def test_a_table_without_text_is_left_out(read: Read) -> None:
    assert read(paragraph("a") + table(row(cell(""), cell(""))) + paragraph("b")).tables == ()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(
    st.lists(
        st.lists(
            st.tuples(
                st.sampled_from(["", "a", "b c"]),
                st.integers(1, 4),
                st.sampled_from(["", "<w:vMerge/>", '<w:vMerge w:val="restart"/>']),
            ),
            max_size=4,
        ),
        min_size=1,
        max_size=6,
    )
)
def test_tables_merged_in_any_way_hold_the_rules(read: Read, rows: list[list[tuple[str, int, str]]]) -> None:
    body = table(
        *(
            row(*(cell(text, f'<w:gridSpan w:val="{span}"/>{merge}') for text, span, merge in cells))
            for cells in rows
        )
    )
    page = read(body + paragraph("end"))
    assert page.text.endswith("end")
