"""Grids that rules make: where they cross, and which fields between them are one cell. Pure functions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

from indx_format_pdf._rules import Rule, Rules

__all__ = ["Field", "Lattice", "lattices"]

_MEETS: Final = 3.0  # points by which rules that meet may miss each other
_OPEN: Final = 8.0  # points; a side of a table this far inside the ends of its rules is not drawn
_SEVERAL: Final = 2  # rules that end at one place within a grid, where none stands across them
_MOST_CROSSINGS: Final = 200_000
_MOST_GRIDS: Final = 100
_MOST_FIELDS: Final = 50_000


class Field(NamedTuple):
    """A cell of a grid: its first row and column, counted from 0, and how many it takes."""

    row: int
    column: int
    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class Lattice:
    """A grid.

    Attributes:
        xs: Where its columns begin, and where the last ends.
        ys: Where its rows begin, and where the last ends.
        fields: For each row the cell at each column; those of a merged cell are the same.
        walls: For each column and the end of the last, in which rows a rule is drawn there.
        floors: For each row and the end of the last, in which columns a rule is drawn there.
    """

    xs: list[float]
    ys: list[float]
    fields: list[list[Field]]
    walls: Sequence[Sequence[bool]] = ()
    floors: Sequence[Sequence[bool]] = ()

    def at(self, x: float, y: float) -> Field | None:
        """The cell at a point; None outside."""
        if not (self.xs[0] - _MEETS <= x <= self.xs[-1] + _MEETS):
            return None
        if not (self.ys[0] - _MEETS <= y <= self.ys[-1] + _MEETS):
            return None
        # Past an end it is the first or last all the same.
        column = bisect_right(self.xs, x, 1, len(self.xs) - 1) - 1
        row = bisect_right(self.ys, y, 1, len(self.ys) - 1) - 1
        return self.fields[row][column]

    def around(self, x0: float, y0: float, x1: float, y1: float) -> tuple[Field | None, bool]:
        """The cell at the first corner of a box, and whether the other corners stand in it too."""
        xs, ys = self.xs, self.ys
        if x0 < xs[0] - _MEETS or x1 > xs[-1] + _MEETS or y0 < ys[0] - _MEETS or y1 > ys[-1] + _MEETS:
            return None, False
        past_columns, past_rows = len(xs) - 1, len(ys) - 1
        left = bisect_right(xs, x0, 1, past_columns) - 1
        right = bisect_right(xs, x1, left + 1, past_columns) - 1
        above = bisect_right(ys, y0, 1, past_rows) - 1
        below = bisect_right(ys, y1, above + 1, past_rows) - 1
        cell = self.fields[above][left]
        if left == right and above == below:
            return cell, True
        others = self.fields[above][right], self.fields[below][left], self.fields[below][right]
        return cell, all(other is cell for other in others)

    def holds(self, other: Lattice) -> bool:
        """Whether another grid stands within this one."""
        across = self.xs[0] <= other.xs[0] and other.xs[-1] <= self.xs[-1]
        return across and self.ys[0] <= other.ys[0] and other.ys[-1] <= self.ys[-1]

    def for_upright(self) -> Lattice:
        """The grid for text that is set upright: what no rule parts is one cell down the page first."""
        turned = _fields(len(self.xs) - 1, len(self.ys) - 1, self.floors, self.walls)
        fields = [
            [Field(one.column, one.row, one.columns, one.rows) for one in row]
            for row in zip(*turned, strict=True)
        ]
        return replace(self, fields=fields)


def lattices(rules: Rules) -> list[Lattice]:
    """The grids of at least two columns among the rules of a page, from the top down; none of a drawing."""
    if len(rules.level) * len(rules.upright) > _MOST_CROSSINGS:
        return []
    found = [
        lattice
        for level, upright in _components(rules)
        if len(level) > 1 and (lattice := _lattice(level, upright)) is not None
    ]
    found.sort(key=lambda one: (one.ys[0], one.xs[0]))
    del found[_MOST_GRIDS:]
    return found


def _components(rules: Rules) -> list[tuple[list[Rule], list[Rule]]]:
    """Rules that meet each other, directly or by way of others."""
    level, upright = rules.level, rules.upright
    parents = list(range(len(level) + len(upright)))

    def root(one: int) -> int:
        while parents[one] != one:
            parents[one] = parents[parents[one]]
            one = parents[one]
        return one

    places = [rule.place for rule in upright]
    for number, (y, begin, end) in enumerate(level):
        for other in range(bisect_left(places, begin - _MEETS), bisect_right(places, end + _MEETS)):
            if upright[other].begin - _MEETS <= y <= upright[other].end + _MEETS:
                parents[root(number)] = root(len(level) + other)
    parts: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for number in range(len(parents)):
        own = parts.setdefault(root(number), ([], []))
        if number < len(level):
            own[0].append(level[number])
        else:
            own[1].append(upright[number - len(level)])
    return [part for part in parts.values() if part[0] and part[1]]


def _lattice(level: Sequence[Rule], upright: Sequence[Rule]) -> Lattice | None:
    xs, ys = _lines(upright, level), _lines(level, upright)
    rows, columns = len(ys) - 1, len(xs) - 1
    if columns < 2 or rows < 1 or rows * columns > _MOST_FIELDS:
        return None
    walls = _borders(upright, xs, ys)  # walls[column][row]: left of the column
    floors = _borders(level, ys, xs)  # floors[row][column]: above the row
    return Lattice(xs, ys, _fields(rows, columns, walls, floors), walls, floors)


def _lines(rules: Sequence[Rule], others: Sequence[Rule]) -> list[float]:
    """Where rules stand, and where those across them end without one: sides that are not drawn.

    Within the grid that takes several: the columns under a common head may be parted by rules while nothing
    stands between them and the head.
    """
    places = sorted({rule.place for rule in rules})
    ends = sorted([end for rule in others for end in rule[1:]])
    found: list[float] = []
    for at, end in enumerate(ends):
        nearest = bisect_left(places, end)
        near = any(abs(end - place) <= _OPEN for place in places[max(0, nearest - 1) : nearest + 1])
        if near or (found and end - found[-1] <= _OPEN):
            continue
        count = bisect_right(ends, end + _MEETS) - at
        if count >= _SEVERAL or not places[0] < end < places[-1]:
            found.append(end)
    return sorted([*places, *found])


def _borders(rules: Sequence[Rule], places: Sequence[float], across: Sequence[float]) -> list[list[bool]]:
    """For each place and each stretch between two of `across`, whether a rule is drawn."""
    at = {place: number for number, place in enumerate(places)}
    middles = [(begin + end) / 2 for begin, end in pairwise(across)]
    drawn = [[False] * len(middles) for _ in places]
    for place, begin, end in rules:
        own = drawn[at[place]]
        for number in range(bisect_left(middles, begin), bisect_right(middles, end)):
            own[number] = True
    return drawn


def _fields(
    rows: int, columns: int, walls: Sequence[Sequence[bool]], floors: Sequence[Sequence[bool]]
) -> list[list[Field]]:
    """Cells: fields with no rule between them are one, if they make a rectangle; else those of a row are."""
    if all(map(all, walls[1:-1])) and all(map(all, floors[1:-1])):
        return [[Field(row, column, 1, 1) for column in range(columns)] for row in range(rows)]
    fields: list[list[Field | None]] = [[None] * columns for _ in range(rows)]
    for row in range(rows):
        for column in range(columns):
            if fields[row][column] is not None:
                continue
            wide = 1
            while (
                column + wide < columns
                and not walls[column + wide][row]
                and fields[row][column + wide] is None
            ):
                wide += 1
            high = 1
            while row + high < rows and _goes_on(row + high, column, wide, walls, floors):
                high += 1
            field = Field(row, column, high, wide)
            for r in range(row, row + high):
                for c in range(column, column + wide):
                    fields[r][c] = field
    return [[field for field in row if field is not None] for row in fields]


def _goes_on(
    row: int, column: int, wide: int, walls: Sequence[Sequence[bool]], floors: Sequence[Sequence[bool]]
) -> bool:
    """Whether a cell goes on into the row below: no rule above it, none through it, one at each side."""
    columns = len(floors[0])
    if any(floors[row][column : column + wide]):
        return False
    if any(walls[inner][row] for inner in range(column + 1, column + wide)):
        return False
    left = column == 0 or walls[column][row]
    right = column + wide == columns or walls[column + wide][row]
    return left and right
