"""Lines that are set another way than the page they stand on: a note at its side, a paragraph beside a table.

What stands above or beside what tells nothing of their order, so that they stay where they were drawn while
the rest of the page is put in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, repeat
from math import pi
from operator import itemgetter
from typing import Final, TypeAlias

from indx_format_pdf._pdfium import fast
from indx_format_pdf._text import Lines, PageText

__all__ = ["Run", "put_in", "runs_of"]

_LONG: Final = 24  # characters; a line of running text is longer, the head of a column is not

_Box: TypeAlias = "tuple[float, float, float, float]"


@dataclass(frozen=True, slots=True)
class Run:
    """Lines set alike that were drawn one after the other.

    Attributes:
        lines: The lines.
        after: The line drawn before them; None where they were drawn first, or last.
        first: Whether they were drawn before all others.
    """

    lines: list[int]
    after: int | None
    first: bool


def runs_of(
    page: PageText, lines: Lines, drawn: Sequence[int], boxes: Sequence[_Box], level: int
) -> list[Run]:
    """The runs of at least two lines whose letters are set sideways or on their head.

    Args:
        page: The page's text.
        lines: Its lines.
        drawn: Those to look at, as they were drawn.
        boxes: Where each line stands.
        level: The quarters by which lines are turned that the page displays level.
    """
    angles = list(map(fast.char_angle, repeat(page.place), [lines.starts[at] for at in drawn]))
    if not any(angles):
        return []
    # What PDFium does not know is negative.
    quarters = [round(max(0.0, angle) / (pi / 2)) % 4 for angle in angles]
    runs: list[Run] = []
    before: int | None = None
    for quarter, run in groupby(zip(quarters, drawn, strict=True), key=itemgetter(0)):
        own = [at for _, at in run]
        if quarter and len(own) > 1:
            last = own[-1] == drawn[-1]
            long = 2 * sum(len(lines.texts[at]) > _LONG for at in own) > len(own)
            if quarter == 1 and (level == 1 or long):
                # PDFium gives them from the left, where text that runs down the page goes on.
                own.sort(key=lambda at: -(boxes[at][0] + boxes[at][2]))
            runs.append(Run(own, None if last else before, before is None))
        else:
            before = own[-1]
    return runs


def put_in(runs: Sequence[Run], lines: list[list[int]], rows: Sequence[int]) -> list[list[int]]:
    """Lines that are in order, with the runs that were drawn among them.

    Args:
        runs: The runs.
        lines: The parts of each line.
        rows: For each part the line it was drawn in.
    """
    place = {at: number for number, line in enumerate(lines) for at in line}
    follow: dict[int, list[list[int]]] = {}
    for run in runs:
        where = -1 if run.first else place.get(run.after, len(lines)) if run.after is not None else len(lines)
        own = [list(row) for _, row in groupby(run.lines, key=rows.__getitem__)]
        follow.setdefault(where, []).extend(own)
    result = follow.get(-1, [])
    for number, line in enumerate(lines):
        result += [line, *follow.get(number, ())]
    return result + follow.get(len(lines), [])
