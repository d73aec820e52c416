"""The text of a page as rows of cells, beside a form of it in which widths of characters make no difference.

Every character of the folded form stands for the one at the same place of the text, so that what is found
in the one is cut out of the other as it is printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from indx_core.ports import Span

__all__ = ["Cell", "fold", "rows_of", "without"]

MOST_ROWS: Final = 2_000
LONGEST_ROW: Final = 500
"""A longer line is prose; no field of an invoice stands in it."""

_FOLDED: Final[dict[int, int | str]] = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    0x3000: " ",
    0xFFE5: "¥",
    0xFFE1: "£",
    0x2010: "-",
    0x2011: "-",
    0x2212: "-",
    0x202F: "\u00a0",
    0x2009: "\u00a0",
    0x2019: "'",
}
_CELL: Final = re.compile(r"[^\t ](?:[^\t ]| (?! ))*")


@dataclass(frozen=True, slots=True)
class Cell:
    """A stretch of a line with nothing near it.

    Attributes:
        text: As printed.
        folded: The same with every character of another width made plain.
    """

    text: str
    folded: str


def fold(text: str) -> str:
    """`text` in characters of one width; no longer and no shorter."""
    return text if text.isascii() else text.translate(_FOLDED)


def without(text: str, spans: Iterable[Span]) -> str:
    """`text` with stretches of it blanked, line breaks kept."""
    for start, end in spans:
        blank = "".join("\n" if sign == "\n" else " " for sign in text[start:end])
        text = f"{text[:start]}{blank}{text[end:]}"
    return text


def rows_of(text: str) -> list[Sequence[Cell]]:
    """The lines that hold anything, as cells: a tab or two spaces stand between two."""
    rows: list[Sequence[Cell]] = []
    for line in text.split("\n"):
        if not line or len(line) > LONGEST_ROW or line.isspace():
            continue
        folded = fold(line)
        cells = [Cell(line[found.start() : found.end()], found.group()) for found in _CELL.finditer(folded)]
        if cells:
            rows.append(cells)
        if len(rows) == MOST_ROWS:
            break
    return rows
