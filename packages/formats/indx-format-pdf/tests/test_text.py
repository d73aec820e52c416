"""The text of a page: whole words, real characters, each once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_format_pdf._text import PageText, clean

OFFICE = {"0001": "006f", "0002": "FB03", "0003": "0063", "0004": "0065", "0005": "FB01", "0006": "006c0064"}


def test_lines_are_parted_by_line_feeds(pdf, lines):
    pdf.page(pdf.text(72, 700, "one") + pdf.text(72, 680, "two"))
    assert lines(pdf) == ["one", "two"]


def test_a_blank_page_has_no_text(pdf, opened):
    pdf.page()
    page = opened(pdf).page(1)
    assert (page.text, page.characters, list(page.line_starts), list(page.boxes)) == ("", 0, [], [])


def test_white_space_is_not_counted(pdf, opened):
    pdf.page(pdf.text(72, 700, "a b  c") + pdf.text(72, 680, "d"))
    assert opened(pdf).page(1).characters == 4


def test_a_ligature_is_its_letters(pdf, lines):
    pdf.composite_font("F2", to_unicode=OFFICE)
    pdf.page(pdf.text(72, 700, b"<0001000200030004>", font="F2"))
    assert lines(pdf) == ["office"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("applica\u019fon \u019fme", "application time"),
        ("le\u01a9er in so\u014cware, pla\u019eorm se\u01abng", "letter in software, platform setting"),
        ("in\U0010019fme, so\U0010014c", "intime, soft"),
        ("\u014csaka \u019fzbek wa\u019eji K\u019f \u01a9a", None),
        ("\U0001f600 \U0010ff01", None),
    ],
)
def test_ligatures_of_calibri_named_by_their_glyphs_are_their_letters(written, shown, pdf, lines):
    codes = {sign: f"{code:04X}" for code, sign in enumerate(dict.fromkeys(written), start=1)}
    pdf.composite_font(
        "F2", to_unicode={code: sign.encode("utf-16-be").hex() for sign, code in codes.items()}
    )
    pdf.page(pdf.text(72, 700, f"<{''.join(codes[sign] for sign in written)}>".encode(), font="F2", size=6))
    assert lines(pdf) == [written if shown is None else shown]


def test_a_space_after_a_ligature_that_no_gap_stands_for_is_dropped(pdf, lines):
    # The space is drawn over what follows it: moved back by its own width.
    pdf.page(b"BT /F1 12 Tf 72 700 Td [(of) 0 (fi ) 278 (ce)] TJ ET " + pdf.text(72, 680, "staff is here"))
    assert lines(pdf) == ["office", "staff is here"]


class Placed(PageText):
    """A text with letters ten wide and ten high, and a space between two so far apart."""

    def __init__(self, units: str, gap: float, width: float) -> None:
        self.units, self.space = units, units.index(" ")
        self.gap, self.width = gap, width

    def box(self, unit: int) -> tuple[float, float, float, float]:
        left = 10.0 * unit - (10 - self.gap if unit > self.space else 0)
        return (left, 0.0, left + (self.width if unit == self.space else 10), 10.0)

    _extent = box

    def _origin(self, unit: int) -> tuple[float, float]:
        return self.box(unit)[:2]


@pytest.mark.parametrize(
    ("units", "gap", "width", "shown"),
    [
        ("ma jor", 0.3, 0, "major"),  # as in bitmap fonts, in which PDFium takes the least gap for a space
        ("ma jor", 1.8, 0, "major"),  # as TeX sets them apart
        ("ma jor", 2.2, 0, "ma jor"),
        ("of just", 0.3, 3, "of just"),  # a space of the document, moved together
        ("MA jor", 0.3, 0, "MA jor"),
        ("in Java", 0.3, 0, "in Java"),
        ("in hot", 0.3, 0, "in hot"),
    ],
)
def test_a_space_before_a_letter_that_hangs_back_is_dropped_where_no_gap_is(units, gap, width, shown):
    text = Placed(units, gap, width)
    text._close_words()
    assert clean(text.units) == shown


@pytest.mark.parametrize(("gap", "shown"), [(0.5, "aj"), (3.5, "a j")])
def test_a_letter_that_hangs_back_over_the_space_before_it_leaves_it(gap, shown, pdf, lines):
    upright = pdf.stream(b"500 0 0 0 500 600 d1 0 0 500 600 re f")
    hanging = pdf.stream(b"500 0 -280 -200 220 600 d1 -280 -200 500 800 re f")
    pdf.fonts["J"] = pdf.add(
        b"<</Type/Font/Subtype/Type3/FontBBox[-280 -200 500 600]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 97"
        b"/LastChar 106/Widths[%s]/CharProcs<</a %d 0 R/j %d 0 R>>/Encoding<</Type/Encoding/Differences"
        b"[97/a 106/j]>>>>" % (b" ".join([b"500"] * 10), upright, hanging)
    )
    pdf.page(pdf.text(72, 700, "aa", font="J") + pdf.text(84 + gap, 700, "ja", font="J"))
    assert lines(pdf) == [f"a{shown}a"]


def test_a_space_of_the_document_stays_before_it(pdf, lines):
    pdf.page(b"BT /F1 12 Tf 72 700 Td [(moment of ) 260 (just)] TJ ET")
    assert lines(pdf) == ["moment of just"]


def test_a_narrow_space_after_a_ligature_stays(pdf, lines):
    pdf.page(b"BT /F1 12 Tf 72 700 Td [(turn off ) 178 (the rest)] TJ ET")
    assert lines(pdf) == ["turn off the rest"]


def test_a_glyph_that_maps_to_nul_is_one_replacement_character_and_counted(pdf, opened):
    pdf.composite_font("F2", to_unicode={"0001": "0061", "0002": "0000", "0003": "0062"})
    pdf.page(pdf.text(72, 700, b"<000100020003>", font="F2"))
    page = opened(pdf).page(1)
    assert (page.text, page.unmapped) == ("a\ufffdb", 1)


def test_glyph_codes_without_characters_are_no_text(pdf, opened):
    pdf.composite_font("F2")
    pdf.page(
        pdf.text(72, 700, "Highlights of it")
        + pdf.text(72, 680, b"<000500060007000800050006000B>", font="F2")
    )
    page = opened(pdf).page(1)
    assert page.text == "Highlights of it\n\ufffd"
    assert page.unmapped == 7


def without_mapping(pdf, code: str) -> None:
    """A font in which one code maps to nothing."""
    table = (
        f"begincmap 1 begincodespacerange <00><FF> endcodespacerange 1 beginbfchar <{code}> <0000> endbfchar"
    )
    mapped = pdf.stream(table.encode() + b" endcmap")
    base = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding"
    pdf.fonts["F2"] = pdf.add(base + b"/ToUnicode %d 0 R>>" % mapped)


@pytest.mark.parametrize(("after", "expected"), [("cient", "efficient"), ("eable", "effleable")])
def test_a_ligature_of_three_letters_that_maps_to_nothing_is_known_by_its_shape(after, expected, pdf, opened):
    # A capital W stands for the ligature: as wide, as high, and mapped to nothing.
    without_mapping(pdf, "57")
    pdf.page(pdf.text(72, 700, f"an eW{after} way", font="F2"))
    page = opened(pdf).page(1)
    assert (page.text, page.unmapped) == (f"an {expected} way", 1)


@pytest.mark.parametrize(
    ("letter", "x", "y", "expected", "unmapped"),
    [
        ("c", 135, 701, "Copyright © 2009 ACM", 0),
        ("R", 134, 701, "Copyright ® 2009 ACM", 0),
        ("x", 135, 701, "Copyright \ufffdx 2009 ACM", 1),
        ("c", 142, 701, "Copyright \ufffdc 2009 ACM", 1),  # beside the ring, not within
        ("c", 135, 696, "Copyright \ufffdc 2009 ACM", 1),  # across its edge
    ],
)
def test_a_letter_in_a_ring_that_maps_to_nothing_is_one_sign(letter, x, y, expected, unmapped, pdf, opened):
    without_mapping(pdf, "4F")  # a capital O stands for the ring
    pdf.page(
        pdf.text(72, 700, "Copyright ")
        + pdf.text(130, 697, "O", size=18, font="F2")
        + pdf.text(x, y, letter, size=8)
        + pdf.text(150, 700, "2009 ACM")
    )
    page = opened(pdf).page(1)
    assert (page.text, page.unmapped) == (expected, unmapped)


def test_a_dash_that_maps_to_nothing_is_no_ligature(pdf, opened):
    without_mapping(pdf, "97")
    pdf.page(pdf.text(72, 700, b"a\x97b", font="F2"))
    assert opened(pdf).page(1).text == "a\ufffdb"


def test_a_character_beyond_the_first_plane_is_one_character(pdf, opened):
    pdf.composite_font("F2", to_unicode={"0001": "D83DDE00", "0002": "0061", "0003": "D83D"})
    pdf.page(
        pdf.text(72, 700, b"<000200010002>", font="F2") + pdf.text(72, 680, b"<000200030002>", font="F2")
    )
    page = opened(pdf).page(1)
    assert page.text == "a\U0001f600a\na\ufffda"
    assert list(page.line_starts) == [0, 4]


def test_text_painted_twice_for_a_bold_look_is_there_once(pdf, lines):
    # PDFium leaves out what is painted again among the next few words by itself.
    rest = [f"line {at} of other words" for at in range(8)]
    between = b"".join(pdf.text(72, 600 - 20 * at, line) for at, line in enumerate(rest))
    pdf.page(pdf.text(72, 700, "bold text") + between + pdf.text(72.3, 700, "bold text"))
    assert lines(pdf) == ["bold text", *rest]


@pytest.mark.parametrize("tenth", range(10))
def test_words_that_stand_twice_on_a_row_are_found_again_wherever_the_row_stands(tenth, pdf, lines):
    rest = [f"line {at} of other words" for at in range(8)]
    y = 700 + tenth / 10
    first = pdf.text(72, y, "Total") + pdf.text(300, y, "Total")
    between = b"".join(pdf.text(72, 600 - 20 * at, line) for at, line in enumerate(rest))
    pdf.page(first + between + pdf.text(72, y + 0.3, "Total") + pdf.text(300, y + 0.3, "Total"))
    assert lines(pdf) == ["Total\tTotal", *rest]


def test_a_page_painted_twice_is_there_once(pdf, lines):
    words = ["first line", "second line", "third", "fourth", "fifth", "sixth", "seventh"]
    once = [(72.0, 700 - 20.0 * number, word) for number, word in enumerate(words)]
    again = [(x + 0.4, y, word) for x, y, word in once]
    pdf.page(b"".join(pdf.text(*one) for one in once + again))
    assert lines(pdf) == words


def test_equal_words_in_other_places_stay(pdf, lines):
    pdf.page(b"".join(pdf.text(72, 700 - 20 * number, "total") for number in range(4)))
    assert lines(pdf) == ["total"] * 4


def test_a_word_broken_by_a_hyphen_is_whole_on_the_line_where_it_began(pdf, opened):
    pdf.page(pdf.text(72, 700, "an exam-") + pdf.text(72, 680, "ple of text"))
    page = opened(pdf).page(1)
    assert page.text == "an example\nof text"
    assert list(page.line_starts) == [0, 11]
    assert list(page.line_ends) == [10, 18]
    assert page.boxes[1] < page.boxes[3] < page.boxes[5] < page.boxes[7]


def test_a_hyphen_before_a_capital_or_a_digit_stays(pdf, lines):
    pdf.page(
        pdf.text(72, 700, "the non-") + pdf.text(72, 680, "European part") + pdf.text(72, 640, "see 2018-")
    )
    assert lines(pdf) == ["the non-", "European part", "see 2018-"]


def test_words_of_lines_in_capitals_are_whole_and_names_in_capitals_keep_their_hyphens(pdf, lines):
    pdf.page(
        pdf.text(72, 700, "NOT LIMIT-")
        + pdf.text(72, 680, "ED TO THIS")
        + pdf.text(72, 640, "read by XML-")
        + pdf.text(72, 620, "RPC")
    )
    assert lines(pdf) == ["NOT LIMITED", "TO THIS", "read by XML-", "RPC"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("CASES OF COVID-", "19 IN EUROPE"),
        ("THE MODEL XR-", "200B IS FITTED"),
        ("CONNECT GPIO-", "A7 FIRST"),
        ("SOME WELL-", "KNOWN FACTS"),  # as it is written below
    ],
)
def test_hyphens_of_names_in_lines_of_capitals_stay(first, second, pdf, lines):
    below = pdf.text(72, 600, "what is well-known to all")
    pdf.page(pdf.text(72, 700, first) + pdf.text(72, 686, second) + below)
    assert lines(pdf)[:2] == [first, second]


def test_a_word_broken_behind_a_raised_sign_is_whole(pdf, lines):
    content = (
        pdf.text(72, 700, "the euro") + b"BT /F1 7 Tf 116.2 705 Td (1) Tj ET " + pdf.text(123.4, 700, "cur-")
    )
    pdf.page(content + pdf.text(72, 684, "rency units"))
    assert lines(pdf) == ["the euro1 currency", "units"]


def test_a_word_the_page_writes_with_a_hyphen_keeps_it(pdf, lines):
    pdf.page(
        pdf.text(72, 720, "a well-known rule")
        + pdf.text(72, 700, "is well-")
        + pdf.text(72, 680, "known to all")
    )
    assert lines(pdf) == ["a well-known rule", "is well-", "known to all"]


def test_the_rest_of_a_word_alone_on_its_line_goes_up_with_its_place(pdf, opened):
    pdf.page(pdf.text(72, 700, "this is an exam-") + pdf.text(72, 680, "ple.") + pdf.text(72, 640, "Next"))
    page = opened(pdf).page(1)
    assert page.text == "this is an example.\nNext"
    first, second = page.boxes[0:4], page.boxes[4:8]
    assert first[1] < (792 - 700) / 792 < (792 - 680) / 792 < first[3] + 0.01
    assert first[3] < second[1]


def test_a_word_broken_over_three_lines_is_whole(pdf, lines):
    pdf.page(pdf.text(72, 700, "inter-") + pdf.text(72, 680, "nation-") + pdf.text(72, 660, "al rules"))
    assert lines(pdf) == ["international", "rules"]


def test_soft_hyphens_within_a_line_are_dropped(pdf, lines):
    pdf.composite_font("F2", to_unicode={"0001": "0061", "0002": "00AD", "0003": "0062"})
    pdf.page(pdf.text(72, 700, b"<000100020003>", font="F2"))
    assert lines(pdf) == ["ab"]


def test_a_page_in_fifty_thousand_streams_is_read_whole(pdf, opened):
    words = [f"w{number}" for number in range(50_000)]
    places = [(10 + 10 * (at % 50), 780 - 10 * (at // 50 % 75)) for at in range(len(words))]
    streams = [pdf.stream(pdf.text(x, y, word, size=2)) for (x, y), word in zip(places, words, strict=True)]
    listed = b"/Contents[%s]" % b" ".join(b"%d 0 R" % stream for stream in streams)
    page = pdf.page() - 1
    pdf.objects[page] = pdf.objects[page].replace(b"/Contents ", b"/Unread ")[:-2] + listed + b">>"
    assert sorted(opened(pdf).page(1).text.split()) == sorted(words)


def test_text_off_the_displayed_page_is_left_out_and_counted(pdf, opened):
    pdf.page(pdf.text(120, 250, "inside") + pdf.text(20, 20, "slug 12"), crop=(100, 200, 400, 500))
    page = opened(pdf).page(1)
    assert (page.text, page.off_page) == ("inside", 7)


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        ("\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06", "fffiflffifflstst"),
        ("a\xadb\ufeffc\u200bd", "abcd"),
        ("a\u2028b", "a b"),
        ("a\x00\x01b\x85", "a\ufffdb\ufffd"),
        ("tab\tstays", "tab\tstays"),
        ("\ud83d\ude00 \ud83d", "\U0001f600 \ufffd"),
        ("ﾊﾝｶｸ ①", "ﾊﾝｶｸ ①"),
    ],
)
def test_clean(given_, expected):
    assert clean(given_) == expected


@given(st.text(st.characters(max_codepoint=0xFFFF)))
def test_clean_text_can_be_stored_and_is_clean_again(text):
    once = clean(text)
    once.encode("utf-8")
    assert not set(once) & {"\0", "\r", "\n", "\xad", "\ufb01"}
    assert clean(once) == once


def test_the_hyphen_of_a_compound_that_is_written_elsewhere_stays(pdf, lines):
    content = pdf.text(72, 700, "(peer-to-peer) and state-of-the-art")
    broken = [
        (72, 680, b"see peer-to\\255"),
        (72, 666, b"peer sharing"),
        (72, 640, b'"peer\\255'),
        (72, 626, b"to"),
    ]
    pdf.page(content + b"".join(b"BT /F1 12 Tf %d %d Td (%s) Tj ET " % one for one in broken))
    assert lines(pdf)[1:] == ["see peer-to-", "peer sharing", '"peer-', "to"]


def test_each_glyph_without_a_character_is_counted_once(pdf, opened):
    pdf.composite_font("F2", to_unicode={"0041": "0041"})
    rest = [
        pdf.text(72, 600 - 14 * at, f"This is a line of quite readable words number {at}") for at in range(12)
    ]
    pdf.page(pdf.text(72, 740, b"<" + b"00010061" * 40 + b">", font="F2", size=5) + b"".join(rest))
    page = opened(pdf).page(1)
    assert page.unmapped == 80
    assert page.plausible


def test_numbers_in_columns_that_pdfium_takes_for_one_are_cells(pdf, lines):
    # A letter said to be that wide makes PDFium see no space behind it.
    pdf.fonts["W"] = pdf.add(
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 57/LastChar 57/Widths[60000]>>"
    )
    row = pdf.text(72, 700, "Card", size=7) + pdf.text(150, 700, "11", size=7)
    pdf.page(row + pdf.text(200, 700, "20.39", font="W", size=7) + pdf.text(260, 700, "311", size=7))
    assert lines(pdf) == ["Card\t11\t20.39\t311"]
