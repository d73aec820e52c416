"""The lines of a page cut where a rule of a grid stands between what they say."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from indx_format_pdf._lattice import Field, Lattice
from indx_format_pdf._places import WORD, character_boxes
from indx_format_pdf._text import clean

if TYPE_CHECKING:
    from indx_format_pdf._draft import Draft

__all__ = ["Stretch", "is_tall", "parts_of"]

_UPRIGHT: Final = 1.5  # times as high as wide: text turned by a quarter
_SEVERAL: Final = 2.0  # times as high as its highest letter: a line that is several
_INSET: Final = 2.0  # points, a quarter of a box at most, by which it may reach over a rule
_APART: Final = 0.3  # of a letter's height: what is further apart is not one word


@dataclass(slots=True)
class Stretch:
    """A stretch of a line on its way into a cell or past it.

    Attributes:
        text: What it says.
        start: Its first character.
        length: How many it has.
        sides: Where it stands: first across, first down, last across, last down.
        box: The same in points of the page as displayed; of a turned table, as it is read.
        row: The line it was drawn in.
        broken: Whether it ends within a word, where a hyphen stood.
        grid: The place of the grid it stands in among those looked at.
        cell: The cell it stands in, if any.
        number: Its place among the page's stretches, once that is known.
    """

    text: str
    start: int
    length: int
    sides: Sequence[float]
    box: tuple[float, float, float, float]
    row: int
    broken: bool = False
    grid: int = 0
    cell: Field | None = None
    number: int = -1

    @property
    def middle(self) -> float:
        """Its height on the page."""
        return (self.box[1] + self.box[3]) / 2


def parts_of(
    draft: Draft, lattices: Sequence[Lattice], points: Sequence[tuple[float, float, float, float]]
) -> list[Stretch]:
    """The lines of a page in parts that stand in one cell each, or in none, as they are drawn.

    Args:
        draft: The page.
        lattices: Its grids.
        points: Where its lines stand, in points of the page as displayed.
    """
    lines, rows = draft.lines, draft.rows_of
    columns = zip(
        lines.texts, lines.starts, lines.lengths, zip(*draft.sides, strict=True), points, strict=True
    )
    parts: list[Stretch] = []
    for number, (text, start, length, sides, box) in enumerate(columns):
        row = number if rows is None else rows[number]
        one = Stretch(text, start, length, sides, box, row, number in lines.broken)
        for grid, lattice in enumerate(lattices):
            if _is_near(lattice, text, box):
                one.grid = grid
                cell, is_one = _cell_of(lattice, box)
                if is_one:
                    one.cell = cell
                    parts.append(one)
                else:
                    parts += _at_words(draft, one, lattice)
                break
        else:
            parts.append(one)
    return parts


def _is_near(lattice: Lattice, text: str, box: tuple[float, float, float, float]) -> bool:
    """Whether a line runs through a grid."""
    x0, y0, x1, y1 = box
    xs, ys = lattice.xs, lattice.ys
    left, top, right, bottom = xs[0], ys[0], xs[-1], ys[-1]
    if not (x0 < right and x1 > left and y0 < bottom and y1 > top):
        return False
    return left <= (x0 + x1) / 2 <= right if is_tall(text, box) else top <= (y0 + y1) / 2 <= bottom


def _cell_of(lattice: Lattice, box: tuple[float, float, float, float]) -> tuple[Field | None, bool]:
    """The cell in which a box begins, and whether it ends there too."""
    x0, y0, x1, y1 = box
    dx, dy = (x1 - x0) / 4, (y1 - y0) / 4
    if dx > _INSET:
        dx = _INSET
    if dy > _INSET:
        dy = _INSET
    return lattice.around(x0 + dx, y0 + dy, x1 - dx, y1 - dy)


def is_tall(text: str, box: Sequence[float]) -> bool:
    """Whether text is turned by a quarter."""
    return box[3] - box[1] > _UPRIGHT * (box[2] - box[0]) and len(text) > 2


def _at_words(draft: Draft, one: Stretch, lattice: Lattice) -> list[Stretch]:
    """A stretch cut where what comes next stands in another cell of a grid, or beside it."""
    page = draft.page
    base = page.unit(one.start)
    units = page.units[base : page.unit(one.start + one.length - 1) + 1]
    words = _Words(draft, base, units, lattice, is_tall(one.text, one.box))
    parts: list[Stretch] = []
    for cell, run in groupby(words.runs, key=words.cells.__getitem__):
        own = list(run)
        head, end = own[0], words.after(own[-1])
        shown = units[head:end]
        text = (clean(shown) if page.odd else shown).strip()
        if not text:
            continue
        first = page.character(base + head)
        sides = words.sides(head, own[-1], one.sides)
        length = page.character(base + end - 1) - first + 1
        box = draft.frame.point_box(sides)
        parts.append(Stretch(text, first, length, sides, box, one.row, grid=one.grid, cell=cell))
    if parts:
        parts[-1].broken = one.broken
    return parts or [one]


class _Words:
    """The words of a stretch, those written into two cells parted, and the cell each begins in."""

    def __init__(self, draft: Draft, base: int, units: str, lattice: Lattice, is_upright: bool) -> None:
        self.draft = draft
        self.base = base
        self.size = len(units)
        self.lattice = lattice
        self.axis = int(is_upright)
        self._boxes: dict[int, array[float]] = {}
        self.cells: dict[int, Field | None] = {}
        self._ends: dict[int, int] = {}
        words = [word.span() for word in WORD.finditer(units)]
        self._see([at for first, end in words for at in (first, end - 1)])
        for first, end in words:
            self._take(first, end)
        self.runs = sorted(self.cells)
        self._highest = max(map(self._size, self._boxes), default=0.0)

    def _take(self, first: int, end: int) -> None:
        if end - first > 1 and self._cell(first) != self._cell(end - 1):
            self._see(range(first, end))
            for at in range(first + 1, end):
                # Letters of one word that runs over a rule stay together.
                low, high = sorted((at - 1, at), key=lambda one: self._edge(one, self.axis))
                apart = abs(self._edge(high, self.axis) - self._edge(low, self.axis + 2))
                if self._cell(at) != self._cell(at - 1) and apart > _APART * self._size(at):
                    self._add(first, at)
                    first = at
        self._add(first, end)

    def _add(self, first: int, end: int) -> None:
        self.cells[first] = self._cell(first)
        self._ends[first] = end

    def _see(self, units: Sequence[int]) -> None:
        page = self.draft.page
        characters = [page.character(self.base + unit) for unit in units]
        boxes = character_boxes(page, characters, self.draft.frame)
        for number, unit in enumerate(units):
            self._boxes[unit] = boxes[4 * number : 4 * number + 4]

    def _cell(self, unit: int) -> Field | None:
        x0, y0, x1, y1 = self.draft.frame.point_box(self._boxes[unit])
        return self.lattice.at((x0 + x1) / 2, (y0 + y1) / 2)

    def _size(self, unit: int) -> float:
        return abs(self._edge(unit, 3 - self.axis) - self._edge(unit, 1 - self.axis))

    def _edge(self, unit: int, side: int) -> float:
        """A side of a character that was looked at, in the order of a displayed box."""
        return self._boxes[unit][side]

    def sides(self, first: int, last: int, line: Sequence[float]) -> tuple[float, ...]:
        """The box from the word that begins at `first` to the one at `last`: as high as its line.

        A line that is far higher than its letters is several, put together by PDFium.
        """
        box = list(line)
        axes = [self.axis]
        if abs(line[3 - self.axis] - line[1 - self.axis]) > _SEVERAL * self._highest:
            axes.append(1 - self.axis)
        ends = [self._boxes[first], self._boxes[self.last(last)]]
        for axis in axes:
            sign = (self.draft.frame.down if axis else self.draft.frame.across)[0]
            box[axis] = sign * min(sign * one[axis] for one in ends)
            box[axis + 2] = sign * max(sign * one[axis + 2] for one in ends)
        return tuple(box)

    def last(self, first: int) -> int:
        """The last character of the word that begins at `first`."""
        return self._ends[first] - 1

    def after(self, first: int) -> int:
        """Where the word after it begins, or the stretch ends."""
        at = bisect_right(self.runs, first)
        return self.runs[at] if at < len(self.runs) else self.size
