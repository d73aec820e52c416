"""The filled cells of a worksheet, before they are laid out as text: what every reader of workbooks fills."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from indx_core.errors import InputTooLarge

__all__ = ["MAX_CELLS", "Area", "Row", "Sheet", "column_name", "joined", "refuse_more_cells"]

MAX_CELLS: Final = 3_000_000
"""Cells of one document; each takes some 500 bytes until it is handed over, and a worker holds 2 GiB."""

Area = tuple[int, int, int, int]
"""First row, first column, last row, last column, counted from 1."""


@dataclass(slots=True)
class Row:
    """The filled cells of one row.

    Attributes:
        number: Its number in the sheet.
        hidden: Whether the sheet hides it.
        columns: The columns of the filled cells, rising.
        texts: Their texts.
        values: Whether one of them is no text: a number, a date, a boolean.
        formulas: The columns whose text is the formula, for want of a value.
    """

    number: int
    hidden: bool
    columns: list[int]
    texts: list[str]
    values: bool = False
    formulas: Sequence[int] = ()

    def sort(self) -> None:
        """Put the cells in the order of their columns; of two in one column the first counts."""
        cells: dict[int, str] = {}
        for column, text in zip(self.columns, self.texts, strict=True):
            cells.setdefault(column, text)
        self.columns = sorted(cells)
        self.texts = [cells[column] for column in self.columns]


@dataclass(slots=True)
class Sheet:
    """What a worksheet holds.

    Attributes:
        rows: The rows that have filled cells, rising.
        merges: The merged areas, as stated.
        hidden_columns: Ranges of columns that the sheet hides, first and last, rising and apart.
        links: Where cells lead: by row and column.
        filtered: The area that a filter heads.
        ruby: Words and how they are read, each pair once.
    """

    rows: list[Row] = field(default_factory=list)
    merges: list[Area] = field(default_factory=list)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    links: dict[tuple[int, int], str] = field(default_factory=dict)
    filtered: Area | None = None
    ruby: dict[tuple[str, str], None] = field(default_factory=dict)


def column_name(number: int) -> str:
    """The letters of a column: 1 is A, 27 is AA."""
    name = ""
    while number:
        number, place = divmod(number - 1, 26)
        name = chr(65 + place) + name
    return name


def joined(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges rising, those that touch or overlap made one."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(joined[-1][1], last)
        else:
            joined.append((first, last))
    return joined


def refuse_more_cells(count: int) -> None:
    """Refuse a document of `count` cells where that is more than are read.

    Raises:
        InputTooLarge: It is.
    """
    if count > MAX_CELLS:
        raise InputTooLarge(f"the tables have more than {MAX_CELLS:,} cells; split the document")
