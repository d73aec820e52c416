"""Links of a page are held against its text in bounded work, and none of them loses its target."""

from __future__ import annotations

import pytest

from indx_format_pdf import _links
from indx_format_pdf._links import _Stretches

LINES = 40


def link(rect: str, number: int, quads: str = "") -> bytes:
    points = f"/QuadPoints[{quads}]" if quads else ""
    return f"<</Type/Annot/Subtype/Link/Rect[{rect}]{points}/A<</S/URI/URI(http://x/{number})>>>>".encode()


@pytest.fixture
def lines(pdf):
    return b"".join(pdf.text(72, 760 - 14 * number, f"line number {number}") for number in range(LINES))


@pytest.fixture
def asked(monkeypatch):
    """How often the places of characters are asked for."""
    calls = []
    ask = _links.character_boxes

    def boxes(page, characters, frame):
        calls.append(characters)
        return ask(page, characters, frame)

    monkeypatch.setattr(_links, "character_boxes", boxes)
    return calls


def test_a_link_is_held_against_the_lines_at_its_height_alone(pdf, opened, lines, asked):
    annotations = tuple(link(f"70 {757 - 14 * n} 92 {769 - 14 * n}", n) for n in (3, 20, 39))
    pdf.page(lines, annotations=annotations)
    page = opened(pdf).page(1)
    assert [page.text[one.start : one.end] for one in page.links] == ["line"] * 3
    assert len(asked) == 3


def test_no_character_is_asked_for_where_a_link_covers_a_line(pdf, opened, lines, asked):
    annotations = tuple(link(f"70 {757 - 14 * n} 200 {769 - 14 * n}", n) for n in (3, 20, 39))
    pdf.page(lines, annotations=annotations)
    page = opened(pdf).page(1)
    assert [page.text[one.start : one.end] for one in page.links] == [f"line number {n}" for n in (3, 20, 39)]
    assert not asked


def test_characters_are_asked_for_once_however_many_links_cover_them(pdf, opened, lines, asked):
    pdf.page(lines, annotations=tuple(link("0 0 92 792", n) for n in range(50)))
    page = opened(pdf).page(1)
    assert len(asked) == LINES
    assert [page.text[one.start : one.end] for one in page.links] == ["line"] * (50 * LINES)


def test_links_past_the_work_of_a_page_keep_their_target_at_their_height(pdf, opened, lines, monkeypatch):
    monkeypatch.setattr(_links, "_MOST_WORK", 5 * LINES)
    annotations = (link("70 197 200 209", 1), link("0 0 612 792", 2), link("70 743 200 755", 3))
    pdf.page(lines, annotations=annotations)
    page = opened(pdf).page(1)
    by_target = {one.target: one for one in page.links}
    assert len(page.links) == 3
    assert by_target["http://x/3"].start == by_target["http://x/3"].end == page.text.index("line number 1\n")
    assert by_target["http://x/2"].start == by_target["http://x/2"].end
    assert page.text[by_target["http://x/1"].start :].startswith("line number 39")


def test_the_work_of_a_page_grows_by_what_is_compared(pdf, opened, lines, monkeypatch):
    left = []
    under = _Stretches.under

    def counted(self, box):
        found = under(self, box)
        left.append(self.left)
        return found

    monkeypatch.setattr(_Stretches, "under", counted)
    pdf.page(lines, annotations=(link("70 743 200 755", 1), link("100 0 103 792", 2)))
    opened(pdf).page(1)
    first, second = _links._MOST_WORK - left[0], left[0] - left[1]
    assert first < 2 * (16 + 20)
    assert LINES * (1 + 16 + len("line number 1")) <= second < LINES * (1 + 16 + 20)
