"""The text of a page in the making."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from indx_core.ports import Link, RoleSpan
from indx_format_office import TextWriter, flat
from indx_format_office.grid import Slot, write_table
from indx_testkit.checks import assert_reading


def filled(text: str) -> TextWriter:
    writer = TextWriter()
    writer.write(text)
    return writer


def test_lines_begin_where_they_are_asked_to_and_gaps_are_one_blank_line() -> None:
    writer = TextWriter()
    writer.gap()
    for text in ("one", "two"):
        writer.start_line()
        writer.write(text)
        writer.gap()
        writer.gap()
    writer.start_line()
    writer.write("three")
    assert writer.text() == "one\n\ntwo\n\nthree"


def test_a_block_without_text_is_taken_back() -> None:
    writer = filled("one")
    with writer.block() as start:
        writer.role(start, "notes")
    with writer.block():
        writer.write("two")
    assert writer.text() == "one\ntwo"


def test_what_is_discarded_takes_its_marks_along() -> None:
    writer = filled("keep")
    writer.role(0, "title")
    mark = writer.mark()
    start = writer.start_line()
    writer.write("drop")
    writer.role(start, "notes")
    writer.link(start, "x")
    writer.hide(start)
    writer.heading(start, 1)
    writer.discard(mark)
    page = writer.page(1)
    assert page.text == "keep"
    assert list(page.roles) == [RoleSpan(0, 4, "title")]
    assert not page.links
    assert not page.hidden
    assert not page.headings


def test_runs_of_one_link_become_one() -> None:
    writer = TextWriter()
    for text in ("a", "b"):
        start = writer.length
        writer.write(text)
        writer.link(start, "https://example.org")
    assert list(writer.page(1).links) == [Link(0, 2, "https://example.org")]


def test_hidden_stretches_come_in_order_and_merged() -> None:
    writer = filled("0123456789")
    for start, end in ((7, 9), (1, 3), (2, 5), (5, 6)):
        writer.hide(start, end=end)
    assert list(writer.page(1).hidden) == [(1, 6), (7, 9)]


def test_lines_have_the_place_stated_before_them() -> None:
    writer = TextWriter()
    writer.place((0.0, 0.0, 1.0, 0.5))
    writer.write("a\nb")
    writer.start_line()
    writer.place(None)
    writer.write("c")
    boxes = writer.page(1).boxes
    assert boxes is not None
    assert list(boxes[:8]) == [0.0, 0.0, 1.0, 0.5] * 2
    assert all(math.isnan(value) for value in boxes[8:])


def test_what_json_and_lines_cannot_hold_is_replaced_one_for_one() -> None:
    page = filled("a\0b\rc\ud800d").page(1)
    assert page.text == "a\ufffdb c\ufffdd"


@given(st.text())
def test_flat_text_has_no_breaks_and_keeps_its_length(text: str) -> None:
    assert len(flat(text)) == len(text)
    assert not set(flat(text)) & set("\n\t\r\v\f\u2028\u2029\x85")


@given(st.lists(st.lists(st.text("ab \n\t漢", max_size=5), min_size=1, max_size=4), min_size=1, max_size=5))
def test_any_table_holds_the_rules_of_readings(rows: list[list[str]]) -> None:
    writer = filled("before")
    slots = [
        Slot(row, column, filled(text))
        for row, texts in enumerate(rows, start=1)
        for column, text in enumerate(texts, start=1)
    ]
    write_table(writer, slots, len(rows), header_rows=1, caption="c")
    writer.start_line()
    writer.write("after")
    page = writer.page(1)
    assert_reading(page)
    assert page.text.endswith("\nafter")
    if any(text for texts in rows for text in texts):
        (table,) = page.tables
        assert [cell.text for cell in table.cells] == [text for texts in rows for text in texts]
    else:
        assert page.text == "before\nafter"


def test_marks_move_along_into_cells_and_stories() -> None:
    cell = filled("see ")
    start = cell.length
    cell.write("here\nnow")
    cell.link(start, "#x")
    cell.hide(0)
    outer = filled("first")
    write_table(outer, [Slot(1, 1, filled("a")), Slot(1, 2, cell)], 1)
    story = filled("top")
    story.append(outer)
    page = story.page(1)
    assert_reading(page)
    assert page.text == "top\nfirst\na\tsee here now"
    assert [page.text[link.start : link.end] for link in page.links] == ["here now"]
    assert [page.text[begin:end] for begin, end in page.hidden] == ["see here now"]
    assert page.tables[0].cells[1].text == "see here\nnow"
