"""Tables with drawn rules: their text taken out of the lines of a page, and put back as rows.

Lines are cut where a rule stands between two words. What stands in a grid is held aside while the page is put
in order, one stretch standing for the whole table; then its rows take the place of that stretch.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import chain, groupby, pairwise
from math import isnan
from typing import TYPE_CHECKING, Final

from indx_core.ports import Cell, Table
from indx_format_pdf._assemble import Assembled, GridRow
from indx_format_pdf._bands import GridCell, Sheet, sheet_of
from indx_format_pdf._copies import copies_among
from indx_format_pdf._cuts import Stretch, is_tall, parts_of
from indx_format_pdf._geometry import Sides
from indx_format_pdf._lattice import Field, Lattice
from indx_format_pdf._places import character_boxes
from indx_format_pdf._text import Lines
from indx_format_pdf._turned import Turned

if TYPE_CHECKING:
    from indx_format_pdf._draft import Draft

__all__ = ["Held", "hold"]

_RUN_ON: Final = re.compile("[\u2e80-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]")
"""Signs of scripts that are written without spaces."""


@dataclass(slots=True)
class Held:
    """The tables of a page while it is put in order.

    Attributes:
        lattices: The grids that were found to be tables.
        turned: How each is turned, if its text is upright.
        anchors: The stretch that stands for each.
        cells: For each, the stretches in each cell, turned as the grid is.
        found: The rows of each as they were found; None once something was added to it.
        sheets: The rows of each, in the order of the text, once they are known.
        lines: What is held, before it is given back.
        sides: Where it stands.
        glued: Stretches that the next of their cell follows without a space.
    """

    lattices: list[Lattice]
    turned: list[Turned | None] = field(default_factory=list)
    anchors: list[int] = field(default_factory=list)
    cells: list[dict[Field, list[Stretch]]] = field(default_factory=list)
    found: list[Sheet | None] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    glued: set[int] = field(default_factory=set)
    lines: Lines = field(default_factory=Lines)
    sides: Sides = field(default_factory=lambda: ([], [], [], []))

    def turns(self) -> dict[int, bool]:
        """For each stretch that stands for a table, whether its text is set upright."""
        return dict(zip(self.anchors, [turned is not None for turned in self.turned], strict=True))

    def rejoin(self, lines: Lines, sides: Sides) -> None:
        """Put what is held after the lines of the page, which are in order now."""
        first = len(lines.texts)
        lines.broken.update(first + at for at in self.lines.broken)
        lines.texts += self.lines.texts
        lines.starts += self.lines.starts
        lines.lengths += self.lines.lengths
        for column, more in zip(sides, self.sides, strict=True):
            column += more
        for anchor in self.anchors:
            lines.texts[anchor] = ""

    def take(self, number: int, text: str, box: tuple[float, float, float, float]) -> bool:
        """Put a stretch that was added to the page into the cell it stands in; False if there is none."""
        for table, (lattice, turned) in enumerate(zip(self.lattices, self.turned, strict=True)):
            cell = lattice.at((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
            if cell is not None:
                if turned is not None:
                    cell, box = turned.field(cell), turned.box(box)
                added = Stretch(text, -1, 0, (), box, -1, number=number)
                self.cells[table].setdefault(cell, []).append(added)
                self.found[table] = None
                return True
        return False

    def rows(self, rows: list[list[int]], lines: Lines) -> list[list[int]]:
        """`rows` with the tables' own in place of what stood for them.

        A word that a hyphen breaks within a cell is one again; other hyphens are put back in `lines`.
        """
        tables = dict(zip(self.anchors, range(len(self.anchors)), strict=True))
        result: list[list[int]] = []
        for row in rows:
            for is_table, run in groupby(row, key=tables.__contains__):
                if not is_table:
                    result.append(list(run))
                    continue
                for anchor in run:
                    result += self._rows_of(tables[anchor], lines)
        return result

    def _rows_of(self, table: int, lines: Lines) -> list[list[int]]:
        sheet = self.found[table]
        if sheet is None:
            sheet = _sheet(self.lattices[table], self.cells[table], self.turned[table], is_sure=True)
        assert sheet is not None
        self.sheets.append(sheet)
        rows: list[list[list[int]]] = [[[] for _ in range(sheet.columns)] for _ in range(sheet.rows)]
        for row, column, _, _, held in sheet.cells:
            rows[row][column] = numbers = [one.number for one in held]
            if len(numbers) > 1 or numbers[0] in lines.broken:
                self._run_on(numbers, lines)
        return [GridRow(row, self.glued) for row in rows]

    def _run_on(self, numbers: Sequence[int], lines: Lines) -> None:
        """Find which stretches of a cell the next follows without a space, and put other hyphens back."""
        for number, after in pairwise([*numbers, -1]):
            before, rest = lines.texts[number], lines.texts[after] if after >= 0 else ""
            if number in lines.broken:
                lines.broken.discard(number)
                if rest[:1].islower():
                    self.glued.add(number)
                else:
                    lines.texts[number] += "-"
            elif _RUN_ON.match(before[-1:]) and _RUN_ON.match(rest[:1]):
                self.glued.add(number)

    def tables(self, done: Assembled, shares: Sides) -> tuple[Table, ...]:
        """The tables in the finished text.

        Args:
            done: The text.
            shares: The boxes of the stretches, as shares of the displayed page.
        """
        found: list[Table] = []
        for sheet in self.sheets:
            cells = [_cell(cell, done, shares) for cell in sheet.cells]
            start = done.text.rfind("\n", 0, cells[0].start) + 1
            last = max(cell.end for cell in cells)
            end = done.text.find("\n", last)
            found.append(
                Table(
                    start,
                    len(done.text) if end < 0 else end,
                    sheet.rows,
                    sheet.columns,
                    sheet.header_rows,
                    tuple(cells),
                )
            )
        return tuple(sorted(found, key=lambda table: table.start))


def _cell(cell: GridCell, done: Assembled, shares: Sides) -> Cell:
    row, column, rows, columns, held = cell
    first, last = held[0].number, held[-1].number
    start, end = done.bases[first], done.bases[last] + len(done.texts[last])
    x0, y0, x1, y1 = shares
    if first == last:
        box = x0[first], y0[first], x1[first], y1[first]
    else:
        numbers = [one.number for one in held]
        box = (
            min([x0[number] for number in numbers]),
            min([y0[number] for number in numbers]),
            max([x1[number] for number in numbers]),
            max([y1[number] for number in numbers]),
        )
    known = not isnan(sum(box))
    return Cell(row + 1, column + 1, rows, columns, done.text[start:end], start, end, box if known else None)


def _sheet(
    lattice: Lattice,
    own: Mapping[Field, list[Stretch]],
    turned: Turned | None,
    filled: AbstractSet[Field] = frozenset(),
    *,
    is_sure: bool = False,
) -> Sheet | None:
    if turned is None:
        return sheet_of(lattice, own, filled=filled, is_sure=is_sure)
    return sheet_of(turned.grid(), own, filled=set(map(turned.field, filled)), is_sure=is_sure)


def hold(draft: Draft, lattices: Sequence[Lattice]) -> Held | None:
    """Take what stands in grids out of the lines of a page; None where none of them is a table.

    The stretches that are held are numbered after those that stay.
    """
    drawn = draft.frame.points(draft.sides)
    lattices = _as_written(draft, lattices, drawn)
    stretches = parts_of(draft, lattices, drawn)
    copies = copies_among([one.text for one in stretches], _sides(stretches))
    inside: list[dict[Field, list[Stretch]]] = [{} for _ in lattices]
    for number, one in enumerate(stretches):
        if one.cell is not None and number not in copies:
            own = inside[one.grid]
            if one.cell in own:
                own[one.cell].append(one)
            else:
                own[one.cell] = [one]
    held = Held([])
    others: list[Lattice] = []
    tables: dict[int, int] = {}
    for grid, (lattice, own) in enumerate(zip(lattices, inside, strict=True)):
        downwards = _turn(draft, own)
        turned = None if downwards is None else Turned(lattice, downwards)
        if turned is not None:
            own = turned.read(own)
        sheet = _sheet(lattice, own, turned, _filled(draft, lattice))
        if sheet is not None:
            tables[grid] = len(held.lattices)
            held.found.append(sheet)
            held.lattices.append(lattice)
            held.turned.append(turned)
            held.cells.append(own)
        elif own:
            others.append(lattice)
    if any(frame.holds(lattice) for frame in others for lattice in lattices if lattice is not frame):
        # A frame around tables is none: what stands in it is looked at without it.
        return hold(draft, [lattice for lattice in lattices if lattice not in others])
    if not held.lattices:
        return None
    _set_aside(draft, stretches, copies, held, tables)
    return held


def _filled(draft: Draft, lattice: Lattice) -> set[Field]:
    """The cells of a grid in which form fields stand that have a value."""
    cells = (lattice.at(x, y) for x, y in draft.fields)
    return {cell for cell in cells if cell is not None}


def _as_written(
    draft: Draft, lattices: Sequence[Lattice], points: Sequence[tuple[float, float, float, float]]
) -> list[Lattice]:
    """The grids, those in which more text is upright than level made for that."""
    if not any(is_tall(text, box) for text, box in zip(draft.lines.texts, points, strict=True)):
        return list(lattices)
    sizes = [[0, 0] for _ in lattices]
    for text, box in zip(draft.lines.texts, points, strict=True):
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        for own, lattice in zip(sizes, lattices, strict=True):
            if len(text) > 2 and lattice.ys[0] < y < lattice.ys[-1] and lattice.xs[0] < x < lattice.xs[-1]:
                own[is_tall(text, box)] += len(text)
    return [
        lattice.for_upright() if tall > level else lattice
        for lattice, (level, tall) in zip(lattices, sizes, strict=True)
    ]


def _turn(draft: Draft, own: Mapping[Field, Sequence[Stretch]]) -> bool | None:
    """Whether the text in a grid runs down the page, or up; None when most of it runs level."""
    every = list(chain.from_iterable(own.values()))
    tall = [one for one in every if is_tall(one.text, one.box)]
    if not tall:
        return None
    level = sum(len(one.text) for one in every if len(one.text) > 2 and not is_tall(one.text, one.box))
    down = up = 0
    for one in tall:
        boxes = character_boxes(draft.page, [one.start, one.start + 1], draft.frame)
        first, second = draft.frame.point_box(boxes[:4]), draft.frame.point_box(boxes[4:])
        across, along = second[0] - first[0], second[1] - first[1]
        if abs(across) >= abs(along):  # level lines on top of each other
            level += len(one.text)
        elif along > 0:
            down += len(one.text)
        else:
            up += len(one.text)
    return None if level >= down + up else down >= up


def _set_aside(
    draft: Draft,
    stretches: Sequence[Stretch],
    copies: AbstractSet[int],
    held: Held,
    tables: Mapping[int, int],
) -> None:
    """Leave `draft` the lines outside of tables, and a stretch for each table where it begins.

    What is painted again within a cell is dropped.
    """
    kept: list[Stretch] = []
    inside: list[Stretch] = []
    anchors: dict[int, int] = {}
    for number, one in enumerate(stretches):
        if one.cell is None:
            kept.append(one)
        elif number not in copies:
            table = tables.get(one.grid)
            if table is None:
                kept.append(one)
                continue
            inside.append(one)
            if table not in anchors:
                anchors[table] = len(kept)
                kept.append(_anchor(draft, held, table, one))
    held.anchors = [anchors[table] for table in range(len(held.lattices))]
    for number, one in enumerate(inside, len(kept)):
        one.number = number
    draft.lines, draft.sides = _lines(kept), _sides(kept)
    draft.rows_of = [one.row for one in kept]
    held.lines, held.sides = _lines(inside), _sides(inside)


def _lines(stretches: Sequence[Stretch]) -> Lines:
    return Lines(
        [one.text for one in stretches],
        [one.start for one in stretches],
        [one.length for one in stretches],
        {number for number, one in enumerate(stretches) if one.broken},
    )


def _sides(stretches: Sequence[Stretch]) -> Sides:
    if not stretches:
        return [], [], [], []
    flat = list(chain.from_iterable([one.sides for one in stretches]))
    return flat[0::4], flat[1::4], flat[2::4], flat[3::4]


def _anchor(draft: Draft, held: Held, table: int, first: Stretch) -> Stretch:
    """The stretch that stands for a table: as much text in as much room."""
    lattice = held.lattices[table]
    text = "\t".join([one.text for own in held.cells[table].values() for one in own])
    (sx, ox), (sy, oy) = draft.frame.across, draft.frame.down
    across = [(x - ox) / sx for x in (lattice.xs[0], lattice.xs[-1])]
    down = [(y - oy) / sy for y in (lattice.ys[0], lattice.ys[-1])]
    box = lattice.xs[0], lattice.ys[0], lattice.xs[-1], lattice.ys[-1]
    return Stretch(text, first.start, 0, (across[0], down[0], across[1], down[1]), box, -1 - table)
