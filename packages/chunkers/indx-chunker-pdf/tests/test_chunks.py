"""Paragraphs, their merging, their sections, and the image of a page that nothing could read."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from indx_chunker_pdf._paragraphs import CEILING
from indx_chunker_pdf.provider import chunker
from indx_core.errors import ConfigurationError
from indx_core.ports import DocumentReading, Heading, PageReading, Raster, RoleSpan, line_columns

NAN = (float("nan"),) * 4
HEIGHT, PITCH = 0.012, 0.02


def page(lines, *, number=1, **facts):
    """A page of (text, box) pairs."""
    text = "\n".join(line for line, _ in lines)
    starts, ends = line_columns(text)
    boxes = array("d", [value for _, box in lines for value in box])
    return PageReading(number, text, starts, ends, boxes, **facts)


def column(texts, *, top=0.1, left=0.1, right=0.9, gaps=()):
    """Lines below each other, wide as the column; before those numbered in `gaps` stands an empty line."""
    lines, y = [], top
    for number, text in enumerate(texts):
        y += PITCH if number in gaps else 0
        lines.append((text, (left, y, right, y + HEIGHT)))
        y += PITCH
    return lines


def cut(*pages, session=None, asked=None):
    read = DocumentReading("application/pdf", None, {one.page: one for one in pages})
    return chunker().chunk(read, session, asked or list(read.pages))


def texts(*pages):
    return [draft.text for drafts in cut(*pages).values() for draft in drafts]


def words(count, tag="word"):
    return f"{tag} " * (count // (len(tag) + 1)) + "end."


def test_a_short_page_is_one_chunk_with_the_box_around_its_lines():
    (draft,) = cut(page(column(["one line of it", "another line", "the last line"])))[1]
    assert draft.text == "one line of it\nanother line\nthe last line"
    assert draft.spans == ((0, len(draft.text)),)
    assert draft.box == pytest.approx((0.1, 0.1, 0.9, 0.1 + 2 * PITCH + HEIGHT))
    assert (draft.box_reason, draft.layout, draft.section) == (None, None, ())


def test_paragraphs_are_merged_up_to_the_ceiling_and_stay_whole():
    paragraph = [words(90) for _ in range(6)]
    lines = column(paragraph * 4, gaps=(6, 12, 18))
    found = texts(page(lines))
    assert [text.count("\n") + 1 for text in found] == [12, 12]
    assert all(len(text) <= CEILING for text in found)


def test_a_paragraph_above_the_ceiling_is_cut_evenly_at_line_breaks():
    found = texts(page(column([words(95) for _ in range(20)])))
    assert len(found) == 2
    assert all(len(text) <= CEILING for text in found)
    assert abs(len(found[0]) - len(found[1])) < 200


def test_a_line_above_the_ceiling_stays_whole():
    long = words(3000)
    assert texts(page(column(["before it", long, "after it"])))[-2:] == [long, "after it"] or long in texts(
        page(column(["before it", long, "after it"]))
    )


def test_a_column_beside_another_is_another_chunk():
    left = column([words(40) for _ in range(3)], right=0.45)
    right = column([words(40) for _ in range(3)], left=0.55)
    first, second = cut(page(left + right))[1]
    assert first.box[2] == 0.45
    assert second.box[0] == 0.55


def test_a_page_number_joins_the_text_before_it():
    body = column([words(80) for _ in range(5)])
    (draft,) = cut(page([*body, ("31", (0.5, 0.95, 0.52, 0.96))]))[1]
    assert draft.text.endswith("\n31")


def test_a_running_title_drawn_last_joins_the_text_before_it():
    body = column([words(80) for _ in range(5)])
    assert len(texts(page([*body, ("RUNNING TITLE", (0.4, 0.02, 0.6, 0.03))]))) == 1


def filled(count):
    return [words(85, f"w{number}") for number in range(count)]


def test_an_indented_line_begins_a_paragraph():
    lines = column(filled(14))
    lines[8] = (lines[8][0], (0.13, *lines[8][1][1:]))
    first, second = texts(page(lines))
    assert second.startswith(lines[8][0])
    assert first.count("\n") == 7


def test_a_wider_gap_begins_a_paragraph():
    lines = column(filled(16), gaps=(9,))
    assert [text.count("\n") + 1 for text in texts(page(lines))] == [9, 7]


def test_a_short_line_that_ends_a_sentence_ends_a_paragraph():
    lines = column(filled(16))
    lines[9] = ("so it was.", (0.1, lines[9][1][1], 0.2, lines[9][1][3]))
    assert [text.count("\n") + 1 for text in texts(page(lines))] == [10, 6]


def test_text_set_with_wide_leading_is_not_torn_apart():
    lines = [(line, (0.1, 0.1 + 0.04 * at, 0.9, 0.112 + 0.04 * at)) for at, line in enumerate(filled(10))]
    assert len(texts(page(lines))) == 1


def test_headings_begin_chunks_and_name_their_section():
    lines = column(["Part one", "text of part one", "Detail", "text of the detail", "Part two", "its text"])
    headings = (Heading(0, 8, 1), Heading(26, 32, 2), Heading(52, 60, 1))
    one = page(lines, headings=headings)
    assert [one.text[h.start : h.end] for h in headings] == ["Part one", "Detail", "Part two"]
    drafts = cut(one)[1]
    assert [(draft.text.split("\n")[0], draft.section) for draft in drafts] == [
        ("Part one", ("Part one",)),
        ("Detail", ("Part one", "Detail")),
        ("Part two", ("Part two",)),
    ]


def test_a_section_goes_on_over_pages_until_the_next_heading():
    first = page(column(["Part one", "its text"]), headings=(Heading(0, 8, 1),))
    second = page(column(["more of part one"]), number=2)
    third = page(column(["and more", "Part two", "its text"]), number=3, headings=(Heading(9, 17, 1),))
    answer = cut(first, second, third, asked=[2, 3])
    assert [draft.section for draft in answer[2]] == [("Part one",)]
    assert [draft.section for draft in answer[3]] == [("Part one",), ("Part two",)]
    assert list(answer) == [2, 3]


def test_comments_and_hidden_text_are_chunks_of_their_own():
    lines = column(["body text of the page", "a comment on it", "hidden words"])
    one = page(lines, roles=(RoleSpan(22, 37, "comment"),), hidden=((38, 50),))
    body, comment, hidden = cut(one)[1]
    assert (body.text, comment.text, hidden.text) == (
        "body text of the page",
        "a comment on it",
        "hidden words",
    )
    assert comment.box is not None
    assert (hidden.box, hidden.box_reason) == (None, "hidden")


def test_a_line_whose_place_is_unknown_leaves_its_chunk_unresolved():
    (draft,) = cut(page([("one", (0.1, 0.1, 0.2, 0.12)), ("two", NAN)]))[1]
    assert (draft.box, draft.box_reason) == (None, "unresolved")


def test_a_first_line_whose_place_is_unknown_changes_no_paragraph_behind_it():
    lines = column(filled(16))
    lines[0] = ("a heading", NAN)
    lines[9] = ("so it was.", (0.1, lines[9][1][1], 0.2, lines[9][1][3]))
    assert [text.count("\n") + 1 for text in texts(page(lines))] == [10, 6]


def test_a_blank_page_has_nothing_to_retrieve():
    assert cut(page([])) == {1: []}
    assert cut(page([("  ", (0.1, 0.1, 0.2, 0.12))])) == {1: []}


def test_a_page_read_without_places_is_left_to_the_next_chunker():
    assert cut(PageReading(1, "text", *line_columns("text"))) == {}


def test_a_document_of_another_type_is_left_to_the_next_chunker():
    read = DocumentReading("text/plain", None, {1: page(column(["text"]))})
    assert chunker().chunk(read, None, [1]) == {}


class Session:
    """Draws a grey page, or none, and remembers what it was asked."""

    def __init__(self, *, draws=True):
        self.draws = draws
        self.asked = []

    def render(self, page, *, dpi, max_pixels, pixels=True):
        self.asked.append((page, dpi, max_pixels))
        return Raster(2, 1, bytes(6), dpi) if self.draws else None


def test_an_unread_page_is_exactly_one_image(monkeypatch):
    monkeypatch.delenv("INDX_CHUNK_DPI", raising=False)
    session = Session()
    answer = cut(page(column(["text"])), PageReading(2, reason="no_text_layer"), session=session)
    (draft,) = answer[2]
    assert (draft.text, draft.image, draft.spans) == (None, Raster(2, 1, bytes(6), 120), ())
    assert (draft.box, draft.box_reason) == (None, "no_geometry")
    assert session.asked == [(2, 120, 178956970)]


@pytest.mark.parametrize("media_type", ["image/png", "image/tiff"])
def test_an_image_is_cut_as_a_page_of_a_pdf_is(media_type):
    pages = {1: page(column(["text"])), 2: PageReading(2, reason="writing_not_recognised")}
    answer = chunker().chunk(DocumentReading(media_type, None, pages), Session(), [1, 2])
    assert [draft.text for draft in answer[1]] == ["text"]
    assert answer[1][0].box is not None
    assert answer[2][0].image is not None


def test_the_resolution_is_read_on_every_call(monkeypatch):
    session = Session()
    for dpi in ("72", "300"):
        monkeypatch.setenv("INDX_CHUNK_DPI", dpi)
        cut(PageReading(1, reason="x"), session=session)
    assert [dpi for _, dpi, _ in session.asked] == [72, 300]


@pytest.mark.parametrize("value", ["abc", "0", "-1", "1.5"])
def test_a_resolution_that_is_no_positive_whole_number_is_refused(value, monkeypatch):
    monkeypatch.setenv("INDX_CHUNK_DPI", value)
    with pytest.raises(ConfigurationError, match="INDX_CHUNK_DPI"):
        cut(page(column(["text"])))


@pytest.mark.parametrize("session", [None, Session(draws=False)])
def test_a_page_that_cannot_be_drawn_is_no_answer(session):
    assert cut(PageReading(1, reason="x"), session=session) == {}


boxes = st.one_of(
    st.just(NAN),
    st.tuples(*[st.floats(0, 1)] * 4).map(
        lambda b: (min(b[0], b[2]), min(b[1], b[3]), max(b[0], b[2]), max(b[1], b[3]))
    ),
)


@given(st.lists(st.tuples(st.text("ab .漢", max_size=400), boxes), max_size=40))
def test_however_lines_lie_every_one_is_carried_once_in_order(lines):
    one = page(lines)
    position = 0
    for draft in cut(one).get(1, ()):
        ((start, end),) = draft.spans
        assert not one.text[position:start].strip()
        assert draft.text == one.text[start:end]
        position = end
    assert not one.text[position:].strip()


def test_a_hidden_word_does_not_hide_its_line():
    line = column(["body text secret"])
    shown, hidden = cut(page(line, hidden=((10, 16),)))[1]
    assert (shown.text, shown.box) == ("body text", line[0][1])
    assert (hidden.text, hidden.box, hidden.box_reason) == ("secret", None, "hidden")


def turned(box, quarters):
    """A box of a page that is shown turned clockwise by so many quarters."""
    for _ in range(quarters):
        x0, y0, x1, y1 = box
        box = (1 - y1, x0, 1 - y0, x1)
    return box


def letter(paragraphs, quarters=0):
    """A page of Letter size: paragraphs of lines, each so many letters long, 14 points apart."""
    lines, y = [], 72
    for number, lengths in enumerate(paragraphs):
        for at, length in enumerate(lengths):
            left = 72 + 18 * (at == 0)
            box = (left / 612, y / 792, (left + 5 * length) / 612, (y + 10) / 792)
            text = f"p{number}l{at} {words(length)}"[: length - 1] + ("." if at == len(lengths) - 1 else "s")
            lines.append((text, turned(box, quarters)))
            y += 14
        y += 8
    return page(lines)


BODY = [[88, 91, 90, 89, 91, 30], [87, 90, 92, 91, 41], [86, 90, 91, 88, 92, 60], [85, 91, 90, 33]]


def assert_cut_as_upright(paragraphs, quarters):
    """Hold what is cut of a turned page to what is cut of the upright one."""
    upright, found = cut(letter(paragraphs))[1], cut(letter(paragraphs, quarters))[1]
    assert [(draft.text, draft.spans) for draft in found] == [(draft.text, draft.spans) for draft in upright]
    for draft, other in zip(found, upright, strict=True):
        assert draft.box == pytest.approx(turned(other.box, quarters))


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_page_shown_sideways_or_on_its_head_is_cut_as_it_is_read(quarters):
    assert len(texts(letter(BODY))) == 2
    assert_cut_as_upright(BODY, quarters)


@given(
    st.lists(st.lists(st.integers(20, 95), min_size=1, max_size=8), min_size=3, max_size=7),
    st.integers(1, 3),
)
def test_paragraphs_of_any_length_are_cut_alike_however_their_page_is_turned(paragraphs, quarters):
    lengths = [length for lines in paragraphs for length in lines]
    assume(len(lengths) <= 40)
    assert_cut_as_upright(paragraphs, quarters)


def test_a_line_or_two_drawn_upwards_are_no_page_on_its_head():
    found = texts(page([(words(60), (0.1, 0.2, 0.9, 0.212)), (words(70), (0.1, 0.18, 0.9, 0.192))]))
    assert len(found) == 2


def test_lines_written_downwards_are_cut_as_they_always_were():
    """What stands lower at the head of a line is no indentation: the text is halved, not cut there."""
    lines = [
        ("縦に組んだ文章の一行である" * 4, (0.9 - 0.025 * number, 0.1, 0.91 - 0.025 * number, 0.8))
        for number in range(30)
    ]
    lines[18] = (lines[18][0], (0.45, 0.14, 0.46, 0.8))
    assert [text.count("\n") + 1 for text in texts(page(lines))] == [15, 15]
