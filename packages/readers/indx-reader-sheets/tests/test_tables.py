"""How a worksheet becomes one table: its grid, merged cells, headers, hidden parts, what stands beside it."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indx_core.ports import PageReading, SourceContent
from indx_format_office import merges as merging
from indx_format_office.cells import column_name
from indx_reader_sheets.provider import MEDIA_TYPES, observer

Read = Callable[..., list[PageReading]]
Xlsx = Callable[..., bytes]


def cells(*filled: tuple[str, str], attributes: str = "") -> str:
    """Rows of inline strings, or numbers where they are digits, by their references."""
    rows: dict[int, list[str]] = {}
    for reference, value in filled:
        number = int(reference.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        made = f"<v>{value}</v>" if value.isdecimal() else f"<is><t>{value}</t></is>"
        kind = "" if value.isdecimal() else 't="inlineStr"'
        rows.setdefault(number, []).append(f'<c r="{reference}" {kind}>{made}</c>')
    return "".join(f'<row r="{n}" {attributes}>{"".join(inner)}</row>' for n, inner in sorted(rows.items()))


def grid(page: PageReading) -> list[tuple[int, int, int, int, str]]:
    return [(c.row, c.column, c.row_span, c.column_span, c.text) for c in page.tables[0].cells]


def merges(*references: str) -> tuple[str, str]:
    made = "".join(f'<mergeCell ref="{reference}"/>' for reference in references)
    return "", f"<mergeCells>{made}</mergeCells>"


def test_the_table_begins_at_the_first_filled_row_and_column(read: Read) -> None:
    (page,) = read(cells(("C3", "a"), ("D3", "b"), ("C5", "c")))
    assert page.text == "a\tb\n\t\nc\t"
    assert grid(page) == [(1, 1, 1, 1, "a"), (1, 2, 1, 1, "b"), (3, 1, 1, 1, "c")]
    assert page.metadata == {"sheet": {"name": "Sheet1", "range": "C3:D5"}}


def test_rows_that_are_not_written_keep_the_numbers_of_the_others(read: Read) -> None:
    (page,) = read(cells(("A1", "one"), ("A5", "five")))
    assert page.text == "one\n\n\n\nfive"
    assert [cell[0] for cell in grid(page)] == [1, 5]


def test_empty_cells_and_styled_ones_stay_empty(read: Read) -> None:
    (page,) = read(
        '<row r="1"><c r="A1" s="1"/><c r="B1"><v>1</v></c><c r="C1" s="2"/></row>'
        '<row r="2"><c r="B2"/></row>'
    )
    assert page.text == "1"
    assert page.tables[0].rows == page.tables[0].columns == 1


def test_a_sheet_without_values_is_read_and_blank(read: Read) -> None:
    (page,) = read('<row r="1"><c r="A1" s="1"/></row>')
    assert (page.text, page.reason, page.tables) == ("", None, ())


def test_merged_cells_are_there_once_with_their_spans_and_no_invented_names(read: Read) -> None:
    (page,) = read(
        cells(("B1", "wide"), ("D1", "date"), ("B2", "stale"), ("C2", "stale"), ("B3", "x"), ("C3", "y")),
        around={1: merges("B1:C2", "B9:C9", "D1")},
    )
    assert page.text == "wide\t\tdate\n\t\t\nx\ty\t"
    assert grid(page)[:2] == [(1, 1, 2, 2, "wide"), (1, 3, 1, 1, "date")]


def test_a_merged_cell_that_reaches_past_the_others_keeps_its_spans(read: Read) -> None:
    (page,) = read(cells(("A1", "title"), ("A2", "x")), around={1: merges("A1:D1", "A2:A3")})
    assert grid(page) == [(1, 1, 1, 4, "title"), (2, 1, 2, 1, "x")]
    assert page.text == "title\t\t\t\nx\t\t\t\n\t\t\t"


def test_a_merged_area_over_the_whole_sheet_costs_nothing(read: Read) -> None:
    (page,) = read(
        cells(("A1", "a"), ("B2", "b"), ("B3", "3")), around={1: merges("A1:A1048576", "C1:XFD1048576")}
    )
    assert page.text == "a\t\n\tb\n\t3"
    assert grid(page)[0] == (1, 1, 3, 1, "a")


def test_merged_areas_that_overlap_are_not_believed(read: Read) -> None:
    (page,) = read(
        cells(("A2", "a"), ("B1", "b"), ("C3", "c")), around={1: merges("A2:C2", "B1:B3", "A2:A2")}
    )
    assert (2, 1, 1, 3, "a") in grid(page)
    assert (1, 2, 1, 1, "b") in grid(page)


def test_many_merged_areas_end(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "_MAX_VISITS", 50)
    rows = cells(*((f"A{n}", "a") for n in range(1, 40)), *((f"C{n}", "c") for n in range(1, 40)))
    (page,) = read(rows, around={1: merges(*(f"C{n}:D1048576" for n in range(1, 40)))})
    assert page.tables[0].rows == 39


def test_two_cells_in_far_corners_cost_two_cells(xlsx: Xlsx) -> None:
    source = SourceContent.of_bytes(xlsx(cells(("A1", "a"), ("XFD1048576", "b"))), media_type=MEDIA_TYPES[0])
    with closing(observer().open(source)) as session:
        tracemalloc.start()
        try:
            seen = session.observe()
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert seen.pages[0].text_characters == 2
    assert peak < 5_000_000


def test_far_corners_leave_out_the_rows_and_columns_between(read: Read) -> None:
    (page,) = read(cells(("A1", "a"), ("C1", "x"), ("XFD1048576", "b")))
    assert page.text == "a\tx\n\t\tb"
    assert grid(page) == [(1, 1, 1, 1, "a"), (1, 2, 1, 1, "x"), (2, 3, 1, 1, "b")]
    assert page.metadata == {"sheet": {"name": "Sheet1", "range": "A1:XFD1048576", "layout": "trimmed"}}


def test_cells_scattered_on_a_diagonal_stand_side_by_side_in_the_end(read: Read) -> None:
    (page,) = read(cells(*((f"{column_name(n)}{n * 900}", str(n)) for n in range(1, 800))))
    assert page.metadata is not None
    assert page.metadata["sheet"]["layout"] == "packed"
    assert len(page.text) < 5_000
    assert grid(page)[-1] == (799, 1, 1, 1, "799")


@pytest.mark.parametrize(
    ("rows", "header_rows"),
    [
        ([("A1", "name"), ("B1", "n"), ("A2", "a"), ("B2", "1")], 1),
        ([("A1", "name"), ("B1", "n"), ("A2", "a"), ("B2", "b")], 0),
        ([("A1", "name"), ("B1", "1"), ("A2", "a"), ("B2", "1")], 0),
        ([("A1", "title"), ("A2", "1"), ("B2", "2"), ("C2", "3")], 0),
        ([("A1", "only"), ("B1", "row")], 0),
    ],
)
def test_a_first_row_of_names_over_values_is_a_header(
    read: Read, rows: list[tuple[str, str]], header_rows: int
) -> None:
    (page,) = read(cells(*rows))
    assert page.tables[0].header_rows == header_rows


def test_a_filter_or_a_table_tells_the_header_below_a_title(read: Read) -> None:
    rows = cells(("A1", "Report"), ("A3", "k"), ("B3", "v"), ("A4", "a"), ("B4", "b"))
    (page,) = read(rows, around={1: ("", '<autoFilter ref="A3:B4"/>')})
    assert page.tables[0].header_rows == 3
    part = '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ref="A3:B4"{}/>'
    for attributes, expected in (("", 3), (' headerRowCount="0"', 0)):
        (page,) = read(
            rows,
            rels={1: [("t", "table", "../tables/table1.xml")]},
            raw={"xl/tables/table1.xml": part.format(attributes)},
        )
        assert page.tables[0].header_rows == expected


def test_a_table_far_down_does_not_make_all_above_it_a_header(read: Read) -> None:
    rows = cells(*((f"A{n}", f"text {n}") for n in range(1, 30)))
    (page,) = read(rows, around={1: ("", '<autoFilter ref="A20:A29"/>')})
    assert page.tables[0].header_rows == 0


def test_pages_are_worksheets_in_order_named_as_their_tables(read: Read) -> None:
    pages = read(cells(("A1", "a")), cells(("A1", "b")), names=["売上", "R&amp;D"])
    assert [(page.text, page.tables[0].caption) for page in pages] == [("a", "売上"), ("b", "R&D")]


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_a_hidden_sheet_is_read_and_marked(read: Read, xlsx: Xlsx, state: str) -> None:
    options = {"states": {2: state}}
    shown, hidden = read(cells(("A1", "a")), cells(("A1", "secret")), **options)
    assert not shown.hidden
    assert [hidden.text[start:end] for start, end in hidden.hidden] == ["secret"]
    assert hidden.metadata is not None
    assert hidden.metadata["sheet"]["hidden"] is True
    source = SourceContent.of_bytes(xlsx("", "", **options), media_type=MEDIA_TYPES[0])
    with closing(observer().open(source)) as session:
        seen = session.observe()
    assert [page.hidden for page in seen.pages] == [False, True]
    assert seen.facts == {"worksheets": "2 worksheets", "hidden_worksheets": "1 hidden worksheet"}


def test_hidden_rows_and_columns_are_read_and_marked(read: Read) -> None:
    rows = cells(("A1", "a"), ("B1", "b"), ("C1", "c")) + cells(
        ("A2", "d"), ("C2", "e"), attributes='hidden="1"'
    )
    ranges = ('min="1" max="1"', 'min="2" max="2" hidden="1"', 'min="9" max="16384" hidden="1"')
    columns = f"<cols>{''.join(f'<col {each}/>' for each in ranges)}</cols>"
    (page,) = read(rows, around={1: (columns, "")})
    assert page.text == "a\tb\tc\nd\t\te"
    assert [page.text[start:end] for start, end in page.hidden] == ["b", "d\t\te"]
    assert page.metadata is not None
    assert page.metadata["sheet"] == {
        "name": "Sheet1",
        "range": "A1:C2",
        "hidden_rows": 1,
        "hidden_columns": ["B:B"],
    }


SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def test_comments_stand_below_with_their_cells(read: Read) -> None:
    comments = (
        f'<comments xmlns="{SHEET}"><commentList><comment ref="B2"><text>'
        "<r><t>check </t></r><r><t>this</t></r></text></comment>"
        '<comment ref="C3"><text><t>summary of a thread</t></text></comment></commentList></comments>'
    )
    thread = '<T xmlns="x"><threadedComment ref="C3"><text>first</text></threadedComment></T>'
    (page,) = read(
        cells(("A1", "a")),
        rels={1: [("c", "comments", "../comments1.xml"), ("t", "threadedComment", "../threads/t1.xml")]},
        raw={"xl/comments1.xml": comments, "xl/threads/t1.xml": thread},
    )
    assert page.text == "a\nC3: first\nB2: check this"
    assert [(page.text[x.start : x.end], x.role) for x in page.roles] == [
        ("C3: first", "comment"),
        ("B2: check this", "comment"),
    ]


DRAWING = (
    '<x:wsDr xmlns:x="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><x:twoCellAnchor>'
    '<x:sp><x:nvSpPr><x:cNvPr id="1" name="s" hidden="1"/></x:nvSpPr>'
    "<x:txBody><a:p><a:r><a:t>boxed</a:t></a:r></a:p></x:txBody></x:sp>"
    '<x:pic><x:nvPicPr><x:cNvPr id="2" name="p" descr="A bridge"/></x:nvPicPr></x:pic>'
    "<x:graphicFrame><a:graphic><c:chart r:id='k'/></a:graphic></x:graphicFrame>"
    "</x:twoCellAnchor></x:wsDr>"
)
CHART = (
    '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:title><c:tx>'
    '<c:strRef><c:strCache><c:pt idx="0"><c:v>Sales</c:v></c:pt></c:strCache></c:strRef>'
    "</c:tx></c:title><c:ser><c:val><c:numLit>"
    '<c:pt idx="0"><c:v>5</c:v></c:pt></c:numLit></c:val></c:ser></c:chartSpace>'
)
CHART_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="k" Type="http://x/chart" Target="../charts/chart1.xml"/></Relationships>'
)
DRAWN = {
    "rels": {1: [("d", "drawing", "../drawings/drawing1.xml")]},
    "raw": {
        "xl/drawings/drawing1.xml": DRAWING,
        "xl/drawings/_rels/drawing1.xml.rels": CHART_RELATIONS,
        "xl/charts/chart1.xml": CHART,
    },
}


def test_text_boxes_pictures_and_titles_of_charts_stand_below(read: Read) -> None:
    (page,) = read(cells(("A1", "a")), **DRAWN)
    assert page.text == "a\nboxed\nA bridge\nSales"
    assert [x.role for x in page.roles] == ["text_box", "caption", "caption"]
    assert [page.text[start:end] for start, end in page.hidden] == ["boxed"]


def test_the_texts_of_a_diagram_stand_below(read: Read) -> None:
    space = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
    frame = f'<x:graphicFrame><d:relIds xmlns:d="{space}" r:dm="k"/></x:graphicFrame>'
    head = DRAWING[: DRAWING.index("<x:twoCellAnchor>")]
    drawing = f"{head}<x:twoCellAnchor>{frame}</x:twoCellAnchor></x:wsDr>"
    point = '<d:pt modelId="{0}"><d:t><a:p><a:r><a:t>step {0}</a:t></a:r></a:p></d:t></d:pt>'
    data = (
        f'<d:dataModel xmlns:d="{space}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">'
        f"<d:ptLst>{point.format(1)}{point.format(2)}</d:ptLst></d:dataModel>"
    )
    drawn = {
        **DRAWN,
        "raw": {**DRAWN["raw"], "xl/drawings/drawing1.xml": drawing, "xl/charts/chart1.xml": data},
    }
    (page,) = read(cells(("A1", "a")), **drawn)
    assert page.text == "a\nstep 1\nstep 2"
    assert [x.role for x in page.roles] == ["text_box"]


def test_a_chart_sheet_is_a_page_with_the_values_of_its_chart(read: Read) -> None:
    (page,) = read("", kinds={1: "chartsheet"}, **DRAWN)
    assert page.text.endswith("Sales\n\t\n\t5")
    assert len(page.tables) == 1


def test_values_of_a_chart_sheet_that_are_left_out_are_counted(read: Read) -> None:
    points = "".join(f'<c:pt idx="{at}"><c:v>{at}</c:v></c:pt>' for at in range(1200))
    chart = CHART.replace('<c:pt idx="0"><c:v>5</c:v></c:pt>', points)
    drawn = {**DRAWN, "raw": {**DRAWN["raw"], "xl/charts/chart1.xml": chart}}
    (page,) = read("", kinds={1: "chartsheet"}, **drawn)
    assert (page.metadata or {})["chart_values_left_out"] == 200
    (page,) = read(cells(("A1", "a")), **drawn)  # on a worksheet they stand in cells
    assert "chart_values_left_out" not in (page.metadata or {})


def test_a_damaged_part_beside_the_cells_is_named_and_the_cells_are_read(read: Read) -> None:
    (page,) = read(
        cells(("A1", "a")),
        rels={1: [("c", "comments", "../comments1.xml")]},
        raw={"xl/comments1.xml": "<broken"},
    )
    assert page.text == "a"
    assert page.metadata is not None
    assert list(page.metadata["unread_parts"]) == ["xl/comments1.xml"]


def test_a_sheet_without_a_part_is_unread(read: Read) -> None:
    workbook = f'<workbook xmlns="{SHEET}"><sheets><sheet name="lost" sheetId="1"/></sheets></workbook>'
    (page,) = read("", raw={"xl/workbook.xml": workbook})
    assert page.reason == "damaged_part"


def test_a_sheet_that_is_listed_twice_is_one_page(read: Read) -> None:
    listed = '<sheet name="One" sheetId="1" r:id="s1"/>' * 3 + '<sheet name="lost" sheetId="2"/>' * 2
    office = SHEET.replace("spreadsheetml/2006/main", "officeDocument/2006/relationships")
    workbook = f'<workbook xmlns="{SHEET}" xmlns:r="{office}"><sheets>{listed}</sheets></workbook>'
    pages = read(cells(("A1", "a")), raw={"xl/workbook.xml": workbook})
    assert [(page.text, page.reason) for page in pages] == [
        ("a", None), ("", "damaged_part"), ("", "damaged_part"),
    ]  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    st.dictionaries(
        st.tuples(st.integers(1, 40) | st.just(1048576), st.integers(1, 12) | st.just(16384)),
        st.sampled_from(["a", "12", "b c", "x&#10;y"]),
        max_size=25,
    ),
    st.lists(
        st.tuples(st.integers(1, 12), st.integers(1, 8), st.integers(0, 5), st.integers(0, 5)), max_size=5
    ),
)
def test_any_cells_and_merged_areas_hold_the_rules_and_none_is_lost(
    read: Read, filled: dict[tuple[int, int], str], areas: list[tuple[int, int, int, int]]
) -> None:
    rows = cells(*((f"{column_name(column)}{row}", text) for (row, column), text in sorted(filled.items())))
    references = [f"{column_name(c)}{r}:{column_name(c + right)}{r + down}" for r, c, down, right in areas]
    (page,) = read(rows, around={1: merges(*references)})
    texts = [cell[4] for cell in grid(page)] if page.tables else []
    if not areas:
        assert texts == [filled[place].replace("&#10;", "\n") for place in sorted(filled)]
    assert len(texts) <= len(filled)
    assert bool(texts) == bool(filled)
