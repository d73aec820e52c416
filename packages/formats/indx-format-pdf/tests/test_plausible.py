"""Text layers that no script would have."""

from __future__ import annotations

import pytest

from indx_format_pdf._plausible import characters, plausible

ENGLISH = "It is a truth universally acknowledged, that a single man in possession of a good fortune."
JAPANESE = "電線接続端子部が次のいずれにも該当しないとき。１．２ ケーブル関係（A）±5°"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- 5 -",
        "***",
        ENGLISH,
        JAPANESE,
        "01 Title .............................................. 04\n02 . . . . . . . . . . . . . 17",
        "$ 1,200.00 (3.5%) -\n-----------------\n= 99",
        "Привет, мир! Как дела?",
        "שלום עולם, כל הילדים",
        "नमस्ते दुनिया, कैसे हो",
        "ภาษาไทยเป็นภาษาที่มีระดับเสียง",
        "Ça été naïf, n’est-ce pas ? Où êtes-vous, à l’hôtel ?",
        "❚❘❙❚❘❙❚❘❙❚❘❙❚❘❙❚❘❙❚❘❙❚❘❙❚❘❙ FREE CULTURE",
        "SELECT a.b, c->d FROM x WHERE (y != 3) && {z: [1, 2]};",
        "a \ufffd b \ue001 c words enough",
    ],
)
def test_text_of_any_script_is_plausible(text):
    assert plausible(text)


@pytest.mark.parametrize(
    "text",
    [
        '"7+%-',
        "!\"#$ %&'( )*+, -./: ;<=>",
        "\ufffd" * 20 + " abc",
        "\ue001\ue002\ue003\ue004\ue005\ue006 word",
        "電N-線e\x87接R¶続Ü端¿子ð部ß",
        "\u0378\u0379\u0380\u0381\u0382\u038b \u0378\u0379",
    ],
)
def test_codes_that_nobody_decoded_are_not(text):
    assert not plausible(text)


@pytest.mark.parametrize(
    "text", [ENGLISH, "コントロールパネルの削除・インストールについて", "שלום עולם, כל הילדים", "12 345 678"]
)
def test_characters_only_guessed_may_still_be_right(text):
    assert plausible(text, unmapped=1.0)


@pytest.mark.parametrize(
    "text",
    [
        "".join(chr(ord(sign) - 29) if sign != " " else "\ufffd" for sign in ENGLISH),
        "LW LV D WUXWK XQLYHUVDOOB DFNQRZOHGJHG WKDW D VLQJOH PDQ LQ SRVVHVVLRQ",
        "ϲΒϴΒ habibi ഀഁ\u1a2b \u0dc3\u0c82 дж",
        "Ā\u0123ŧƀɐʓ \u0391\u0416\u05d0\u0627\u0915",
    ],
)
def test_glyph_numbers_taken_for_characters_are_not(text):
    assert not plausible(text, unmapped=1.0)


def test_white_space_is_no_character():
    assert characters(" a\tb\nc\xa0d\u3000") == 4


def test_a_font_without_any_mapping_makes_a_page_implausible(pdf, opened):
    pdf.composite_font("F2")
    codes = "".join(f"{ord(sign) - 29:04x}" for sign in ENGLISH if sign != " ")
    pdf.page(pdf.text(10, 700, f"<{codes}>".encode(), font="F2", size=6))
    assert not opened(pdf).page(1).plausible


def test_glyph_numbers_that_look_like_letters_are_told_by_having_no_mapping(pdf, opened):
    pdf.composite_font("F2")
    codes = "".join(f"{ord(sign) + 3:04x}" for sign in ENGLISH if sign.isalpha())
    pdf.page(pdf.text(10, 700, f"<{codes}>".encode(), font="F2", size=6))
    page = opened(pdf).page(1)
    assert page.text.startswith("Lwlvdwuxwk")
    assert not page.plausible


def test_a_mapping_of_every_glyph_to_its_own_number_makes_ideographs_implausible(pdf, opened):
    shown = [0x96FB, 0x7DDA, 0xB6, 0x63A5, 0x7D9A, 0xDC, 0x7AEF, 0xBF, 0x5B50, 0xF0, 0x90E8, 0xDF] * 3
    numbers = {f"{code:04x}": f"{code:04x}" for code in set(shown)}
    pdf.composite_font("F2", to_unicode=numbers)
    pdf.composite_font("F3", to_unicode=dict.fromkeys(numbers, "7dda"))
    codes = "".join(f"{code:04x}" for code in shown)
    pdf.page(pdf.text(10, 700, f"<{codes}>".encode(), font="F2"))
    pdf.page(pdf.text(10, 700, f"<{codes}>".encode(), font="F3"))
    document = opened(pdf)
    assert [document.page(number).plausible for number in (1, 2)] == [False, True]


def test_a_predefined_encoding_is_decoded_without_a_mapping_of_its_own(pdf, opened):
    pdf.composite_font("F2", encoding="UniGB-UCS2-H", ordering="GB1")
    pdf.composite_font("F3", encoding="GBK-EUC-H", ordering="GB1")
    pdf.composite_font("F4", encoding="90ms-RKSJ-H", ordering="Japan1")
    pdf.page(
        pdf.text(72, 700, b"<4e2d65875b5795ee>", font="F2")
        + pdf.text(72, 680, b"<" + "问题中文".encode("gbk").hex().encode() + b">", font="F3")
        + pdf.text(72, 660, b"<" + "日本語文".encode("cp932").hex().encode() + b">", font="F4")
    )
    page = opened(pdf).page(1)
    assert page.text == "中文字问\n问题中文\n日本語文"
    assert page.plausible


def test_comments_do_not_make_an_undecodable_page_plausible(pdf, opened):
    pdf.page(
        pdf.text(72, 700, '"7+%-'),
        annotations=(b"<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(a comment of many plain words)>>",),
    )
    assert not opened(pdf).page(1).plausible
