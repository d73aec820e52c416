"""reStructuredText as it is written: lists with code in them, tables as lists, titles, references."""

import pytest

KIND = "text/x-rst"


def code(page):
    return [page.text[one.start : one.end].strip() for one in page.roles if one.role == "code"]


def headings(page):
    return [(one.level, page.text[one.start : one.end]) for one in page.headings]


def links(page):
    return [(page.text[one.start : one.end], one.target) for one in page.links]


def rows(page):
    (table,) = page.tables
    found = [["" for _ in range(table.columns)] for _ in range(table.rows)]
    for cell in table.cells:
        found[cell.row - 1][cell.column - 1] = cell.text
    return table.header_rows, found


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("1. Run::\n\n      make\n\n   then wait.\n\n2. Stop.\n", ["make"]),
        ("* a) Run::\n\n       make\n\n     then wait.\n", ["make"]),
        (":How: Run::\n\n      make\n\n    then wait.\n", ["make"]),
        (".. note:: Run::\n\n      make\n\n   then wait.\n", ["make"]),
        ("Run::\n\n    .. note:: not one\n\n    end\n\nthen wait.\n", [".. note:: not one\n\n    end"]),
        ("term::\n   what it means\n", []),
        (".. note::\n\n   then wait.\n", []),
        (".. note::\n\n      quoted\n\n   then wait.\n", []),
        ("  :How: Run::\n\n  then wait.\n", []),
        (".. comment it::\n\n   hidden\n\nthen wait.\n", []),
        (".. code-block:: sh\n   :caption: Makefile\n\n   make\n", ["make"]),
        (".. testcode::\n\n   make()\n", ["make()"]),
    ],
)
def test_code_ends_where_the_paragraph_that_announces_it_goes_on(read, source, expected):
    page = read(source, KIND)
    assert code(page) == expected
    assert bool(page.hidden) == ("hidden" in source)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("日本語\n------\n\nQ&A\n===\n\nP1\n==\n", [(1, "日本語"), (2, "Q&A"), (2, "P1")]),
        (
            "A title longer than its line\n-----\n\n%%%%\nOver\n%%%%\n",
            [(1, "A title longer than its line"), (2, "Over")],
        ),
        (".. _label:\nTitle\n=====\nSub\n---\n", [(1, "Title"), (2, "Sub")]),
        ("   quoted\nTitle\n=====\n", [(1, "Title")]),
        ("Q\n::\n\n   x\n\n+++\n***\n\n日本\n--\n", []),
        ("A paragraph\nof two lines\n------------\n\n   indented\n--------\n\ntext\n::\n\n   code\n", []),
    ],
)
def test_titles_are_those_of_docutils(read, source, expected):
    assert headings(read(source, KIND)) == expected


def test_rows_of_a_csv_table_that_begin_with_a_role_are_rows(read):
    source = (
        ".. csv-table:: Names\n   :header: Name; Means\n   :delim: ;\n\n"
        "   :dir:`code`; a, b\n   :dir:`note`; 'c\n\nend\n"
    )
    page = read(source, KIND)
    assert rows(page) == (1, [["Name", "Means"], [":dir:`code`", "a, b"], [":dir:`note`", "'c"]])
    assert page.text.endswith("\n\nend\n")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (".. csv-table::\n\n   :a: b, c\n", (0, [[":a: b", "c"]])),
        (".. list-table::\n   :header-rows: 1\n   * - a\n     - b\n", (1, [["a", "b"]])),
    ],
)
def test_rows_are_told_from_options(read, source, expected):
    assert rows(read(source, KIND)) == expected


@pytest.mark.parametrize("option", [":delim: ab", ":quote: ab"])
def test_values_parted_by_more_than_a_sign_are_no_table(read, option):
    assert not read(f".. csv-table::\n   {option}\n\n   a,b\n", KIND).tables


def test_values_in_quotes_go_on_over_lines(read):
    source = '.. csv-table::\n   :header: "A\n      B", C\n\n   "one\n   two", three\n'
    assert rows(read(source, KIND)) == (1, [["A B", "C"], ["one two", "three"]])


def test_a_list_of_lists_has_its_own_signs_and_cells_may_hold_lists(read):
    source = (
        ".. list-table::\n   :header-rows: 1\n\n   - * A\n     * B\n"
        "   - * one\n\n       * x\n       - y\n     * two\n       :term: not an option\n"
    )
    page = read(source, KIND)
    assert rows(page) == (1, [["A", "B"], ["one * x - y", "two :term: not an option"]])


def test_a_grid_whose_borders_begin_further_in_has_merged_cells(read):
    source = "+---+---+\n| a | b |\n|   +---+\n|   | c |\n+---+---+\n"
    (table,) = read(source, KIND).tables
    assert [(one.row, one.column, one.row_span, one.text) for one in table.cells] == [
        (1, 1, 2, "a"), (1, 2, 1, "b"), (2, 2, 1, "c"),
    ]  # fmt: skip


def test_signs_that_stand_where_a_cell_is_empty_are_none(read):
    source = "===== =====\na     b\n..    c\n\\     d\n===== =====\n"
    assert rows(read(source, KIND)) == (0, [["a", "b"], ["", "c"], ["", "d"]])


def test_references_go_on_over_lines_and_lead_to_targets_below_their_names(read):
    source = (
        "See the `long\nname`_, `this <other_>`_, `that\n<http://c/\nd>`_, `first`__ and second__.\n\n"
        ".. _long name:\n   http://a/\n.. _other: http://b/\n.. __: http://e/\n__ http://f/\n"
        ".. csv-table::\n   :file: data.csv\n"
    )
    assert links(read(source, KIND)) == [
        ("long\nname", "http://a/"),
        ("this", "http://b/"),
        ("that", "http://c/d"),
        ("first", "http://e/"),
        ("second", "http://f/"),
        ("data.csv", "data.csv"),
    ]


def test_nameless_references_that_are_not_as_many_as_their_targets_lead_nowhere(read):
    assert not links(read("See first__ and second__.\n\n__ http://a/\n", KIND))


def test_a_link_that_names_a_target_without_an_address_leads_nowhere(read):
    page = read("See `it <Some title_>`_ and `that <http://a/b_>`_.\n\n.. _some title:\n\nText.\n", KIND)
    assert links(page) == [("that", "http://a/b_")]


def test_the_last_line_of_a_tree_may_be_blank_for_long(read):
    assert not links(read(".. toctree::\n" + " " * 400_000, KIND))


@pytest.mark.parametrize(
    "unit",
    ["`a\n", ":a: b::\n", "- a::\n", "`a`__ ", "__ http://a\n", "   * - a\n", "a\n-\n"],
)
@pytest.mark.parametrize("before", [".. list-table::\n\n", ".. csv-table::\n   :header: a\n   "])
def test_very_much_of_one_thing_ends(read, before, unit):
    source = before + unit * 40_000
    assert read(source, KIND).page == 1
