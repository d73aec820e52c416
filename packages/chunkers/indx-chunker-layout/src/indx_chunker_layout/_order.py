"""Reading order: where columns stand beside each other, each is read to its end before the next.

Columns are parted by a river, a white stretch that runs down the page past lines on either side of it. A
line across the river, as a heading over both columns, ends it: what is above is read before, what is below
after. A river through a table is none: there the rows are read.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from indx_chunker_layout._page import Page, Row

__all__ = ["regions"]

_FEWEST: Final = 3  # lines on either side that make columns
_DEEPEST: Final = 6  # columns within columns
_MOST_LINES: Final = 20_000  # a region of more is read downwards
_MOST_BESIDE: Final = 64  # rivers side by side that are followed
_MOST_TRIED: Final = 24  # rivers of a region that are looked at
_NARROWEST: Final = 0.7  # letters; the width of a river
_LETTER: Final = re.compile(r"[^\W\d_]")


def regions(page: Page) -> list[list[Row]]:
    """Parts of the page in reading order, each as rows; a row is a line or lines beside each other."""
    return _regions(page, page.flow, _DEEPEST)


def _regions(page: Page, lines: Sequence[int], depth: int) -> list[list[Row]]:
    if not lines:
        return []
    if _stacked(page, lines):
        return [[[line] for line in lines]]
    ordered = sorted(lines, key=page.top.__getitem__)
    zones = _zones(page, ordered) if depth and len(ordered) <= _MOST_LINES else []
    found: list[list[Row]] = []
    position = 0
    for zone in zones:
        if zone.first > position:
            found.append(_rows(page, ordered[position : zone.first]))
        found += _regions(page, zone.before, depth - 1) + _regions(page, zone.after, depth - 1)
        position = zone.end
    if position < len(ordered):
        found.append(_rows(page, ordered[position:]))
    return found


def _stacked(page: Page, lines: Sequence[int]) -> bool:
    """Whether each line stands below the one before it."""
    slack = 0.4 * page.height
    top, bottom = page.top, page.bottom
    return all(top[after] > bottom[before] - slack for before, after in pairwise(lines))


def _rows(page: Page, lines: Sequence[int]) -> list[Row]:
    """Rows from the top down, in each the lines in the order they are read."""
    rows: list[Row] = []
    high = low = 0.0
    for line, top, bottom in sorted(_whole(page, lines), key=lambda one: one[1] + one[2]):
        is_table = line[0] in page.tables
        if min(low, bottom) - max(high, top) >= 0.5 * min(low - high, bottom - top) > 0 and not is_table:
            rows[-1] += line
            continue
        rows.append(line)
        high, low = (0.0, 0.0) if is_table else (top, bottom)
    for row in rows:
        row.sort(key=page.left.__getitem__)
    return rows


def _whole(page: Page, lines: Sequence[int]) -> Iterator[tuple[Row, float, float]]:
    """Lines, the parts of one together, with their upper and lower edge."""
    for _, parts in groupby(sorted(lines), key=page.line_of.__getitem__):
        held = list(parts)
        yield held, min(page.top[part] for part in held), max(page.bottom[part] for part in held)


# Rivers


@dataclass(slots=True)
class _River:
    """A white stretch.

    Attributes:
        low: Its left side.
        high: Its right side.
        first: The place, in the order from the top, of the first line beside it.
        end: That of the line across it, which ends it.
        pairs: How many pairs of lines it parts.
    """

    low: float
    high: float
    first: int
    end: int
    pairs: int = 1


def _rivers(page: Page, ordered: Sequence[int]) -> list[_River]:
    """Every river that parts enough pairs of lines, those that part most first."""
    narrowest = _NARROWEST * page.em
    left, right = page.left, page.right
    active: list[_River] = []
    ended: list[_River] = []
    for place, (line, gaps) in enumerate(_gaps(page, ordered)):
        begin, stop = left[line], right[line]
        for river in [one for one in active if begin < one.high and stop > one.low]:
            before, after = begin - river.low, river.high - stop
            if max(before, after) < narrowest:
                river.end = place
                active.remove(river)
                ended.append(river)
            elif before >= after:
                river.high = begin
            else:
                river.low = stop
        for low, high, first in gaps:
            known = False
            for river in active:
                if min(river.high, high) - max(river.low, low) >= narrowest:
                    river.pairs += 1
                    known = True
            if not known and high - low >= narrowest and len(active) < _MOST_BESIDE:
                active.append(_River(low, high, first, len(ordered)))
    found = [river for river in ended + active if river.pairs >= _FEWEST]
    return sorted(found, key=lambda one: (-one.pairs, one.first, one.low))[:_MOST_TRIED]


class _Gap(NamedTuple):
    low: float
    high: float
    first: int


def _gaps(page: Page, ordered: Sequence[int]) -> Iterator[tuple[int, list[_Gap]]]:
    """Each line, with the white between it and its neighbours on either side among the lines above."""
    left, right, top, bottom = page.left, page.right, page.top, page.bottom
    reach = 0.6 * page.height  # columns need not stand on the same lines
    beside: list[tuple[float, int]] = []  # (left edge, place) of lines that reach down to this one
    for place, line in enumerate(ordered):
        at = bisect_left(beside, (left[line], place))
        while at and bottom[ordered[beside[at - 1][1]]] + reach < top[line]:
            at -= 1
            del beside[at]
        while at < len(beside) and bottom[ordered[beside[at][1]]] + reach < top[line]:
            del beside[at]
        gaps: list[_Gap] = []
        if at:
            first = beside[at - 1][1]
            gaps.append(_Gap(right[ordered[first]], left[line], first))
        if at < len(beside):
            first = beside[at][1]
            gaps.append(_Gap(right[line], left[ordered[first]], first))
        yield line, gaps
        insort(beside, (left[line], place))


# Columns


@dataclass(frozen=True, slots=True)
class _Zone:
    """Lines `[first, end)` in the order from the top: those of one column, and those of what comes after."""

    first: int
    end: int
    before: list[int]
    after: list[int]


def _zones(page: Page, ordered: Sequence[int]) -> list[_Zone]:
    """Where columns stand beside each other, from the top."""
    zones: list[_Zone] = []
    for river in _rivers(page, ordered):
        if any(river.first < zone.end and zone.first < river.end for zone in zones):
            continue
        highest = max((zone.end for zone in zones if zone.end <= river.first), default=0)
        zone = _zone(page, ordered, river, highest)
        if zone is not None:
            zones.append(zone)
    return sorted(zones, key=lambda zone: zone.first)


def _zone(page: Page, ordered: Sequence[int], river: _River, highest: int) -> _Zone | None:
    """The columns on either side of a river, when they are columns."""
    left, right = page.left, page.right
    middle = (river.low + river.high) / 2
    first, end = river.first, river.end
    while first > highest and not left[ordered[first - 1]] < middle < right[ordered[first - 1]]:
        first -= 1
    is_before = [left[line] + right[line] < 2 * middle for line in ordered[first:end]]
    first, end = _trimmed(page, ordered, is_before, first, end)
    before = [line for line in ordered[first:end] if left[line] + right[line] < 2 * middle]
    after = [line for line in ordered[first:end] if left[line] + right[line] >= 2 * middle]
    if min(len(before), len(after)) < _FEWEST or not _are_columns(page, before, after):
        return None
    return _Zone(first, end, before, after)


def _trimmed(
    page: Page, ordered: Sequence[int], is_before: Sequence[bool], first: int, end: int
) -> tuple[int, int]:
    """Without lines on one side that belong to what is above or below both columns."""
    top, bottom = page.top, page.bottom
    head = next((place for place, before in enumerate(is_before) if before), 0)
    opening = [*ordered[first : first + head], *_next_after(ordered[first:end], is_before, head)]
    tail = next((place for place, before in enumerate(reversed(is_before)) if not before), 0)
    closing = ordered[end - tail - 1 : end]
    if head:
        gaps = [top[after] - bottom[before] for before, after in pairwise(opening)]
        widest = max(range(len(gaps)), key=gaps.__getitem__, default=0)
        if gaps and gaps[widest] > 1.5 * page.height:
            first += widest + 1
    if tail and end < len(ordered):
        # A heading over what follows stands nearer to it than to the column it seems to end.
        gaps = [top[after] - bottom[before] for before, after in pairwise(closing)]
        widest = max(range(len(gaps)), key=gaps.__getitem__)
        if top[ordered[end]] - bottom[closing[-1]] < 0.7 * gaps[widest]:
            end -= tail - widest
    return first, end


def _next_after(lines: Sequence[int], is_before: Sequence[bool], place: int) -> Sequence[int]:
    """The first line of the right column at or after a place, as a list that may be empty."""
    return [line for line, before in zip(lines[place:], is_before[place:], strict=True) if not before][:1]


def _are_columns(page: Page, before: Sequence[int], after: Sequence[int]) -> bool:
    """Whether what stands beside each other is read column by column rather than row by row."""
    if _is_prose(page, before) and _is_prose(page, after):
        return True
    fewer = min(len(before), len(after))
    aligned = _aligned(page, before, after) / fewer
    sides = [*((line, 0) for line in before), *((line, 1) for line in after)]
    changes = sum(a[1] != b[1] for a, b in pairwise(sorted(sides)))
    if changes > 0.6 * fewer:  # drawn row by row
        return aligned < 0.5 and not (_is_short(page, before) or _is_short(page, after))
    return aligned < 0.8 or not (_is_short(page, before) or _is_short(page, after))


def _is_prose(page: Page, lines: Sequence[int]) -> bool:
    """Whether most of it is running text: lines of several words and much the same width."""
    widths = sorted(page.right[line] - page.left[line] for line in lines)
    usual = widths[3 * len(widths) // 4]
    if usual < 14 * page.em:
        return False
    long = [line for line in lines if page.right[line] - page.left[line] >= 0.8 * usual]
    if sum(page.right[line] - page.left[line] for line in long) < 0.6 * sum(widths):
        return False
    said = [page.said(line) for line in long]
    return sum(text.count(" ") >= 3 or not text.isascii() for text in said) * 2 > len(said)


def _is_short(page: Page, lines: Sequence[int]) -> bool:
    """Whether most of it is numbers, dates or marks rather than words."""
    short = sum(len(said) < 7 or not _LETTER.search(said) for said in map(page.said, lines))
    return 5 * short >= 3 * len(lines)


def _aligned(page: Page, before: Sequence[int], after: Sequence[int]) -> int:
    """How many lines of the side that has fewer stand at the height of a line of the other."""
    few, many = sorted((before, after), key=len)
    heights = sorted(page.top[line] + page.bottom[line] for line in many)
    slack = 0.5 * page.height
    count = 0
    for line in few:
        middle = page.top[line] + page.bottom[line]
        at = bisect_left(heights, middle - slack)
        count += at < len(heights) and heights[at] <= middle + slack
    return count
