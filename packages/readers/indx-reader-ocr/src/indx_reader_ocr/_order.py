"""Reading order of lines found in no order: columns one after the other, in each the rows from the top.

Pure functions over rectangles of a page whose writing runs from left to right; a page written from the top
down is turned before it comes here, and what is said of rows then holds for its lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple, TypeAlias

__all__ = ["Row", "Strip", "in_order"]

FEWEST: Final = 3  # rows that have to agree before a page is parted
_DEEPEST: Final = 4  # columns within columns
_MOST_GUTTERS: Final = 6
_LONG: Final = 5.0  # how many times as wide as high a line of running text is
_APART: Final = 0.6  # the part of a line's height by which a gap is larger than others
_WRITTEN: Final = 0.75  # the share of its width that is not between pieces of it


class Strip(NamedTuple):
    """A line of writing, or a part of one: its place in the caller's list, and its rectangle."""

    place: int
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def height(self) -> float:
        """From its top to its bottom."""
        return self.y1 - self.y0

    @property
    def middle(self) -> float:
        """Half way down."""
        return (self.y0 + self.y1) / 2


Row: TypeAlias = "list[Strip]"
"""Strips that stand beside each other, from left to right."""


def in_order(strips: Sequence[Strip]) -> list[Row]:
    """Rows in the order in which a person reads them."""
    return _part(list(strips), _DEEPEST)


def _part(strips: list[Strip], depth: int) -> list[Row]:
    rows = _rows(strips)
    for gutter in _gutters(rows) if depth else ():
        blocks = _blocks(rows, gutter)
        if any(parted for parted, _ in blocks):
            result: list[Row] = []
            for parted, block in blocks:
                for side in _sides(block, gutter) if parted else [block]:
                    result += _part([one for row in side for one in row], depth - 1)
            return result
    return rows


def _blocks(rows: Sequence[Row], gutter: float) -> list[tuple[bool, list[Row]]]:
    """Rows one below the other in blocks, and whether each block is two columns of text at `gutter`.

    What stands over both columns, as a heading or the caption of a picture, ends a block.
    """
    blocks: list[tuple[bool, list[Row]]] = []
    run: list[Row] = []

    def close() -> None:
        after = _tail(run, gutter)
        if _is_parted(run[: len(run) - after], gutter):
            blocks.append((True, run[: len(run) - after]))
            del run[: len(run) - after]
        if run:
            blocks.append((False, list(run)))
            run.clear()

    for row in rows:
        if any(_crosses(one, gutter) for one in row):
            close()
            blocks.append((False, [row]))
        else:
            run.append(row)
    close()
    merged: list[tuple[bool, list[Row]]] = []
    for parted, block in blocks:
        if merged and not parted and not merged[-1][0]:
            merged[-1][1].extend(block)
        else:
            merged.append((parted, block))
    return merged


def _tail(rows: Sequence[Row], gutter: float) -> int:
    """How many rows at the end are no more of the columns: one or two, on one side, set apart from it."""
    for count in (1, 2):
        if len(rows) <= count or _both(rows[-count], gutter):
            return 0
        first = rows[-count][0]
        side = [one for row in rows[:-count] for one in row if _same_side(one, first, gutter)]
        usual = [after.y0 - before.y1 for before, after in pairwise(side)]
        if usual and first.y0 - side[-1].y1 > median(usual) + _APART * first.height:
            return count
    return 0


def _both(row: Row, gutter: float) -> bool:
    return _center(row[0]) < gutter <= _center(row[-1])


def _same_side(one: Strip, other: Strip, gutter: float) -> bool:
    return (_center(one) < gutter) == (_center(other) < gutter)


def _sides(rows: Sequence[Row], gutter: float) -> list[list[Row]]:
    lefts = [[one for one in row if _center(one) < gutter] for row in rows]
    rights = [[one for one in row if _center(one) >= gutter] for row in rows]
    return [[row for row in side if row] for side in (lefts, rights)]


def _is_parted(rows: Sequence[Row], gutter: float) -> bool:
    """Whether rows are two columns of running text.

    Cells of a table part as well, but are short, or differ much in width: a table is read row by row.
    """
    lefts, rights = _sides(rows, gutter)
    beside = sum(any(_touch(left[0], right[0]) for right in rights) for left in lefts)
    return beside >= FEWEST and _running(lefts) and _running(rights)


def _center(strip: Strip) -> float:
    return (strip.x0 + strip.x1) / 2


def _crosses(strip: Strip, gutter: float) -> bool:
    """Whether a strip stands on both sides; a frame drawn a little too wide does not count."""
    slack = strip.height / 2
    return strip.x0 + slack < gutter < strip.x1 - slack


def _rows(strips: Iterable[Strip]) -> list[Row]:
    """Strips at one height together, from the top; a row may drift as far as its neighbours do."""
    rows: list[Row] = []
    for strip in sorted(strips, key=lambda one: (one.middle, one.x0, one.place)):
        for row in reversed(rows[-4:]):
            near = min(row, key=lambda one: abs(_center(one) - _center(strip)))
            if _level(near, strip) and not any(_overlap_across(one, strip) for one in row):
                row.append(strip)
                break
        else:
            rows.append([strip])
    return [sorted(row, key=lambda one: (one.x0, one.place)) for row in rows]


def _level(one: Strip, other: Strip) -> bool:
    """Whether two strips share at least half of the height of the lower one."""
    shared = min(one.y1, other.y1) - max(one.y0, other.y0)
    return 2 * shared >= min(one.height, other.height)


def _overlap_across(one: Strip, other: Strip) -> bool:
    shared = min(one.x1, other.x1) - max(one.x0, other.x0)
    return shared > min(one.height, other.height) / 2


def _gutters(rows: Sequence[Row]) -> list[float]:
    """Places at which strips part, the one that most of them share first; of equals, the leftmost."""
    strips = sorted([one for row in rows for one in row], key=lambda one: (one.x0, one.y0, one.place))
    gaps = [(min(one.x1, other.x0), max(one.x1, other.x0)) for one, other in _neighbours(strips)]
    edges = sorted([(start, 1) for start, _ in gaps] + [(end, -1) for _, end in gaps])
    peaks: list[tuple[int, float]] = []
    depth = 0
    for (edge, step), (following, next_step) in pairwise(edges):
        depth += step
        if step > 0 > next_step and depth >= FEWEST:
            peaks.append((-depth, (edge + following) / 2))
    return [place for _, place in sorted(peaks)[:_MOST_GUTTERS]]


def _neighbours(strips: Sequence[Strip]) -> Iterator[tuple[Strip, Strip]]:
    """Each strip with the nearest one to the right of it at about its height."""
    for number, one in enumerate(strips):
        for other in strips[number + 1 :]:
            if other.x0 - one.x1 > -one.height / 2 and _touch(one, other):
                yield one, other
                break


def _touch(one: Strip, other: Strip) -> bool:
    """Whether two strips are beside each other at all."""
    shared = min(one.y1, other.y1) - max(one.y0, other.y0)
    return shared > 0.1 * min(one.height, other.height)


def _running(rows: Sequence[Row]) -> bool:
    """Whether rows look like running text: of long pieces, with little between, most of nearly one width."""
    if len(rows) < FEWEST:
        return False
    pieces = [one for row in rows for one in row]
    long = sum(one.x1 - one.x0 >= _LONG * one.height for one in pieces)
    spans = [row[-1].x1 - row[0].x0 for row in rows]
    written = sum(one.x1 - one.x0 for one in pieces)
    full = sum(2 * span >= max(spans) for span in spans)
    return 2 * long >= len(pieces) and written >= _WRITTEN * sum(spans) and 3 * full >= 2 * len(spans)
