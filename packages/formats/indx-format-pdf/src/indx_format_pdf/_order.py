"""Reading order, where the order in which a page was drawn is clearly not it.

A page is left as it was drawn unless one of four things shows: lines drawn across several columns, a table
drawn column by column, lines set upright that were drawn from the wrong side, or a block drawn after one that
it stands above. Pure functions over
boxes in points of the displayed page; each line of the result is a list of cells, left to right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

__all__ = ["FEWEST", "LONG", "Cell", "arrange", "from_above", "read_upright"]

FEWEST: Final = 3  # lines that have to agree before anything is moved
LONG: Final = 7  # characters, twice as many half-widths; a line of running text is longer
_DEEPEST: Final = 4  # columns within columns
_APART: Final = 1.5  # of a line's height: blocks have more between them
_MOST_BLOCKS: Final = 300  # a page of more is a drawing
_LETTER: Final = re.compile(r"[^\W\d_]")


class Cell(NamedTuple):
    """A stretch of text with no wide gap in it.

    Attributes:
        place: Its place in the order in which the page was drawn.
        row: The drawn line it belongs to.
        text: What it says.
        x0: Its left edge; y0, x1 and y1 are the top, right and bottom ones.
        turned: Whether it is set upright, where that is known; else its shape tells.
    """

    place: int
    row: int
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    turned: bool | None = None


Line: TypeAlias = "list[Cell]"


def arrange(cells: Sequence[Cell], *, downwards: bool, apart: int = 0) -> list[Line]:
    """Cells in reading order.

    Args:
        cells: In the order they were drawn; cells of one drawn line follow each other.
        downwards: Whether upright lines are read from top to bottom.
        apart: Characters of lines of the page that are not upright and are read apart from these.
    """
    if _mostly_upright(cells, apart):
        return read_upright(cells, downwards=downwards)
    lines: list[Line] = []
    for cell in cells:
        if lines and lines[-1][-1].row == cell.row:
            lines[-1].append(cell)
        else:
            lines.append([cell])
    if _scattered(lines):
        return _columns(_by_height(cells), _DEEPEST)
    if len(cells) - len(lines) >= FEWEST:
        lines = _columns(lines, _DEEPEST)
    return from_above(_rows(lines))


# Blocks drawn after what stands below them


def from_above(lines: list[Line]) -> list[Line]:
    """Blocks in the order they were drawn, save that what stands above another in its columns comes first.

    A block is a run of lines that follow each other down the page without a gap.
    """
    blocks: list[list[Line]] = []
    for line in lines:
        top, bottom = _span(line)
        above, below = _span(blocks[-1][-1]) if blocks else (bottom, bottom)
        if bottom <= above or top - below > _APART * min(bottom - top, below - above):
            blocks.append([])
        blocks[-1].append(line)
    if not 1 < len(blocks) <= _MOST_BLOCKS:
        return lines
    boxes = [_around(block) for block in blocks]
    waiting = {
        number: {other for other, box in enumerate(boxes) if other != number and _is_above(box, own)}
        for number, own in enumerate(boxes)
    }
    result: list[Line] = []
    while waiting:
        number = next(one for one, others in waiting.items() if not others)
        del waiting[number]
        for others in waiting.values():
            others.discard(number)
        result += blocks[number]
    return result


def _around(block: Sequence[Line]) -> tuple[float, float, float, float]:
    cells = [cell for line in block for cell in line]
    return (
        min(cell.x0 for cell in cells),
        min(cell.y0 for cell in cells),
        max(cell.x1 for cell in cells),
        max(cell.y1 for cell in cells),
    )


def _is_above(box: Sequence[float], other: Sequence[float]) -> bool:
    """Whether a box ends where another begins, or before, and has some of its width in common."""
    across = min(box[2], other[2]) - max(box[0], other[0])
    return across > 0 and box[3] <= other[1] and box[1] < other[1]


# Lines drawn in no order


def _scattered(lines: Sequence[Line]) -> bool:
    """Whether every third line or so stands above the one drawn before it."""
    back = sum(line[0].y1 <= before[-1].y0 for before, line in pairwise(lines))
    return back >= FEWEST and 4 * back >= len(lines)


def _by_height(cells: Sequence[Cell]) -> list[Line]:
    """Rows from the top down, in each the cells from left to right."""
    rows: list[Line] = []
    for cell in sorted(cells, key=lambda one: (one.y0 + one.y1, one.x0)):
        if rows and _overlap(cell.y0, cell.y1, rows[-1][0].y0, rows[-1][0].y1):
            rows[-1].append(cell)
        else:
            rows.append([cell])
    return [sorted(row, key=lambda cell: cell.x0) for row in rows]


# Upright lines


def _is_upright(cell: Cell) -> bool:
    if cell.turned is not None:
        return cell.turned
    return len(cell.text) > 2 and cell.y1 - cell.y0 > 2 * (cell.x1 - cell.x0)


def _mostly_upright(cells: Sequence[Cell], apart: int) -> bool:
    upright = [len(cell.text) for cell in cells if _is_upright(cell)]
    return len(upright) > 1 and 2 * sum(upright) > apart + sum(len(cell.text) for cell in cells)


def read_upright(cells: Sequence[Cell], *, downwards: bool) -> list[Line]:
    """Upright lines in tiers from where such text begins, in each the lines from the side where it does."""
    tiers: list[_Tier] = []
    reached: list[_Tier] = []  # those that lines still to come may stand in
    for cell in sorted(cells, key=lambda one: one.y0 if downwards else -one.y1):
        begin, end = (cell.y0, cell.y1) if downwards else (-cell.y1, -cell.y0)
        reached = [tier for tier in reached if tier.end >= begin]
        tier = next((one for one in reached if one.is_beside(begin, end)), None)
        if tier is None:
            tier = _Tier()
            tiers.append(tier)
            reached.append(tier)
        tier.add(cell, begin, end)
    side = -1 if downwards else 1
    return [[cell] for tier in tiers for column in tier.columns(side) for cell in column]


class _Tier:
    """Upright lines beside each other, added in the order in which they begin."""

    def __init__(self) -> None:
        self.cells: list[Cell] = []
        self.end = self._middle = float("-inf")

    def add(self, cell: Cell, begin: float, end: float) -> None:
        self.cells.append(cell)
        self.end = max(self.end, end)
        self._middle = max(self._middle, (begin + end) / 2)

    def columns(self, side: int) -> list[list[Cell]]:
        """The lines from one side, level ones that stand below each other together, from the top."""
        columns: list[list[Cell]] = []
        for cell in sorted(self.cells, key=lambda one: side * (one.x0 + one.x1)):
            before = columns[-1][-1] if columns else cell
            is_level = before is not cell and not _is_upright(cell) and not _is_upright(before)
            if is_level and _overlap(cell.x0, cell.x1, before.x0, before.x1):
                columns[-1].append(cell)
            else:
                columns.append([cell])
        return [sorted(column, key=lambda one: one.y0) for column in columns]

    def is_beside(self, begin: float, end: float) -> bool:
        """Whether a line that begins no earlier has half of itself, or of one of these, in common with it."""
        return self.end >= (begin + end) / 2 or self._middle >= begin


def _overlap(a0: float, a1: float, b0: float, b1: float) -> bool:
    """Whether two stretches share at least half of the shorter one."""
    return 2 * (min(a1, b1) - max(a0, b0)) >= min(a1 - a0, b1 - b0)


# Columns drawn line by line across the page


def _columns(lines: list[Line], depth: int) -> list[Line]:
    gutter = _gutter(lines) if depth else None
    if gutter is None:
        return lines
    result: list[Line] = []
    left: list[Line] = []
    right: list[Line] = []
    for line in lines:
        before = [cell for cell in line if cell.x1 <= gutter]
        after = [cell for cell in line if cell.x0 >= gutter]
        if len(before) + len(after) < len(line):  # it crosses the gutter: a heading over both columns
            result += _columns(left, depth - 1) + _columns(right, depth - 1)
            result.append(line)
            left, right = [], []
            continue
        if before:
            left.append(before)
        if after:
            right.append(after)
    return result + _columns(left, depth - 1) + _columns(right, depth - 1)


def _gutter(lines: list[Line]) -> float | None:
    """A place across the page where lines of running text part, time and again."""
    gaps = [
        (before.x1, after.x0) for line in lines for before, after in pairwise(line) if after.x0 > before.x1
    ]
    long = sum([len(line) > 1 and _half_widths(cell.text) >= 2 * LONG for line in lines for cell in line])
    if len(gaps) < FEWEST or long < 2 * FEWEST:
        return None
    at = _densest(gaps)
    parted = [line for line in lines if any(c.x1 <= at for c in line) and any(c.x0 >= at for c in line)]
    parted = [line for line in parted if not any(cell.x0 < at < cell.x1 for cell in line)]
    crossed = sum(any(cell.x0 < at < cell.x1 for cell in line) for line in lines)
    if len(parted) < max(FEWEST, crossed):
        return None
    lefts = [[cell for cell in line if cell.x1 <= at] for line in parted]
    rights = [[cell for cell in line if cell.x0 >= at] for line in parted]
    return at if _running(lefts) and _running(rights) else None


def _densest(gaps: Sequence[tuple[float, float]]) -> float:
    """The middle of the stretch that most gaps share; the leftmost of several."""
    edges = sorted([(start, 1) for start, _ in gaps] + [(end, -1) for _, end in gaps])
    most = depth = 0
    middle = 0.0
    for (edge, step), (following, _) in zip(edges, [*edges[1:], edges[-1]], strict=True):
        depth += step
        if depth > most:
            most, middle = depth, (edge + following) / 2
    return middle


def _running(lines: Sequence[Line]) -> bool:
    """Whether lines look like running text: their parts are long, and most nearly as wide as the widest."""
    cells = [cell for line in lines for cell in line]
    sizes = sorted([_half_widths(cell.text) for cell in cells])
    if sizes[len(sizes) // 2] < 2 * LONG:
        return False
    widths = [cell.x1 - cell.x0 for cell in cells]
    widest = max(widths)
    return 3 * sum([2 * width >= widest for width in widths]) >= 2 * len(cells)


def _half_widths(text: str) -> int:
    return len(text) if text.isascii() else len(text) + sum(sign >= "\u2e80" for sign in text)


# Tables drawn column by column


class _Block:
    """Lines that follow each other down the page."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.spans: list[tuple[float, float]] = []

    def add(self, line: Line, top: float, bottom: float) -> None:
        self.lines.append(line)
        self.spans.append((top, bottom))

    @cached_property
    def short(self) -> bool:
        """Whether it holds numbers, dates or marks rather than words."""
        short = sum(
            all(len(cell.text) < 7 or not _LETTER.search(cell.text) for cell in line) for line in self.lines
        )
        return 5 * short >= 3 * len(self.lines)

    @cached_property
    def prose(self) -> bool:
        return _running(self.lines) and not self.short


def _span(line: Line) -> tuple[float, float]:
    if len(line) == 1:
        return line[0].y0, line[0].y1
    return min(cell.y0 for cell in line), max(cell.y1 for cell in line)


def _rows(lines: list[Line]) -> list[Line]:
    blocks: list[_Block] = []
    above = float("inf")
    for line in lines:
        top, bottom = _span(line)
        if top < above:
            blocks.append(_Block())
        blocks[-1].add(line, top, bottom)
        above = (top + bottom) / 2
    if len(blocks) == 1:
        return lines
    result: list[Line] = []
    group: list[_Block] = []
    for block in blocks:
        if not group or not _beside(group[-1], block):
            result += _table(group)
            group = []
        group.append(block)
    return result + _table(group)


def _matches(
    spans: Sequence[tuple[float, float]], others: Sequence[tuple[float, float]]
) -> list[tuple[int, int]]:
    """Pairs of lines that stand at the same height; both sequences run down the page."""
    pairs: list[tuple[int, int]] = []
    first = 0
    for number, (top, bottom) in enumerate(spans):
        while first < len(others) and others[first][1] < top:
            first += 1
        for other in range(first, len(others)):
            start, end = others[other]
            if start > bottom:
                break
            if _overlap(top, bottom, start, end):
                pairs.append((number, other))
                break
    return pairs


def _beside(last: _Block, block: _Block) -> bool:
    """Whether `block` is the column to the right of `last` in a table drawn column by column."""
    fewer = min(len(block.lines), len(last.lines))
    if fewer < FEWEST or (last.prose and block.prose):
        return False
    pairs = _matches(block.spans, last.spans)
    if len(pairs) < FEWEST or 5 * len(pairs) < 4 * fewer:
        return False
    apart = sum(block.lines[one][0].x0 >= last.lines[other][-1].x1 - 1 for one, other in pairs)
    return 10 * apart >= 9 * len(pairs)


def _table(group: Sequence[_Block]) -> list[Line]:
    """The columns of `group` as rows; as they are when there is nothing to show that they are a table."""
    if len(group) < 2 or not any(block.short for block in group):
        return [line for block in group for line in block.lines]
    rows: list[Line] = []
    for block in group:
        pairs = dict(_matches(block.spans, [_span(row) for row in rows]))
        loose: list[Line] = []
        for number, line in enumerate(block.lines):
            if number in pairs:
                rows[pairs[number]] = sorted([*rows[pairs[number]], *line], key=lambda cell: cell.x0)
            else:
                loose.append(list(line))
        rows = sorted([*rows, *loose], key=lambda row: sum(_span(row)))
    return rows
