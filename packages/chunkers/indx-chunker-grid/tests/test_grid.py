"""How pages that are tables are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_chunker_grid.provider import chunker
from indx_core.errors import ConfigurationError
from indx_core.ports import Cell, ChunkDraft, PageReading, Table
from indx_testkit.chunking import assert_drafts
from indx_testkit.samples import document, reading, table

CEILING = 2000


def cut(page: PageReading) -> list[ChunkDraft]:
    return list(chunker().chunk(document(page), None, [1])[1])


def rows_of(draft: ChunkDraft) -> list[int]:
    """The rows that a chunk carries as its own, in order."""
    assert draft.layout is not None
    assert draft.layout.table is not None
    return sorted({cell.row for cell in draft.layout.table.cells if cell.row > draft.layout.repeated})


def parts(draft: ChunkDraft) -> tuple[str, Table, int]:
    assert draft.text is not None
    assert draft.layout is not None
    assert draft.layout.table is not None
    return draft.text, draft.layout.table, draft.layout.repeated


def sheet(rows: int, *, header_rows: int = 1, width: int = 3) -> PageReading:
    body = [[f"r{row}c{column}" for column in range(width)] for row in range(1, rows + 1)]
    head = [[f"head{row}{column}" for column in range(width)] for row in range(header_rows)]
    text, grid = table([*head, *body], header_rows=header_rows)
    return reading(text, tables=[grid])


def test_120_rows_make_three_chunks_of_at_most_50_with_the_header_repeated() -> None:
    drafts = cut(sheet(120))
    assert len(drafts) == 3
    header = "head00\thead01\thead02"
    for number, draft in enumerate(drafts):
        text, grid, repeated = parts(draft)
        assert text.split("\n")[0] == header
        assert repeated == (1 if number else 0)
        assert (grid.rows, grid.columns, grid.header_rows) == (121, 3, 1)
        assert len(text.split("\n")) <= 51
    assert [row for draft in drafts for row in rows_of(draft) if row > 1] == list(range(2, 122))


def test_120_rows_without_a_header_make_three_chunks_and_repeat_nothing() -> None:
    drafts = cut(sheet(120, header_rows=0))
    assert [len((draft.text or "").split("\n")) for draft in drafts] == [50, 50, 20]
    assert all(parts(draft)[2] == 0 for draft in drafts)


def test_the_text_of_a_chunk_is_the_grid_by_lines_and_tabs() -> None:
    for draft in cut(sheet(7)):
        text, grid, _ = parts(draft)
        shown = [line.split("\t") for line in text.split("\n")]
        assert all(len(line) == 3 for line in shown)
        assert [value for line in shown for value in line] == [cell.text for cell in grid.cells]


def test_the_setting_says_how_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_CHUNK_GRID_MAX_ROWS", "10")
    assert [len(rows_of(draft)) for draft in cut(sheet(25, header_rows=0))] == [10, 10, 5]


@pytest.mark.parametrize("value", ["0", "-3", "many", "1.5"])
def test_a_setting_that_is_no_positive_number_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("INDX_CHUNK_GRID_MAX_ROWS", value)
    with pytest.raises(ConfigurationError, match="INDX_CHUNK_GRID_MAX_ROWS") as caught:
        cut(sheet(3))
    assert repr(value) in str(caught.value)


def test_rows_are_kept_whole_and_a_chunk_stays_under_the_ceiling() -> None:
    text, grid = table([["key", "text"], *([f"k{row}", "x" * 700] for row in range(9))])
    drafts = cut(reading(text, tables=[grid]))
    assert [len(rows_of(draft)) for draft in drafts[1:]] == [2, 2, 2, 1]
    for draft in drafts:
        assert len(draft.text or "") <= CEILING
        assert all(len(line) < 6 or line.endswith("x" * 700) for line in (draft.text or "").split("\n")[1:])


def test_a_row_longer_than_the_ceiling_is_a_chunk_of_its_own_and_comes_whole() -> None:
    text, grid = table([["a", "b"], ["1", "2"], ["big", "y" * 5000], ["3", "4"]])
    drafts = cut(reading(text, tables=[grid]))
    assert [(draft.text or "").split("\n")[1:] for draft in drafts] == [
        ["1\t2"],
        ["big\t" + "y" * 5000],
        ["3\t4"],
    ]


def test_a_header_of_more_than_a_third_of_the_ceiling_is_not_repeated() -> None:
    wide = [f"column number {column}" for column in range(50)]
    text, grid = table([wide, *(["1"] * 50 for _ in range(60))])
    first, *others = cut(reading(text, tables=[grid]))
    assert (first.text or "").startswith("column number 0\t")
    assert len(rows_of(first)) > 1
    assert others
    assert all(parts(draft)[2] == 0 and "column" not in (draft.text or "") for draft in others)
    assert [row for draft in [first, *others] for row in rows_of(draft)] == list(range(1, 62))


def test_a_header_longer_than_the_ceiling_stands_alone_and_the_rows_are_no_crumbs() -> None:
    text, grid = table([["h" * 1500, "i" * 1500], *([str(row), "v"] for row in range(80))])
    drafts = cut(reading(text, tables=[grid]))
    assert [len(rows_of(draft)) for draft in drafts] == [1, 50, 30]


def test_a_cell_merged_over_the_cut_stays_with_its_row_and_others_keep_their_columns() -> None:
    rows = [["h1", "h2", "h3"], *([f"a{row}", f"b{row}", f"c{row}"] for row in range(1, 61))]
    rows[50] = ["merged", "b50", "c50"]
    rows[51] = ["", "b51", "c51"]
    text, grid = table(rows, spans={(51, 1): (2, 1)})
    first, second = cut(reading(text, tables=[grid]))
    _, cells_of_first, _ = parts(first)
    assert [(cell.row, cell.row_span) for cell in cells_of_first.cells if cell.text == "merged"] == [(51, 2)]
    text_of_second, cells_of_second, _ = parts(second)
    assert text_of_second.split("\n")[1] == "\tb51\tc51"
    assert [(cell.row, cell.column) for cell in cells_of_second.cells if cell.text == "b51"] == [(52, 2)]


def test_a_repeated_header_cell_does_not_reach_into_the_body() -> None:
    rows = [["both", "top"], ["", "low"], *([str(row), "v"] for row in range(1, 70))]
    text, grid = table(rows, header_rows=2, spans={(1, 1): (3, 1)})
    *_, last = cut(reading(text, tables=[grid]))
    _, carried, repeated = parts(last)
    assert repeated == 2
    assert [(cell.row, cell.row_span) for cell in carried.cells if cell.text == "both"] == [(1, 2)]


def test_the_section_is_what_the_table_is_called_under_the_headings_above() -> None:
    text, grid = table([["k", "v"], ["a", "1"]], start=9, caption="Prices")
    page = reading("Chapter 1\n"[:9] + "\n" + text, tables=[], headings=[("Chapter 1", 1)])
    moved = Table(
        grid.start + 1,
        grid.end + 1,
        grid.rows,
        grid.columns,
        grid.header_rows,
        tuple(
            Cell(c.row, c.column, c.row_span, c.column_span, c.text, c.start + 1, c.end + 1)
            for c in grid.cells
        ),
        grid.caption,
    )
    page.tables = (moved,)
    heading, chunk = cut(page)
    assert heading.text == "Chapter 1"
    assert list(chunk.section) == ["Chapter 1", "Prices"]


def test_comments_beside_a_table_are_chunks_of_their_own() -> None:
    text, grid = table([["k", "v"], ["a", "1"]])
    page = reading(
        text + "\nA2: look\nA3: here", tables=[grid], roles=[("A2: look", "comment"), ("A3: here", "comment")]
    )
    chunk, comments = cut(page)
    assert chunk.text == text
    assert comments.text == "A2: look\nA3: here"
    assert comments.layout is None


def test_a_page_of_prose_with_a_table_is_left_to_others() -> None:
    text, grid = table([["k", "v"], ["a", "1"]])
    page = reading(text + "\n" + "Prose that is no part of any table. " * 3, tables=[grid])
    assert not chunker().chunk(document(page), None, [1])


def test_unread_pages_and_pages_without_a_table_are_left_to_others() -> None:
    answer = chunker().chunk(document(reading(reason="no_text_layer"), "text", ""), None, [1, 2, 3])
    assert not answer


def test_a_page_without_geometry_says_so_and_one_wholly_hidden_says_that() -> None:
    text, grid = table([["k", "v"], ["a", "1"]])
    assert [draft.box_reason for draft in cut(reading(text, tables=[grid]))] == ["no_geometry"]
    assert [draft.box_reason for draft in cut(reading(text, tables=[grid], hidden=[text]))] == ["hidden"]


def test_a_page_with_geometry_gets_the_box_around_the_rows() -> None:
    text, grid = table([["k", "v"], ["a", "1"]])
    page = reading(text, tables=[grid], boxes=[(0.1, 0.1, 0.5, 0.2), (0.1, 0.2, 0.6, 0.3)])
    assert [draft.box for draft in cut(page)] == [(0.1, 0.1, 0.6, 0.3)]
    page = reading(text, tables=[grid], boxes=[(0.1, 0.1, 0.5, 0.2), None])
    assert [draft.box_reason for draft in cut(page)] == ["unresolved"]


@given(
    st.lists(st.lists(st.text("ab 漢\u3042", max_size=300), min_size=3, max_size=3), min_size=1, max_size=90),
    st.integers(0, 3),
)
def test_no_row_is_lost_doubled_or_cut(rows: list[list[str]], header_rows: int) -> None:
    text, grid = table(rows, header_rows=min(header_rows, len(rows)))
    page = reading(text, tables=[grid])
    for drafts in chunker().chunk(document(page), None, [1]).values():
        assert_drafts(page, drafts)
        lines = set(text.split("\n"))
        for draft in drafts:
            assert set((draft.text or "").split("\n")) <= lines
            own = page.text[draft.spans[0][0] : draft.spans[0][1]]
            assert len(own) <= CEILING or own.count("\n") == 0


def test_a_hidden_column_is_a_table_apart_under_its_own_header() -> None:
    text, grid = table([["name", "pay"], *([f"n{number}", f"{number}00"] for number in range(60))])
    page = reading(text, tables=[grid], hidden=["pay", *(f"{number}00" for number in range(60))])
    drafts = cut(page)
    assert [draft.box_reason for draft in drafts] == ["no_geometry", "hidden"] * 2
    assert [draft.text.splitlines()[:2] for draft in drafts] == [
        ["name", "n0"], ["pay", "000"], ["name", "n50"], ["pay", "5000"],
    ]  # fmt: skip
    assert [draft.layout.repeated for draft in drafts if draft.layout] == [0, 0, 1, 1]
