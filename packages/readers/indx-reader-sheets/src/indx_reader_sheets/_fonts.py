"""What the fonts of a workbook change of its texts: numbers that stand raised, letters of symbol fonts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from indx_format_office import TextWriter
from indx_format_office.numbers import NumberFormat
from indx_format_office.runs import AROUND, pieces
from indx_format_office.symbols import is_known, set_in

__all__ = ["Font", "Styles", "joined_runs", "symbols_of"]


class Font(NamedTuple):
    """A font: its name, and whether what is set in it stands raised."""

    name: str = ""
    raised: bool = False


@dataclass(frozen=True, slots=True)
class Styles:
    """The cell styles of a workbook.

    Attributes:
        formats: The number format of each.
        symbols: The font of those that are in a symbol font.
        fonts: The fonts that strings of binary workbooks name by number.
    """

    formats: Sequence[NumberFormat] = ()
    symbols: dict[int, str] = field(default_factory=dict)
    fonts: Sequence[Font] = ()


def symbols_of(styles: Iterable[int], fonts: Sequence[Font]) -> dict[int, str]:
    """The symbol font of each style that has one, from the numbers of the fonts of all styles."""
    known = {n: font.name.strip().lower() for n, font in enumerate(fonts) if is_known(font.name)}
    return {place: known[number] for place, number in enumerate(styles) if number in known} if known else {}


def joined_runs(
    units: bytes, runs: Iterable[tuple[int, int]], fonts: Sequence[Font], around: str = ""
) -> str:
    """A rich text in UTF-16 as it is read.

    Args:
        units: The text.
        runs: Where each run begins, in units of UTF-16, and the number of its font.
        fonts: The fonts.
        around: The font of the cell, where it is a symbol font.
    """
    writer = TextWriter()
    for number, piece in pieces(units, runs):
        font = Font(around) if number == AROUND else fonts[number] if number < len(fonts) else Font()
        (writer.write_raised if font.raised else writer.write)(set_in(font.name, piece))
    return writer.text()
