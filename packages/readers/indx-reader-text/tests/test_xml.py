"""XML: text of elements, declared encodings, and no entity ever resolved."""

import pytest


@pytest.fixture
def xml(read):
    return lambda data: read(data, "application/xml")


def test_elements_are_lines_and_inline_elements_are_words(xml):
    page = xml("<a><p>Hello <b>big</b> world</p><c>x</c><d>y</d>\n  <e>\n    z\n  </e></a>")
    assert page.text == "Hello big world\nx\ny\nz"


def test_character_references_are_resolved(xml):
    assert xml("<a>Track &amp; Field &#65;&#x42;</a>").text == "Track & Field AB"


def test_carriage_returns_written_as_references_are_line_breaks(xml):
    assert xml("<a><b>one&#13;&#10;two&#13;three</b></a>").text == "one\ntwo\nthree"


def test_the_declared_encoding_counts(xml):
    page = xml('<?xml version="1.0" encoding="Shift_JIS"?><a>日本語</a>'.encode("cp932"))
    assert page.text == "日本語"
    assert page.metadata == {"encoding": "cp932"}


def test_a_wide_file_is_read_whatever_it_declares(xml):
    assert xml('<?xml version="1.0" encoding="utf-8"?><a>ü</a>'.encode("utf-16")).text == "ü"


@pytest.mark.parametrize(
    "source",
    [
        '<!DOCTYPE a [<!ENTITY b "1234567890"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        "<a>never closed",
        "<a>&undeclared;</a>",
        '<config><add key="a" value="b"/><add key="c" value="d"/></config>',
    ],
    ids=["bomb", "external entity", "malformed", "undeclared", "attributes"],
)
def test_what_cannot_be_shown_as_text_is_shown_as_written(xml, source):
    page = xml(source)
    assert page.text == source
    assert page.metadata["xml"].startswith("shown as written")


def test_xml_that_is_not_well_formed_says_so_and_where(xml):
    assert xml("<a><b>text</a>").metadata["damaged"] == "not well-formed: mismatched tag: line 1, column 12"
    assert "damaged" not in (xml("<a><b>text</b></a>").metadata or {})
    assert "damaged" not in xml('<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>').metadata


def test_entities_of_an_external_definition_are_those_of_html_or_stay(xml):
    page = xml('<!DOCTYPE a SYSTEM "a.dtd"><a>caf&eacute; &other;</a>')
    assert page.text == "café &other;"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("caf&eacute;&nbsp;&ndash;", "caf\u00e9\u00a0\u2013"),
        ("AT&T & Co &amp; &#65;", "AT&T & Co & A"),
        ("a?b=1&lt=2&c;", None),
        ("form\ffeed", "form\ufffdfeed"),
        ("<![CDATA[x&y &nbsp;]]> &mdash; &", "x&y &nbsp; \u2014 &"),
        ("x &LT; y &nbsp;", None),
        ("a < b & c", None),
    ],
)
def test_signs_that_people_write_and_parsers_refuse_are_what_is_meant(xml, written, meant):
    source = f"<a><b>{written}</b><c>x</c></a>"
    page = xml(source)
    assert page.text == (source if meant is None else f"{meant}\nx")
    assert page.metadata["damaged"].startswith("not well-formed: ")


def test_sections_of_characters_that_are_never_closed_are_no_danger(xml):
    source = "<a>&nbsp;" + "<![CDATA[" * 100_000
    assert xml(source).text == source


def test_depth_is_no_danger(xml):
    assert xml("<a>" * 100_000 + "text").metadata
    assert xml("<a>" * 3000 + "text " * 2000 + "</a>" * 3000).text.startswith("text text")


def headings(page):
    return [(page.text[one.start : one.end], one.level) for one in page.headings]


def cells(table):
    return [(one.row, one.column, one.row_span, one.column_span, one.text) for one in table.cells]


def test_titles_of_sections_are_headings(xml):
    page = xml(
        "<article><front><article-meta><title-group>"
        "<article-title>On <i>Ducks</i></article-title></title-group>"
        "</article-meta></front><body><sec><title>\n  Intro\n"
        "  duction </title><p>text</p><sec><title>Sub</title>"
        "<p>more</p></sec></sec><sec><title>End</title><fig><title>no section</title></fig></sec>"
        "</body></article>"
    )
    assert page.text == "On Ducks\nIntro duction\ntext\nSub\nmore\nEnd\nno section"
    assert headings(page) == [("On Ducks", 1), ("Intro duction", 2), ("Sub", 3), ("End", 2)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            (
                "<rss><channel><title>C</title><item><title>One</title><description>d</description></item>"
                "<item><title>Two</title></item></channel></rss>"
            ),
            [("C", 1), ("One", 2), ("Two", 2)],
        ),
        (
            "<f:feed xmlns:f='x'><f:title>F</f:title><f:entry><f:title>E</f:title></f:entry></f:feed>",
            [("F", 1), ("E", 2)],
        ),
        (
            "<book><info><title>B</title></info><chapter><title>C</title></chapter></book>",
            [("B", 1), ("C", 2)],
        ),
        (
            "<text><body><div><head>H</head><div><head>I</head></div></div></body></text>",
            [("H", 1), ("I", 2)],
        ),
        ("<film><title>none</title></film>", []),
        ("<topic><title/></topic>", []),
    ],
)
def test_titles_are_headings_in_feeds_books_and_editions(xml, source, expected):
    page = xml(source)
    assert headings(page) == expected


def test_tables_keep_their_spans_and_header_rows(xml):
    page = xml(
        "<sec><p>before</p><table-wrap><caption>Ducks</caption><table><thead><tr><th rowspan='2'>A</th>"
        "<th colspan='2'>B</th></tr><tr><th>b1</th><th>b2</th></tr></thead><tbody><tr><td>1</td>"
        "<td><p>2</p><p>or 3</p></td><td/></tr></tbody></table></table-wrap><p>after</p></sec>"
    )
    assert page.text == "before\nDucks\nA\tB\n\tb1\tb2\n1\t2 or 3\t\nafter"
    (table,) = page.tables
    assert (table.rows, table.columns, table.header_rows) == (3, 3, 2)
    assert cells(table) == [
        (1, 1, 2, 1, "A"), (1, 2, 1, 2, "B"), (2, 2, 1, 1, "b1"), (2, 3, 1, 1, "b2"),
        (3, 1, 1, 1, "1"), (3, 2, 1, 1, "2 or 3"), (3, 3, 1, 1, ""),
    ]  # fmt: skip


def test_rows_of_entries_are_tables_too(xml):
    page = xml(
        "<table><title>T</title><tgroup><thead><row><entry>h</entry><entry>i</entry></row></thead><tbody>"
        "<row><entry morerows='1'>a</entry><entry>b<br/>c</entry></row><row><entry>d</entry></row>"
        "</tbody></tgroup></table>"
    )
    assert page.text == "T\nh\ti\na\tb c\n\td"
    assert cells(page.tables[0])[2] == (2, 1, 2, 1, "a")


def test_a_table_inside_a_cell_is_its_text_and_rows_without_cells_are_lines(xml):
    inner = "<table><tr><td>x</td><td>y</td></tr></table>"
    page = xml(f"<a><table><tr><td>{inner}</td><td>z</td></tr></table></a>")
    assert page.text == "x y\tz"
    assert len(page.tables) == 1
    dump = xml("<table name='t'><row><id>1</id><n>a</n></row><row><id>2</id><n>b</n></row></table>")
    assert dump.text == "name: t\n1\na\n2\nb"
    assert not dump.tables


@pytest.mark.parametrize("span", ["-1", "0", "x", "", "999999", "99999999999999999999", "²"])
def test_spans_that_make_no_sense_are_not_believed(xml, span):
    page = xml(
        f"<a><table><tr><td rowspan='{span}' colspan='{span}'>a</td><td>b</td></tr>"
        "<tr><td>c</td></tr></table></a>"
    )
    assert [one.text for one in page.tables[0].cells] == ["a", "b", "c"]


def test_signs_that_stand_for_no_character_mark_nothing(xml):
    page = xml("<sec><title>T</title><p>a\ufdd0b\ufdd4c\ufdd3d</p></sec>")
    assert page.text == "T\na\ufffdb\ufffdc\ufffdd"
    assert headings(page) == [("T", 1)]


def test_very_many_rows_and_sections_end(xml):
    rows = "<tr><td rowspan='60000'>a</td><td>b</td></tr>" * 5_000
    assert xml(f"<a><table>{rows}</table></a>").tables[0].rows == 5_000
    assert len(xml("<sec><title>t</title>" * 2000 + "x" + "</sec>" * 2000).headings) == 2000


def test_what_is_nested_or_spans_far_is_gone_over_once(xml):
    between = 60_000
    titles = xml(
        "<book>" + "<info>" * between + "<title>t</title>" * between + "</info>" * between + "</book>"
    )
    assert len(titles.headings) == between
    wide = "<td rowspan='2' colspan='1000'>a</td>" * 40_000
    page = xml(f"<a><table><tr>{wide}</tr><tr><td>b</td></tr></table></a>")
    assert page.tables[0].columns == 40_000
