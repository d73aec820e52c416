"""Text that is set another way than the page it stands on: a note down its side, a paragraph beside a table.

What stands above or beside what tells nothing of the order of such lines among those of the page. They stay
behind what was drawn before them while the rest of the page is put in order. Few words set sideways, as the
heads of columns and the marks of an axis are, belong where they stand and are none of it.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Final, TypeAlias

from indx_format_pdf._order import Cell, read_upright
from indx_format_pdf._text import Lines, PageText
from indx_format_pdf._upright import quarters_at

__all__ = ["LONG", "Run", "put_in", "runs_of"]

LONG: Final = 24  # characters; a line of running text is longer, the head of a column is not
_CLOSE: Final = 1.0  # of a line's height: lines that follow each other have no more between them

_Box: TypeAlias = "tuple[float, float, float, float]"


@dataclass(frozen=True, slots=True)
class Run:
    """Lines set alike that were drawn one after the other.

    Attributes:
        lines: The lines, in order.
        after: The line drawn before them; None where they were drawn first, or last.
        first: Whether they were drawn before all others.
    """

    lines: list[int]
    after: int | None
    first: bool


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
    quarters = quarters_at(page, starts, turns)
    if not any(quarters):
        return []
    own_ways = [0 if at in tables else quarter for at, quarter in zip(drawn, quarters, strict=True)]
    runs: list[Run] = []
    before: int | None = None
    for quarter, group in groupby(zip(own_ways, drawn, strict=True), key=itemgetter(0)):
        own = [at for _, at in group]
        is_text = quarter in {2, level} or 2 * sum(len(lines.texts[at]) > LONG for at in own) > len(own)
        if not quarter or len(own) < 2 or not is_text:
            before = own[-1]
            continue
        last = own[-1] == drawn[-1]
        if quarter != 2:
            cells = [Cell(at, at, lines.texts[at], *boxes[at]) for at in own]
            ordered = read_upright(cells, downwards=quarter == 1)
            own = [cell.place for line in ordered for cell in line]
        runs.append(Run(own, None if last else before, before is None))
    return runs


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
    follow: dict[int, list[list[int]]] = {}
    for run in runs:
        where = -1 if run.first else len(lines)
        if not run.first and run.after is not None:
            where = _end_of_block(lines, place[run.after], boxes)
        own = [list(row) for _, row in groupby(run.lines, key=rows.__getitem__)]
        follow.setdefault(where, []).extend(own)
    result = follow.get(-1, [])
    for number, line in enumerate(lines):
        result += [line, *follow.get(number, ())]
    return result + follow.get(len(lines), [])


def _end_of_block(lines: Sequence[Sequence[int]], at: int, boxes: Sequence[_Box]) -> int:
    """The last of the lines that follow each other closely down the page from one of them on."""
    while at + 1 < len(lines):
        _, top, _, bottom = boxes[lines[at][0]]
        _, begin, _, _ = boxes[lines[at + 1][0]]
        if not top < begin < bottom + _CLOSE * (bottom - top):
            break
        at += 1
    return at
