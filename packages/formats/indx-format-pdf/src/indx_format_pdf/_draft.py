"""A page's text in the making: lines with places, put in order, copies of them left out."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate, chain, compress, groupby, pairwise
from math import isnan
from operator import add, attrgetter, gt, lt, not_, sub
from typing import Final

from indx_core.ports import Table
from indx_format_pdf._assemble import Assembled, GridRow, Joins, assemble, join_words
from indx_format_pdf._copies import copies_among
from indx_format_pdf._cuts import is_tall
from indx_format_pdf._geometry import Frame, Sides, rows_of
from indx_format_pdf._lattice import Lattice
from indx_format_pdf._order import FEWEST, LONG, Cell, arrange, from_above
from indx_format_pdf._parts import parts_of
from indx_format_pdf._places import Box, character_boxes, measure
from indx_format_pdf._runs import LONG as RUNNING
from indx_format_pdf._runs import is_word_askew, put_in, runs_of
from indx_format_pdf._tables import hold
from indx_format_pdf._text import Lines, PageText
from indx_format_pdf._torn import mended

__all__ = ["Draft"]

_MOST_PLACED: Final = 500  # field values whose row is looked for; further ones come last
_NEAR: Final = 0.6  # of a line's height: what stands nearer goes on with a space
_TOUCHING: Final = 0.2  # of a line's height: what stands nearer goes on without
_SHORT: Final = 24  # characters; half the lines of some column of a table have no more


class Draft:
    """The lines of a page on their way to its text.

    Args:
        page: The page's text.
        frame: How the page is displayed.
        lattices: Grids of rules drawn on it, which tables may stand in.
        level: By how many quarters clockwise text is turned here that the page displays level.
        fields: Where form fields stand that have a value: left, bottom, right and top.

    Attributes:
        lines: The stretches of text, in the order drawn.
        sides: Where they stand, in the page's own coordinates, ordered as displayed.
        off_page: Characters left out because they stand off the displayed page.
        rows_of: Which stretches were drawn as one line, if any were.
        held: The tables of the page, if it has any.
    """

    def __init__(
        self,
        page: PageText,
        frame: Frame,
        lattices: Sequence[Lattice] = (),
        level: int = 0,
        fields: Sequence[Box] = (),
    ) -> None:
        """Measure every line and leave out those off the page."""
        self.page = page
        boxes = [frame.point_box(frame.ordered(*box)) for box in fields]
        self.fields = [((x0 + x1) / 2, (y0 + y1) / 2) for x0, y0, x1, y1 in boxes]
        self.frame, self._level = frame, level
        self.lines = mended(page).lines()
        self.off_page = 0
        self.rows_of: list[int] | None = None
        self._rows: list[list[int]] | None = None
        self._joins: Joins | None = None
        places = measure(page, self.lines, frame)
        self.sides = places.sides
        if places.parts and page.numbered:
            self._split(places.parts, places.rows)
        if self._reaches_out():
            self._keep_displayed()
        self.held = hold(self, lattices) if lattices else None
        self._mend()
        if self.held is not None:
            if self._rows is None:
                self._rows = [[index] for index in range(len(self.lines.texts))]
            self.held.rejoin(self.lines, self.sides)

    def _edges(self) -> tuple[float, float, float, float]:
        """The displayed box, across and down, in the page's own coordinates."""
        frame = self.frame
        across, down = (frame.left, frame.right), (frame.bottom, frame.top)
        return (*down, *across) if frame.turns % 2 else (*across, *down)

    def _reaches_out(self) -> bool:
        low_x, high_x, low_y, high_y = self._edges()
        x0, y0, x1, y1 = self.sides
        return bool(x0) and not (
            min(min(x0), min(x1)) >= low_x
            and max(max(x0), max(x1)) <= high_x
            and min(min(y0), min(y1)) >= low_y
            and max(max(y0), max(y1)) <= high_y
        )

    def _keep_displayed(self) -> None:
        """Leave out lines whose middle is off the page: crop marks, slugs, what a crop box cut away."""
        x0, y0, x1, y1 = self.sides
        low_x, high_x, low_y, high_y = (2 * edge for edge in self._edges())
        middles = zip(map(add, x0, x1), map(add, y0, y1), strict=True)
        # The place of a line may be unknown, not a number: such a line stays.
        on = [not (x < low_x or x > high_x or y < low_y or y > high_y) for x, y in middles]
        if all(on):
            return
        lines = self.lines
        for line in lines.broken:
            if on[line] and not on[line + 1]:
                lines.texts[line] += "-"
        place = list(accumulate(on, initial=0))
        self.off_page = sum(compress(map(len, lines.texts), map(not_, on)))
        self.lines = Lines(
            list(compress(lines.texts, on)),
            list(compress(lines.starts, on)),
            list(compress(lines.lengths, on)),
            {place[line] for line in lines.broken if on[line] and on[line + 1]},
        )
        x0, y0, x1, y1 = (list(compress(column, on)) for column in self.sides)
        self.sides = x0, y0, x1, y1
        if self.rows_of is not None:
            self.rows_of = list(compress(self.rows_of, on))

    def _mend(self) -> None:
        """Leave out copies, and decide the order."""
        copies = copies_among(self.lines.texts, self.sides)
        drawn = [index for index in range(len(self.lines.texts)) if index not in copies]
        steps_up, columns = self._join_beside()
        doubtful = columns or self._has_long_parts() or self._has_upright()
        if (doubtful or steps_up) and not any(map(isnan, chain(*self.sides))):
            self._rows = self._arranged(drawn, doubtful=doubtful)
        elif copies or self.rows_of is not None:
            self._rows = self._as_drawn(drawn)

    def _join_beside(self) -> tuple[bool, bool]:
        """Put a line drawn next to the one before it into its row.

        Returns:
            Whether lines stand above those drawn before them, and whether in the way of columns of a table.
        """
        x0, y0, x1, y1 = self.sides
        above = lt if self.frame.down[0] > 0 else gt
        middles = list(map(add, y0, y1))
        not_below = list(map(above, middles[1:], map(add, y1, y1)))
        if True not in not_below:
            return False, False
        steps = list(map(above, y1[1:], y0))
        sign = self.frame.across[0]
        for at in compress(range(len(steps)), not_below):
            if steps[at] or self._runs_on(at) or self._runs_on(at + 1):
                continue
            if x0[at + 1] * sign >= x1[at] * sign:
                if self.rows_of is None:
                    self.rows_of = list(range(len(self.lines.texts)))
                self.rows_of[at + 1] = self.rows_of[at]
        count = steps.count(True)
        return count > 0, 4 * count > len(steps) or self._has_short_column(steps)

    def _is_tall(self, at: int) -> bool:
        """Whether a line is set upright, across the others."""
        x0, y0, x1, y1 = self.sides
        return is_tall(self.lines.texts[at], (0, 0, abs(x1[at] - x0[at]), abs(y1[at] - y0[at])))

    def _runs_on(self, at: int) -> bool:
        """Whether a line that is set upright is one of running text, and no head of a column."""
        return self._is_tall(at) and (self._level % 2 == 1 or len(self.lines.texts[at]) > RUNNING)

    def _has_short_column(self, steps: Sequence[bool]) -> bool:
        """Whether half the lines of some column hold little, as those of a table do."""
        short = [len(text) <= _SHORT for text in self.lines.texts]
        places = [0, *(at + 1 for at, step in enumerate(steps) if step), len(short)]
        columns = [short[first:last] for first, last in pairwise(places) if last - first >= FEWEST]
        return len(columns) > 1 and any(2 * column.count(True) >= len(column) for column in columns)

    def _has_long_parts(self) -> bool:
        """Whether most rows of several parts have parts long enough to be lines of columns."""
        if self.rows_of is None:
            return False
        sizes: dict[int, list[int]] = {}
        for row, text in zip(self.rows_of, self.lines.texts, strict=True):
            sizes.setdefault(row, []).append(len(text))
        parted = [sorted(parts)[-2] for parts in sizes.values() if len(parts) > 1]
        return 2 * sum(size >= LONG for size in parted) >= max(2 * FEWEST, len(parted))

    def _has_upright(self) -> bool:
        """Whether several lines are taller than wide, single letters and digits apart."""
        x0, y0, x1, y1 = self.sides
        widths, heights = map(sub, x1, x0), map(sub, y1, y0)
        tall = list(map(gt, map(abs, heights), map(abs, widths)))
        return tall.count(True) > 1 and sum(compress(map(len, self.lines.texts), tall)) > 3 * tall.count(True)

    def _split(self, parts: dict[int, list[Box]], levels: dict[int, list[int]]) -> None:
        """Cut lines at wide gaps and between rows, so that each part has its own place."""
        cells = Lines()
        boxes: list[Box] = []
        rows: list[int] = []
        lines, own = self.lines, list(zip(*self.sides, strict=True))
        fresh = len(lines.texts)
        for row, (text, start, length) in enumerate(
            zip(lines.texts, lines.starts, lines.lengths, strict=True)
        ):
            found = None
            if row in parts:
                found = parts_of(self.page, self.frame, (start, length), parts[row], several=row in levels)
            if found is None:
                found = [(text, start, length)]
                boxes.append(own[row])
            else:
                boxes += parts[row]
            for part, first, size in found:
                cells.texts.append(part)
                cells.starts.append(first)
                cells.lengths.append(size)
            # Rows are told apart by their numbers; those PDFium knows nothing of are numbered after its own.
            own_rows = levels[row] if row in levels and len(found) > 1 else [0] * len(found)
            rows += [row if level == 0 else fresh + level for level in own_rows]
            fresh += max(own_rows)
            if row in lines.broken:
                cells.broken.add(len(rows) - 1)
        x0, y0, x1, y1 = map(list, zip(*boxes, strict=True))
        self.lines, self.sides, self.rows_of = cells, (x0, y0, x1, y1), rows

    def _arranged(self, drawn: Sequence[int], *, doubtful: bool) -> list[list[int]]:
        points, texts = self.frame.points(self.sides), self.lines.texts
        rows = self.rows_of or range(len(points))
        turned = self.held.turns() if self.held is not None else {}
        turns, level = self.frame.turns, self._level
        runs = runs_of(self.page, self.lines, drawn, points, tables=turned, turns=turns, level=level)
        within = {at for run in runs for at in run.lines}
        rest = (at for at in drawn if at not in within)
        cells = [Cell(at, rows[at], texts[at], *points[at], turned.get(at)) for at in rest]
        if doubtful:
            apart = sum(len(texts[at]) for run in runs if not run.upright for at in run.lines)
            lines = arrange(cells, downwards=self._reads_downwards(cells), apart=apart)
        else:
            lines = from_above([list(line) for _, line in groupby(cells, key=attrgetter("row"))])
        places = [[cell.place for cell in line] for line in lines]
        return put_in(runs, places, rows, points) if runs else places

    def _as_drawn(self, drawn: Iterable[int]) -> list[list[int]]:
        rows: list[list[int]] = []
        last = -1
        for index in drawn:
            row = self.rows_of[index] if self.rows_of else index
            if rows and row == last:
                rows[-1].append(index)
            else:
                rows.append([index])
            last = row
        return rows

    def _reads_downwards(self, cells: Iterable[Cell]) -> bool:
        """Whether upright lines begin at their top."""
        sign = self.frame.down[0]
        for cell in cells:
            if cell.turned is None and cell.y1 - cell.y0 > 2 * (cell.x1 - cell.x0) and len(cell.text) > 2:
                start, length = self.lines.starts[cell.place], self.lines.lengths[cell.place]
                ends = character_boxes(self.page, [start, start + length - 1], self.frame)
                return (ends[5] + ends[7] - ends[1] - ends[3]) * sign > 0
        return True

    def add(self, text: str, box: tuple[float, ...]) -> int:
        """Add a stretch that is not in the page's own text; `place` or `append` gives it a line."""
        self.lines.texts.append(text)
        for column, side in zip(self.sides, box, strict=True):
            column.append(side)
        if self._rows is None:
            self._rows = [[index] for index in range(len(self.lines.texts) - 1)]
        return len(self.lines.texts) - 1

    def takes(self, index: int) -> bool:
        """Whether an added stretch stands in a cell of a table, which it then is a part of."""
        if self.held is None:
            return False
        box = self.frame.point_box([column[index] for column in self.sides])
        return self.held.take(index, self.lines.texts[index], box)

    def tables(self, done: Assembled) -> tuple[Table, ...]:
        """The tables in the finished text."""
        return self.held.tables(done, self.shares) if self.held is not None else ()

    def append(self, index: int) -> None:
        """Put an added stretch on a line of its own, the last."""
        assert self._rows is not None
        self._rows.append([index])

    def place(self, indices: Sequence[int]) -> None:
        """Put added stretches after what stands left of them at their height, else below what is above."""
        assert self._rows is not None
        points = self.frame.points(self.sides)
        for index in indices[:_MOST_PLACED]:
            x0, y0, _, y1 = points[index]
            middle = (y0 + y1) / 2
            beside: tuple[float, int] = (float("-inf"), -1)
            below: tuple[float, int] = (float("-inf"), -1)
            for number, row in enumerate(self._rows):
                top = points[row[0]][1]
                if top <= y0:
                    below = max(below, (top, number))
                for other in row:
                    _, top, right, bottom = points[other]
                    if top <= middle <= bottom and right <= x0 + 2:
                        beside = max(beside, (right, number))
            if beside[1] >= 0:
                row = self._rows[beside[1]]
                row.append(index)
                row.sort(key=lambda one: points[one][0])
            else:
                self._rows.insert(below[1] + 1, [index])
        self._rows += [[index] for index in indices[_MOST_PLACED:]]

    def finish(self) -> Assembled:
        """The text, after joining words broken over two lines."""
        texts = self.lines.texts
        if self.held is not None and self._rows is not None:
            self._rows = self.held.rows(self._rows, self.lines)
        if self._rows is not None:
            self._rows = [row if type(row) is GridRow else self._run_on(row) for row in self._rows]
        if self.lines.broken:
            self._joins, self._rows = join_words(texts, self._rows, self.lines.broken, self.page.units)
        return assemble(texts, self._rows, self._joins)

    def _run_on(self, row: list[int]) -> list[int]:
        """A row whose parts are cells, save those that stand as near as words or letters do.

        PDFium ends a line at a raised sign, though the line goes on after it.
        """
        if len(row) == 1:
            return row
        x0, y0, x1, y1 = self.sides
        sign = self.frame.across[0]
        cells: list[list[int]] = [row[:1]]
        glued: set[int] = set()
        for before, after in pairwise(row):
            height = max(abs(y1[before] - y0[before]), abs(y1[after] - y0[after]))
            gap = (x0[after] - x1[before]) * sign
            apart = after >= len(self.lines.starts) or self._is_tall(before) or self._is_tall(after)
            if apart or not -height < gap < _NEAR * height:
                cells.append([])
            elif gap < _TOUCHING * height and not is_word_askew(self.page, self.lines, after):
                glued.add(before)
            cells[-1].append(after)
        return row if len(cells) == len(row) else GridRow(cells, glued)

    def parts(self, done: Assembled) -> tuple[array[int], array[int], array[float]]:
        """Start, end and box of each part of the finished lines that are made of several."""
        starts, ends = array("q"), array("q")
        indices = [index for row in self._rows or () if len(row) > 1 for index in row]
        for index in indices:
            starts.append(done.bases[index])
            ends.append(done.bases[index] + len(done.texts[index]))
        x0, y0, x1, y1 = ([column[index] for index in indices] for column in self.shares)
        return starts, ends, rows_of((x0, y0, x1, y1))

    @cached_property
    def shares(self) -> Sides:
        """The boxes of all stretches as shares of the displayed page; nothing is added after it is asked."""
        return self.frame.shares(self.sides)

    def line_boxes(self) -> array[float]:
        """The boxes of the finished lines, as shares of the displayed page."""
        if self._rows is None:
            return rows_of(self.shares)
        with_more: dict[int, list[int]] = {}
        if self._joins is not None:
            for index, (head, _) in self._joins.absorbed.items():
                with_more.setdefault(head, []).append(index)
        lines = [
            row
            if len(row) == 1 and row[0] not in with_more
            else [*row, *(more for index in row for more in with_more.get(index, ()))]
            for row in self._rows
        ]
        x0, y0, x1, y1 = (
            [column[line[0]] if len(line) == 1 else most([column[part] for part in line]) for line in lines]
            for column, most in zip(self.shares, (min, min, max, max), strict=True)
        )
        return rows_of((x0, y0, x1, y1))
