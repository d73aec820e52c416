"""Words that Ghostscript spaces as letters are parted, wherever they stand."""

from __future__ import annotations

import pytest

WIDE = 4.0  # points at a size of 12: a space
WIDTHS = {
    **dict.fromkeys("abdeghnopqu", 556), **dict.fromkeys("cksvxyzJ", 500), **dict.fromkeys("ijl", 222),
    **dict.fromkeys(" ft.,", 278), "r": 333, "m": 833, "w": 722, "T": 611, "O": 778, "F": 611, "E": 667,
}  # fmt: skip


@pytest.fixture
def drawn(pdf):
    """Pieces one after the other, each with its letters so far apart, in a document of Ghostscript."""
    pdf.trailer = b"/Info %d 0 R" % pdf.add(b"<</Producer(GPL Ghostscript 10.00.0)>>")

    def draw(*pieces: tuple[str, float], x: float = 72, y: float = 700) -> bytes:
        out = b""
        for text, apart in pieces:
            out += b"%g Tc " % apart + pdf.text(x, y, text)
            x += sum(WIDTHS[letter] * 12 / 1000 + apart for letter in text) - apart
        return out

    return draw


@pytest.mark.parametrize(
    ("pieces", "line"),
    [
        ([("up till no", 0), ("wt", WIDE), ("his document", 0)], "up till now this document"),
        ([("you kno", 0), ("wan", WIDE), ("other", 0)], "you know a nother"),
        ([("w", 0), ("we", WIDE), (" are", 0)], "ww e are"),
        ([("you ", 0), ("aw", WIDE), ("ord", 0)], "you a word"),
        ([("kno", 0), ("w t", WIDE), ("his", 0)], "know this"),
        ([("T", 0), ("wo", 0), (" more", 0)], "Two more"),
    ],
)
def test_words_are_parted_where_a_piece_of_few_letters_goes_on_from_one(pieces, line, pdf, drawn, lines):
    pdf.page(drawn(*pieces))
    assert lines(pdf) == [line]


@pytest.mark.parametrize(
    "pieces",
    [
        [("TO", WIDE)],
        [("OFTEE", WIDE)],
        [("one ", 0), ("OF", WIDE), (" them", 0)],
        [("u", WIDE), ("up", 0.8), ("on", 0)],
        [("a", 0), ("spaced", WIDE), ("word", 0)],
    ],
)
def test_a_word_spaced_for_itself_stays_one(pieces, pdf, drawn, lines):
    pdf.page(drawn(*pieces))
    assert lines(pdf) == ["".join(text for text, _ in pieces)]


def test_letters_of_other_programs_are_no_words(pdf, drawn, lines):
    pdf.trailer = b""
    pdf.page(drawn(("up till no", 0), ("wt", WIDE), ("his document", 0)))
    assert lines(pdf) == ["up till nowthis document"]


def test_they_are_parted_in_lines_that_are_cut_at_wide_gaps(pdf, drawn, lines):
    pdf.page(drawn(("till no", 0), ("wt", WIDE), ("his", 0)) + drawn(("far from it", 0), x=300))
    assert lines(pdf) == ["till now this\tfar from it"]


def test_they_are_parted_in_cells(pdf, drawn, opened):
    rules = b"60 690 m 400 690 l 400 715 l 60 715 l 60 690 l 200 690 m 200 715 l S "
    cells = drawn(("no", 0), ("wt", WIDE), ("his", 0), x=148) + drawn(("other", 0), x=203)
    below = pdf.text(70, 672, "more") + pdf.text(203, 672, "of it")
    pdf.page(rules + rules.replace(b"690", b"665").replace(b"715", b"690") + cells + below)
    assert opened(pdf).page(1).text == "now this\tother\nmore\tof it"


def test_a_link_on_words_behind_them_stands_on_those(pdf, drawn, opened):
    content = drawn(("till no", 0), ("wt", WIDE), ("his kno", 0), ("wn", WIDE), ("page", 0))
    width = sum(WIDTHS[letter] * 12 / 1000 for letter in "till nowthis know") + 2 * WIDE
    box = b"%g 695 %g 715" % (72 + width, 72 + width + 40)
    link = b"<</Type/Annot/Subtype/Link/Rect[%s]/A<</S/URI/URI(https://example.org)>>>>" % box
    pdf.page(content, annotations=(link,))
    page = opened(pdf).page(1)
    assert page.text == "till now this know npage"
    assert [page.text[link.start : link.end] for link in page.links] == ["npage"]
