"""Text set another way than its page, as programs draw it: letter by letter, word by word, at any angle."""

from __future__ import annotations

import re
from math import cos, radians, sin

import pytest

from indx_format_pdf._pdfium import fast
from indx_format_pdf._runs import Run, put_in, runs_of
from indx_format_pdf._text import PageText

BODY = [f"What the page says level on line {at}" for at in range(12)]
NOTE = [
    "when we open a new page we had",
    "a hand on none when we gain a bag",
    "and none had been whom we owe",
]
WIDE = {**dict.fromkeys("abdeghnopu", 0.556), "m": 0.833, "r": 0.333, "w": 0.722}
WIDE |= {**dict.fromkeys("il", 0.222), **dict.fromkeys("ft ", 0.278), **dict.fromkeys("cksvy", 0.5)}
WIDE[","] = 0.278
WHOLE, WORDS, LETTERS, SIGNS = "^", "( )", "()", "(.)"
"""Where a line is parted. Spaces are drawn within a whole line, and as signs of their own."""


def drawn(angle: int, x: float, y: float, text: str, apart: str = WHOLE, size: int = 10) -> bytes:
    """A line at an angle, each of its pieces drawn by itself."""
    a, b = cos(radians(angle)), sin(radians(angle))
    content, at = b"", 0.0
    for piece in re.split(apart, text):
        if piece.strip() or apart == SIGNS:
            matrix = b"%.6f %.6f %.6f %.6f %.3f %.3f" % (a, b, -b, a, x + at * a, y + at * b)
            content += b"BT /F1 %d Tf %s Tm (%s) Tj ET " % (size, matrix, piece.encode())
        at += size * sum(WIDE[sign] for sign in piece)
    return content


def reach(text: str) -> float:
    """How long a line of ten points is."""
    return 10 * sum(WIDE[sign] for sign in text)


def block(angle: int, x: float, y: float, texts: list[str], apart: str, size: int = 10) -> bytes:
    """Lines one below the other, as who turns the page sees them."""
    a, b = 1.3 * size * cos(radians(angle)), 1.3 * size * sin(radians(angle))
    return b"".join(drawn(angle, x + at * b, y - at * a, text, apart, size) for at, text in enumerate(texts))


def body(pdf) -> bytes:
    return b"".join(pdf.text(60, 700 - 14 * at, line, size=10) for at, line in enumerate(BODY))


@pytest.mark.parametrize("apart", [WHOLE, WORDS, LETTERS, SIGNS])
@pytest.mark.parametrize("angle", [90, 270])
def test_a_note_beside_the_text_has_its_lines_in_order_and_each_is_whole(angle, apart, pdf, lines):
    pdf.page(body(pdf) + block(angle, 500, 500, NOTE, apart) + pdf.text(60, 300, "and ends level", size=10))
    assert lines(pdf) == [*BODY, *NOTE, "and ends level"]


@pytest.mark.parametrize("angle", [90, 270])
def test_a_note_of_two_lines_of_which_the_last_is_short_is_read_in_order(angle, pdf, lines):
    note = ["when we open a new page we had", "no end"]
    pdf.page(body(pdf) + block(angle, 500, 500, note, WHOLE) + pdf.text(60, 300, "and ends level", size=10))
    assert lines(pdf) == [*BODY, *note, "and ends level"]


def test_a_line_of_letters_drawn_one_by_one_stands_in_one_box(pdf, opened):
    pdf.page(body(pdf) + drawn(90, 500, 300, NOTE[0], LETTERS))
    read = opened(pdf).page(1)
    assert read.text.split("\n")[-1] == NOTE[0]
    assert not read.part_starts
    _, top, _, bottom = read.boxes[-4:]
    assert [top * 792, bottom * 792] == pytest.approx([492 - reach(NOTE[0]), 492], abs=3)


@pytest.mark.parametrize("apart", [WHOLE, WORDS])
@pytest.mark.parametrize("lone", ["", "y"])
@pytest.mark.parametrize(("angle", "turn"), [(90, -1), (270, 1)])
def test_labels_behind_each_other_on_one_upright_line_are_not_one(angle, turn, lone, apart, pdf, lines):
    labels = ["when", "bag", "hope"]
    ends = [0.0, reach("when") + 20, reach("when") + 20 + reach("bag") + 20]
    content = drawn(angle, 500, 300, lone) if lone else b""
    content += b"".join(
        drawn(angle, 300, 300 - turn * end, label, apart) for end, label in zip(ends, labels, strict=True)
    )
    pdf.page(body(pdf) + content)
    assert [line.partition("\t")[0] for line in lines(pdf)[12:]] == labels[::turn]


ACROSS = "This line is as wide as the page, so that PDFium takes all of it for level text"


@pytest.mark.parametrize("space", [2.8, 5.5, 6.4, 8, 14])
@pytest.mark.parametrize("angle", [90, 270])
def test_words_of_low_letters_on_one_upright_line_are_one_though_it_is_spread(angle, space, pdf, lines):
    sign, at, content = 1 if angle == 90 else -1, 0.0, b""
    for word in ("we", "see", "no", "one"):
        content += drawn(angle, 300, 400 + sign * at, word)
        at += reach(word) + space
    pdf.page(body(pdf) + content)
    assert lines(pdf)[12:] == ["we see no one"]


@pytest.mark.parametrize("angle", [90, 270])
def test_a_line_that_goes_on_in_the_next_column_is_two_though_its_letters_follow(angle, pdf, lines):
    texts = ["when we open a new", "bag and hand"]
    sign = 1 if angle == 90 else -1
    content = drawn(angle, 300, 400, texts[0], LETTERS)
    content += drawn(angle, 309, 400 + sign * (reach(texts[0]) + 1), texts[1], LETTERS)
    pdf.page(pdf.text(60, 720, ACROSS) + content)
    assert sorted(lines(pdf)[1:]) == sorted(texts)


@pytest.mark.parametrize("angle", [90, 270])
def test_a_space_that_is_drawn_is_one_however_narrow_in_a_line_of_letters(angle, pdf, lines):
    sign, at, content = 1 if angle == 90 else -1, 0.0, b""
    for piece in re.findall(". ?", "when we open a bag"):
        content += drawn(angle, 300, 400 + sign * at, piece, WHOLE)
        at += reach(piece) - 2 * piece.count(" ")
    pdf.page(pdf.text(60, 720, ACROSS) + content)
    assert lines(pdf) == [ACROSS, "when we open a bag"]


@pytest.mark.parametrize(("angle", "text"), [(15, "when, had bag"), (20, "bag, we")])
def test_a_word_behind_a_comma_at_an_angle_stays_one_of_its_own(angle, text, pdf, lines):
    pdf.page(pdf.text(60, 720, ACROSS) + drawn(angle, 100, 300, text, LETTERS, 18))
    assert lines(pdf) == [ACROSS, text]


@pytest.mark.parametrize("apart", [LETTERS, SIGNS])
@pytest.mark.parametrize("angle", [90, 270])
def test_heads_of_columns_drawn_letter_by_letter_are_whole(angle, apart, pdf, lines):
    heads = ["number of men", "made in spring", "owed in all", "free"]
    tops = [600.0] * 4 if angle == 90 else [600 + reach(head) for head in heads]
    content = b"".join(drawn(angle, 200 + 60 * at, tops[at], head, apart) for at, head in enumerate(heads))
    rows = [[f"Region {row}", *(str(row + 10 * at) for at in range(1, 5))] for row in range(8)]
    places = (60, 200, 260, 320, 380)
    content += b"".join(
        pdf.text(x, 580 - 14 * at, said, size=10)
        for at, row in enumerate(rows)
        for x, said in zip(places, row, strict=True)
    )
    pdf.page(content)
    read = lines(pdf)
    assert "\t".join(read[:-8]).split("\t") == heads
    assert read[-8:] == ["\t".join(row) for row in rows]


@pytest.mark.parametrize("apart", [WORDS, LETTERS, SIGNS])
@pytest.mark.parametrize("angle", [20, 45, 340])
def test_words_set_at_an_angle_stay_apart_and_in_order(angle, apart, pdf, lines):
    texts = ["on an open page", "had been no hope and", "one did gain and owe"]
    content = block(angle, 100, 300, texts, apart, 18) + pdf.text(60, 60, "last", size=10)
    pdf.page(body(pdf) + content)
    read = lines(pdf)
    assert " ".join(read[12:-1]).split() == " ".join(texts).split()
    assert (read[:12], read[-1]) == (BODY, "last")


def test_what_stands_level_on_a_page_of_all_directions_is_read_from_above(pdf, lines):
    texts = ["one page of a hundred", "been open on an end", "and gone when due"] * 2
    places = [(0, 60, 700), (90, 400, 400), (180, 560, 100), (270, 200, 420)]
    pdf.page(b"".join(block(*place, texts, WHOLE, 14) for place in places))
    assert lines(pdf)[:6] == texts


def test_runs_are_put_behind_their_blocks_by_looking_at_each_line_once():
    count = 400

    class Counted(list):
        asked = 0

        def __getitem__(self, at):
            Counted.asked += 1
            return super().__getitem__(at)

    boxes = Counted((0.0, 10.0 * at, 100.0, 10.0 * at + 9) for at in range(2 * count))
    runs = [Run([count + at], at, first=False, upright=True) for at in range(count)]
    result = put_in(runs, [[at] for at in range(count)], range(2 * count), boxes)
    assert result == [[at] for at in range(2 * count)]
    assert Counted.asked < 5 * count


def test_an_upright_line_is_no_block_with_what_stands_far_below_it():
    boxes = [(0.0, 0.0, 10.0, 300.0), (0.0, 350.0, 100.0, 360.0), (200.0, 0.0, 210.0, 300.0)]
    run = Run([2], 0, first=False, upright=True)
    assert put_in([run], [[0], [1]], range(3), boxes) == [[0], [2], [1]]


def test_every_line_is_asked_once_for_its_angle(pdf, opened, monkeypatch):
    pdf.page(body(pdf) + block(90, 500, 500, NOTE, WHOLE))
    page = opened(pdf)
    asked = []
    runs = runs_of

    def counted(text: PageText, *args, **more):
        with monkeypatch.context() as patched:
            patched.setattr(fast, "char_angle", lambda place, at: asked.append(at) or angle(place, at))
            return runs(text, *args, **more)

    angle = fast.char_angle
    monkeypatch.setattr("indx_format_pdf._draft.runs_of", counted)
    page.page(1)
    assert len(asked) == len(set(asked)) == len(BODY) + len(NOTE)


def test_columns_of_vertical_writing_on_a_turned_page_are_lines_of_their_own(pdf, lines):
    signs = {f"{at:04X}": f"{0x4E00 + at:04X}" for at in range(60)}
    pdf.composite_font("J", encoding="Identity-V", to_unicode=signs)
    columns = [range(20 * at, 20 * at + 20) for at in range(3)]
    said = [b"<" + b"".join(b"%04x" % sign for sign in column) + b">" for column in columns]
    content = b"".join(pdf.text(500 - 20 * at, 550, one, size=10, font="J") for at, one in enumerate(said))
    pdf.page(b"q 0 -1 1 0 0 612 cm " + content + b"Q", box=(0, 0, 792, 612))
    assert sorted(lines(pdf)) == ["".join(chr(0x4E00 + sign) for sign in column) for column in columns]
