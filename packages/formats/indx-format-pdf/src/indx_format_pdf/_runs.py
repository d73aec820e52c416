"""Text that is set another way than the page it stands on: a note down its side, a paragraph beside a table.

What stands above or beside what tells nothing of the order of such lines among those of the page. They stay
behind what was drawn before them while the rest of the page is put in order. Few words set sideways, as the
heads of columns and the marks of an axis are, belong where they stand and are none of it.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import groupby, repeat
from math import sin
from operator import itemgetter
from typing import Final, TypeAlias

from indx_format_pdf._order import Cell, read_upright
from indx_format_pdf._pdfium import fast
from indx_format_pdf._text import Lines, PageText
from indx_format_pdf._upright import quarters_at

__all__ = ["LONG", "Run", "is_word_askew", "put_in", "runs_of"]

LONG: Final = 24  # characters; a line of running text is longer, the head of a column is not
_TILT: Final = 0.03  # the sine of twice a degree
_FAR: Final = 0.34  # the sine of twice ten degrees: what is set so is neither level nor upright
_ASKEW: Final = 4  # the way of such lines, behind those by no, one, two and three quarters
_CLOSE: Final = 1.0  # of a line's height: lines that follow each other have no more between them

_Box: TypeAlias = "tuple[float, float, float, float]"


@dataclass(frozen=True, slots=True)
class Run:
    """Lines set alike that were drawn one after the other.

    Attributes:
        lines: The lines, in order.
        after: The line drawn before them; None where they were drawn first, or last.
        first: Whether they were drawn before all others.
        upright: Whether they run up or down the page.
    """

    lines: list[int]
    after: int | None
    first: bool
    upright: bool


def runs_of(
    page: PageText,
    lines: Lines,
    drawn: Sequence[int],
    boxes: Sequence[_Box],
    *,
    tables: Container[int],
    turns: int,
    level: int,
) -> list[Run]:
    """The runs of at least two lines that are set another way than most of the page.

    Args:
        page: The page's text.
        lines: Its lines.
        drawn: Those of them that are drawn, in that order.
        boxes: Where each line stands, in points.
        tables: What stands for a table; it is set as the page is.
        turns: The quarters by which the page's own coordinates are turned for `boxes`.
        level: The quarters by which what the page displays level is turned there.
    """
    starts = [lines.starts[at] for at in drawn]
    angles = list(map(fast.char_angle, repeat(page.place), starts))
    if not turns and not any(angles):
        return []
    ways = [
        _ASKEW if abs(sin(2 * angle)) > _FAR else quarter
        for angle, quarter in zip(angles, quarters_at(page, starts, turns, angles), strict=True)
    ]
    own_ways = [0 if at in tables else way for at, way in zip(drawn, ways, strict=True)]
    runs: list[Run] = []
    before: int | None = None
    for way, group in groupby(zip(own_ways, drawn, strict=True), key=itemgetter(0)):
        own = [at for _, at in group]
        is_text = way in {2, level, _ASKEW} or 2 * sum(len(lines.texts[at]) > LONG for at in own) >= len(own)
        if not way or len(own) < 2 or not is_text:
            before = own[-1]
            continue
        last = own[-1] == drawn[-1]
        if way in {1, 3}:
            cells = [Cell(at, at, lines.texts[at], *boxes[at]) for at in own]
            ordered = read_upright(cells, downwards=way == 1)
            own = [cell.place for line in ordered for cell in line]
        runs.append(Run(own, None if last else before, before is None, way in {1, 3}))
    return runs


def is_word_askew(page: PageText, lines: Lines, at: int) -> bool:
    """Whether a stretch is a word that is set neither level nor upright: boxes tell no gap before it."""
    return abs(sin(2 * fast.char_angle(page.place, lines.starts[at]))) > _TILT


def put_in(
    runs: Sequence[Run], lines: list[list[int]], rows: Sequence[int], boxes: Sequence[_Box]
) -> list[list[int]]:
    """Lines that are in order, with the runs that were drawn among them.

    Args:
        runs: The runs.
        lines: The parts of each line.
        rows: For each part the line it was drawn in.
        boxes: Where each part stands, in points.
    """
    place = {at: number for number, line in enumerate(lines) for at in line}
    ends = _ends_of_blocks(lines, boxes)
    follow: dict[int, list[list[int]]] = {}
    for run in runs:
        where = -1 if run.first else len(lines)
        if not run.first and run.after is not None:
            where = ends[place[run.after]]
        follow.setdefault(where, []).extend(_rows_of(run, rows, boxes))
    result = follow.get(-1, [])
    for number, line in enumerate(lines):
        result += [line, *follow.get(number, ())]
    return result + follow.get(len(lines), [])


def _rows_of(run: Run, rows: Sequence[int], boxes: Sequence[_Box]) -> list[list[int]]:
    """The lines of a run: the parts of each that were drawn as one, and stand on one line as they are set."""
    own: list[list[int]] = []
    for at in run.lines:
        before = own[-1][-1] if own else at
        apart = before == at or rows[at] != rows[before]
        if run.upright and not apart:
            (x0, _, x1, _), (left, _, right, _) = boxes[at], boxes[before]
            apart = 2 * (min(x1, right) - max(x0, left)) < min(x1 - x0, right - left)
        if apart:
            own.append([])
        own[-1].append(at)
    return own


def _ends_of_blocks(lines: Sequence[Sequence[int]], boxes: Sequence[_Box]) -> list[int]:
    """For each line the last of those that follow each other closely down the page from it on."""
    ends = list(range(len(lines)))
    for at in reversed(ends[:-1]):
        left, top, right, bottom = boxes[lines[at][0]]
        _, begin, _, _ = boxes[lines[at + 1][0]]
        if top < begin < bottom + _CLOSE * min(bottom - top, 2 * (right - left)):
            ends[at] = ends[at + 1]
    return ends
