"""Tables apart from text: rows whole, the header repeated, cells numbered as in the whole table."""

import pytest

from indx_testkit.samples import table

ROWS = [["name", "value"], *([f"row {number}", f"value {number}"] for number in range(1, 121))]


def of_page(cut, rows, *, before="# T\n", after="", limit=None, header_rows=1, spans=None):
    text, made = table(rows, start=len(before), header_rows=header_rows, spans=spans)
    return cut(before + text + after, limit, tables=[made])


def only_tables(drafts):
    return [draft for draft in drafts if draft.layout]


def test_a_table_is_a_chunk_of_its_own_with_its_cells(cut):
    drafts = of_page(cut, ROWS[:4], before="# T\n\nBefore.\n\n", after="\n\nAfter.\n")
    assert [draft.text for draft in drafts] == [
        "# T\n\nBefore.\n\nAfter.",
        "name\tvalue\nrow 1\tvalue 1\nrow 2\tvalue 2\nrow 3\tvalue 3",
    ]
    layout = drafts[1].layout
    assert (layout.role, layout.repeated, layout.table.rows, layout.table.header_rows) == ("table", 0, 4, 1)
    assert [cell.text for cell in layout.table.cells[:3]] == ["name", "value", "row 1"]
    assert drafts[1].section == ("T",)


def test_long_text_before_a_table_is_its_own_chunk(cut):
    words = "Words before the table. " * 20
    drafts = of_page(cut, ROWS[:3], before=f"# T\n\n{words}\n\n", after="\n\nAfter.")
    assert [bool(draft.layout) for draft in drafts] == [False, True, False]


def test_a_long_table_repeats_its_header_and_loses_no_row(cut):
    drafts = only_tables(of_page(cut, ROWS, limit=500))
    assert len(drafts) > 3
    assert all(len(draft.text) <= 500 for draft in drafts)
    assert all(draft.text.startswith("name\tvalue\n") for draft in drafts)
    assert [draft.layout.repeated for draft in drafts] == [0] + [1] * (len(drafts) - 1)
    body = [line for draft in drafts for line in draft.text.split("\n")[1:]]
    assert body == ["\t".join(row) for row in ROWS[1:]]


def test_cells_keep_the_numbers_of_the_whole_table(cut):
    drafts = only_tables(of_page(cut, ROWS, limit=500))
    part = drafts[1].layout.table
    assert [(cell.row, cell.text) for cell in part.cells[:2]] == [(1, "name"), (1, "value")]
    first = part.cells[2]
    assert ROWS[first.row - 1][first.column - 1] == first.text
    assert part.rows == len(ROWS)
    assert not {(c.row, c.column) for c in part.cells[2:]} & {
        (c.row, c.column) for c in drafts[0].layout.table.cells
    }


def test_a_merged_cell_over_a_cut_shifts_no_column(cut):
    spans = {(number, 1): (2, 1) for number in range(2, 120, 2)}
    rows = [[("" if number > 1 and number % 2 else a), b] for number, (a, b) in enumerate(ROWS[:-1], start=1)]
    for draft in only_tables(of_page(cut, rows, limit=210, spans=spans)):
        for cell in draft.layout.table.cells:
            assert rows[cell.row - 1][cell.column - 1] == cell.text


def test_a_repeated_header_does_not_reach_into_rows_that_are_not_there(cut):
    rows = [["a", "b"], ["", "1"], *([f"x{number}", str(number)] for number in range(60))]
    drafts = only_tables(of_page(cut, rows, limit=210, spans={(1, 1): (2, 1)}))
    reaches = [draft.layout.table.cells[0].row_span for draft in drafts]
    assert reaches == [2, *([1] * (len(drafts) - 1))]


def test_a_header_of_most_of_a_chunk_is_not_repeated(cut):
    rows = [[f"column {number}" for number in range(30)], *([str(number)] * 30 for number in range(60))]
    drafts = only_tables(of_page(cut, rows, limit=330))
    assert [draft.layout.repeated for draft in drafts] == [0] * len(drafts)
    assert sum(len(draft.text) < 150 for draft in drafts) <= 1


def test_a_row_longer_than_a_chunk_is_cut_like_text(cut):
    rows = [["a", "b"], ["1", "long words " * 100], ["2", "short"]]
    drafts = of_page(cut, rows, limit=300)
    assert all(len(draft.text) <= 300 for draft in drafts)
    assert [draft.text for draft in only_tables(drafts)] == ["a\tb", "a\tb\n2\tshort"]


@pytest.mark.parametrize("limit", [1, 7, 40])
def test_very_small_limits_end(cut, limit):
    assert all(len(draft.text) <= limit for draft in of_page(cut, ROWS[:10], limit=limit))


def test_a_heading_in_a_cell_makes_no_section(cut):
    text, made = table([["# in a cell", "x"], ["1", "2"]], start=4)
    (heading, grid) = cut("# T\n" + text, tables=[made])
    assert grid.section == heading.section == ("T",)


def test_a_table_of_empty_cells_is_no_chunk(cut):
    assert [draft.text for draft in of_page(cut, [["", ""], ["", ""]])] == ["# T"]
