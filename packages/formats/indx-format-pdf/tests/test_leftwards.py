"""Text that runs from right to left is read in its order, with its numbers, brackets and signs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_format_pdf._leftwards import JOINT, put_right, runs_leftwards

GLYPHS = {"\u0644\u0623": 0x1001, "\u0644\u0627": 0x1002, "\u0627\u0644\u0644\u0647": 0x1003}
"""Glyphs that stand for several letters, and their codes."""


def drawn(pdf, *glyphs: str, y: float = 700) -> bytes:
    """Glyphs from left to right, as a typesetter has put them."""
    codes = {glyph: GLYPHS.get(glyph, ord(glyph[0])) for glyph in glyphs}
    if "R" not in pdf.fonts:
        letters = {f"{code:04X}": chr(code) for code in [*range(0x20, 0x7F), *range(0x5D0, 0x653)]}
        letters |= {f"{code:04X}": glyph for glyph, code in GLYPHS.items()}
        pdf.composite_font(
            "R", to_unicode={code: text.encode("utf-16-be").hex() for code, text in letters.items()}
        )
    shown = "".join(f"{codes[glyph]:04X}" for glyph in glyphs)
    return pdf.text(72, y, f"<{shown}>".encode(), font="R")


def read(pdf, lines, *glyphs: str) -> list[str]:
    pdf.page(drawn(pdf, *glyphs))
    return lines(pdf)


def test_hebrew_is_read_from_the_right(pdf, lines):
    assert read(pdf, lines, *reversed("שלום עולם")) == ["שלום עולם"]


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_it_is_read_from_the_right_on_turned_pages_too(rotate, pdf, lines):
    pdf.page(drawn(pdf, *reversed("שלום עולם")), rotate=rotate)
    assert lines(pdf) == ["שלום עולם"]


@pytest.mark.parametrize("number", ["2024", "15", "3.14"])
def test_numbers_within_it_keep_their_order(number, pdf, lines):
    assert read(pdf, lines, *reversed("עולם"), " ", *number, " ", *reversed("שלום")) == [
        f"שלום {number} עולם"
    ]


def test_latin_words_within_it_keep_their_order(pdf, lines):
    assert read(pdf, lines, *reversed("البرمجة"), " ", *"Python", " ", *reversed("لغة")) == [
        "لغة Python البرمجة"
    ]


@pytest.mark.parametrize(
    ("glyphs", "word"),
    [
        (["ل", "م", "لأ", "ا"], "الأمل"),
        (["م", "لا", "س"], "سلام"),
        (["الله", "و"], "والله"),
        (["ل", "ا", "ق"], "قال"),  # alef and lam that are two glyphs stay
        ([*reversed("ألم")], "ألم"),
    ],
)
def test_a_glyph_of_several_letters_has_them_in_their_order(glyphs, word, pdf, lines):
    assert read(pdf, lines, *glyphs) == [word]


@pytest.mark.parametrize(
    ("visual", "logical"),
    [
        ("(4)(ב)15 ףיעס", "סעיף 15(ב)(4)"),
        (")4()ב(15 ףיעס", "סעיף 15(ב)(4)"),  # a font whose characters are as they are read, not as drawn
        ("[ב] ףיעס", "סעיף [ב]"),
        ("(ב ףיעס", "סעיף ב)"),
    ],
)
def test_brackets_open_before_they_close(visual, logical, pdf, lines):
    assert read(pdf, lines, *visual) == [logical]


def test_brackets_around_latin_words_stay_as_they_are(pdf, lines):
    pdf.page(pdf.text(72, 700, "x) a (b) and (c"))
    assert lines(pdf) == ["x) a (b) and (c"]


def over(places: dict[int, float]):
    """Boxes one point wide, each character at a place of its own but for those told."""
    return lambda at: (places.get(at, -10.0 * at), 0.0, places.get(at, -10.0 * at) + 8, 8.0)


def test_a_vowel_sign_comes_after_the_letter_it_stands_on():
    assert put_right("أي\u064bضا", over({2: -30.0})) == "أيض\u064bا"


def test_a_space_drawn_under_a_vowel_sign_is_no_space():
    assert put_right("أي \u064bضا", over({2: -40.0, 3: -40.0})) == "أي\xadض\u064bا"


@pytest.mark.parametrize("run", ["\u0651 ", " \u0651", " \u0651 \u064e "])
def test_spaces_beside_a_vowel_sign_within_a_word_are_none(run):
    text = f"\u064a{run}\u0627\u0643"
    word = {len(text) - 2: -8.0, len(text) - 1: -16.0}  # the letters stand next to each other
    assert put_right(text, over(word)) == text.replace(" ", "\xad")


def test_a_space_between_words_stays_behind_a_vowel_sign():
    text = "\u0628\u064c \u062c"
    assert put_right(text, over({3: -11.0})) == text


def test_a_space_before_a_vowel_sign_stays_where_the_letter_does_not_stand_over_it():
    assert put_right("أي \u064bضا", over({3: -40.0})) == "أي ض\u064bا"


def test_a_space_between_letters_that_touch_stays_where_no_sign_is_beside_it():
    text = "\u0628 \u062c"
    assert put_right(text, over({2: -8.0})) == text


def test_a_sign_on_the_letter_before_stays_there():
    text = "ب\u064bضا"
    assert put_right(text, over({1: 0.0})) == text


@given(st.text("\u0627\u0644\u0647\u0623\u064b\u0636ab ()[]\r\n", max_size=40), st.data())
def test_no_character_is_lost_or_added(text, data):
    places = data.draw(st.dictionaries(st.integers(0, 40), st.integers(-40, 0).map(lambda n: 10.0 * n)))
    result = put_right(text, over(places))
    assert len(result) == len(text)

    def kinds(value: str) -> list[str]:
        return sorted(value.replace("\xad", " ").translate(str.maketrans(")]", "([")))

    assert kinds(result) == kinds(text)


LETTERS, SIGN = " قلاهصمدx4", "\u0651"


def pieces(pdf, *drawn: str, y: float = 700, x: float = 72) -> bytes:
    """Text drawn piece by piece from the left, signs so high above letters that PDFium ends its line."""
    letter = pdf.stream(b"600 0 0 0 600 600 d1 0 0 600 600 re f")
    sign = pdf.stream(b"0 0 100 650 500 1100 d1 100 650 400 450 re f")
    space = pdf.stream(b"300 0 0 0 0 0 d1")
    glyphs = {one: (space, 300) if one == " " else (letter, 600) for one in LETTERS} | {SIGN: (sign, 0)}
    codes = {one: code for code, one in enumerate(glyphs, start=1)}
    lines = "".join(f"<{code:02X}> <{ord(one):04X}>\n" for one, code in codes.items())
    table = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def "
        f"1 begincodespacerange <00><FF> endcodespacerange {len(codes)} beginbfchar\n{lines}"
        "endbfchar endcmap end end"
    )
    pdf.fonts["V"] = pdf.add(
        b"<</Type/Font/Subtype/Type3/FontBBox[0 0 600 1100]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 1"
        b"/LastChar %d/Widths[%s]/CharProcs<<%s>>/Encoding<</Type/Encoding/Differences[1%s]>>"
        b"/ToUnicode %d 0 R>>"
        % (
            len(codes),
            b" ".join(b"%d" % width for _, width in glyphs.values()),
            b"".join(b"/c%d %d 0 R" % (codes[one], proc) for one, (proc, _) in glyphs.items()),
            b"".join(b"/c%d" % code for code in codes.values()),
            pdf.stream(table.encode()),
        )
    )
    content = b""
    for piece in drawn:
        shown = "".join(f"{codes[one]:02X}" for one in piece)
        content += pdf.text(x, y, f"<{shown}>".encode(), font="V")
        x += 0.012 * sum(glyphs[one][1] for one in piece)
    return content


def test_a_line_torn_at_its_signs_is_whole(pdf, lines):
    pdf.page(pieces(pdf, "دمصلا ه", SIGN, "للا لق"))
    assert lines(pdf) == ["قل الل\u0651ه الصمد"]


def test_words_of_a_torn_line_stay_apart(pdf, lines):
    pdf.page(pieces(pdf, "دمصلا", SIGN) + pieces(pdf, "لق", x=117))
    assert lines(pdf) == ["قل \u0651الصمد"]


def test_a_torn_line_is_not_cut_where_its_pieces_were_put_together(pdf, opened):
    pdf.page(pieces(pdf, "دمصلا ", "دمصلا ه", SIGN, "للا لق"))
    page = opened(pdf).page(1)
    assert page.text == "قل الل\u0651ه الصمد الصمد"
    assert len(page.part_starts) == 0


def placed(*lines: tuple[str, float, float]):
    """Text in lines, and the boxes of their characters: eight points wide, leftwards from x, at y."""
    boxes = [
        (x - 8.0 * number, y, x + 8 - 8.0 * number, y + 8)
        for text, x, y in lines
        for number in range(len(text) + 2)
    ]
    return "\r\n".join(text for text, _, _ in lines), boxes.__getitem__


def test_pieces_from_the_left_are_one_line_as_it_is_read():
    text, box = placed((f"{SIGN}دمصلا", 100, 700), ("قل", 116, 700), ("من", 136, 700))
    result = put_right(text, box)
    assert result.replace(JOINT, "").replace("\xad", "") == f"من قل{SIGN}دمصلا"
    assert len(result) == len(text)


def test_a_sign_without_width_of_its_own_text_leaves_a_line_to_be_cut(pdf, opened):
    pdf.composite_font("U", to_unicode={"0001": "0061", "0002": "FEFF", "0003": "0062"})
    pdf.page(pdf.text(72, 700, b"<00010002>", font="U") + pdf.text(300, 700, b"<0003>", font="U"))
    assert opened(pdf).page(1).text == "a\tb"


@pytest.mark.parametrize(
    ("piece", "x", "y"),
    [
        ("قل", 116, 680),  # lower
        ("قل", 300, 700),  # far away
        ("قل", 124, 700),  # a letter's height away
        ("قل", 40, 700),  # to the left
        ("xx", 116, 700),  # it runs rightwards
        ("قلx", 124, 700),
        ("", 116, 700),
    ],
)
def test_what_does_not_stand_next_on_the_same_line_is_another_line(piece, x, y):
    text, box = placed((f"{SIGN}دمصلا", 100, 700), (piece, x, y))
    assert put_right(text, box) == text


def test_pieces_are_looked_for_only_where_a_sign_begins_a_line():
    text, _ = placed(("دمصلا", 100, 700), ("قل", 116, 700))
    assert put_right(text, lambda at: pytest.fail("it was asked where a letter stands")) == text


def test_only_scripts_that_run_leftwards_are_looked_at():
    assert not runs_leftwards("Straße 名前 ﬁ")
    assert runs_leftwards("a שלום")
    assert runs_leftwards("ﻻ")


def test_very_many_signs_are_gone_over_once():
    text = "\u0627" + "\u064b" * 300_000
    assert put_right(text, lambda at: (float(at), 0.0, float(at), 1.0)) == text
