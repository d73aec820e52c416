"""What a page hides never stands in a chunk of what it shows."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.hiding import apart, parted
from indx_core.ports import Cell, ChunkDraft, ChunkLayout, PageReading, Table, line_columns


def reading(text, hidden=(), boxes=None):
    """A page whose stretches `hidden`, each found by its words from left to right, are not shown."""
    spans, position = [], 0
    for words in hidden:
        start = text.index(words, position)
        position = start + len(words)
        spans.append((start, position))
    return PageReading(1, text, *line_columns(text), boxes, hidden=spans)


def whole(page, **facts):
    return ChunkDraft(page.text, spans=((0, len(page.text)),), **({"box_reason": "no_geometry"} | facts))


def kinds(drafts):
    return [(draft.text, draft.box_reason) for draft in drafts]


@pytest.mark.parametrize(
    ("text", "hidden", "expected"),
    [
        ("Shown.\n\nNo.\n\nMore.", ["No."], [("Shown.\n\nMore.", "no_geometry"), ("No.", "hidden")]),
        ("No.\n\nShown.", ["No."], [("No.", "hidden"), ("Shown.", "no_geometry")]),
        ("Two secret words here", ["secret "], [("Two words here", "no_geometry"), ("secret", "hidden")]),
        ("a one b two c", ["one", "two"], [("a b c", "no_geometry"), ("one two", "hidden")]),
        ("a hid\nb hid2\nc", ["hid", "hid2"], [("a \nb\nc", "no_geometry"), ("hid hid2", "hidden")]),
        ("a\nhid b", ["hid"], [("a\nb", "no_geometry"), ("hid", "hidden")]),
        ("a hid\nhid2 b", ["hid", "hid2"], [("a b", "no_geometry"), ("hid\nhid2", "hidden")]),
        ("All of it", ["All", "of it"], [("All of it", "hidden")]),
        ("a touching", ["touch", "ing"], [("a", "no_geometry"), ("touching", "hidden")]),
        ("Only a space", [" a "], [("Only space", "no_geometry"), ("a", "hidden")]),
        ("Nothing  hidden", ["  "], [("Nothing  hidden", "no_geometry")]),
    ],
)
def test_shown_and_hidden_text_are_chunks_apart(text, hidden, expected):
    page = reading(text, hidden)
    assert kinds(parted(page, [whole(page)])) == expected


def test_what_is_shown_keeps_its_own_lines_and_their_box():
    page = reading("shown\nsecret", ["secret"], [0.0, 0.0, 0.5, 0.1, 0.0, 0.2, 0.9, 0.3])
    shown, hidden = parted(page, [whole(page, box=(0, 0, 0.9, 0.3), box_reason=None)], joiner="\n")
    assert (shown.text, shown.box, shown.box_reason) == ("shown", (0.0, 0.0, 0.5, 0.1), None)
    assert (hidden.text, hidden.box, hidden.box_reason) == ("secret", None, "hidden")


def test_a_place_that_is_not_known_stays_unknown():
    page = reading("shown\nsecret", ["secret"], [0.0, 0.0, 0.5, 0.1, 0.0, 0.2, 0.9, 0.3])
    assert parted(page, [whole(page, box_reason="unresolved")])[0].box_reason == "unresolved"


def test_a_chunk_that_was_called_hidden_for_a_word_of_it_is_not():
    page = reading("shown secret", ["secret"], [0.0, 0.0, 0.5, 0.1])
    assert [one.box for one in parted(page, [whole(page, box_reason="hidden")])] == [
        (0.0, 0.0, 0.5, 0.1),
        None,
    ]


@pytest.mark.parametrize("hidden", [[" "], ["e"]])
def test_a_chunk_without_a_hidden_character_is_not_hidden(hidden):
    page = reading("shown e\u0301", hidden)
    (draft,) = parted(page, [whole(page, box_reason="hidden")])
    assert (draft.text, draft.box_reason) == (page.text, "no_geometry")


def grid(*rows):
    """A table at the start of a page, a row a line, a tab between cells."""
    text = "\n".join("\t".join(row) for row in rows)
    cells, position = [], 0
    for number, row in enumerate(rows, start=1):
        for column, said in enumerate(row, start=1):
            if said:
                cells.append(Cell(number, column, 1, 1, said, position, position + len(said)))
            position += len(said) + 1
    return text, Table(0, len(text), len(rows), len(rows[0]), 1, tuple(cells))


ROWS = ["Name", "Pay", "Town"], ["Ada", "100", "Rome"], ["Bo", "200", ""]


@pytest.mark.parametrize(
    ("hidden", "shown", "secret"),
    [
        (["Bo\t200\t"], "Name\tPay\tTown\nAda\t100\tRome", "Bo\t200"),
        (["Pay", "100", "200"], "Name\t\tTown\nAda\t\tRome\nBo", "Pay\n100\n200"),
        (["Rome"], "Name\tPay\tTown\nAda\t100\nBo\t200", "Rome"),
        (["da"], "Name\tPay\tTown\nA\t100\tRome\nBo\t200", "da"),
    ],
)
def test_hidden_rows_columns_and_cells_of_a_table_are_a_table_apart(hidden, shown, secret):
    text, table = grid(*ROWS)
    page = reading(text, hidden)
    one, other = parted(page, [whole(page, layout=ChunkLayout("table", table))])
    assert kinds([one, other]) == [(shown, "no_geometry"), (secret, "hidden")]
    for draft, said in ((one, shown), (other, secret)):
        assert [cell.text for cell in draft.layout.table.cells] == said.split()
        assert "".join("".join(text[slice(*span)] for span in draft.spans).split()) == "".join(said.split())
        assert draft.layout.table.rows == 3


def test_the_repeated_header_is_parted_like_the_rows():
    text, table = grid(*ROWS)
    page = reading(text, ["Pay", "200"])
    cells = [cell for cell in table.cells if cell.row != 2]
    start = text.index("Bo")
    draft = ChunkDraft(
        "Name\tPay\tTown\nBo\t200\t",
        spans=((start, len(text)),),
        box_reason="no_geometry",
        layout=ChunkLayout("table", replace(table, cells=tuple(cells)), repeated=1),
    )
    shown, hidden = parted(page, [draft])
    assert (shown.text, shown.layout.repeated) == ("Name\t\tTown\nBo", 1)
    assert (hidden.text, hidden.layout.repeated) == ("Pay\n200", 1)
    page = reading(text, ["200"])
    assert [one.layout.repeated for one in parted(page, [draft])] == [1, 0]


def test_a_table_whose_cells_do_not_hold_its_text_is_parted_as_text():
    text, table = grid(*ROWS)
    page = reading(text, ["Bo\t200"])
    drafts = parted(page, [whole(page, layout=ChunkLayout("table", replace(table, cells=())))])
    assert kinds(drafts) == [("Name\tPay\tTown\nAda\t100\tRome", "no_geometry"), ("Bo\t200", "hidden")]
    assert [draft.layout for draft in drafts] == [None, None]


@given(
    st.text("ab \n\u3000e\u0301\U0001f468\u200d", max_size=60),
    st.lists(st.integers(0, 60), max_size=12, unique=True),
)
@settings(deadline=None)
def test_every_character_is_carried_once_and_in_order(text, places):
    ends = sorted(place for place in places if place <= len(text))
    page = reading(text)
    page.hidden = list(zip(ends[::2], ends[1::2], strict=False))
    carried = [
        place for draft in parted(page, [whole(page)]) for span in draft.spans for place in range(*span)
    ]
    assert len(set(carried)) == len(carried)
    assert all(text[place].isspace() for place in set(range(len(text))).difference(carried))


def test_many_hidden_words_are_parted_in_one_pass():
    text = "shown hidden " * 2000
    spans = [(start + 6, start + 12) for start in range(0, len(text), 13)]
    shown, runs = apart(text, [(0, len(text))], spans)
    assert (len(shown), len(runs), len(runs[0])) == (2000, 1, 2000)
