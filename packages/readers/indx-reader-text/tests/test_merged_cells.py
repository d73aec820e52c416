"""Merged cells of lightweight markup: each stands once, with the rows and columns that it covers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_reader_text._asciidoc import read_asciidoc
from indx_reader_text._rst import read_restructured

RST, ADOC, TEX = "text/x-rst", "text/asciidoc", "text/x-tex"


def cells(table):
    return [(one.row, one.column, one.row_span, one.column_span, one.text) for one in table.cells]


GRID = """\
+------------+------------+-----------+
| Header 1   | Header 2   | Header 3  |
+============+============+===========+
| body row 1 | column 2   | column 3  |
+------------+------------+-----------+
| body row 2 | Cells may span columns.|
+------------+------------+-----------+
| body row 3 | Cells may  | - Cells   |
+------------+ span rows. | - contain |
| body row 4 |            | - blocks. |
+------------+------------+-----------+
"""


def test_a_grid_shows_merged_cells_once_with_their_spans(read):
    page = read(f"before\n\n{GRID}\nafter\n", RST)
    (table,) = page.tables
    assert (table.rows, table.columns, table.header_rows) == (5, 3, 1)
    assert cells(table)[3:] == [
        (2, 1, 1, 1, "body row 1"), (2, 2, 1, 1, "column 2"), (2, 3, 1, 1, "column 3"),
        (3, 1, 1, 1, "body row 2"), (3, 2, 1, 2, "Cells may span columns."),
        (4, 1, 1, 1, "body row 3"), (4, 2, 2, 1, "Cells may span rows."),
        (4, 3, 2, 1, "- Cells - contain - blocks."),
        (5, 1, 1, 1, "body row 4"),
    ]  # fmt: skip
    assert page.text.startswith("before\n\nHeader 1\tHeader 2\tHeader 3\n")
    assert page.text.endswith("\nbody row 4\n\nafter\n")


def test_a_grid_may_merge_at_its_corner_and_in_wide_characters(read):
    page = read("+----+---+\n| 名 | b |\n|    +---+\n| 前 | c |\n+----+---+\n| all    |\n+----+---+\n", RST)
    assert cells(page.tables[0]) == [
        (1, 1, 2, 1, "名 前"), (1, 2, 1, 1, "b"), (2, 2, 1, 1, "c"), (3, 1, 1, 2, "all"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "source",
    [
        "+---+---+\n| a   b |\n+---+---\n| 1 | 2 |\n+---+---+\n",
        "+---+---+\n| a | b  \n+---+---+\n",
        "+---+   +\n| a | b |\n+---+---+\n",
    ],
)
def test_a_grid_whose_borders_do_not_close_stays_as_written(read, source):
    page = read(source, RST)
    assert (page.text, page.tables) == (source, [])


def test_a_border_that_is_broken_is_words_of_the_cell_around_it(read):
    page = read("+---+---+\n| a | b |\n+-  +---+\n| 1 | 2 |\n+---+---+\n", RST)
    assert cells(page.tables[0]) == [(1, 1, 2, 1, "a - 1"), (1, 2, 1, 1, "b"), (2, 2, 1, 1, "2")]


def test_a_grid_made_to_be_followed_for_ever_ends(read):
    source = f"+{'-+' * 1500}\n" + f"+{'x+' * 1500}\n" * 1500
    assert read(source, RST).text == source


SIMPLE = """\
=====  =====  ======
   Inputs     Output
------------  ------
  A      B    A or B
=====  =====  ======
False  False  False
True   -      -
       more
=====  =====  ======
"""


def test_a_simple_table_shows_underlined_cells_once(read):
    page = read(SIMPLE, RST)
    (table,) = page.tables
    assert table.header_rows == 2
    assert cells(table) == [
        (1, 1, 1, 2, "Inputs"), (1, 3, 1, 1, "Output"),
        (2, 1, 1, 1, "A"), (2, 2, 1, 1, "B"), (2, 3, 1, 1, "A or B"),
        (3, 1, 1, 1, "False"), (3, 2, 1, 1, "False"), (3, 3, 1, 1, "False"),
        (4, 1, 1, 1, "True"), (4, 2, 1, 1, "- more"), (4, 3, 1, 1, "-"),
    ]  # fmt: skip


def test_a_row_of_dashes_that_underlines_nothing_is_words(read):
    page = read("====  ====\nname  size\n====  ====\n-     -\nb     2\n====  ====\n", RST)
    assert [one.text for one in page.tables[0].cells] == ["name", "size", "-", "-", "b", "2"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("2+|both\n|a |b", [(1, 1, 1, 2, "both"), (2, 1, 1, 1, "a"), (2, 2, 1, 1, "b")]),
        (".2+|tall |b\n|c", [(1, 1, 2, 1, "tall"), (1, 2, 1, 1, "b"), (2, 2, 1, 1, "c")]),
        (
            "|a |b |c\n2.2+^.>s|wide |d\n|e",
            [
                (1, 1, 1, 1, "a"), (1, 2, 1, 1, "b"), (1, 3, 1, 1, "c"),
                (2, 1, 2, 2, "wide"), (2, 3, 1, 1, "d"), (3, 3, 1, 1, "e"),
            ],
        ),
        ("2*|same |c\n|1 |2 |3", [
            (1, 1, 1, 1, "same"), (1, 2, 1, 1, "same"), (1, 3, 1, 1, "c"),
            (2, 1, 1, 1, "1"), (2, 2, 1, 1, "2"), (2, 3, 1, 1, "3"),
        ]),
        ("|a |b\n3+|too wide\n|c |d", [
            (1, 1, 1, 1, "a"), (1, 2, 1, 1, "b"), (2, 1, 1, 2, "too wide"),
            (3, 1, 1, 1, "c"), (3, 2, 1, 1, "d"),
        ]),
    ],
)  # fmt: skip
def test_cells_of_asciidoc_cover_what_they_say(read, source, expected):
    (table,) = read(f"|===\n{source}\n|===\n", ADOC).tables
    assert cells(table) == expected


def test_the_columns_that_asciidoc_states_count_more_than_its_first_line(read):
    page = read('[cols="1,2,3",options="header"]\n|===\n|a |b\n|c\n|d |e |f\n|===\n', ADOC)
    (table,) = page.tables
    assert (table.rows, table.columns, table.header_rows) == (2, 3, 1)
    bare = read('[cols=3*,options="header"]\n|===\n|a\n|b\n|c\n|d\n|e\n|f\n|===\n', ADOC).tables[0]
    assert (bare.rows, bare.columns) == (2, 3)


@pytest.mark.parametrize(
    "source",
    ["999999*|x |y", "2+|x\n" + "1000.1000+|x\n" * 200, "|a\n" + ".1000+|x\n" * 20_000],
    ids=["copies", "blocks", "rows"],
)
def test_spans_of_asciidoc_without_measure_lose_and_multiply_nothing(read, source):
    page = read(f"|===\n{source}\n|===\n", ADOC)
    assert page.text.count("x") <= max(source.count("x"), 1000)
    assert "x" in page.text
    assert sum(len(table.cells) for table in page.tables) <= 25_000


def test_more_merged_cells_than_are_held_stay_as_written(read):
    source = "|===\n2+|x\n" + "|a |b\n" * 110_000 + "|===\n"
    page = read(source, ADOC)
    assert (page.text, page.tables) == (source, [])


def tabular(*rows):
    return "\\begin{tabular}{lll}\n" + " \\\\\n".join(rows) + "\n\\end{tabular}\n"


def test_cells_of_latex_cover_what_they_say(read):
    source = tabular(
        "\\multirow{2}{*}{Name} & \\multicolumn{2}{c|}{Size}",
        " & a & b",
        "\\multicolumn{2}{c}{\\multirow[t]{2}{*}{wide \\& tall}} & 1",
        "\\multicolumn{2}{c}{} & 2",
    )
    (table,) = read(source, TEX).tables
    assert cells(table) == [
        (1, 1, 2, 1, "Name"), (1, 2, 1, 2, "Size"), (2, 2, 1, 1, "a"), (2, 3, 1, 1, "b"),
        (3, 1, 2, 2, "wide & tall"), (3, 3, 1, 1, "1"), (4, 3, 1, 1, "2"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "rows",
    [
        ("\\multirow{2}{*}{a} & b", "over it & c"),
        ("\\multirow{-2}{*}{a} & b", " & c"),
        ("\\multicolumn{x}{c}{a} & b", "c & d"),
        ("\\multicolumn{999}{c}{a} & b", *["\\multicolumn{999}{c}{a} & b"] * 50),
    ],
    ids=["overlap", "upwards", "no number", "without measure"],
)
def test_spans_of_latex_that_make_no_sense_lose_no_text(read, rows):
    (table,) = read(tabular(*rows), TEX).tables
    assert all((one.row_span, one.column_span) == (1, 1) for one in table.cells)
    assert [one.text for one in table.cells][:2] == ["a", "b"]
    assert table.rows == len(rows)


def test_a_cell_of_very_many_merged_ones_is_gone_over_once(read):
    many = "\\multirow{2}{*}{x} " * 50_000
    (table,) = read(tabular(f"{many} & b", " & c"), TEX).tables
    assert table.cells[0].text.count("x") == 50_000


SPECS = st.sampled_from(["|", "2+|", ".2+|", "2.3+|", "3*|", "9+|"])


@given(st.lists(SPECS, min_size=1, max_size=12), st.integers(1, 4))
def test_every_cell_of_asciidoc_is_read_in_a_place_of_its_own(specs, columns):
    source = "".join(f"{spec}w{number}\n" for number, spec in enumerate(specs))
    (table,) = read_asciidoc(f'[cols="{columns}*"]\n|===\n{source}|===\n').tables
    texts = [one.text for one in table.cells]
    for number, spec in enumerate(specs):
        assert texts.count(f"w{number}") == (3 if spec == "3*|" else 1)
    assert len({(one.row, one.column) for one in table.cells}) == len(texts)


@given(
    st.lists(st.lists(st.booleans(), min_size=2, max_size=2), min_size=1, max_size=5),
    st.lists(st.booleans(), min_size=5, max_size=5),
)
def test_every_cell_of_a_grid_is_read_whatever_is_merged(across, wide_rows):
    lines = ["+----+----+----+"]
    words = []
    for number, (merged, wide) in enumerate(zip(across, wide_rows, strict=False)):
        names = [f"r{number}{column}" for column in "abc"]
        if wide:
            names = names[:1]
            lines.append(f"| {names[0]}          |")
        else:
            names = names[:2] if merged[0] else names
            first = f"| {names[0]}     " if merged[0] else f"| {names[0]}| {names[1]}"
            lines.append(f"{first}| {names[-1]}|")
        lines.append("+----+----+----+")
        words += names
    marks = read_restructured("\n".join(lines) + "\n")
    assert [one.text for one in marks.tables[0].cells] == words


def test_copies_of_a_long_cell_leave_the_table_as_it_is_written(read):
    source = f"[cols=1]\n|===\n1000*|{'long ' * 20_000}\n|===\n"
    page = read(source, ADOC)
    assert page.text == source
    assert not page.tables


def test_what_copies_may_add_is_shared_by_the_tables_of_a_file(read):
    page = read("[cols=1]\n|===\n900*|a\n|===\n\n" * 500, ADOC)
    assert [table.rows for table in page.tables] == [900] * len(page.tables)
    assert 1 <= len(page.tables) <= 20
    page = read("[cols=1]\n|===\n9*|a\n|===\n\n" * 500, ADOC)
    assert [table.rows for table in page.tables] == [9] * 500


@pytest.mark.parametrize("opened", ["\\multirow{", "\\multicolumn {2}{c}", "\\multirow[t"])
def test_spaces_after_a_command_cost_no_more_than_their_number(read, opened):
    body = f"a & {opened}{' ' * 100_000}x \\\\"
    page = read(f"\\begin{{tabular}}{{ll}}\n{body}\n\\end{{tabular}}\n", TEX)
    assert page.text.startswith("a\t")


def test_options_of_rules_that_never_close_are_passed_once(read):
    page = read("\\begin{tabular}{l}a" + "\\addlinespace[" * 20_000 + "\\end{tabular}\n", TEX)
    assert page.text.startswith("a")


@pytest.mark.parametrize("way", ["{2}*", "{2}{p{3cm}|}", "{2}{@{}c@{}}", "{ 2 }{*}"])
def test_latex_spans_are_found_whatever_way_the_width_is_written(read, way):
    page = read(f"\\begin{{tabular}}{{ll}}\n\\multirow{way}{{a}} & b \\\\\n & c\n\\end{{tabular}}\n", TEX)
    assert cells(page.tables[0]) == [(1, 1, 2, 1, "a"), (1, 2, 1, 1, "b"), (2, 2, 1, 1, "c")]


@pytest.mark.parametrize(
    ("kind", "table"),
    [
        (TEX, "\\begin{tabular}{l}\\multicolumn{999}{c}{a}&b\\\\\\end{tabular}\n"),
        ("application/xml", "<table><tr><td colspan='999'>a</td><td>b</td></tr></table>"),
    ],
)
def test_what_spans_may_leave_empty_is_shared_by_the_tables_of_a_file(read, kind, table):
    page = read(f"<r>{table * 2000}</r>", kind)
    assert len(page.tables) == 2000
    assert page.tables[0].columns == 1000
    assert page.tables[-1].columns == 2
    assert len(page.text) < 2 * 2000 * len(table)
