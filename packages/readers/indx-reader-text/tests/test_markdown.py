"""Markdown: headings, code, tables, comments and links, at their places in the source."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SIGNS = st.sampled_from(
    [
        "# ",
        "word",
        "\n",
        "\n\n",
        "```",
        "~~~",
        "---",
        "===",
        "|",
        "a|b",
        "\n|-|-|\n",
        "[a](b)",
        "![x](y)",
        "`",
        "<!--",
        "-->",
        "> ",
        "- ",
        "    ",
        "\t",
        "[r]: z\n",
        "[r]",
        "[[w]]",
        "<http://x>",
        "\\",
        "<pre>",
        "</pre>",
        "漢字",
        "{#id}",
    ]
)


def headings(page):
    return [(one.level, page.text[one.start : one.end]) for one in page.headings]


def links(page):
    return [(page.text[one.start : one.end], one.target) for one in page.links]


def roles(page, role):
    return [page.text[one.start : one.end] for one in page.roles if one.role == role]


def grid(table):
    return [(cell.row, cell.column, cell.text) for cell in table.cells]


def test_the_text_is_the_source_as_written(markdown):
    source = "# A *b*\n\n* item [x](y)\n\n> quote\n"
    assert markdown(source).text == source


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# One\n## Two ##\n### Three {#id .c}\n", [(1, "One"), (2, "Two"), (3, "Three")]),
        ("   # In\n    # code\n#no\n#\n####### seven", [(1, "In")]),
        ("# C#\n# a \\# b #\n", [(1, "C#"), (1, "a \\# b")]),
        ("One\n===\n\nTwo\n---\ntext\n", [(1, "One"), (2, "Two")]),
        ("a\n\n---\n\n- b\n---\n\n| c\n---\n", []),
        ("para\ngoes on\n---\n", []),
        ("> # quoted\n\n- # in a list\n", []),
        ("text\n# interrupts\nmore", [(1, "interrupts")]),
    ],
)
def test_headings_are_found_with_their_levels(markdown, source, expected):
    assert headings(markdown(source)) == expected


@pytest.mark.parametrize(
    "code",
    [
        "```sh\n# comment\n```",
        "~~~\n# comment\n```\n# more\n~~~",
        "````md\n```\n# comment\n```\n````",
        "```\n# never closed",
        "```\n    ```\n# an indented fence closes nothing\n```",
    ],
)
def test_a_hash_in_a_fence_is_no_heading(markdown, code):
    page = markdown(f"# Title\n\n{code}\n")
    assert headings(page) == [(1, "Title")]
    assert [one.strip() for one in roles(page, "code")] == [code]


def test_fences_in_lists_and_quotes_are_code(markdown):
    page = markdown("1. step\n\n    ```\n    # no\n    ```\n\n> ```\n> # no\n> ```\n\n# Yes\n")
    assert headings(page) == [(1, "Yes")]
    assert len(roles(page, "code")) == 2


def test_inline_code_that_begins_a_line_opens_no_fence(markdown):
    assert headings(markdown("```a``` b\n# Yes\n")) == [(1, "Yes")]


def test_comments_scripts_and_styles_are_hidden_and_hold_nothing(markdown):
    page = markdown("a <!-- [x](y)\n# no\n--> b\n\n<style>\n# no\n</style>\n# Yes\n`<!--` c [l](m) `-->`\n")
    assert [page.text[start:end] for start, end in page.hidden] == [
        "<!-- [x](y)\n# no\n-->",
        "<style>\n# no\n</style>",
    ]
    assert headings(page) == [(1, "Yes")]
    assert links(page) == [("l", "m")]


def test_preformatted_html_holds_no_heading(markdown):
    assert headings(markdown("<pre>\n# no\n</pre>\n# Yes\n")) == [(1, "Yes")]


def test_the_first_top_heading_is_the_title(markdown):
    assert roles(markdown("## Before\n# Title\n# Second\n"), "title") == ["Title"]


def test_a_pipe_table_is_rows_of_tabs_with_cells(markdown):
    page = markdown("before\n\n| a | b |\n|:--|--:|\n| 1 | `x\\|y` |\n| | last |\n\nafter [l](m)\n")
    assert page.text == "before\n\na\tb\n1\t`x|y`\n\tlast\n\nafter [l](m)\n"
    (table,) = page.tables
    assert (table.rows, table.columns, table.header_rows) == (3, 2, 1)
    assert grid(table) == [(1, 1, "a"), (1, 2, "b"), (2, 1, "1"), (2, 2, "`x|y`"), (3, 1, ""), (3, 2, "last")]
    assert links(page) == [("l", "m")]


def test_pipes_at_the_ends_of_rows_may_be_left_out(markdown):
    (table,) = markdown("|a|b\n|-|-\n|c|d\ne|f\n").tables
    assert grid(table) == [(1, 1, "a"), (1, 2, "b"), (2, 1, "c"), (2, 2, "d"), (3, 1, "e"), (3, 2, "f")]


def test_a_row_with_more_cells_than_the_header_keeps_them(markdown):
    (table,) = markdown("a|b\n-|-\n1|2|3\n").tables
    assert (table.columns, grid(table)[-1]) == (3, (2, 3, "3"))


def test_links_in_cells_are_found_behind_an_earlier_table(markdown):
    page = markdown("|a|b|\n|-|-|\n|[x](y)|2|\n\n# Title\n\n|[p](q)|d|\n|-|-|\n|1|[r](s)|\n```\ncode\n```\n")
    assert links(page) == [("x", "y"), ("p", "q"), ("r", "s")]
    assert headings(page) == [(1, "Title")]
    assert roles(page, "code") == ["```\ncode\n```"]


@pytest.mark.parametrize(
    "source",
    ["a | b\n\nno | table\n", "a\n---|---\nb\n", "a|b|c\n-|-\n", "```\na|b\n-|-\n```\n", "# a|b\n-|-\n"],
)
def test_what_is_no_table_stays_as_written(markdown, source):
    page = markdown(source)
    assert not page.tables
    assert page.text == source


def test_a_rule_below_a_table_makes_no_heading_of_its_last_row(markdown):
    page = markdown("a | b\n--|--\none | two\n---\nText\n---\n")
    assert page.text == "a\tb\none\ttwo\n---\nText\n---\n"
    assert [page.text[one.start : one.end] for one in page.headings] == ["Text"]


def test_tables_in_quotes_and_lists_lose_their_prefix(markdown):
    page = markdown("> |a|b|\n> |-|-|\n> |1|2|\n\n- x\n\n  |c|d|\n  |-|-|\n  |3|4|\n")
    assert page.text == "a\tb\n1\t2\n\n- x\n\nc\td\n3\t4\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('[a](b "t") [c](<d e>) [f](g(h)i)', [("a", "b"), ("c", "d e"), ("f", "g(h)i")]),
        ("![alt](pic.png) [](bare.md)", [("alt", "pic.png"), ("bare.md", "bare.md")]),
        ("[![img](i.png)](target.md)", [("![img](i.png)", "target.md"), ("img", "i.png")]),
        ("[a [b] c](d#e)", [("a [b] c", "d#e")]),
        ("[a](b\\)c) [d](e%20f) [g](h?i&amp;j)", [("a", "b)c"), ("d", "e%20f"), ("g", "h?i&j")]),
        ("`[no](x)` [yes](y) ``a ` [no](x)`` \\[no](x) [no\\](x) [no] (x)", [("yes", "y")]),
        ("[two\nlines](a) [not\n\nthis](b) [e]()", [("two\nlines", "a")]),
        (
            "[t][ref] [Ref][] [REF] [x]\n\n[ref]: <a b> 'title'\n",
            [("t", "a b"), ("Ref", "a b"), ("REF", "a b")],
        ),
        ("[t][1]\n\n[1]: one.md\n[1]: two.md\n[^n]: note\n", [("t", "one.md")]),
        ("<https://a.b/c> <a@b.c> <x:y>", [("https://a.b/c", "https://a.b/c")]),
        ("[[page]] [[page|shown]] [[ -f x ]]", [("page", "page"), ("shown", "page")]),
        (
            '<a class="b" href="c.md">text</a> <img src=\'d.png\' alt="e">',
            [("text", "c.md"), ("d.png", "d.png")],
        ),
        ("[`code`](x) `a` [`b` c](y)", [("`code`", "x"), ("`b` c", "y")]),
        ("    [in a list](a.md)", [("in a list", "a.md")]),
        ("```\n[no](x) <http://no> [[no]]\n```", []),
    ],
)
def test_links_are_found_with_their_targets_as_written(markdown, source, expected):
    assert links(markdown(source)) == expected


def test_snippets_of_site_generators_stay_text(markdown):
    source = '--8<-- "docs/part.md"\n\n!!! note "Title"\n    Words\n'
    assert markdown(source).text == source


@given(st.lists(SIGNS, max_size=30).map("".join))
@settings(
    derandomize=True,
    deadline=None,
    max_examples=400,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_nothing_is_lost_however_marks_are_mixed(read, source):
    body = "x\n" + source  # no front matter
    page = read(body, "text/markdown")
    assert [sign for sign in page.text if sign.isalnum()] == [sign for sign in body if sign.isalnum()]
    if not page.tables:
        assert page.text == body


def test_words_with_a_reading_stay_whole_and_code_as_it_is(markdown):
    ruby = "<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>"
    page = markdown(
        f"# {ruby}の本\n\nこれは{ruby}です。`{ruby}`\n\n```html\n{ruby}\n```\n\n<ruby>生<rt>なま</ruby>\n"
    )
    assert page.text == f"# 漢字の本\n\nこれは漢字です。`{ruby}`\n\n```html\n{ruby}\n```\n\n生\n"
    assert [page.text[one.start : one.end] for one in page.headings] == ["漢字の本"]
    assert page.metadata["ruby"] == [{"base": "漢字", "reading": "かんじ"}, {"base": "生", "reading": "なま"}]
    assert markdown("<ruby>never closed\n" * 2000).text == "<ruby>never closed\n" * 2000


def test_what_addresses_of_pictures_hold_is_left_out_and_counted(markdown):
    coded = "iVBORw0KGgo/+" * 100 + "=="
    written = (
        "![][image1] and ![p](data:image/gif;base64,{0})\n\nwords\n\n[image1]: <data:image/png;base64,{0}>\n"
    )
    page = markdown(written.format(coded))
    assert page.text == written.format("")
    assert page.metadata == {"base64_left_out": 2}
    small = "![p](data:image/gif;base64,R0lGODlhAQABAAAAACw=) " + "iVBORw0KGgo/" * 100
    assert markdown(small).text == small


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            '<h1 align="center">\n  <img src="x.png">\n  <a href="y">The <b>Name</b></a>\n</h1>\n',
            [(1, "The <b>Name")],
        ),
        ("<div>\n    <h2>Two</h2>\n</div>\n\nText\n\n    <h2>code</h2>\n", [(2, "Two")]),
        ("<h2>One</h2>\n\n<h2>Two</h2>\n<h2>Three</h2>\n", [(2, "One"), (2, "Two"), (2, "Three")]),
        (f"<h2>{'long ' * 500}</h2>\n<h2>Two</h2>\n", [(2, "Two")]),
        ('<H3><img alt="logo" src="x.png"></H3>\n\n<h4>never closed\n', []),
        ("`<h1>x</h1>`\n\n```\n<h1>x</h1>\n```\n\n<hr>\n", []),
        ('<a id="x"></a>Set\n---\n\n<div>\n---\n', [(2, '<a id="x"></a>Set')]),
    ],
)
def test_headings_written_in_html_are_headings(markdown, source, expected):
    page = markdown(source)
    assert page.text == source
    assert headings(page) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("* [Name]: what it is\n* see [Name]: yes\n\n[name]: http://a\n", [("Name", "http://a")] * 2),
        ("> As [it] says.\n>\n> [it]: http://b\n", [("it", "http://b")]),
        ("[One][note]: text\n\n[note]: http://d\n", [("One", "http://d")]),
        ("[Note]: this is text\n\n[note]\n\n[note]: http://c 'title'\n", [("note", "http://c")]),
    ],
)
def test_labels_with_a_colon_behind_them_are_references_where_they_are_not_defined(
    markdown, source, expected
):
    assert links(markdown(source)) == expected


def test_a_target_that_goes_on_for_long_is_not_repeated_for_each_reference_to_it(markdown):
    assert not links(markdown("[a]: " + "x\\." * 1000 + "\n\n" + "[a] " * 10))
    page = markdown("[a]: x\\.y\n\n" + "[a] " * 3)
    assert links(page) == [("a", "x.y")] * 3
    assert len({id(one.target) for one in page.links}) == 1
