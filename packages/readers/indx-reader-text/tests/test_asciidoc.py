"""AsciiDoc as manuals write it: titles below anchors, comments in tables."""

import pytest

KIND = "text/asciidoc"


def headings(page):
    return [(one.level, page.text[one.start : one.end]) for one in page.headings]


ABOVE = (
    "", "[[examples]]\n", "[role=x]\n", "// a comment\n", ":name: value\n", "ifndef::name[]\n",
    "Upper\n=====\n", "----\ncode\n----\n", "****\n", ".Note\n", "image::a b.png[a picture]\n", "toc::[]\n",
    "Upper\n~~~~~\n", "....\ncode\n....\n", "|===\n| a\n|===\n",
)  # fmt: skip


@pytest.mark.parametrize("above", ABOVE)
def test_a_title_that_is_underlined_may_stand_below_what_is_no_text(read, above):
    page = read(f"Text.\n\n{above}EXAMPLES\n--------\n\nMore.\n\nGIT\n---\n", KIND)
    assert headings(page)[-2:] == [(2, "EXAMPLES"), (2, "GIT")]
    assert "EXAMPLES" not in "".join(
        page.text[one.start : one.end] for one in page.roles if one.role == "code"
    )


@pytest.mark.parametrize("above", ["image::a.png[]\n", "include::b.adoc[]\n", "// a comment\n"])
def test_a_title_behind_signs_may_stand_below_a_block_that_is_a_line(read, above):
    assert headings(read(f"{above}== One\n\nterm:: [x]\n== none\n", KIND)) == [(2, "One")]


@pytest.mark.parametrize("end", ["", "]x"])
def test_a_line_of_very_many_brackets_ends(read, end):
    assert not headings(read("include::" + "[" * 400_000 + end, KIND))


def test_a_line_under_wide_letters_may_be_as_wide_as_they_are_shown(read):
    page = read("使い方の例を挙げます\n--------------------\n\n設定\n----\n\n使い方の例\n-----\n", KIND)
    assert headings(page) == [(2, "使い方の例を挙げます"), (2, "設定"), (2, "使い方の例")]


def test_a_paragraph_that_goes_on_with_a_sign_of_equality_holds_no_title(read):
    page = read("== Limits\n=== Size\nthe most (0\n= no limit).\n\n= Last\n", KIND)
    assert headings(page) == [(2, "Limits"), (3, "Size"), (1, "Last")]


def test_comments_in_a_table_are_no_part_of_its_cells(read):
    page = read("|===\n// above\n| A | B\n\n| a\n// not shown\n| http://b\n//x\n|===\n", KIND)
    (table,) = page.tables
    assert [cell.text for cell in table.cells] == ["A", "B", "a", "http://b"]
    assert table.header_rows == 1


def test_values_in_quotes_go_on_over_lines(read):
    page = read('[format=csv]\n|===\n"one\ntwo",three\n|===\n', KIND)
    assert [cell.text for cell in page.tables[0].cells] == ["one two", "three"]
