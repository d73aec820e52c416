"""Tables: spans, headers, captions, tables inside tables, tables that only arrange a page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.ports import Table
from indx_format_html import HtmlDocument, read_html
from indx_testkit.checks import assert_reading


def only_table(html: str) -> tuple[HtmlDocument, Table]:
    document = read_html(html)
    assert_reading(document.reading())
    (table,) = document.tables
    return document, table


def test_a_table_is_a_line_a_row_and_a_tab_between_cells() -> None:
    document, table = only_table("<p>x</p><table><tr><th>a<th>b<tr><td>1<td> 2 </table><p>y")
    assert document.text == "x\n\na\tb\n1\t2\n\ny"
    assert document.text[table.start : table.end] == "a\tb\n1\t2"
    assert (table.rows, table.columns, table.header_rows) == (2, 2, 1)
    assert [(c.row, c.column, c.text) for c in table.cells] == [
        (1, 1, "a"),
        (1, 2, "b"),
        (2, 1, "1"),
        (2, 2, "2"),
    ]


def test_a_merged_cell_stands_once_and_moves_the_next_row_on() -> None:
    document, table = only_table("<table><tr><td rowspan=2>r<td>1<tr><td>2<tr><td colspan=2>w</table>")
    assert document.text == "r\t1\n\t2\nw"
    assert [(c.row, c.column, c.row_span, c.column_span, c.text) for c in table.cells] == [
        (1, 1, 2, 1, "r"),
        (1, 2, 1, 1, "1"),
        (2, 2, 1, 1, "2"),
        (3, 1, 1, 2, "w"),
    ]


def test_a_span_ends_with_its_row_group() -> None:
    _, table = only_table(
        "<table><tbody><tr><td rowspan=9>a<td>b<tr><td>c</tbody>"
        "<tbody><tr><td rowspan=0>d<td>e<tr><td>f</table>"
    )
    assert [(c.text, c.row_span) for c in table.cells if c.row_span > 1] == [("a", 2), ("d", 2)]
    assert table.rows == 4


@pytest.mark.parametrize(
    ("html", "heads"),
    [
        ("<table><thead><tr><td>a<td>b<tr><td>c<td>d</thead><tr><td>1<td>2</table>", 2),
        ("<table><tr><th>a<th>b<tr><th>1<td>2</table>", 1),
        ("<table><tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d<tr><td>1<td>2<td>3</table>", 2),
        ("<table><tr><th>Year<th>Month<tr><th rowspan=3>2025<tr><td>May<tr><td>June</table>", 1),
        ("<table><tr><th scope=row>a<th>b<tr><td>1<td>2</table>", 0),
        ("<table><tr><td>a<td>b<tr><td>1<td>2</table>", 0),
        ("<table><tr><th>a<th>b<tr><th>1<th>2</table>", 1),
    ],
)
def test_header_rows_come_from_thead_or_leading_header_cells(html: str, heads: int) -> None:
    assert only_table(html)[1].header_rows == heads


def test_a_cell_keeps_its_line_breaks_and_the_page_keeps_the_row() -> None:
    document, table = only_table("<table><tr><th>k<th>v<tr><td>a<br>b<td><ul><li>p<li>q</ul></table>")
    assert document.text == "k\tv\na b\t- p - q"
    assert [c.text for c in table.cells][2:] == ["a\nb", "- p\n- q"]


def test_a_table_in_a_cell_of_data_is_the_text_of_that_cell() -> None:
    document, table = only_table(
        "<table><tr><th>h<th>i<tr><td><table><tr><td>1<td>2<tr><td>3</table><td>x</table>"
    )
    assert document.text == "h\ti\n1 2 3\tx"
    assert table.cells[2].text == "1\t2\n3"


def test_tables_that_arrange_the_page_are_blocks_and_the_tables_in_them_are_tables() -> None:
    document, table = only_table(
        "<table><tr><td>menu<td><h1>Title</h1><table><tr><td>a<td>b<tr><td>1<td>2</table></table>"
    )
    assert document.text == "menu\n\nTitle\n\na\tb\n1\t2"
    assert [document.text[h.start : h.end] for h in document.headings] == ["Title"]
    assert (table.rows, table.columns) == (2, 2)


@pytest.mark.parametrize(
    "html", ["<table role=presentation><tr><td>a<td>b</table>", "<table><tr><td>a<br>b</table>"]
)
def test_a_layout_is_no_table(html: str) -> None:
    document = read_html(html)
    assert (document.text, document.tables) == ("a\nb", [])


def test_code_beside_the_numbers_of_its_lines_keeps_its_lines() -> None:
    document = read_html(
        "<table><tr><td><pre>1\n2</pre></td><td><div><pre>def f():\n    pass</pre></div></td></tr></table>"
    )
    assert (document.text, document.tables) == ("1\n2\n\ndef f():\n    pass", [])
    _, table = only_table("<table><tr><td><pre>a\nb</pre><td>c<tr><td>d<td>e</table>")
    assert [cell.text for cell in table.cells] == ["a\nb", "c", "d", "e"]


def test_the_caption_stands_above_the_table() -> None:
    document, table = only_table("<table><caption>Sales <b>2025</b></caption><tr><td>a<td>b</table>")
    assert document.text == "Sales 2025\na\tb"
    assert table.caption == "Sales 2025"
    assert [(r.start, r.end, r.role) for r in document.roles] == [(0, 10, "caption")]


def test_what_stands_between_rows_follows_the_table() -> None:
    document, table = only_table(
        "<table><tr><td>a<td>b</tr><caption>late</caption><template><tr><td>t</template><tr><td>c</table>"
    )
    assert document.text == "a\tb\nc\nlate\nt"
    assert table.rows == 2
    assert [document.text[start:end] for start, end in document.hidden] == ["t"]


def test_rows_without_cells_keep_their_number() -> None:
    document, table = only_table("<table><tr></tr><tr><td>a<td>b</tr><tr></tr></table>")
    assert (document.text, table.rows) == ("\na\tb\n", 3)
    assert {c.row for c in table.cells} == {2}


def test_links_and_hidden_rows_keep_their_places_in_a_table() -> None:
    document, _ = only_table(
        "<table><tr><td>a<td><a href=x>l<br>m</a></tr><tr hidden><td>s<td>t</tr><tr><td>e</table>"
    )
    assert [(document.text[one.start : one.end], one.target) for one in document.links] == [("l m", "x")]
    assert [document.text[start:end] for start, end in document.hidden] == ["s\tt"]


def test_spans_that_would_leave_most_of_the_grid_empty_are_not_believed() -> None:
    cells = "<td colspan=1000>x" * 500
    document, table = only_table(f"<table><tr>{cells}<tr>{cells}</table>")
    assert table.columns == 500
    assert len(document.text) < 4000


def test_what_spans_may_leave_empty_is_shared_by_the_tables_of_a_page() -> None:
    table = "<table><tr>" + "<td colspan=999>a" * 10 + "</table>"
    document = read_html(table * 2000)
    assert len(document.tables) == 2000
    assert document.tables[0].columns == 9990
    assert document.tables[-1].columns == 10
    assert len(document.text) < 2000 * len(table)


def test_many_rowspans_stay_linear_and_lie_apart() -> None:
    row = "".join(f"<td rowspan=400>{n}" for n in range(400))
    document, table = only_table(f"<table><tr>{row}{'<tr><td>x<td>y' * 400}</table>")
    assert table.rows == 401
    assert document.text.count("x") == 400


cell = st.tuples(
    st.sampled_from(["td", "th"]),
    st.integers(0, 5),
    st.integers(0, 4),
    st.sampled_from(["", "a", "b<br>c", "<p>d"]),
)


@given(st.lists(st.lists(cell, max_size=6), min_size=1, max_size=8))
def test_any_spans_give_a_grid_without_overlaps(rows: list[list[tuple[str, int, int, str]]]) -> None:
    body = "".join(
        "<tr>" + "".join(f"<{tag} rowspan={down} colspan={across}>{text}" for tag, down, across, text in row)
        for row in rows
    )
    assert_reading(read_html(f"<table>{body}</table>").reading())


def test_a_free_corner_belongs_to_the_header() -> None:
    html = "<table><tr><td>{}</td><th scope=col>A<th scope=col>B<tr><th scope=row>r<td>1<td>2</table>"
    assert [table.header_rows for table in read_html(html.format(" &nbsp;")).tables] == [1]
    assert [table.header_rows for table in read_html(html.format("x")).tables] == [0]
    assert [table.header_rows for table in read_html("<table><tr><td><th>a<tr><td><th>b</table>").tables] == [
        1
    ]
