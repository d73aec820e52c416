"""Which headings are in force where."""

from indx_core.headings import sections_at, titles_of
from indx_core.ports import DocumentReading, Heading, PageReading


def page(number, *headings):
    """A page of nothing but headings, given as level and text."""
    text = "\n".join(title for _, title in headings)
    starts = [text.index(title) for _, title in headings]
    found = [Heading(at, at + len(title), level) for at, (level, title) in zip(starts, headings, strict=True)]
    return PageReading(number, text, headings=found)


def test_a_heading_stays_in_force_until_one_of_its_level_or_above():
    pages = {1: page(1, (1, "A"), (3, "B\t b")), 2: page(2), 3: page(3, (2, "C")), 4: page(4, (1, "D"))}
    document = DocumentReading("x/y", None, pages)
    assert sections_at(document, [4, 1, 2]) == {
        1: (),
        2: ((1, "A"), (3, "B b")),
        4: ((1, "A"), (2, "C")),
    }
    assert titles_of(pages[3], ((1, "A"), (3, "B b"))) == [("A", "B b"), ("A", "C")]


def test_a_blank_heading_changes_nothing():
    blank = PageReading(1, "A\n \nB", headings=[Heading(0, 1, 1), Heading(2, 3, 1)])
    assert titles_of(blank, ()) == [(), ("A",), ("A",)]
