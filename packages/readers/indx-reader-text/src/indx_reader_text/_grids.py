"""Tables whose cells span rows and columns, as XML writes them: each cell once, a line a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from indx_core.ports import Cell, Table

__all__ = ["Grid"]

MAX_SPAN: Final = 1000
MAX_EMPTY: Final = 10_000
"""Fields that spans of the first table may leave empty beyond sixteen for each cell.

Where they leave more, none is believed. Tables after it share what they may: few bytes make a table.
"""


class Grid:
    """A table in the making.

    Args:
        start: Where its text begins on the page.
        number: How many tables stand before it.
    """

    def __init__(self, start: int, number: int = 0) -> None:
        self._start = start
        self._spare = MAX_EMPTY // (number + 1)
        self._rows: list[list[tuple[str, int, int]]] = []
        self._heads = 0

    def row(self, cells: Sequence[tuple[str, str, str]], *, head: bool) -> None:
        """Add a row of cells: their text, and how many rows and columns each is said to cover."""
        if head and self._heads == len(self._rows):
            self._heads += 1
        self._rows.append([(text, _span(down), _span(across)) for text, down, across in cells])

    def table(self) -> tuple[Table | None, str]:
        """The table and its text; no table where it has no cell."""
        count = sum(map(len, self._rows))
        made = self._made(spanning=True, most=16 * count + self._spare) or self._made(
            spanning=False, most=count
        )
        return made if made is not None and count else (None, "")

    def _made(self, *, spanning: bool, most: int) -> tuple[Table, str] | None:
        busy: dict[int, int] = {}  # of each column, up to which row a cell from above covers it
        cells: list[Cell] = []
        lines: list[str] = []
        position, widest, fields = self._start, 0, 0
        for number, row in enumerate(self._rows, start=1):
            column, line, at = 1, "", 1
            for text, down, across in row:
                while busy.get(column, 0) >= number:
                    column += 1
                down, across = (min(down, len(self._rows) - number + 1), across) if spanning else (1, 1)
                across = next((n for n in range(1, across) if busy.get(column + n, 0) >= number), across)
                line += "\t" * (column - at) + text
                at = column
                start = position + len(line) - len(text)
                cells.append(Cell(number, column, down, across, text, start, start + len(text)))
                if down > 1:
                    busy.update(dict.fromkeys(range(column, column + across), number + down - 1))
                column += across
                if fields + column - 1 > most:
                    return None
            widest, fields = max(widest, column - 1), fields + column - 1
            lines.append(line)
            position += len(line) + 1
        text = "\n".join(lines)
        heads = min(self._heads, len(self._rows))
        return Table(self._start, self._start + len(text), len(lines), widest, heads, cells), text


def _span(written: str) -> int:
    written = written.strip()
    return (
        min(max(1, int(written)), MAX_SPAN)
        if written.isascii() and written.isdecimal() and len(written) < 7
        else 1
    )
