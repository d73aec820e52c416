"""Reading order of lines found in no order: columns one after the other, in each the rows from the top.

Pure functions over rectangles of a page whose writing runs from left to right; a page written from the top
down is turned before it comes here, and what is said of rows then holds for its lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

__all__ = ["Row", "Strip", "in_order"]

FEWEST: Final = 3  # rows that have to agree before a page is parted
_DEEPEST: Final = 4  # columns within columns
_LONG: Final = 5.0  # how many times as wide as high a line of running text is


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
    gutter = _gutter(rows) if depth else None
    if gutter is None:
        return rows
    result: list[Row] = []
    left: list[Strip] = []
    right: list[Strip] = []
    for row in rows:
        over = [one for one in row if _crosses(one, gutter)]
        if over:  # a heading over both columns, or a picture's caption: what stands above it is read first
            result += _part(left, depth - 1) + _part(right, depth - 1) if left or right else []
            result.append(row)
            left, right = [], []
            continue
        left += [one for one in row if _center(one) < gutter]
        right += [one for one in row if _center(one) >= gutter]
    return result + (_part(left, depth - 1) + _part(right, depth - 1) if left or right else [])


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


def _gutter(rows: Sequence[Row]) -> float | None:
    """A place at which lines of running text part, row after row; None where there is none.

    Cells of a table part as well, but are short, or differ much in width: a table is read row by row.
    """
    gaps = [
        (before.x1, after.x0)
        for row in rows
        for before, after in pairwise(row)
        if after.x0 - before.x1 > -before.height / 2
    ]
    if len(gaps) < FEWEST:
        return None
    at = _densest(gaps)
    lefts = [[one for one in row if _center(one) < at] for row in rows]
    rights = [[one for one in row if _center(one) >= at] for row in rows]
    crossed = sum(any(_crosses(one, at) for one in row) for row in rows)
    parted = sum(bool(left and right) for left, right in zip(lefts, rights, strict=True)) - crossed
    if parted < max(FEWEST, crossed):
        return None
    sides = (lefts, rights)
    clear = [[[one for one in part if not _crosses(one, at)] for part in side if part] for side in sides]
    return at if all(_running(side) for side in clear) else None


def _densest(gaps: Sequence[tuple[float, float]]) -> float:
    """The middle of the stretch that most gaps share; the leftmost of several."""
    edges = sorted([(min(gap), 1) for gap in gaps] + [(max(gap), -1) for gap in gaps])
    most = depth = 0
    middle = 0.0
    for (edge, step), (following, _) in zip(edges, [*edges[1:], edges[-1]], strict=True):
        depth += step
        if depth > most:
            most, middle = depth, (edge + following) / 2
    return middle


def _running(rows: Sequence[Row]) -> bool:
    """Whether rows look like running text: wide for their height, and most nearly as wide as the widest."""
    spans = [(row[-1].x1 - row[0].x0, max(one.height for one in row)) for row in rows if row]
    if len(spans) < FEWEST:
        return False
    long = sum(width >= _LONG * height for width, height in spans)
    widest = max(width for width, _ in spans)
    full = sum(2 * width >= widest for width, _ in spans)
    return 2 * long >= len(spans) and 3 * full >= 2 * len(spans)
