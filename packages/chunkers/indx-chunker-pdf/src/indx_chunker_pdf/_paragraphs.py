"""Paragraphs from the places of lines, and chunks from paragraphs. Version 1: frozen behaviour."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Final

from indx_core.cutting import covering, place
from indx_core.headings import Section, titles_of
from indx_core.hiding import parted
from indx_core.ports import ChunkDraft, PageReading
from indx_core.turning import quarters_of, turned_back

__all__ = ["cut"]

CEILING: Final = 1200
"""Characters a chunk may have before it closes at the next line break."""

_STRAY: Final = 40  # characters; a chunk with fewer, as a page number, joins its neighbour
_INDENT: Final = 0.012  # of the page's width: some 7 points
_SHORT: Final = 0.15  # of the block's width that the last line of a paragraph leaves open
_ENDS: Final = (".", "!", "?", ":", ";", "。", "！", "？", "…", ".”", ".’", '."', ".)", "」")


@dataclass(slots=True)
class _Run:
    """Lines `first` to `last` that belong together, with what they share.

    Attributes:
        first: The first line.
        last: The last line.
        mark: A number that differs where headings, roles or hiding change; such runs stay apart.
        jumps: Whether it starts above the end of the run before it.
    """

    first: int
    last: int
    mark: int
    jumps: bool


def cut(reading: PageReading, section: Section) -> list[ChunkDraft]:
    """The chunks of a page that was read, its lines having places.

    Args:
        reading: The page.
        section: The headings in force where it begins.
    """
    lines = [
        line
        for line, (start, end) in enumerate(zip(reading.line_starts, reading.line_ends, strict=True))
        if end > start and not reading.text[start:end].isspace()
    ]
    if not lines:
        return []
    page = _Page(reading, lines)
    runs = _merged(page, _paragraphs(page))
    titles = titles_of(reading, section)
    return parted(reading, [page.draft(run, titles[page.heading_at(run.last)]) for run in runs])


class _Page:
    """A page's lines that hold text, their places as the page is read, and what they are."""

    def __init__(self, reading: PageReading, lines: Sequence[int]) -> None:
        assert reading.boxes is not None
        self.reading = reading
        self.starts = [reading.line_starts[line] for line in lines]
        self.ends = [reading.line_ends[line] for line in lines]
        sides: Sequence[Sequence[float]] = [reading.boxes[side::4] for side in range(4)]
        if quarters := quarters_of(reading):
            sides = list(zip(*map(turned_back(quarters), zip(*sides, strict=True)), strict=True))
        self.x0, self.y0, self.x1, self.y1 = ([side[line] for line in lines] for side in sides)
        self.headings = [heading.start for heading in reading.headings]
        self.marks = self._marks()

    def _marks(self) -> list[int]:
        """For each line a number that changes where a heading begins or a role or hiding changes."""
        reading = self.reading
        if not (reading.headings or reading.roles or reading.hidden):
            return [0] * len(self.starts)
        roles = covering(self.starts, self.ends, [(role.start, role.end) for role in reading.roles])
        hidden = covering(self.starts, self.ends, reading.hidden)
        marks: list[int] = []
        before: tuple[int, int, bool] | None = None
        for line, end in enumerate(self.ends):
            kind = (bisect_right(self.headings, end - 1), roles[line], hidden[line] > 0)
            marks.append((marks[-1] if marks else 0) + (kind != before))
            before = kind
        return marks

    def heading_at(self, line: int) -> int:
        """How many headings of the page begin at or before a line."""
        return bisect_right(self.headings, self.ends[line] - 1)

    def size(self, first: int, last: int) -> int:
        """Characters from line `first` to line `last`."""
        return self.ends[last] - self.starts[first]

    def draft(self, run: _Run, section: tuple[str, ...]) -> ChunkDraft:
        """The chunk of a run."""
        start, end = self.starts[run.first], self.ends[run.last]
        box, reason = place(self.reading, [(start, end)])
        return ChunkDraft(
            self.reading.text[start:end], spans=((start, end),), box=box, box_reason=reason, section=section
        )


def _paragraphs(page: _Page) -> list[_Run]:
    """Runs of lines that follow each other as the lines of a paragraph do."""
    x0, y0, x1, y1 = page.x0, page.y0, page.x1, page.y1
    heights = sorted(bottom - top for top, bottom in zip(y0, y1, strict=True) if bottom > top)
    height = heights[len(heights) // 2] if heights else 0.0
    gaps = sorted(top - bottom for top, bottom in zip(y0[1:], y1, strict=False) if 0 < top - bottom < height)
    usual = gaps[len(gaps) // 2] if gaps else 0.0
    wide = max(1.5 * usual, usual + 0.4 * height)
    runs = [_Run(0, 0, page.marks[0], jumps=False)]
    left, right = x0[0], x1[0]
    for line in range(1, len(x0)):
        before, run = line - 1, runs[-1]
        jumps = y0[line] + y1[line] < y0[before] + y1[before] - height
        apart = (
            jumps
            or page.marks[line] != run.mark
            or y0[line] - y1[before] > wide
            or (line - run.first > 1 and _INDENT < x0[line] - left < 10 * _INDENT)
            or (x1[before] < right - _SHORT * (right - left) and _ends(page, before))
        )
        if jumps:
            left, right = x0[line], x1[line]
        if apart:
            runs.append(_Run(line, line, page.marks[line], jumps))
            left = x0[line]
        else:
            run.last = line
            left = x0[line] if x0[line] < left or isnan(left) else left
        right = x1[line] if x1[line] > right or isnan(right) else right
    return runs


def _ends(page: _Page, line: int) -> bool:
    """Whether a line ends as sentences do."""
    return page.reading.text[page.starts[line] : page.ends[line]].rstrip().endswith(_ENDS)


def _merged(page: _Page, runs: Sequence[_Run]) -> list[_Run]:
    """Paragraphs put together up to the ceiling, those above it cut at line breaks."""
    chunks: list[_Run] = []
    for paragraph in runs:
        for run in _within_ceiling(page, paragraph):
            last = chunks[-1] if chunks else None
            joins = last is not None and last.mark == run.mark and not run.jumps
            if last is not None and joins and page.size(last.first, run.last) <= CEILING:
                last.last = run.last
            else:
                chunks.append(run)
    return _without_strays(page, chunks)


def _within_ceiling(page: _Page, run: _Run) -> list[_Run]:
    """A paragraph, or its even parts when it is longer than a chunk may be."""
    size = page.size(run.first, run.last)
    if size <= CEILING:
        return [run]
    target = size / -(-size // CEILING)
    parts = [_Run(run.first, run.first, run.mark, run.jumps)]
    for line in range(run.first + 1, run.last + 1):
        first = parts[-1].first
        without, within = page.size(first, line - 1), page.size(first, line)
        if within > CEILING or within - target > target - without:
            parts.append(_Run(line, line, run.mark, jumps=False))
        else:
            parts[-1].last = line
    return parts


def _without_strays(page: _Page, chunks: list[_Run]) -> list[_Run]:
    """Chunks too small to mean anything joined to the one before, or to the one after for the first."""
    kept: list[_Run] = []
    for run in chunks:
        last = kept[-1] if kept else None
        if last is not None and last.mark == run.mark and page.size(last.first, run.last) <= CEILING + _STRAY:
            small = min(page.size(run.first, run.last), page.size(last.first, last.last))
            if small < _STRAY:
                last.last = run.last
                continue
        kept.append(run)
    return kept
