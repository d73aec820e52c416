"""Fonts that name their characters by number, as the bitmap fonts of TeX do."""

from __future__ import annotations

import pytest

BASE = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def decimal(code: int) -> str:
    return f"a{code}"


def base_36(code: int) -> str:
    return chr(65 + code // 36) + BASE[code % 36]


@pytest.fixture
def drawn(pdf):
    """A line of text in a bitmap font whose glyphs are named by their codes, some of them mapped."""

    def draw(text: str, *, name=decimal, mapped=(), font: str = "B", y: float = 700, x: float = 72) -> bytes:
        glyph = pdf.stream(b"500 0 0 0 450 600 d1 0 0 450 600 re f")
        codes = [code for code in range(256) if code != 32]
        table = "".join(f"<{code:02X}> <{ord(sign):04X}>\n" for code, sign in mapped)
        pdf.fonts[font] = pdf.add(
            b"<</Type/Font/Subtype/Type3/FontBBox[0 0 500 600]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 0"
            b"/LastChar 255/Widths[%s]/CharProcs<<%s>>/Encoding<</Type/Encoding/Differences[%s]>>%s>>"
            % (
                b" ".join([b"500"] * 256),
                b"".join(b"/%s %d 0 R" % (name(code).encode(), glyph) for code in codes),
                b" ".join(b"%d/%s" % (code, name(code).encode()) for code in codes),
                b"/ToUnicode %d 0 R" % pdf.stream(
                    b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def "
                    b"/CMapType 2 def 1 begincodespacerange <00><FF> endcodespacerange %d beginbfchar\n%s"
                    b"endbfchar endcmap end end" % (len(mapped), table.encode())
                ) if mapped else b"",
            )
        )  # fmt: skip
        content = b""
        for word in text.split(" "):
            content += pdf.text(x, y, f"<{word.encode('latin-1').hex()}>".encode(), font=font)
            x += 12 * 0.5 * len(word) + 3.5
        return content

    return draw


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("the \x1crst o\x1b\x1ce di\x1berence su\x1eces", "the first offfie difference suffices"),
        ("\x10a \x1cle\x11 of 3\x154 \x16 \x1dat", "“a file” of 3–4 — flat"),
        ("a \x1cle za\xbb\xf3\x88", "a file zażóĹ"),
        ("the \x0crst a\rame su\x0eces \\so\" 3{4 \x1co", "the first aflame suffices “so” 3–4 øo"),
        ("o\x1b he \x1cts", "off he fits"),
        ("the \x1crst \x12er \rso\x60 \x0eund\x0f", "the first „er ‚so` ‹und›"),
    ],
)  # fmt: skip
def test_ligatures_dashes_and_quotes_of_tex_are_what_they_are(written, shown, pdf, drawn, opened):
    pdf.page(drawn(written))
    page = opened(pdf).page(1)
    assert (page.text, page.unmapped) == (shown, 0)


def test_greek_letters_of_formulas_are_no_ligatures(pdf, drawn, lines):
    pdf.page(drawn("\x0bdx \x0b \x0c") + drawn("(\x0b)", y=660))
    assert lines(pdf) == ["\ufffd \ufffd \ufffd", "\ufffd"]


def test_which_encoding_it_is_is_told_font_by_font(pdf, drawn, lines):
    pdf.page(drawn("the \x1crst", font="A") + drawn("the \x0crst \x1co", font="C", y=660))
    assert lines(pdf) == ["the first", "the first øo"]


def test_accents_of_these_fonts_are_one_with_their_letters(pdf, drawn, lines):
    pdf.page(drawn("a \x0cne caf") + drawn("\x13", y=705, x=121) + drawn("e", x=121))
    assert lines(pdf) == ["a fine caf\u00e9"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("X\x1cY \x04\x05 (\x1c) 7\x1d", ["\ufffd \ufffd \ufffd \ufffd"]),
        ("aB\x1c \xa4bc\x1c \x90de\x1c fg\x1c", ["\ufffd \ufffd \ufffd \ufffd"]),
    ],
)
def test_codes_that_make_no_words_are_no_text(written, shown, pdf, drawn, lines):
    pdf.page(drawn(written))
    assert lines(pdf) == shown


def test_what_is_no_character_of_a_font_with_words_takes_no_letters_along(pdf, drawn, opened):
    pdf.page(drawn("a \x1cle of\x01so"))
    page = opened(pdf).page(1)
    assert (page.text, page.unmapped) == ("a file of\ufffdso", 1)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("include(a[i]) to c e", "include(a[i]) to c e"),
        ("me@there su\x0eces", "me@there suffices"),
    ],
)
def test_numbers_that_ghostscript_takes_for_names_are_numbers(written, shown, pdf, drawn, lines):
    mapped = [(99, "\r"), (93, "\u2104"), (64, "\x08"), (14, "\u00c6")]
    pdf.page(drawn(written, name=base_36, mapped=[one for one in mapped if chr(one[0]) in written]))
    assert lines(pdf) == [shown]


def test_marks_of_lists_are_bullets(pdf, drawn, lines):
    pdf.page(drawn("\x88", font="A") + pdf.text(90, 700, "point") + pdf.text(72, 660, "no ")
             + drawn("\x88", font="A", y=660, x=100))  # fmt: skip
    assert lines(pdf) == ["• point", "no \ufffd"]


def test_a_sign_beside_letters_of_another_font_is_no_ligature(pdf, drawn, lines):
    pdf.page(drawn("\x0f", font="A") + drawn("ij", font="C", x=78))
    assert lines(pdf) == ["\ufffd"]
