"""The lines of a page cut where a rule of a grid stands between what they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final, TypeAlias

from indx_format_pdf._lattice import Field, Lattice
from indx_format_pdf._places import WORD, character_boxes
from indx_format_pdf._text import clean

if TYPE_CHECKING:
    from indx_format_pdf._draft import Draft

__all__ = ["Stretch", "is_tall", "parts_of"]

_Box: TypeAlias = "tuple[float, float, float, float]"

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
    frames = [(lattice.xs[0], lattice.ys[0], lattice.xs[-1], lattice.ys[-1]) for lattice in lattices]
    parts: list[Stretch] = []
    for number, (text, start, length, sides, box) in enumerate(columns):
        row = number if rows is None else rows[number]
        one = Stretch(text, start, length, sides, box, row, number in lines.broken)
        x0, y0, x1, y1 = box
        for grid, (left, top, right, bottom) in enumerate(frames):
            if not (x0 < right and x1 > left and y0 < bottom and y1 > top):
                continue
            if left <= (x0 + x1) / 2 <= right if is_tall(text, box) else top <= (y0 + y1) / 2 <= bottom:
                one.grid = grid
                cell, is_one = _cell_of(lattices[grid], box)
                if is_one:
                    one.cell = cell
                    parts.append(one)
                else:
                    parts += _at_words(draft, one, lattices[grid])
                break
        else:
            parts.append(one)
    return parts


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
    letters = _Letters(draft, base, lattice, is_tall(one.text, one.box))
    words = letters.words(units)
    heads = [head for head, _ in words]
    parts: list[Stretch] = []
    last = 0
    for cell, run in groupby(heads, key=letters.cells.__getitem__):
        own = list(run)
        head, last = own[0], last + len(own)
        end = heads[last] if last < len(heads) else len(units)
        shown = page.shown(base + head, base + end)
        text = (clean(shown) if page.odd else shown).strip()
        if not text:
            continue
        first = page.character(base + head)
        sides = letters.sides(head, words[last - 1][1] - 1, one.sides)
        length = page.character(base + end - 1) - first + 1
        box = draft.frame.point_box(sides)
        parts.append(Stretch(text, first, length, sides, box, one.row, grid=one.grid, cell=cell))
    if parts:
        parts[-1].broken = one.broken
    return parts or [one]


class _Letters:
    """The characters of a stretch that were looked at.

    Attributes:
        boxes: Where each stands, its sides ordered as displayed.
        cells: The cell of the grid that holds its middle.
    """

    def __init__(self, draft: Draft, base: int, lattice: Lattice, is_upright: bool) -> None:
        self.boxes: dict[int, _Box] = {}
        self.cells: dict[int, Field | None] = {}
        self._page, self._frame = draft.page, draft.frame
        self._base = base
        self._lattice = lattice
        self._axis = int(is_upright)

    def words(self, units: str) -> list[tuple[int, int]]:
        """Where the words of the stretch begin and end, those written into two cells parted."""
        spans = [word.span() for word in WORD.finditer(units)]
        self._see([at for first, end in spans for at in (first, end - 1)])
        words: list[tuple[int, int]] = []
        for first, end in spans:
            if self.cells[first] == self.cells[end - 1]:
                words.append((first, end))
            else:
                words += self._parted(first, end)
        return words

    def _see(self, units: Sequence[int]) -> None:
        page, frame = self._page, self._frame
        numbers = [self._base + unit for unit in units]
        if not page.numbered:
            numbers = list(map(page.character, numbers))
        room = character_boxes(page, numbers, frame).tolist()
        boxes = list(zip(room[0::4], room[1::4], room[2::4], room[3::4], strict=True))
        (sx, ox), (sy, oy), at = frame.across, frame.down, self._lattice.at
        self.boxes.update(zip(units, boxes, strict=True))
        self.cells.update(
            (unit, at((x0 * sx + ox + x1 * sx + ox) / 2, (y0 * sy + oy + y1 * sy + oy) / 2))
            for unit, (x0, y0, x1, y1) in zip(units, boxes, strict=True)
        )

    def _parted(self, first: int, end: int) -> list[tuple[int, int]]:
        """The parts of a word that stand in several cells; letters that run over a rule stay together."""
        self._see(range(first, end))
        parts: list[tuple[int, int]] = []
        for at in range(first + 1, end):
            low, high = sorted((self.boxes[at - 1], self.boxes[at]), key=itemgetter(self._axis))
            apart = abs(high[self._axis] - low[self._axis + 2])
            if self.cells[at] != self.cells[at - 1] and apart > _APART * self._size(self.boxes[at]):
                parts.append((first, at))
                first = at
        return [*parts, (first, end)]

    def _size(self, box: Sequence[float]) -> float:
        return abs(box[3 - self._axis] - box[1 - self._axis])

    @cached_property
    def _highest(self) -> float:
        return max(map(self._size, self.boxes.values()))

    def sides(self, first: int, last: int, line: Sequence[float]) -> _Box:
        """The box from one character to another: as high as their line.

        A line that is far higher than its letters is several, put together by PDFium.
        """
        box = list(line)
        one, other = self.boxes[first], self.boxes[last]
        axes = (0, 1) if self._size(line) > _SEVERAL * self._highest else (self._axis,)
        for axis in axes:
            sign = (self._frame.down if axis else self._frame.across)[0]
            nearer, farther = (min, max) if sign > 0 else (max, min)
            box[axis] = nearer(one[axis], other[axis])
            box[axis + 2] = farther(one[axis + 2], other[axis + 2])
        x0, y0, x1, y1 = box
        return x0, y0, x1, y1
