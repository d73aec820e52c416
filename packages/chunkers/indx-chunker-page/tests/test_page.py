"""What the page chunker makes of a page."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_chunker_page import PageChunker
from indx_core.ports import DocumentReading, PageReading, line_columns

NAN = float("nan")


def page(text="", *, boxes=None, reason=None, hidden=(), number=1):
    starts, ends = line_columns(text)
    columns = None if boxes is None else array("d", [value for box in boxes for value in box])
    return PageReading(number, text, starts, ends, columns, hidden=hidden, reason=reason)


def cut(*readings):
    document = DocumentReading("text/plain", None, {one.page: one for one in readings})
    return PageChunker().chunk(document, None, [one.page for one in readings])


def only(reading):
    (drafts,) = cut(reading).values()
    (draft,) = drafts
    return draft


def test_a_page_is_one_chunk_without_the_white_space_around_it():
    draft = only(page("\n  one\ntwo \n\n"))
    assert draft.text == "one\ntwo"
    assert draft.spans == ((3, 10),)
    assert draft.layout is None
    assert draft.section == ()


def test_every_page_asked_for_is_answered_under_its_number():
    answer = cut(page("a", number=2), page("b", number=5))
    assert {number: drafts[0].text for number, drafts in answer.items()} == {2: "a", 5: "b"}


def test_a_page_not_asked_for_is_left_out():
    document = DocumentReading("text/plain", None, {1: page("a"), 2: page("b", number=2)})
    assert list(PageChunker().chunk(document, None, [2])) == [2]


@pytest.mark.parametrize("text", ["", " \n\t\n", "\u3000"])
def test_a_blank_page_has_nothing_to_retrieve(text):
    assert cut(page(text)) == {1: []}


def test_an_unread_page_is_no_answer():
    assert cut(page(reason="no_text_layer")) == {}


def test_the_box_is_around_all_lines():
    draft = only(page("a\nb", boxes=[(0.1, 0.2, 0.5, 0.3), (0.05, 0.4, 0.3, 0.9)]))
    assert draft.box == (0.05, 0.2, 0.5, 0.9)
    assert draft.box_reason is None


def test_lines_without_text_need_no_place():
    draft = only(
        page("a\n\n \nb", boxes=[(0.1, 0.1, 0.2, 0.2), (NAN,) * 4, (NAN,) * 4, (0.1, 0.3, 0.2, 0.4)])
    )
    assert draft.box == (0.1, 0.1, 0.2, 0.4)


def test_a_line_without_a_place_leaves_the_page_unresolved():
    draft = only(page("a\nb", boxes=[(0.1, 0.2, 0.5, 0.3), (NAN,) * 4]))
    assert (draft.box, draft.box_reason) == (None, "unresolved")


def test_without_positions_there_is_no_geometry():
    draft = only(page("a"))
    assert (draft.box, draft.box_reason) == (None, "no_geometry")


def test_a_page_hidden_throughout_says_so():
    draft = only(page("one\ntwo", boxes=[(0, 0, 1, 0.5), (0, 0.5, 1, 1)], hidden=((0, 3), (4, 7))))
    assert (draft.text, draft.box, draft.box_reason) == ("one\ntwo", None, "hidden")


@pytest.mark.parametrize("hidden", [((0, 3),), ((4, 7),), ((0, 2), (4, 7))])
def test_a_page_hidden_in_part_keeps_its_place(hidden):
    assert only(page("one\ntwo", boxes=[(0, 0, 1, 0.5), (0, 0.5, 1, 1)], hidden=hidden)).box == (0, 0, 1, 1)


@given(st.text(alphabet=" \n\tab漢\u3000", max_size=40))
def test_the_span_is_where_the_text_stands(text):
    reading = page(text)
    for draft in cut(reading)[1]:
        ((start, end),) = draft.spans
        assert reading.text[start:end] == draft.text
        assert draft.text == draft.text.strip() != ""
