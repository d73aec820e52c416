"""What PDFium writes is read for as many things as there are, and nothing of one page stays for the next."""

from __future__ import annotations

import ctypes

import pytest

from indx_format_pdf import _places, _rules, _unseen
from indx_format_pdf._pdfium import address, fast, pdfium
from indx_format_pdf._rooms import Room

EMPTY = (7.0, 8.0)
HIDDEN = (3, 4, 8, 9, 17, 18)


def told(room, things, *, order=(0, 1), known=lambda _: True):
    """What a call tells that writes a thing and its square, of those that are known."""

    def call(ten, thing, *places):
        for place, number in zip(places, (ten + thing, thing * thing), strict=True):
            if known(thing):
                ctypes.cast(place, ctypes.POINTER(ctypes.c_double))[0] = number
        return 1

    return list(room.told(call, 10, things=things, places=room.places(*order)))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 6, 8])
def test_a_call_tells_of_as_many_things_as_there_are(count):
    expected = [number for thing in range(count) for number in (10 + thing, thing * thing)]
    assert told(Room("d", EMPTY, 3), range(count)) == expected


def test_numbers_lie_in_the_order_that_is_asked_for():
    assert told(Room("d", EMPTY, 3), [4, 5], order=(1, 0)) == [16, 14, 25, 15]


def test_what_is_not_told_is_empty_and_nothing_told_before():
    room = Room("d", EMPTY, 2)
    told(room, range(5))
    assert told(room, range(3), known=lambda thing: thing == 1) == [7, 8, 11, 1, 7, 8]


@pytest.mark.parametrize("rotate", [0, 90])
def test_lines_have_their_places_however_many_a_page_has(rotate, pdf, opened, monkeypatch):
    lines = b"".join(pdf.text(40 + n, 780 - 2.5 * n, f"line {n}", size=2) for n in range(300))
    pdf.page(lines, rotate=rotate)
    page = opened(pdf).page(1)
    monkeypatch.setattr(_places, "_ROOM", Room("d", (0.0,) * 4, 1_000))
    again = opened(pdf).page(1)
    assert len(page.line_starts) == 300
    assert page.boxes == again.boxes
    assert len(set(page.boxes[0::4])) == 300


def test_a_line_of_many_pieces_has_its_place(pdf, opened, monkeypatch):
    """PDFium has one rectangle for each."""
    pieces = b"".join(pdf.text(20 + 1.8 * n, 700, "a", size=4) for n in range(300))
    pdf.page(pieces)
    page = opened(pdf).page(1)
    monkeypatch.setattr(_places, "_ROOM", Room("d", (0.0,) * 4, 1_000))
    assert opened(pdf).page(1).boxes == page.boxes
    assert page.boxes[2] - page.boxes[0] > 0.8


def test_white_text_is_told_however_many_lines_a_page_has(pdf, opened, monkeypatch):
    monkeypatch.setattr(_unseen, "_COLOURS", Room("I", (1,) * 4, 4))
    lines = [pdf.text(72, 700 - 14 * n, f"line number {n}") for n in range(20)]
    for n in HIDDEN:
        lines[n] = b"1 g " + lines[n] + b" 0 g "
    pdf.page(b"".join(lines))
    page = opened(pdf).page(1)
    assert [page.text[start:end] for start, end in page.hidden] == [f"line number {n}" for n in HIDDEN]


def test_rules_make_a_table_however_many_there_are(pdf, opened, monkeypatch):
    monkeypatch.setattr(_rules, "_BOUNDS", Room("f", _rules._BOUNDS.numbers[:4], 3))
    monkeypatch.setattr(_rules, "_POINTS", Room("f", (0.0, 0.0), 3))
    rules = b"".join(b"72 %d m 372 %d l S " % (y, y) for y in range(600, 721, 20))
    rules += b"72 600 m 72 720 l S 222 600 m 222 720 l S 72 600 300 120 re S "
    cells = b"".join(
        pdf.text(x, 605 + 20 * row, f"{name}{row}") for row in range(6) for x, name in ((80, "a"), (230, "b"))
    )
    pdf.page(rules + cells)
    (table,) = opened(pdf).page(1).tables
    assert (table.rows, table.columns) == (6, 2)


def test_a_short_call_declares_all_parameters_or_none():
    """Past some, arguments are taken for variable ones, which lie elsewhere on some machines."""
    named = [one for name, one in vars(pdfium).items() if name.startswith("FPDF")]
    functions = [one for one in named if hasattr(one, "argtypes")]
    whole = {address(one): len(one.argtypes) for one in functions}
    calls = {name: one for name, one in vars(fast).items() if hasattr(one, "argtypes")}
    assert len(calls) > 25
    for name, call in calls.items():
        assert len(call.argtypes) in {0, whole[address(call)]}, name
