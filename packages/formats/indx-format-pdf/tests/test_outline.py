"""The outline, and the lines of pages that it names."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.ports import Heading, line_columns
from indx_format_pdf import OutlineItem
from indx_format_pdf._outline import _NUMBER, _Lines, headings


def outlined(pdf, entries: list[tuple[str, int, int]]) -> None:
    """An outline of titles, parents (index, -1 for the root) and pages."""
    root = pdf.add(b"")
    numbers = [pdf.add(b"") for _ in entries]
    children: dict[int, list[int]] = {}
    for index, (_, parent, _) in enumerate(entries):
        children.setdefault(parent, []).append(index)

    def family(index: int) -> bytes:
        own = children.get(index, [])
        return (
            b"/First %d 0 R/Last %d 0 R/Count %d" % (numbers[own[0]], numbers[own[-1]], len(own))
            if own
            else b""
        )

    pdf.objects[root - 1] = b"<</Type/Outlines%s>>" % family(-1)
    for index, (title, parent, page) in enumerate(entries):
        siblings = children[parent]
        at = siblings.index(index)
        following = b"/Next %d 0 R" % numbers[siblings[at + 1]] if at + 1 < len(siblings) else b""
        above = root if parent < 0 else numbers[parent]
        pdf.objects[numbers[index] - 1] = b"<</Title(%s)/Parent %d 0 R%s%s/Dest[%d 0 R/Fit]>>" % (
            title.encode(), above, following, family(index), pdf.kids[page],
        )  # fmt: skip
    pdf.catalog = b"/Outlines %d 0 R" % root


def test_entries_come_in_order_with_level_and_page(pdf, opened):
    pdf.page()
    pdf.page()
    outlined(pdf, [("One", -1, 0), ("One A", 0, 0), ("One B", 0, 1), ("Two", -1, 1)])
    assert opened(pdf).outline == (
        OutlineItem("One", 1, 1),
        OutlineItem("One A", 2, 1),
        OutlineItem("One B", 2, 2),
        OutlineItem("Two", 1, 2),
    )


def test_a_loop_of_entries_ends(pdf, opened):
    pdf.page()
    outlined(pdf, [("One", -1, 0), ("Two", -1, 0)])
    second = next(number for number, body in enumerate(pdf.objects, 1) if b"(Two)" in body)
    pdf.objects[second - 1] = pdf.objects[second - 1].replace(b"/Dest", b"/Next %d 0 R/Dest" % (second - 1))
    assert [item.title for item in opened(pdf).outline] == ["One", "Two"]


def test_a_document_without_outline_has_no_headings(pdf, opened):
    pdf.page(pdf.text(72, 700, "Title"))
    document = opened(pdf)
    assert document.outline == ()
    assert document.headings(1) == ()


def test_lines_that_the_outline_names_are_headings(pdf, opened):
    pdf.page(pdf.text(72, 700, "1. Interpretation") + pdf.text(72, 670, "In this agreement we say"))
    pdf.page(pdf.text(72, 700, "Interpretation") + pdf.text(72, 670, "PART II - OBLIGATIONS"))
    outlined(pdf, [("1. Interpretation", -1, 0), ("Part II - Obligations", -1, 1)])
    document = opened(pdf)
    assert document.headings(1) == (Heading(0, 17, 1),)
    assert document.headings(2) == (Heading(15, 36, 1),)


def found(text: str, *titles: str) -> list[str]:
    starts, ends = line_columns(text)
    items = [OutlineItem(title, level, 1) for level, title in enumerate(titles, start=1)]
    return [text[one.start : one.end] for one in headings(text, starts, ends, items)]


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        ("Introduction\nbody", "Introduction", ["Introduction"]),
        ("1 Introduction\nbody", "Introduction", ["1 Introduction"]),
        ("Introduction\nbody", "1.2 Introduction", ["Introduction"]),
        ("INTRODUCTION:\nbody", "Introduction", ["INTRODUCTION:"]),
        (
            "A title that runs\nover two lines\nbody",
            "A title that runs over two lines",
            ["A title that runs\nover two lines"],
        ),
        ("The introduction is long\nbody", "Introduction", []),
        ("2\n3", "3", ["3"]),
        ("body", "...", []),
        ("", "Introduction", []),
    ],
)
def test_how_titles_match_lines(text, title, expected):
    assert found(text, title) == expected


def test_a_line_is_the_heading_of_one_entry_only():
    assert found("Notes\nbody\nNotes", "Notes", "Notes", "Notes") == ["Notes", "Notes"]


def test_no_lines_no_headings():
    assert headings("", array("q"), array("q"), [OutlineItem("x", 1, 1)]) == ()


def plainly(keys, wanted, taken):
    """What `_Lines` finds, by looking at every line."""
    bare = _NUMBER.sub("", wanted)
    for first, key in enumerate(keys):
        if not key or first in taken:
            continue
        if bare and (key == bare or _NUMBER.sub("", key) in {wanted, bare}):
            return first, first
        joined = ""
        for last in range(first, min(first + 3, len(keys))):
            joined += keys[last]
            if joined == wanted:
                return first, last
            if not wanted.startswith(joined):
                break
    return None


@given(
    st.lists(st.text("1ab", max_size=3), max_size=12),
    st.lists(st.text("1ab", min_size=1, max_size=5), max_size=8),
)
def test_titles_take_the_lines_that_looking_at_each_would_find(keys, titles):
    lines, taken = _Lines(keys), set()
    for wanted in titles:
        expected = plainly(keys, wanted, taken)
        assert lines.take(wanted) == expected
        if expected:
            taken.update(range(expected[0], expected[1] + 1))
