"""Paragraphs: lines that follow each other at the usual distance, with no sign that another begins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from indx_chunker_layout._cells import MARK, NUMBER, is_wide
from indx_chunker_layout._page import Page, Row, half_widths

__all__ = ["paragraphs"]

_ENDS: Final = (".", "!", "?", ":", ";", "。", "！", "？", "…", ".”", ".’", '."', ".)", "」", "）", "؟", "۔")
_GOES_ON: Final = (",", "-", "–", "—", "(", "、", "，")
_SHIFTED: Final = 1.0  # letters; a line that begins so far off is not flush with another
_ENOUGH: Final = 6  # rows that tell how far apart rows are, if they are wide apart
_FAR: Final = 8.0  # letters; more than any first line is indented
_TALLER: Final = 1.35  # times the line before
_WIDER: Final = 1.15  # times its letters


def paragraphs(page: Page, rows: Sequence[Row], ceiling: int) -> list[list[int]]:
    """The lines of each paragraph. One that would run past `ceiling` characters closes at a line break."""
    if not rows:
        return []
    signs = _Signs(page, rows)
    found: list[list[int]] = []
    run: list[Row] = []
    size = 0
    for number, row in enumerate(rows):
        long = sum([page.ends[line] - page.starts[line] + 1 for line in row])
        if run and (size + long - 1 > ceiling or signs.begins(run, number)):
            found.append([line for one in run for line in one])
            run, size = [], 0
        run.append(row)
        size += long
    found.append([line for one in run for line in one])
    return [part for lines in found for part in _forward(lines)]


def _forward(lines: list[int]) -> list[list[int]]:
    """Lines parted where the next stands before in the text: a chunk carries its stretches in order."""
    parts = [lines[:1]]
    for before, after in pairwise(lines):
        if after < before:
            parts.append([])
        parts[-1].append(after)
    return parts


class _Signs:
    """What tells that a row of a region begins a paragraph."""

    def __init__(self, page: Page, rows: Sequence[Row]) -> None:
        self.page = page
        self.rows = rows
        self.wide = [(len(row) > 1 or "\t" in page.said(row[0])) and is_wide(page, row) for row in rows]
        self.usual = self._usual(wide=False)
        self.usual_wide = self._usual(wide=True)

    def _step(self, before: Row, after: Row) -> float:
        """How far apart two rows are, whatever letters they hold."""
        top, bottom = self.page.top, self.page.bottom
        return min(top[after[0]] - top[before[0]], bottom[after[0]] - bottom[before[0]])

    def _usual(self, *, wide: bool) -> float:
        """How far apart rows usually are: those of several cells, or the others."""
        height = self.page.height
        steps = sorted(
            step
            for (before, after), kinds in zip(pairwise(self.rows), pairwise(self.wide), strict=True)
            if kinds == (wide, wide) and 0.5 * height < (step := self._step(before, after)) < 4 * height
        )
        usual = steps[2 * len(steps) // 5] if steps else 1.4 * height
        return usual if wide or len(steps) >= _ENOUGH else min(usual, 2 * height)

    def begins(self, run: Sequence[Row], number: int) -> bool:
        """Whether row `number` begins a paragraph after `run`, the rows of one so far."""
        page, row, before = self.page, self.rows[number], run[-1]
        line, last = row[0], before[-1]
        if page.kind(line) != page.kind(last) or self.wide[number] != self.wide[number - 1]:
            return True
        if self.wide[number]:
            return self._is_apart(before, row, self.usual_wide)
        if self._is_apart(before, row, self.usual):
            return True
        if page.left[line] >= page.right[last] or page.right[line] <= page.left[last]:
            return True
        return (
            self._is_item(run, line, last)
            or self._is_shifted(run, number)
            or self._is_ended(run, line, last)
            or self._is_resized(line, last)
        )

    def _is_apart(self, before: Row, row: Row, usual: float) -> bool:
        """Whether the rows are further apart than lines of a paragraph; large letters stand further."""
        page = self.page
        heights = page.bottom[row[0]] - page.top[row[0]], page.bottom[before[0]] - page.top[before[0]]
        scale = max(1.0, min(heights) / page.height)
        return self._step(before, row) > scale * (usual + max(0.25 * usual, 0.3 * page.height))

    def _is_shifted(self, run: Sequence[Row], number: int) -> bool:
        """Whether the line is indented as a first line is, or stands out from lines that hang."""
        page = self.page
        line, last, first = self.rows[number][0], run[-1][0], run[0][0]
        shift = (page.left[line] - page.left[last]) / page.em
        if abs(shift) < _SHIFTED:
            return False
        if self._is_centred(run, line):
            return False
        if shift > 0:
            if shift < _FAR and page.said(run[-1][-1]).rstrip().endswith(_GOES_ON):
                return False
            if shift > _FAR or len(run) > 1:
                return True
            return not self._hangs(run, number)
        if len(run) == 1:
            return -shift > _FAR
        return page.left[line] <= page.left[first] + _SHIFTED * page.em

    def _is_centred(self, run: Sequence[Row], line: int) -> bool:
        """Whether a line shares its middle with the one before, and that is not flush with the one above."""
        page, last = self.page, run[-1][0]
        off = page.left[line] + page.right[line] - page.left[last] - page.right[last]
        flush = len(run) > 1 and abs(page.left[run[-2][0]] - page.left[last]) < _SHIFTED * page.em
        return not flush and abs(off) < 2 * page.em

    def _hangs(self, run: Sequence[Row], number: int) -> bool:
        """Whether the first line stands out from this one and the next, as in a list."""
        page, row = self.page, self.rows[number]
        first = page.said(run[0][0])
        if MARK.match(first) or NUMBER.match(first):
            return True
        if number + 1 < len(self.rows):
            after = self.rows[number + 1]
            if not self._is_apart(row, after, self.usual):
                return page.left[after[0]] > page.left[row[0]] - _SHIFTED * page.em
        return not page.said(run[-1][-1]).rstrip().endswith(_ENDS)

    def _is_ended(self, run: Sequence[Row], line: int, last: int) -> bool:
        """Whether the line before ends a sentence and leaves room that the next word would have taken."""
        page = self.page
        if not page.said(last).rstrip().endswith(_ENDS):
            return False
        edge = max(page.right[line], *[page.right[row[-1]] for row in run[-3:]])
        word = page.said(line).split(None, 1)[0]
        room = min(half_widths(word) + 2, 20) * page.em
        return edge - page.right[last] > max(room, 0.1 * (edge - page.left[last]))

    def _is_item(self, run: Sequence[Row], line: int, last: int) -> bool:
        """Whether the line is an item of a list."""
        page = self.page
        said = page.said(line)
        if MARK.match(said):
            return True
        if not NUMBER.match(said):
            return False
        first = run[0][0]
        beside = abs(page.left[line] - page.left[first]) < _SHIFTED * page.em
        return (beside and NUMBER.match(page.said(first)) is not None) or page.said(last).endswith(_ENDS)

    def _is_resized(self, line: int, last: int) -> bool:
        """Whether letters are plainly larger or smaller than those of the line before.

        Higher alone does not tell: a line may have no letters that reach up or down, or hold two rows.
        """
        page = self.page
        one, other = page.bottom[line] - page.top[line], page.bottom[last] - page.top[last]
        if one <= _TALLER * other and other <= _TALLER * one:
            return False
        wide, before = page.letter(line), page.letter(last)
        return wide > _WIDER * before if one > other else before > _WIDER * wide
