"""Grids whose text is set upright: turned by a quarter, so that their rows run from left to right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

from indx_format_pdf._cuts import Stretch
from indx_format_pdf._lattice import Field, Lattice

__all__ = ["Turned"]


@dataclass(frozen=True, slots=True)
class Turned:
    """A grid and what stands in it, as whoever reads it holds the page.

    Attributes:
        lattice: The grid as displayed.
        downwards: Whether its text runs down the page; else it runs up.
    """

    lattice: Lattice
    downwards: bool

    def grid(self) -> Lattice:
        """The grid, turned."""
        xs, ys = self.lattice.xs, self.lattice.ys
        fields = {self.field(field) for row in self.lattice.fields for field in row}
        columns = [y if self.downwards else -y for y in ys]
        rows = [-x if self.downwards else x for x in xs]
        table: list[list[Field]] = [[Field(0, 0, 1, 1)] * (len(ys) - 1) for _ in range(len(xs) - 1)]
        for field in fields:
            for row in range(field.row, field.row + field.rows):
                for column in range(field.column, field.column + field.columns):
                    table[row][column] = field
        return Lattice(sorted(columns), sorted(rows), table)

    def read(self, held: Mapping[Field, list[Stretch]]) -> dict[Field, list[Stretch]]:
        """What stands in each cell, turned; the boxes of the stretches change."""
        for one in chain.from_iterable(held.values()):
            one.box = self.box(one.box)
        return {self.field(field): own for field, own in held.items()}

    def field(self, field: Field) -> Field:
        """A cell, turned."""
        rows, columns = len(self.lattice.ys) - 1, len(self.lattice.xs) - 1
        if self.downwards:
            return Field(columns - field.column - field.columns, field.row, field.columns, field.rows)
        return Field(field.column, rows - field.row - field.rows, field.columns, field.rows)

    def box(self, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """A box in points, turned."""
        x0, y0, x1, y1 = box
        return (y0, -x1, y1, -x0) if self.downwards else (-y1, x0, -y0, x1)
