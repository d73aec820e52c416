"""Words whose letters are set apart are words, wherever PDFium gives spaces between them."""

from __future__ import annotations

import pytest

from indx_format_pdf._letterspaced import false_spaces

WIDTHS = {
    **dict.fromkeys("abdeghnopqu0123456789", 556), **dict.fromkeys("cksvxyzJ", 500), "L": 556,
    **dict.fromkeys("ijl", 222), **dict.fromkeys(" ft.,I", 278), **dict.fromkeys("CHNRU", 722),
    **dict.fromkeys("ABEPSVXY", 667), "r": 333, "m": 833, "w": 722, "T": 611, "O": 778, "F": 611,
    "W": 944,
}  # fmt: skip


@pytest.fixture
def drawn(pdf):
    """Pieces one after the other, the letters of all so far apart; a space is as wide as it is."""

    def draw(*pieces: str, apart: float, y: float = 700) -> bytes:
        out, x = b"%g Tc " % apart, 72.0
        for piece in pieces:
            out += pdf.text(x, y, piece)
            x += sum(WIDTHS[letter] * 12 / 1000 + apart for letter in piece)
        return out

    return draw


@pytest.mark.parametrize(
    ("pieces", "line"),
    [
        (["Chin", "a", " Shippin", "g", " Compan", "y", " Lin", "e"], "China Shipping Company Line"),
        (["Chin", "a", " ", "N", " Lin", "e"], "China N Line"),
        (["Suit", "e", " 30", "0", ",", " Pt", "e"], "Suite 300, Pte"),
    ],
)
def test_a_last_letter_that_is_drawn_by_itself_is_one_with_its_word(pieces, line, pdf, drawn, lines):
    pdf.page(drawn(*pieces, apart=1.6))
    assert lines(pdf) == [line]


def test_single_letters_of_close_set_text_stay_words(pdf, drawn, lines):
    pdf.page(drawn("as a b c and i j", apart=0) + drawn("on", "e", apart=0, y=660))
    assert lines(pdf)[0] == "as a b c and i j"


def test_a_space_among_letters_set_apart_stays_before_a_single_letter(pdf, drawn, lines):
    pdf.page(drawn("see Plan A and b", apart=1.6))
    assert lines(pdf) == ["see Plan A and b"]


def letters(pdf, words: str, *, apart: float, between: float) -> bytes:
    """Letters of one text operation, moved apart, and words further."""
    moves = [f"({letter}) {-(between if letter == ' ' else apart):g}" for letter in words.replace(" ", "")]
    shown, at = [], 0
    for word in words.split(" "):
        shown += [*moves[at : at + len(word) - 1], f"({word[-1]}) {-between:g}"]
        at += len(word)
    return b"BT /F1 12 Tf 72 700 Td [%s] TJ ET " % " ".join(shown).encode()


@pytest.mark.parametrize("body", [0, 40])
def test_words_all_of_whose_letters_stand_apart(body, pdf, lines):
    prose = b"".join(pdf.text(72, 680 - 12 * row, "running text of usual words") for row in range(body))
    pdf.page(letters(pdf, "WHITE PAPER", apart=300, between=600) + prose)
    assert lines(pdf)[0] == "WHITE PAPER"


@pytest.mark.parametrize(
    ("words", "apart", "between"),
    [("ABCDEFG", 300, 300), ("WHITE PAPER", 1200, 1800), ("A B C D E F GH", 300, 600)],
)
def test_letters_that_make_no_words_stay_apart(words, apart, between, pdf, lines):
    pdf.page(letters(pdf, words, apart=apart, between=between))
    assert lines(pdf) == [" ".join(words.replace(" ", ""))]


def shown(*pieces: tuple[str, float], own: float = 0.0) -> str:
    """Letters ten wide and high, each piece so far behind the one before, and what is left of the spaces.

    A space is as wide as it is said to be: nothing where PDFium added it.
    """
    units, boxes, x = "", [], 0.0
    for text, gap in pieces:
        for letter in text:
            if letter == " ":
                boxes.append((x, 0.0, x + own, 10.0 if own else 0.0))
                continue
            x += gap
            boxes.append((x, 0.0, x + 10, 10.0))
            x += 10
        units += text
    gone = set(false_spaces(units, boxes.__getitem__))
    return "".join(letter for at, letter in enumerate(units) if at not in gone)


@pytest.mark.parametrize(
    ("pieces", "own", "line"),
    [
        ([("to", 0), (" a", 30), (" Chin", 1), (" a", 1)], 0, "to a China"),
        ([("to", 0), (" a", 30), (" Chin", 1), (" a", 1)], 1, "to a Chin a"),  # a space of the document
        ([("13", 25), (" 0", 24), (" 2", 10)], 0, "13 0 2"),  # numbers of an axis
        ([("Dv", 1), (" e", -12)], 0, "Dv e"),  # below and behind
        ([("P", 3), (".O", 3), (" .", 3)], 0, "P.O."),
        ([("#-0", 3), (" 1", 3)], 0, "#-01"),
        ([("2", 0), (")f", 1), (" g", 1)], 0, "2)f g"),  # the gap behind a sign is not one of letters
    ],
)
def test_which_space_before_a_single_letter_is_none(pieces, own, line):
    assert shown(*pieces, own=own) == line


@pytest.mark.parametrize(
    ("pieces", "line"),
    [
        ([("notes", 0), (" c", 40), (" d e f a g", 3), (" b", 3)], "notes cdefagb"),
        ([("to", 0), (" c", 40), (" d e f a", 3), (" b", 3), ("es", 0), (" b", 3)], "to c d e f a bes b"),
        ([("A", 3), ("T", 1), (" T E N D", 3), (" B", 12), (" A C K", 3)], "ATTEND BACK"),
        ([("s e t o f", 3), (" w", 12), (" o", 3), ("r", 2.4), (" k s", 3)], "setof works"),
    ],
)  # fmt: skip
def test_letters_beside_a_word_that_is_set_close_are_words(pieces, line):
    assert shown(*pieces) == line
