"""CSV and TSV: separators, quoted fields, headers, ragged rows, one table in columns."""

import pickle

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indx_core.errors import InputTooLarge
from indx_core.ports import Cell
from indx_reader_text import _csv


def grid(page):
    rows = {}
    for cell in page.tables[0].cells:
        rows.setdefault(cell.row, []).append(cell.text)
    return list(rows.values())


@pytest.fixture
def table(read):
    return lambda text, kind="text/csv": read(text, kind)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
        ("Name;Region\nWidget;EU\n", [["Name", "Region"], ["Widget", "EU"]]),
        ("a\tb\n1\t2\n", [["a", "b"], ["1", "2"]]),
        ("a|b\n1|2\n", [["a", "b"], ["1", "2"]]),
        ('a,b\n"x\ny",2\n', [["a", "b"], ["x\ny", "2"]]),
        ('a,"b;c;d;e"\n1,"2;3;4;5"\n', [["a", "b;c;d;e"], ["1", "2;3;4;5"]]),
        ("a;b,c\n1;2,3\n", [["a;b", "c"], ["1;2", "3"]]),
        (
            "name;price;weight\nx;1,5;2,5\ny;3,5;4,5\n",
            [["name", "price", "weight"], ["x", "1,5", "2,5"], ["y", "3,5", "4,5"]],
        ),
        ("sep=|\na,x|b\n", [["a,x", "b"]]),
        ('"sep=;"\na,x;b\n', [["a,x", "b"]]),
        ("sep=;;;\na,x;b;\n", [["a,x", "b", ""]]),
        ("name;price\nx;1,5\ny;3,5\n", [["name", "price"], ["x", "1,5"], ["y", "3,5"]]),
        ('a,b\n"say ""x""",\n', [["a", "b"], ['say "x"', ""]]),
        ("one column\nonly\n", [["one column"], ["only"]]),
    ],
)
def test_the_separator_is_told_by_counting(table, source, expected):
    assert grid(table(source)) == expected


def test_tabs_part_tsv_whatever_else_stands_in_it(table):
    assert grid(table("a,b,c\td\n1,2,3\t4\n", "text/tab-separated-values")) == [
        ["a,b,c", "d"],
        ["1,2,3", "4"],
    ]


def test_line_breaks_and_tabs_in_a_field_show_as_spaces_and_stay_in_the_cell(table):
    page = table('a,b\n"x\ny","p\tq"\n')
    assert page.text == "a\tb\nx y\tp q"
    assert grid(page)[1] == ["x\ny", "p\tq"]


def test_ragged_rows_keep_every_field(table):
    page = table("a,b,c\n1,2\n3,4,5,6\n\n7\n")
    assert page.text == "a\tb\tc\n1\t2\n3\t4\t5\t6\n7"
    assert (page.tables[0].rows, page.tables[0].columns) == (4, 4)


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("name,value\na,1\n", 1),
        ("01101,060\n01102,061\n", 0),
        ("a,a\n1,2\n", 1),
        ("a,a\nb,c\n", 0),
        ('"",height,name\n"1",1.8,Ann\n"2",1.7,Bo\n', 1),
        ('"",name,town\n"r1",Ann,Rome\n"r2",Bo,Oslo\n', 1),
        (",x\n0,a\n1,b\n", 1),
        (",x\n0,a\n0,b\n", 0),
        (",x\n0,1.5\n1,2.5\n", 1),
        (",Ann,Rome\nx,Bo,Oslo\n,Li,Bonn\n", 0),
        ("name,town,\nAnn,Rome,\nBo,Oslo,\n", 1),
        ("name,town,\nAnn,Rome,x\nBo,Oslo,\n", 0),
        ("a,b,,,\n1,2,,,\n", 0),
        ("country,2019,2020\nPeru,1,2\nChad,3,4\n", 1),
        ("day,1,2,3\nAnn,x,,x\n", 1),
        ("car,2019,2020\nbike,2018,2021\n", 0),
        ("a,5,7\nb,6,9\n", 0),
        ("1,2,3\nx,y,z\n", 0),
        ("a,a,1,2,3\nx,y,p,q,r\n", 0),
        ("rank,3,2,1\nAnn,x,y,z\n", 1),
        ("a,1.5,2.5\nb,x,y\n", 0),
        (f"a,1{' ' * 400_000}b\nc,d\n", 1),
        ("date,2024-01-01\nx,y\n", 0),
        ("only,names\n", 0),
        ("名前,年齢\n佐藤,30\n", 1),
    ],
)
def test_a_first_row_of_different_words_heads_the_others(table, source, rows):
    assert table(source).tables[0].header_rows == rows


def test_an_empty_file_holds_no_table(table):
    assert not table("\n\n").tables


def test_a_quote_that_never_closes_takes_the_rest(table):
    assert grid(table('a,b\n1,"2\n3,4\n')) == [["a", "b"], ["1", "2\n3,4\n"]]


@pytest.mark.parametrize(
    ("source", "record"),
    [('a,b\n1,"2\n3,4\n', 2), ('a,b\n\n1,2\n"', 3), ('"', 1), ('a,b\n1,"2""', 2), ('sep=;\na;"b', 1)],
)
def test_a_quote_that_never_closes_is_a_fact_of_the_page(table, source, record):
    assert table(source).metadata["damaged"] == (
        f"not well-formed: a quote in record {record} is never closed; what follows it is one cell"
    )


@pytest.mark.parametrize(
    "source", ['a,b\n1,"2\n3"', '"a"\n', '"a"', 'a,5" pipe\n', '"a"b,c\n"""x"""\n\n\n', "a,b", '""']
)
def test_quotes_that_close_or_open_nothing_are_no_fault(table, source):
    assert "damaged" not in (table(source).metadata or {})


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('a,b\n"5" pipe",3\nx,y\n', [["a", "b"], ['"5" pipe"', "3"], ["x", "y"]]),
        ('a,b\n1,"Ann" B\n"x\ny","""q"" r"\n', [["a", "b"], ["1", '"Ann" B'], ["x\ny", '"q" r']]),
        ('a;b\n"x"";""y" z;"2"\n', [["a", "b"], ['"x"";""y" z', "2"]]),
        ('a,b\n1, "5" pipe"\n2, "6"\n', [["a", "b"], ["1", '"5" pipe"'], ["2", "6"]]),
        ('a,b\n"1" ,"2"\n', [["a", "b"], ["1 ", "2"]]),
        ('a,b\n5" pipe,6" "x"\n', [["a", "b"], ['5" pipe', '6" "x"']]),
        ('a,b\n"5" pipe",3\n"","","" x\n', [["a", "b"], ['"5" pipe"', "3"], ["", "", '"" x']]),
    ],
)
def test_a_field_that_goes_on_behind_its_quotes_keeps_every_character(table, source, expected):
    page = table(source)
    assert grid(page) == expected
    assert "damaged" not in (page.metadata or {})


def test_a_quote_that_never_closes_behind_a_field_that_goes_on_is_said(table):
    page = table('a,b\n"5" pipe",3\n1,"open,"" x\n2,"" y')
    assert grid(page) == [["a", "b"], ['"5" pipe"', "3"], ["1", 'open," x\n2," y']]
    assert "a quote in record 3 is never closed" in page.metadata["damaged"]


@given(
    st.lists(st.lists(st.text("ab\"' ,\n"), min_size=2, max_size=3), min_size=1, max_size=4),
    st.text('x" ', max_size=4),
)
def test_no_sign_of_a_field_is_lost_whatever_stands_behind_its_quotes(rows, tail):
    source = "\n".join(",".join('"' + text.replace('"', '""') + '"' for text in row) for row in rows)
    made = _csv.read_delimited(f'h,i\n{source}\n"k,{"x" * 9}" z{tail},last', ",")
    cells = [cell.text for cell in made.tables[0].cells]
    assert cells[-2:] == [f'"k,{"x" * 9}" z{tail}', "last"]
    assert cells[2:-2] == [text for row in rows for text in row]


def test_a_field_longer_than_the_library_allows_is_read(table):
    long = "x" * 200_000
    assert grid(table(f"a,{long}\n1,2\n"))[0][1] == long


def test_cells_are_made_when_asked_for(table):
    page = table("a,b\n1\n2,3\n")
    cells = page.tables[0].cells
    assert len(cells) == 5
    assert cells[-1] == Cell(3, 2, 1, 1, "3", 8, 9)
    assert cells[1:3] == [cells[1], cells[2]]
    assert [cells[number] for number in range(5)] == list(cells)
    assert pickle.loads(pickle.dumps(page)).tables == page.tables
    with pytest.raises(IndexError):
        cells[5]


@given(
    st.lists(
        st.lists(st.text(alphabet='ab,;"\n\t|漢 ', max_size=5), min_size=2, max_size=4),
        min_size=1,
        max_size=6,
    )
)
@settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_was_written_with_quotes_is_read_back(table, rows):
    def quoted(text):
        return '"' + text.replace('"', '""') + '"'

    rows = [["x", "y"], *rows]
    page = table("".join(",".join(map(quoted, row)) + "\n" for row in rows))
    assert grid(page) == rows


def test_the_separator_is_told_where_the_sample_ends_inside_a_quoted_field(table):
    field = '"' + "a,b,c,d\n" * 9000 + '"'  # longer than what is looked at
    page = table(f"name;text\nx;{field}\ny;z\n")
    assert [cell.text for cell in page.tables[0].cells][:3] == ["name", "text", "x"]
    assert [cell.text for cell in page.tables[0].cells][-2:] == ["y", "z"]


def test_a_tie_goes_to_the_comma_and_separators_in_quotes_do_not_count(table):
    assert grid(table("a,b;c\n1,2;3\n")) == [["a", "b;c"], ["1", "2;3"]]
    assert grid(table('"a;b;c",d\n"1;2;3",4\n')) == [["a;b;c", "d"], ["1;2;3", "4"]]
    assert grid(table('a;b\r\n"x\r\ny";2\r\n')) == [["a", "b"], ["x\ny", "2"]]


def test_a_quoted_field_may_stand_behind_a_space(table):
    page = table('name, age, city\n"Ann", 3, "New, York"\nBo, 4, "a ""b"", c"\n')
    assert grid(page) == [["name", "age", "city"], ["Ann", "3", "New, York"], ["Bo", "4", 'a "b", c']]
    assert grid(table('a; b\n1;  "x; y"\n')) == [["a", "b"], ["1", "x; y"]]
    assert grid(table('a, b\n1, say "x"\n')) == [["a", " b"], ["1", ' say "x"']]


@pytest.mark.parametrize(
    ("source", "above", "rows"),
    [
        ("Report 2024\n\nname,value\na,1\nb,2\n", "Report 2024", 3),
        ("Report 2024,,\n,,\nname,value,\na,1,\nb,2,\n", "Report 2024", 3),
        ("# by Ann, Bo\n#\nname,value,note\na,1,x\n", "# by Ann, Bo\n#", 2),
        ("Sales, May 2024\n\nname;price\na;1,50\nb;2,50\n", "Sales, May 2024", 3),
    ],
)
def test_what_stands_above_the_table_is_its_caption_and_names_no_column(table, source, above, rows):
    page = table(source)
    found = page.tables[0]
    assert page.text[: found.start].rstrip("\n") == above
    assert (found.rows, found.header_rows) == (rows, 1)
    assert page.text[found.cells[0].start : found.cells[0].end] == "name"
    assert [(role.role, page.text[role.start : role.end]) for role in page.roles] == [("caption", above)]
    assert found.caption == (None if "\n" in above else above)


def test_what_goes_on_for_long_above_the_table_is_no_caption(table):
    page = table(f"{'long ' * 60}\na,b\n1,2\n")
    assert page.tables[0].caption is None
    assert page.roles[0].role == "caption"


@pytest.mark.parametrize(
    "source",
    [
        "one\ntwo\n",
        "a\nb\nc\nd,e\n",
        "#a,b\n1,2\n3,4\n",
        ",\na,b\nc,d\n",
        "a,\nb,\n",
        "a\nb,c\nd\ne\nf,g\nh\n",
    ],
)
def test_a_first_row_like_the_others_is_one_of_the_table(table, source):
    assert table(source).tables[0].start == 0
    assert table(source).tables[0].rows == source.count("\n")


def test_no_more_cells_are_held_to_tell_the_head_than_there_may_be(monkeypatch):
    monkeypatch.setattr(_csv, "MAX_CELLS", 5)
    monkeypatch.setattr(_csv, "lines_above", None)
    with pytest.raises(InputTooLarge):
        _csv.read_delimited("a,b\n" * 3, ",")


def test_a_line_of_more_fields_than_memory_holds_well_is_refused(monkeypatch):
    monkeypatch.setattr(_csv, "_MOST_FIELDS", 10)
    assert len(_csv.read_delimited("a,b\n" + "1," * 8 + "\n", ",").tables) == 1
    with pytest.raises(InputTooLarge, match="over 10 fields"):
        _csv.read_delimited("a,b\n" + "1," * 20 + "\n", ",")


def test_more_cells_than_memory_holds_are_refused_as_they_are_counted(monkeypatch, read):
    monkeypatch.setattr(_csv, "MAX_CELLS", 4)
    assert len(_csv.read_delimited("a,b\n1,2\n", ",").tables) == 1
    with pytest.raises(InputTooLarge, match="more than 4 cells"):
        _csv.read_delimited("a,b\n1,2\n3,4\n", ",")
    table = "|a|b|\n|-|-|\n|1|2|\n"
    assert len(read(table, "text/markdown").tables) == 1
    with pytest.raises(InputTooLarge, match="more than 4 cells"):
        read(f"{table}\nand\n\n{table}", "text/markdown")
