"""Which way the writing of a page runs, where the page is displayed sideways or on its head.

A reader reads such a page as whoever turns it does: its lines come in the order they are read, while their
boxes lie on the page as displayed. What looks at boxes asks here how they are to be turned back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from indx_core.cutting import covering

if TYPE_CHECKING:
    from indx_core.ports import Box, PageReading

__all__ = ["quarters_of", "runs_leftwards", "turned_back"]

_FEWEST: Final = 3  # lines that show how lines follow each other
_WORDS: Final = 4  # characters; fewer may be higher than wide
_LONG: Final = 2.0  # times as long as high, in shares of a page of any shape
_MOST: Final = 8.0  # times as many as there are of the other kind
_NEAR: Final = 4.0  # heights of a line: how far lines are apart that follow each other
_ENOUGH: Final = 12  # lines that follow each other so tell more than their sides do
_STEADY: Final = 1.25  # times as ragged as the other side
_SLACK: Final = 0.02  # of the length of lines
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]+")
_WRITTEN_UPRIGHT: Final = re.compile("[\u3041-\u30ff\u4e00-\u9fff]")


def quarters_of(reading: PageReading) -> int:
    """By how many quarters clockwise a page is turned, to be displayed: 0 where it is upright or not clear.

    Told from its lines, of which nearly all run the same way, and from how nearly each follows the one before
    it: below it or behind it as the page is read. Fewer than three lines tell nothing. The cells of rows have
    to run that way too; where there are none, the sides on which a few lines begin must not be the ragged
    ones. A page of kana and ideographs whose lines run down, the first on the right, may be one that is
    written so, and counts as upright.
    """
    if reading.boxes is None or _is_plain(reading.boxes):
        return 0
    lines = _lines(reading)
    axis = _axis(lines)
    if axis is None:
        return 0
    leftwards = runs_leftwards(reading.text)
    boxes = [turned_back(axis)(line.box) for line in lines if _runs(line) == axis]
    course = _course(boxes, leftwards=leftwards)
    is_back = course.is_back(len(boxes) - 1)
    if is_back is None:
        return 0
    may_be_written_so = axis == 1 and _WRITTEN_UPRIGHT.search(reading.text) is not None
    from_back = _rows_run_back(reading, axis, leftwards=leftwards)
    if from_back is None and (may_be_written_so or max(course.steps) < _ENOUGH):
        from_back = course.begin_at_back()
    if from_back is (not is_back) or (may_be_written_so and not from_back):
        return 0
    return axis + 2 * is_back


def turned_back(quarters: int) -> Callable[[Box], Box]:
    """What makes of a box on the page as displayed the one it has where the page is turned to be read.

    Args:
        quarters: By how many quarters clockwise it is displayed turned.
    """
    return _BACK[quarters % 4]


def runs_leftwards(text: str) -> bool:
    """Whether most letters of a text are of a script that runs from right to left."""
    if text.isascii():
        return False
    letters = sum(map(len, _RIGHT_TO_LEFT.findall(text)))
    return letters > 0 and 2 * letters > sum(map(str.isalpha, text))


_BACK: Final[tuple[Callable[[Box], Box], ...]] = (
    lambda box: box,
    lambda box: (box[1], 1 - box[2], box[3], 1 - box[0]),
    lambda box: (1 - box[2], 1 - box[3], 1 - box[0], 1 - box[1]),
    lambda box: (1 - box[3], box[0], 1 - box[1], box[2]),
)


class _Line(NamedTuple):
    size: int
    box: Box


class _Course(NamedTuple):
    """How lines follow each other, their page laid so that they are level.

    Attributes:
        steps: How many stand below or behind the line before, and how many above it or before it.
        near: The same of those that are next to it, or nearly.
        starts: How far, in all, the beginnings of such lines above each other differ.
        ends: How far their ends do.
        slack: What difference is none.
    """

    steps: tuple[int, int]
    near: tuple[int, int]
    starts: float
    ends: float
    slack: float

    def is_back(self, pairs: int) -> bool | None:
        """Whether lines follow each other back to front; None unless most of so many pairs agree on it."""
        least, most = sorted(self.steps)
        is_back = self.steps[1] == most
        is_clear = most >= _MOST * least and 3 * (least + most) >= 2 * pairs
        return is_back if is_clear and self.near[is_back] >= _FEWEST - 1 else None

    def begin_at_back(self) -> bool | None:
        """Whether lines are flush where level lines end; None unless one side is the more ragged."""
        if self.starts > _STEADY * self.ends + self.slack:
            return True
        return False if self.ends > _STEADY * self.starts + self.slack else None


def _is_plain(boxes: Sequence[float]) -> bool:
    """Whether it is plain that lines are level and stand below each other: so do those of most pages."""
    if len(boxes) < 4 * _FEWEST:
        return True
    tops, bottoms = boxes[1::4], boxes[3::4]
    if not sum(boxes[2::4]) - sum(boxes[::4]) > _LONG * (sum(bottoms) - sum(tops)):
        return False
    below = sum(
        [2 * after > top + bottom for top, bottom, after in zip(tops, bottoms, tops[1:], strict=False)]
    )
    return 3 * below > 2 * len(tops)


def _lines(reading: PageReading) -> list[_Line]:
    """The lines of a page that show some words."""
    assert reading.boxes is not None
    text, numbers = reading.text, reading.boxes.tolist()
    hidden = covering(reading.line_starts, reading.line_ends, reading.hidden) if reading.hidden else ()
    found: list[_Line] = []
    for line, (start, end) in enumerate(zip(reading.line_starts, reading.line_ends, strict=True)):
        if hidden and hidden[line]:
            continue
        x0, y0, x1, y1 = numbers[4 * line : 4 * line + 4]
        size = len(text[start:end].strip())
        if size >= _WORDS:
            found.append(_Line(size, (x0, y0, x1, y1)))
    return found


def _runs(line: _Line) -> int | None:
    """0 for a level line, 1 for one that is set upright, None where it is not plain or not known."""
    x0, y0, x1, y1 = line.box
    if x1 - x0 > _LONG * (y1 - y0):
        return 0
    return 1 if y1 - y0 > _LONG * (x1 - x0) else None


def _axis(lines: Sequence[_Line]) -> int | None:
    """Whether the lines of a page are level or upright, by most of what they say; None where it is mixed."""
    said = [0, 0]
    for line in lines:
        runs = _runs(line)
        if runs is not None:
            said[runs] += line.size
    axis = 0 if said[0] > said[1] else 1
    whole = sum(line.size for line in lines)
    return axis if said[axis] >= _MOST * said[1 - axis] and 2 * said[axis] > whole else None


def _course(boxes: Sequence[Box], *, leftwards: bool) -> _Course:
    """How level lines follow each other."""
    steps = [0, 0]
    near = [0, 0]
    starts = ends = length = 0.0
    for before, after in pairwise(boxes):
        height = max(before[3] - before[1], after[3] - after[1])
        down = (after[1] + after[3] - before[1] - before[3]) / 2
        if before[0] < after[2] and after[0] < before[2]:
            is_back = down < 0
            if abs(down) < _NEAR * height:
                near[is_back] += 1
                starts += abs(after[0] - before[0])
                ends += abs(after[2] - before[2])
                length += after[2] - after[0]
        elif abs(down) < height / 2:
            is_back = (after[0] < before[0]) is not leftwards
            near[is_back] += 1
        else:
            continue
        steps[is_back] += 1
    if leftwards:
        starts, ends = ends, starts
    return _Course((steps[0], steps[1]), (near[0], near[1]), starts, ends, _SLACK * length)


def _rows_run_back(reading: PageReading, axis: int, *, leftwards: bool) -> bool | None:
    """Whether the parts of rows follow each other from right to left, the page laid so that lines are level.

    None unless most of three or more agree on it.
    """
    turn, text, numbers = turned_back(axis), reading.text, reading.part_boxes
    boxes = [turn((x0, y0, x1, y1)) for x0, y0, x1, y1 in zip(*[iter(numbers)] * 4, strict=True)]
    steps = [0, 0]
    for part, (before, after) in enumerate(pairwise(boxes)):
        is_beside = after[0] >= before[2] or after[2] <= before[0]
        if is_beside and text.find("\n", reading.part_ends[part], reading.part_starts[part + 1]) < 0:
            steps[(after[0] < before[0]) is not leftwards] += 1
    least, most = sorted(steps)
    return steps[1] == most if most >= _FEWEST and most >= _MOST * least else None
