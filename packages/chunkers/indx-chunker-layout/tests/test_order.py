"""Reading order: columns, what stands across them, rows, upright and right-to-left pages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st


def words(texts):
    """What was read, in order, the first word of each line."""
    return [line.split()[0] for text in texts for line in text.split("\n")]


def named(name, count):
    return [f"{name}{number}" for number in range(count - 1)] + [name]


@pytest.fixture
def columns(lines):
    """Two or more columns of three paragraphs, the first line of each 0.3 down the page."""

    def make(names, *, lefts, top=0.3, shift=0.0):
        made = []
        for place, (name, left) in enumerate(zip(names, lefts, strict=True)):
            text = [line for part in "abc" for line in lines.prose(4, f"{name}{part}")]
            made.append(lines.column(text, left=left, top=top + shift * place, gaps=(4, 8)))
        return made

    return make


def expected(name):
    return [word for part in "abc" for word in named(f"{name}{part}", 4)]


def interleaved(made):
    return [line for row in zip(*made, strict=True) for line in row]


@pytest.mark.parametrize("shift", [0.0, 0.005])
@pytest.mark.parametrize("drawn", ["across", "down"])
def test_the_left_column_is_read_to_its_end_then_the_right(columns, texts, drawn, shift):
    made = columns("lr", lefts=(0.1, 0.55), shift=shift)
    found = texts(interleaved(made) if drawn == "across" else [*made[0], *made[1]])
    assert words(found) == expected("l") + expected("r")
    assert len(found) == 6


def test_three_columns_are_read_one_after_the_other(columns, texts, lines):
    made = columns("lmr", lefts=(0.0, 0.34, 0.68))
    assert words(texts(interleaved(made))) == expected("l") + expected("m") + expected("r")


def test_columns_whose_lines_a_reader_joined_are_read_one_after_the_other(columns, cut, lines):
    made = columns("lr", lefts=(0.1, 0.55))
    page = lines.joined([list(row) for row in zip(*made, strict=True)])
    assert words([draft.text for draft in cut(page)]) == expected("l") + expected("r")


def test_a_heading_over_columns_is_read_before_them_and_a_line_below_after(columns, texts, lines):
    made = columns("lr", lefts=(0.1, 0.55))
    heading = lines.at("Heading that stands over the whole of both columns of the page", 0.2, 0.2)
    below = lines.at("Below stands a line that runs across the whole of both of the columns", 0.15, 0.6)
    found = words(texts([*interleaved(made), heading, below]))
    assert found == ["Heading", *expected("l"), *expected("r"), "Below"]


def test_a_line_across_columns_parts_what_is_above_from_what_is_below(columns, texts, lines):
    upper = columns("lr", lefts=(0.1, 0.55), top=0.1)
    lower = columns("no", lefts=(0.1, 0.55), top=0.6)
    across = lines.at("Across both of the columns runs this line in the middle of the page", 0.15, 0.5)
    found = words(texts([*interleaved(upper), across, *interleaved(lower)]))
    assert found == [*expected("l"), *expected("r"), "Across", *expected("n"), *expected("o")]


def test_columns_above_other_columns_are_read_first(columns, texts):
    upper = columns("lr", lefts=(0.1, 0.55), top=0.1)
    lower = columns("nop", lefts=(0.0, 0.34, 0.68), top=0.5)
    found = words(texts(interleaved(upper) + interleaved(lower)))
    assert found == [word for name in "lrnop" for word in expected(name)]


def test_a_short_heading_of_what_follows_is_no_end_of_the_left_column(columns, texts, lines):
    made = columns("lr", lefts=(0.1, 0.55))
    below = lines.column(["Wide text that runs under both columns, all over the page"] * 2, top=0.617)
    heading = lines.at("Conclusion", 0.1, 0.6)
    assert words(texts([*interleaved(made), heading, *below])) == [
        *expected("l"),
        *expected("r"),
        "Conclusion",
        "Wide",
        "Wide",
    ]


def test_a_date_above_the_right_column_is_read_before_the_left(columns, texts, lines):
    made = columns("lr", lefts=(0.1, 0.55))
    found = words(texts([lines.at("2024-05-01", 0.7, 0.2), *interleaved(made)]))
    assert found == ["2024-05-01", *expected("l"), *expected("r")]


def test_a_right_column_that_begins_a_little_higher_stays_the_second(columns, texts):
    left, right = columns("lr", lefts=(0.1, 0.55), shift=-0.004)
    assert words(texts(interleaved([right, left]))) == expected("l") + expected("r")


def test_a_running_title_drawn_last_is_read_first(texts, lines):
    body = lines.column(lines.prose(4))
    assert words(texts([*body, lines.at("TITLE", 0.4, 0.03)]))[0] == "TITLE"


@pytest.mark.parametrize("drawn", ["rows", "columns"])
def test_rows_of_contents_drawn_as_fragments_stay_rows(texts, lines, drawn):
    rows = [("01", "Introduction", "04"), ("02", "Methods and data", "11"), ("03", "Results", "27")]
    made = [lines.row(row, (0.1, 0.16, 0.8), 0.1 + 0.02 * at) for at, row in enumerate(rows)]
    order = made if drawn == "rows" else zip(*made, strict=True)
    found = texts([cell for cells in order for cell in cells])
    assert found == ["\n".join("\t".join(row) for row in rows)]


def test_rows_of_contents_on_one_line_each_stay_lines(texts, lines):
    rows = ["01 Introduction ........ 04", "02 Methods ............. 11", "03 Results ............. 27"]
    assert "\n".join(texts(lines.column(rows))) == "\n".join(rows)


UPRIGHT = [
    (f"{name}本文を縦に組んだもの", (left, 0.1, left + 0.02, 0.6))
    for name, left in (("一", 0.8), ("二", 0.77), ("三", 0.74))
]


@pytest.mark.parametrize("drawn", [UPRIGHT, UPRIGHT[::-1]])
def test_upright_lines_are_read_from_the_right(texts, drawn):
    assert [line[0] for line in "\n".join(texts(drawn)).split("\n")] == ["一", "二", "三"]


@pytest.mark.parametrize(
    "turn",
    [lambda x0, y0, x1, y1: (1 - y1, x0, 1 - y0, x1), lambda x0, y0, x1, y1: (y0, 1 - x1, y1, 1 - x0)],
    ids=["clockwise", "counterclockwise"],
)
def test_a_turned_page_is_cut_like_an_upright_one(texts, columns, turn):
    made = columns("lr", lefts=(0.1, 0.55))
    drawn = [(text, turn(*box)) for text, box in [*made[0], *made[1]]]
    assert texts(drawn) == texts([*made[0], *made[1]])
    assert len(texts(drawn)) == 6


def test_a_line_set_across_the_others_comes_last(texts, lines):
    body = lines.column(lines.prose(3))
    stamp = ("arXiv:2103.00001 [cs.CV]", (0.02, 0.1, 0.04, 0.7))
    assert texts([stamp, *body]) == ["\n".join(lines.prose(3)), stamp[0]]


def test_the_right_column_of_right_to_left_script_is_read_first(texts, lines):
    said = [
        "שורה ארוכה של טקסט בעברית אחת ועוד שורה",
        "ועוד שורה ארוכה של טקסט בעברית על העמוד",
        "ושורה שלישית של טקסט בעברית על העמוד הזה",
    ]
    right = [(f"א{text}", (0.55, 0.1 + 0.02 * at, 0.9, 0.112 + 0.02 * at)) for at, text in enumerate(said)]
    left = [(f"ב{text}", (0.1, 0.1 + 0.02 * at, 0.45, 0.112 + 0.02 * at)) for at, text in enumerate(said)]
    found = "\n".join(texts(interleaved([left, right]))).split("\n")
    assert [line[0] for line in found] == ["א"] * 3 + ["ב"] * 3


boxes = st.tuples(*[st.floats(0, 1)] * 4).map(
    lambda b: (min(b[0], b[2]), min(b[1], b[3]), max(b[0], b[2]), max(b[1], b[3]))
)
anywhere = st.one_of(
    boxes,
    st.just((float("nan"),) * 4),
    st.tuples(st.integers(0, 3), st.integers(0, 9)).map(
        lambda at: (0.25 * at[0], 0.1 * at[1], 0.25 * at[0] + 0.2, 0.1 * at[1] + 0.05)
    ),
)
said = st.text("ab .\t•漢א1", max_size=60)


@given(st.lists(st.tuples(said, anywhere), max_size=40))
def test_however_lines_lie_every_one_is_carried_once(lines, cut, found):
    cut(lines.page(found))


@given(
    st.lists(
        st.tuples(st.sampled_from(["0", "word", "two words"]), st.integers(0, 4), st.integers(0, 6)),
        max_size=40,
    )
)
def test_however_cells_lie_every_one_is_carried_once(lines, cut, found):
    cut(lines.page([lines.at(text, 0.2 * column, 0.1 + 0.03 * row) for text, column, row in found]))


@given(st.permutations(range(12)))
def test_two_columns_are_read_alike_however_they_were_drawn(lines, cut, order):
    left = lines.column(lines.prose(6, "left"))
    right = lines.column(lines.prose(6, "right"), left=0.55)
    drawn = [[*left, *right][at] for at in order]
    assert words([draft.text for draft in cut(lines.page(drawn))]) == named("left", 6) + named("right", 6)
