"""Cutting text: limits, boundaries from strong to weak, graphemes, blocks kept whole, exact offsets."""

from array import array

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.cutting import covering, header_cells, place, split, trim
from indx_core.ports import Cell, PageReading, Table, line_columns

SIGNS = "ab .,\n-\u3000。か\u3099漢👨\u200d👩🇯🇵é\u0301한नि्"
TEXTS = st.one_of(
    st.text(alphabet=st.sampled_from(SIGNS), max_size=300),
    st.text(max_size=120),
    st.lists(
        st.sampled_from(["word ", "A sentence. ", "\n\n", "\n", "- item\n", "  more\n", "東京都。", "x" * 40])
    ).map("".join),
)


def pieces(text, limit, **how):
    return [text[start:end] for start, end in split(text, 0, len(text), limit=limit, **how)]


def weight(text):
    """A measure unlike the length: one a letter, three a character beyond ASCII, nothing a space."""
    return sum(0 if sign.isspace() else 1 if sign.isascii() else 3 for sign in text)


@given(TEXTS, st.integers(1, 60), st.sampled_from([len, weight]))
@settings(derandomize=True, deadline=None, max_examples=400)
def test_pieces_cover_the_text_fit_the_limit_and_keep_graphemes_whole(text, limit, measure):
    spans = split(text, 0, len(text), limit=limit, measure=measure)
    assert "".join(text[start:end] for start, end in spans) == text
    assert [end for _, end in spans[:-1]] == [start for start, _ in spans[1:]]
    boundaries = {0, *(match.end() for match in regex.finditer(r"\X", text))}
    for start, end in spans:
        assert start < end
        assert {start, end} <= boundaries
        whole = regex.match(r"\X", text, pos=start).end() == end
        assert measure(text[start:end]) <= limit or whole


@given(TEXTS, st.integers(1, 60), st.integers(0, 30), st.integers(0, 30))
@settings(derandomize=True, deadline=None)
def test_only_the_stretch_asked_for_is_cut(text, limit, skip, drop):
    start = min(skip, len(text))
    end = max(start, len(text) - drop)
    spans = split(text, start, end, limit=limit)
    assert "".join(text[one:other] for one, other in spans) == text[start:end]


@given(TEXTS, st.integers(0, 40), st.integers(0, 300))
@settings(derandomize=True, deadline=None)
def test_trimming_takes_white_space_alone(text, start, length):
    end = min(len(text), start + length)
    start = min(start, end)
    found = trim(text, start, end)
    if found is None:
        assert not text[start:end].strip()
        return
    first, last = found
    assert start <= first < last <= end
    assert text[first:last].strip() == text[start:end].strip()
    assert not text[last - 1].isspace()
    assert not text[first].isspace() or first == 0 or text[first - 1] == "\n"


def test_a_first_line_keeps_its_indentation_and_loses_blank_lines():
    text = "a\n\n    code\n  more  \n"
    assert trim(text, 1, len(text)) == (3, len(text) - 3)
    assert trim("one  two", 3, 8) == (5, 8)
    assert trim("  two", 0, 5) == (0, 5)


BOUNDARIES = {
    "blank line": (40, "One. Two.\nThree four.\n\n", "Five six. Seven eight.\nNine ten"),
    "outer blank line": (44, "One two three.\n\n  inner block\n\n", "outer block and\n\n  more of the same"),
    "list item": (50, "intro words here:\n- first item\n  goes on here\n", "- second item is longer"),
    "line": (40, "First line of words.\n", "Second line. It ends here and goes on"),
    "sentence": (40, "A first sentence. A second (really!) ", "sentence goes on and on"),
    "ideographs": (
        30,
        "これは最初の文です。これは「次の文です。」",
        "まだまだ続くとても長い文がここにあります",
    ),
    "word": (30, "words without any end of ", "sentence going on"),
    "minified": (30, '{"key":"valuevalue",', '"other":"valuevaluevalue"}'),
}


@pytest.mark.parametrize(("limit", "first", "rest"), BOUNDARIES.values(), ids=BOUNDARIES)
def test_the_strongest_boundary_in_the_second_half_wins(limit, first, rest):
    assert pieces(first + rest, limit)[0] == first


def test_an_unbroken_run_ends_and_its_pieces_join_to_it():
    run = "x" * 2000
    found = pieces(run, 100)
    assert "".join(found) == run
    assert max(map(len, found)) == 100


def test_a_family_emoji_is_never_cut():
    family = "👨\u200d👩\u200d👧\u200d👦"
    assert pieces(family * 2, 3) == [family, family]


def test_a_combining_mark_stays_with_its_letter():
    assert pieces("か\u3099" * 4, 3) == ["か\u3099"] * 4


def test_flags_stay_in_pairs_however_long_their_row():
    assert pieces("x" + "🇯🇵" * 99, 64)[0] == "x" + "🇯🇵" * 31


def test_no_crumb_is_left_for_the_last_piece():
    found = pieces("word " * 21, 100)
    assert len(found) == 2
    assert min(map(len, found)) >= 30


def test_a_block_that_fits_is_kept_whole():
    text = "Some words before it.\n```\ncode one\n\ncode two\n```\nSome words after it, a few more."
    block = (text.index("```"), text.rindex("```") + 4)
    spans = split(text, 0, len(text), limit=45, keep=[block])
    assert all(end <= block[0] or start >= block[1] or (start, end) == block for start, end in spans)
    assert pieces(text, 45, keep=[block])[0] == "Some words before it.\n"


def test_a_block_that_fits_nowhere_is_cut_like_text():
    text = "before\n" + "code line\n" * 40
    found = pieces(text, 100, keep=[(7, len(text))])
    assert max(map(len, found)) <= 100
    assert all(piece.endswith("\n") for piece in found)


def test_a_measure_may_count_anything():
    found = pieces("漢字 漢字 漢字", 7, measure=lambda text: len(text.encode()))
    assert "".join(found) == "漢字 漢字 漢字"
    assert [len(piece.encode()) for piece in found] == [7, 6, 7]


def test_a_limit_below_one_is_refused():
    with pytest.raises(ValueError, match="limit 0 is below 1"):
        split("text", 0, 4, limit=0)


def page(text, boxes=None, hidden=()):
    starts, ends = line_columns(text)
    columns = None if boxes is None else array("d", [value for box in boxes for value in box])
    return PageReading(1, text, starts, ends, columns, hidden=hidden)


LINES = page(
    "one\ntwo\n\nthree",
    [(0.1, 0.1, 0.5, 0.2), (0.0, 0.3, 0.4, 0.4), (0.9, 0.9, 1.0, 1.0), (0.2, 0.5, 0.9, 0.6)],
)


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([(0, 3)], (0.1, 0.1, 0.5, 0.2)),
        ([(1, 5)], (0.0, 0.1, 0.5, 0.4)),
        ([(4, 14)], (0.0, 0.3, 0.9, 0.6)),
        ([(0, 3), (9, 10)], (0.1, 0.1, 0.9, 0.6)),
    ],
)
def test_a_box_is_around_the_lines_that_are_touched(spans, expected):
    assert place(LINES, spans) == (expected, None)


def test_a_line_of_unknown_place_leaves_the_whole_unresolved():
    known, unknown = (0.1, 0.1, 0.2, 0.2), (float("nan"),) * 4
    read = page("one\ntwo", [known, unknown])
    assert place(read, [(0, 3)]) == (known, None)
    assert place(read, [(0, 7)]) == (None, "unresolved")


def test_a_page_without_positions_gives_no_box():
    assert place(page("one"), [(0, 3)]) == (None, "no_geometry")


@pytest.mark.parametrize(
    ("hidden", "spans", "reason"),
    [
        ([(0, 3)], [(0, 4)], "hidden"),
        ([(0, 3), (4, 7)], [(0, 7)], "hidden"),
        ([(0, 3)], [(0, 7)], "no_geometry"),
        ([(0, 3), (5, 7)], [(4, 7)], "no_geometry"),
        ([(4, 7)], [(0, 3)], "no_geometry"),
        ([(0, 7)], [(0, 3), (4, 7)], "hidden"),
    ],
)
def test_only_what_is_hidden_whole_is_called_hidden(hidden, spans, reason):
    assert place(page("one\ntwo", hidden=hidden), spans) == (None, reason)


def test_a_stretch_has_the_first_span_that_covers_some_of_it():
    assert covering([0, 10, 20, 30], [9, 19, 29, 39], [(5, 12), (15, 16), (31, 35)]) == [1, 1, 0, 3]
    assert covering([0, 10], [9, 19], []) == [0, 0]
    assert covering([0, 10], [9, 19], [(9, 10), (19, 20)]) == [0, 0]


def test_cells_of_a_header_reach_no_further_than_it():
    cells = [Cell(1, 1, 3, 1, "a", 0, 1), Cell(1, 2, 1, 2, "b", 2, 3), Cell(2, 2, 1, 1, "c", 4, 5)]
    cells.append(Cell(3, 2, 1, 1, "d", 6, 7))
    made = header_cells(Table(0, 7, 3, 3, 2, cells))
    assert [(cell.text, cell.row_span, cell.column_span) for cell in made] == [
        ("a", 2, 1), ("b", 1, 2), ("c", 1, 1),
    ]  # fmt: skip
