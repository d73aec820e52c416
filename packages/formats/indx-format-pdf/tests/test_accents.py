"""Accents drawn as glyphs of their own are read with the letters they stand on."""

from __future__ import annotations

import pytest

from indx_format_pdf import _accents
from indx_format_pdf._accents import put_on


def spelled(pdf, *operations: str, y: float = 700) -> bytes:
    """Text operations in a font with the accents of TeX's first fonts."""
    names = b"/grave/acute/circumflex/tilde/dieresis/macron/breve/dotaccent/ring/caron/hungarumlaut/cedilla"
    if "T" not in pdf.fonts:
        pdf.fonts["T"] = pdf.add(
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Type/Encoding"
            b"/BaseEncoding/WinAnsiEncoding/Differences[1" + names + b"/ogonek/dotlessi]>>>>"
        )
    shown = " ".join(operations).translate(ACCENTS)
    return b"BT /T 12 Tf 72 %d Td " % y + shown.encode("latin-1") + b" ET\n"


ACCENTS = {ord(sign): number for number, sign in enumerate("`´ˆ˜¨¯˘˙˚ˇ˝¸˛ı", start=1)}
WIDTHS = {"`": 333, "´": 333, "ˆ": 333, "˜": 333, "¨": 333, "¯": 333, "˘": 333, "˙": 333, "˚": 333} | {
    "ˇ": 333,
    "˝": 333,
    "¸": 333,
    "˛": 333,
}


def composed(before: str, accent: str, letter: str, after: str, width: int = 556) -> str:
    """An array of strings with an accent over the middle of a letter of some width."""
    back = (width - WIDTHS[accent]) / 2
    return f"[({before}) {-back:g} ({accent}) {WIDTHS[accent] + back:g} ({letter}{after})] TJ"


@pytest.mark.parametrize(
    ("accent", "letter", "width", "whole"),
    [
        ("´", "o", 556, "ó"),
        ("`", "e", 556, "è"),
        ("ˆ", "e", 556, "ê"),
        ("˜", "n", 556, "ñ"),
        ("¨", "u", 556, "ü"),
        ("˝", "o", 556, "ő"),
        ("ˇ", "c", 500, "č"),
        ("˚", "a", 556, "å"),
        ("¸", "c", 500, "ç"),
        ("˛", "e", 556, "ę"),
        ("¨", "ı", 278, "ï"),
        ("ˆ", "x", 500, "x\u0302"),
    ],
)
def test_an_accent_over_a_letter_is_one_with_it(accent, letter, width, whole, pdf, lines):
    pdf.page(spelled(pdf, composed("Versi", accent, letter, "n 4", width)))
    assert lines(pdf) == [f"Versi{whole}n 4"]


def test_an_accent_before_a_word_takes_no_space_with_it(pdf, lines):
    pdf.page(spelled(pdf, composed("a more ", "´", "e", " far")))
    assert lines(pdf) == ["a more é far"]


def test_two_accents_on_one_letter_are_both_on_it(pdf, lines):
    pdf.page(spelled(pdf, "[(x) -111.5 (´) 333 (ˆ) 444.5 (an)] TJ"))
    assert lines(pdf) == ["x\u1ea5n"]


def test_an_accent_drawn_apart_is_found_behind_what_was_drawn_with_its_letter(pdf, lines):
    # "fur den" begins before the accent does, so PDFium puts it first.
    pdf.page(spelled(pdf, "(f) Tj 4.75 0 Td (¨) Tj -1.4 0 Td (ur den Fernseher. Bzw. 1000) Tj"))
    assert lines(pdf) == ["für den Fernseher. Bzw. 1000"]


@pytest.mark.parametrize("line", ["say ``Indice'' twice", "call `run` and ´wait´", "A ˆ B ¨ C ¸ D"])
def test_an_accent_that_stands_by_itself_stays(line, pdf, lines):
    shown = line.replace("'", "\\047")
    pdf.page(spelled(pdf, f"({shown}) Tj"))
    assert lines(pdf) == [line]


def test_an_accent_wide_of_its_letter_tears_no_word(pdf, lines):
    pdf.page(spelled(pdf, composed("Ger", "ˆ", "W", "yn am", 944)))
    assert lines(pdf) == ["Ger\u0174yn am"]


def test_an_accent_put_between_two_other_letters_tears_no_word(pdf, lines):
    # The accent is drawn last; PDFium puts it before "ov", which begins behind it.
    pdf.page(spelled(pdf, "(fur lehet) Tj 43.36 0 Td (ov) Tj -38.68 0 Td (¨) Tj"))
    assert lines(pdf) == ["für lehetov"]


def test_an_accent_put_between_two_words_leaves_one_space(pdf, lines):
    pdf.page(spelled(pdf, "(fu i) Tj 19.5 0 Td (AC) Tj -14.82 0 Td (¨) Tj"))
    assert lines(pdf) == ["fü i AC"]


def test_an_accent_drawn_apart_of_a_letter_that_unicode_has_not_with_it_stays_where_it_is(pdf, lines):
    pdf.page(spelled(pdf, "(fqr den) Tj 4.68 0 Td (¨) Tj"))
    assert lines(pdf) == ["fqr den ¨"]


def test_a_narrow_space_before_a_sign_stays(pdf, lines):
    pdf.page(spelled(pdf, "[(a ) -83.5 (ˆ) 416.5 (x) 180 ( + b)] TJ"))
    assert lines(pdf) == ["a x\u0302 + b"]


def test_an_accent_over_a_letter_of_the_line_below_stays(pdf, lines):
    pdf.page(spelled(pdf, "(´) Tj") + spelled(pdf, "(abc defgh) Tj", y=688))
    assert lines(pdf) == ["´", "abc defgh"]


def apart(at: int) -> tuple[float, float, float, float]:
    """Boxes of characters that stand beside each other."""
    return 10.0 * at, 0.0, 10.0 * at + 8, 8.0


def test_quotes_of_code_are_not_looked_for_elsewhere():
    text = "call `run` of “it”"
    assert put_on(text, apart, lambda at: pytest.fail(f"it looked for the letter of {at}")) == text


def test_an_accent_drawn_apart_is_found_among_plain_letters(pdf, lines):
    pdf.page(spelled(pdf, "(FACOLTA DI SCIENZE) Tj 52.3 0 Td (`) Tj"))
    assert lines(pdf) == ["FACOLTÀ DI SCIENZE"]


def test_looking_for_letters_is_bounded(monkeypatch):
    monkeypatch.setattr(_accents, "_MOST_LOOKED", 700)
    looked: list[int] = []
    text = "ab ´ " * 40
    assert put_on(text, apart, looked.append) == text
    assert len(looked) == 3


def test_very_many_accents_on_one_letter_cost_little():
    text = "´" * 100_000 + "a" + " " * 100_000
    assert len(put_on(text, lambda at: (0.0, 8.0 * (at != 100_000), 8.0, 10.0), lambda at: None)) == len(text)


def test_marks_of_links_and_boxes_still_meet_the_line(pdf, opened):
    pdf.page(spelled(pdf, composed("Versi", "´", "o", "n 4")))
    page = opened(pdf).page(1)
    assert page.text == "Versión 4"
    assert (page.line_starts.tolist(), page.line_ends.tolist()) == ([0], [9])
    x0, _, x1, _ = page.boxes
    assert x0 * 612 == pytest.approx(72, abs=1)
    assert 115 < x1 * 612 < 135
