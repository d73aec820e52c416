"""Which way a page runs is told from its lines alone, and only where it is clear."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.ports import PageReading, line_columns
from indx_core.turning import quarters_of, runs_leftwards, turned_back

HEIGHT, PITCH, LETTER = 0.012, 0.0165, 0.008
NOWHERE = (float("nan"),) * 4


def turned(box, quarters):
    """A box of a page that is shown turned clockwise by so many quarters."""
    for _ in range(quarters):
        x0, y0, x1, y1 = box
        box = (1 - y1, x0, 1 - y0, x1)
    return box


def page(lines, quarters=0, **facts):
    """A page of (text, box) pairs, of which each may be a list of them: a row of cells."""
    rows = [line if isinstance(line, list) else [line] for line in lines]
    text = "\n".join("\t".join(said for said, _ in row) for row in rows)
    starts, ends = line_columns(text)
    made = PageReading(1, text, starts, ends, array("d"), **facts)
    for start, row in zip(starts, rows, strict=True):
        sides = list(zip(*(box for _, box in row), strict=True))
        around = (min(sides[0]), min(sides[1]), max(sides[2]), max(sides[3]))
        made.boxes.extend(turned(around, quarters))
        for said, box in row if len(row) > 1 else ():
            made.part_starts.append(start)
            made.part_ends.append(start + len(said))
            made.part_boxes.extend(turned(box, quarters))
            start += len(said) + 1
    return made


def at(text, left, top):
    return text, (left, top, left + LETTER * len(text), top + HEIGHT)


def column(texts, *, left=0.1, top=0.1, pitch=PITCH):
    """Lines below each other, flush on the left, as wide as their text."""
    return [at(text, left, top + pitch * number) for number, text in enumerate(texts)]


def mirrored(lines):
    return [(text, (1 - x1, y0, 1 - x0, y1)) for text, (x0, y0, x1, y1) in lines]


def words(length, letter="a"):
    return (letter * 5 + " ") * (length // 6) + letter * (length % 6)


PROSE = column([words(length) for length in (60, 58, 61, 60, 20)])
QUARTERS = pytest.mark.parametrize("quarters", range(4))
lengths = st.lists(st.integers(20, 80), min_size=3, max_size=40)


@given(lengths, st.integers(0, 3))
def test_lines_of_any_length_tell_how_their_page_is_turned(lengths, quarters):
    lines = column([words(length) for length in lengths])
    assert quarters_of(page(lines, quarters)) == quarters


@given(lengths, st.integers(0, 3))
def test_lines_of_a_script_that_runs_leftwards_tell_it_too(lengths, quarters):
    lines = mirrored(column([words(length, "א") for length in lengths]))
    assert quarters_of(page(lines, quarters)) == quarters


@given(st.permutations(range(12)))
def test_an_upright_page_drawn_in_any_order_is_not_taken_for_one_on_its_head(order):
    lines = column([words(60 if number % 4 < 3 else 20) for number in range(12)])
    assert quarters_of(page([lines[at] for at in order])) == 0


@QUARTERS
def test_columns_tell_it(quarters):
    texts = [words(40)] * 8 + [words(20)]
    lines = column(texts) + column(texts, left=0.55)
    assert quarters_of(page(lines, quarters)) == quarters


def cells(*, leftwards=False):
    """Rows of three cells."""
    letter = "א" if leftwards else "a"
    rows = [
        [at(words(9, letter), 0.1, top), at(words(5, letter), 0.3, top), at(words(5, letter), 0.5, top)]
        for top in (0.1, 0.12, 0.14, 0.16)
    ]
    return [mirrored(row) if leftwards else row for row in rows]


@QUARTERS
@pytest.mark.parametrize("leftwards", [False, True])
def test_cells_that_are_lines_tell_it(quarters, leftwards):
    lines = [cell for row in cells(leftwards=leftwards) for cell in row]
    assert quarters_of(page(lines, quarters)) == quarters


def stepped(*, leftwards=False):
    """Rows as of a table with deep names, which begin here and there, while its numbers end alike."""
    letter = "א" if leftwards else "a"
    rows = [
        [at(words(14, letter), 0.1 + 0.03 * (row % 3), 0.1 + 0.02 * row), at("1,000", 0.5, 0.1 + 0.02 * row)]
        for row in range(6)
    ]
    return [mirrored(row) if leftwards else row for row in rows]


@QUARTERS
@pytest.mark.parametrize("leftwards", [False, True])
def test_rows_whose_ends_are_flush_tell_it_by_their_cells(quarters, leftwards):
    assert quarters_of(page(stepped(leftwards=leftwards), quarters)) == quarters


def test_cells_whose_place_is_unknown_do_not_count():
    made = page(stepped(), 2)
    for part in (0, 2, 4):
        made.part_boxes[4 * part : 4 * part + 4] = array("d", NOWHERE)
    assert quarters_of(made) == 2


def test_a_few_rows_whose_ends_are_flush_tell_nothing_without_their_cells():
    assert quarters_of(page([_flush(row) for row in stepped()], 2)) == 0


def test_rows_drawn_upwards_whose_cells_run_on_are_upright():
    rows = [[at(words(14), 0.1, 0.9 - 0.02 * row), at("1,000", 0.5, 0.9 - 0.02 * row)] for row in range(30)]
    assert quarters_of(page(rows)) == 0


def _flush(row):
    """A row as one line, nothing told of its cells."""
    return "\t".join(said for said, _ in row), (row[0][1][0], row[0][1][1], row[1][1][2], row[1][1][3])


@QUARTERS
def test_many_lines_tell_it_whichever_side_is_flush(quarters):
    lines = mirrored(column([words(40 + 3 * (number % 5)) for number in range(14)]))
    assert quarters_of(page(lines, quarters)) == quarters


@QUARTERS
def test_lines_that_share_their_middle_tell_it(quarters):
    lines = [
        at(words(length), 0.5 - LETTER * length / 2, 0.1 + PITCH * n) for n, length in enumerate((30, 50, 40))
    ]
    assert quarters_of(page(lines, quarters)) == quarters


@QUARTERS
def test_a_hair_on_one_side_of_lines_as_wide_as_their_column_tells_nothing(quarters):
    lines = [(words(60), (0.1 + 0.001 * (n % 2), 0.1 + PITCH * n, 0.6, 0.112 + PITCH * n)) for n in range(4)]
    assert quarters_of(page(lines, quarters)) == quarters


def test_lines_hardly_longer_than_high_tell_nothing():
    lines = [("word", (0.1, 0.5 - 0.03 * n, 0.13, 0.52 - 0.03 * n)) for n in range(4)]
    assert quarters_of(page(lines)) == 0


def test_numbers_that_are_higher_than_wide_are_no_upright_lines():
    lines = [(f"{n}", (0.1, 0.1 + 0.02 * n, 0.105, 0.115 + 0.02 * n)) for n in range(10, 30)]
    assert quarters_of(page(lines)) == 0


def test_a_few_long_lines_drawn_upwards_among_words_of_no_shape_tell_nothing():
    long = [at(words(30), 0.1, 0.5 - PITCH * n) for n in range(3)]
    aslant = [(words(60), (0.2, 0.1, 0.6, 0.5))] * 4
    assert quarters_of(page([*long, *aslant])) == 0


def test_words_here_and_there_that_are_hardly_ever_above_each_other_tell_nothing():
    apart = [at("a label", 0.1 * n, 0.1 + 0.3 * (n % 3)) for n in range(8)]
    near = [at("a label", 0.3, 0.5 - PITCH * n) for n in range(3)]
    assert quarters_of(page([*apart, *near])) == 0


@QUARTERS
@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_page_of_a_line_or_two_tells_nothing(count, quarters):
    assert quarters_of(page(PROSE[:count], quarters)) == 0


def test_a_page_without_places_tells_nothing():
    text = "one line\nanother line\na third line"
    assert quarters_of(PageReading(1, text, *line_columns(text))) == 0


def test_a_few_lines_drawn_upwards_that_begin_flush_are_upright():
    assert quarters_of(page(PROSE[::-1])) == 0


def test_a_foot_a_body_and_a_head_drawn_in_that_order_are_upright():
    lines = [
        at("page 3 of 12", 0.4, 0.95),
        at("one line of text", 0.38, 0.5),
        at("a running head", 0.39, 0.05),
    ]
    assert quarters_of(page(lines)) == 0


@QUARTERS
def test_lines_whose_place_is_unknown_and_hidden_ones_do_not_count(quarters):
    hidden = column([words(30)] * 20, top=0.5)[::-1]
    made = page([*PROSE, ("an unknown place", NOWHERE), *hidden], quarters)
    assert quarters_of(made) != quarters or quarters == 0
    made.hidden = ((made.text.index("place") + 6, len(made.text)),)
    assert quarters_of(made) == quarters


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_few_turned_lines_among_upright_ones_change_nothing(quarters):
    stamps = [(text, turned(box, quarters)) for text, box in PROSE[:3]]
    upright = column([words(60)] * 30)
    assert quarters_of(page([*upright, *stamps])) == 0
    assert quarters_of(page([*upright, *stamps], quarters)) == quarters


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_page_of_both_kinds_is_left_as_it_is(quarters):
    table = [(text, turned(box, quarters)) for text, box in column([words(40)] * 16)]
    assert quarters_of(page([*column([words(45)] * 4), *table])) == 0


JAPANESE = ["横に組んだ日本語の文章の一行目である", "二行目はこれより短い", "三行目もまた横に組んである文"]


def wide(texts):
    """Lines of ideographs, each twice as wide as a letter."""
    return [
        (text, (0.1, 0.1 + PITCH * at, 0.1 + 2 * LETTER * len(text), 0.1 + PITCH * at + HEIGHT))
        for at, text in enumerate(texts)
    ]


@pytest.mark.parametrize(("quarters", "expected"), [(0, 0), (1, 0), (2, 2), (3, 3)])
def test_lines_that_run_down_from_the_right_may_be_written_so(quarters, expected):
    assert quarters_of(page(wide(JAPANESE), quarters)) == expected


def test_many_lines_of_ideographs_that_run_up_are_turned():
    assert quarters_of(page(wide(JAPANESE * 6), 3)) == 3


def test_lines_written_downwards_and_drawn_from_the_wrong_side_are_not_turned():
    assert quarters_of(page(wide(JAPANESE)[::-1], 1)) == 0
    assert quarters_of(page(wide(["同じ長さの行である"] * 20)[::-1], 1)) == 0


sides = st.floats(0, 1).map(lambda side: round(side, 3))


@given(st.tuples(sides, sides, sides, sides), st.integers(0, 3))
def test_what_is_turned_back_lies_where_it_lay(box, quarters):
    assert turned_back(quarters)(turned(box, quarters)) == pytest.approx(box)


anywhere = st.one_of(st.just(NOWHERE), st.tuples(*[st.floats(0, 1)] * 4))
said = st.text("ab .\t漢א1", min_size=1, max_size=40)


@given(st.lists(st.tuples(said, anywhere), max_size=30))
def test_however_lines_lie_the_answer_is_a_number_of_quarters(lines):
    assert quarters_of(page(lines)) in range(4)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", False),
        ("plain", False),
        ("שלום", True),
        ("שלום hello", False),
        ("مرحبا 123", True),
        ("漢字", False),
    ],
)
def test_a_text_runs_leftwards_by_most_of_its_letters(text, expected):
    assert runs_leftwards(text) is expected
