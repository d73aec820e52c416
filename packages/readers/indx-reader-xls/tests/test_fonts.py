"""What the fonts of a workbook change of its texts: raised numbers, letters of symbol fonts."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from contextlib import closing

from indx_core.deadline import Deadline
from indx_core.ports import SourceContent
from indx_reader_xls import MEDIA_TYPES, observer, reader

Make = Callable[..., bytes]
PLAIN, RAISED, LOWERED, SYMBOL, WINGDINGS = 0, 1, 2, 3, 5  # there is no font 4


def record(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def font(name: str, escapement: int = 0) -> bytes:
    head = struct.pack("<5H4B", 200, 0, 0x7FFF, 400, escapement, 0, 0, 0, 0)
    return record(0x31, head + bytes((len(name), 1)) + name.encode("utf-16-le"))


FONTS = font("Arial") + font("Arial", 1) + font("Arial", 2) + font("Symbol") + font("Wingdings")
STYLES = b"".join(
    record(0xE0, struct.pack("<HHH", font, 0, 1) + bytes(14)) for font in (0, SYMBOL, WINGDINGS)
)


def rich(row: int, text: str, runs: Sequence[tuple[int, int]], style: int = 0) -> bytes:
    data = struct.pack("<4HB", row, 0, style, len(text.encode("utf-16-le")) // 2, 1) + text.encode(
        "utf-16-le"
    )
    return record(
        0xD6, data + struct.pack("<H", len(runs)) + b"".join(struct.pack("<HH", *run) for run in runs)
    )


def shown(data: bytes) -> list[str]:
    with closing(observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
    return [cell.text for cell in page.tables[0].cells]


def test_a_number_raised_behind_a_number_is_set_off(xls: Make, sheet: Make) -> None:
    cells = b"".join(
        (
            rich(0, "10-6 m2", [(2, RAISED), (4, PLAIN), (6, RAISED)]),
            rich(1, "H2O", [(1, LOWERED), (2, PLAIN)]),
            rich(2, "\U0001f40c 106", [(5, RAISED)]),
            rich(3, "106", [(2, LOWERED)]),
        )
    )
    made = xls({"S": sheet([], extra=cells)}, extra=FONTS + STYLES)
    assert shown(made) == ["10^-6 m2", "H2O", "\U0001f40c 10^6", "106"]


def test_letters_of_symbol_fonts_are_the_signs_that_they_show_as(xls: Make, sheet: Make) -> None:
    cells = [(0, 0, "a", 1), (1, 0, "ü", 2), (2, 0, "ü", 0), (3, 0, 5.0, 1)]
    pieces = rich(4, "Da = 5", [(2, PLAIN)], style=1) + rich(5, "about a", [(6, SYMBOL)])
    made = xls({"S": sheet(cells, extra=pieces)}, extra=FONTS + STYLES)
    assert shown(made) == ["α", "✓", "ü", "5", "Δα = 5", "about α"]


def test_runs_that_begin_inside_a_character_or_are_not_in_order_take_no_text_away(
    xls: Make, sheet: Make
) -> None:
    cells = b"".join(
        (
            rich(0, "\U0001f40c x", [(1, RAISED)]),
            rich(1, "10\U0001f40c 6", [(3, RAISED)]),
            rich(2, "about a", [(6, SYMBOL), (2, PLAIN)]),
        )
    )
    made = xls({"S": sheet([], extra=cells)}, extra=FONTS + STYLES)
    assert shown(made) == ["\U0001f40c x", "10\U0001f40c 6", "about α"]
