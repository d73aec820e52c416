"""Cutting text into pieces that fit a limit, at the strongest boundary at hand, with exact offsets.

Boundaries from strong to weak: a blank line, a blank line before indented text, the start of a list item,
a line break, the end of a sentence, white space or a clause mark, other punctuation, a grapheme. A piece
takes the strongest one in the second half of what fits. The work is linear in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isnan
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from indx_core.text import grapheme_floor

if TYPE_CHECKING:
    from indx_core.ports import Box, BoxReason, Cell, PageReading, Span, Table

__all__ = ["covering", "header_cells", "place", "split", "trim"]

_ITEM: Final = re.compile(r"\n(?=[ \t]*(?:[-*+•・]|\d{1,9}[.)])[ \t])")
_SENTENCE: Final = re.compile(r"[.!?…][)\]\"'”’»]*\s+|[。！？｡．।۔؟][」』）】〕》〉”’)\"']*\s*")
_PUNCTUATION: Final = re.compile(r"[,;)}\]>/&|]")
_SPACES: Final = (" ", "\n", "\t", "\u3000", "、", "，")


def split(
    text: str,
    start: int,
    end: int,
    *,
    limit: int,
    measure: Callable[[str], int] = len,
    keep: Sequence[Span] = (),
) -> list[Span]:
    """Cut `text[start:end]` into pieces of which none measures more than `limit`.

    Args:
        text: The whole text.
        start: Where to begin, a grapheme boundary.
        end: Where to stop.
        limit: The most a piece may measure.
        measure: The size of a text; more text never measures less. The default counts characters.
        keep: Stretches in order, not overlapping, that stay in one piece where they fit one (a code
            block, say).

    Returns:
        `(start, end)` of the pieces: they follow each other without a gap and cover the stretch. Only a
        single grapheme that is larger than `limit` makes a larger piece.

    Raises:
        ValueError: `limit` is below 1.
    """
    if limit < 1:
        raise ValueError(f"limit {limit!r} is below 1; nothing fits")
    pieces: list[Span] = []
    position, guess = start, limit
    while position < end:
        stop = _reach(text, position, end, limit, measure, guess)
        if stop < end:
            guess = stop - position
            aim = min(stop, position + (end - position) // 2 + guess // 4)  # no crumb is left for the last
            cut = _cut(text, position, max(aim, position + 1), end)
            stop = _spare(text, position, cut, stop, keep, limit, measure) if keep else cut
        pieces.append((position, stop))
        position = stop
    return pieces


def trim(text: str, start: int, end: int) -> Span | None:
    """`[start, end)` without white space around it; None when nothing else is there.

    The indentation of a first line that is whole stays: it is part of a list, or of code.
    """
    piece = text[start:end]
    body = piece.rstrip()
    if not body:
        return None
    blank = len(body) - len(body.lstrip())
    if blank:
        line = body.rfind("\n", 0, blank) + 1
        start += line if line or start == 0 or text[start - 1] == "\n" else blank
        return start, end - len(piece) + len(body)
    return start, end - len(piece) + len(body)


def covering(starts: Sequence[int], ends: Sequence[int], spans: Sequence[Span]) -> list[int]:
    """For each stretch of text the number, from 1, of the first span that covers some of it; 0 for none.

    Args:
        starts: Where each stretch starts, in order.
        ends: Where each ends.
        spans: In order of their start.
    """
    numbers: list[int] = []
    first = 0
    for start, end in zip(starts, ends, strict=True):
        while first < len(spans) and spans[first][1] <= start:
            first += 1
        numbers.append(first + 1 if first < len(spans) and spans[first][0] < end else 0)
    return numbers


def header_cells(table: Table) -> list[Cell]:
    """The cells of a table's header as they are repeated: none reaches into rows that are not."""
    return [
        replace(cell, row_span=min(cell.row_span, table.header_rows - cell.row + 1))
        for cell in table.cells
        if cell.row <= table.header_rows
    ]


def place(page: PageReading, spans: Sequence[Span]) -> tuple[Box | None, BoxReason | None]:
    """The box around the lines that `spans` touch, or why there is none.

    `hidden` when the document hides all of it, `unresolved` when the place of a line is not known.
    """
    text = page.text
    if page.hidden and all(_is_hidden(text, start, end, page.hidden) for start, end in spans):
        return None, "hidden"
    if page.boxes is None:
        return None, "no_geometry"
    starts, ends, boxes = page.line_starts, page.line_ends, page.boxes
    lines = [
        line
        for start, end in spans
        for line in range(bisect_right(ends, start), bisect_left(starts, end))
        if text[max(start, starts[line]) : min(end, ends[line])].strip()
    ]
    if not lines:
        return None, "unresolved"
    if len(spans) == 1 and lines[-1] - lines[0] < len(lines):  # they follow each other
        first, last = 4 * lines[0], 4 * lines[-1] + 4
        x0, y0, x1, y1 = (list(boxes[first + side : last : 4]) for side in range(4))
    else:
        x0, y0, x1, y1 = ([boxes[4 * line + side] for line in lines] for side in range(4))
    if isnan(sum(x0) + sum(y0) + sum(x1) + sum(y1)):
        return None, "unresolved"
    return (min(1.0, *x0), min(1.0, *y0), max(0.0, *x1), max(0.0, *y1)), None


def _is_hidden(text: str, start: int, end: int, hidden: Sequence[Span]) -> bool:
    """Whether the `hidden` stretches hold all of `text[start:end]` but white space."""
    for number in range(bisect_right(hidden, start, key=itemgetter(1)), len(hidden)):
        first, last = hidden[number]
        if first >= end or text[start:first].strip():
            break
        start = last
    return not text[start:end].strip()


def _reach(text: str, position: int, end: int, limit: int, measure: Callable[[str], int], guess: int) -> int:
    """A place up to which the text fits, within a tenth of the furthest; one character at least."""
    if measure is len:
        return min(end, position + limit)
    fits, over, length = position, end + 1, max(guess, 1)
    while over - fits > 1:
        stop = position + length
        if not fits < stop < over:
            stop = min((fits + over) // 2, fits + 4 * max(fits - position, 64))
        size = measure(text[position:stop])
        if size > limit:
            over = stop
        else:
            fits = stop
            if stop == end or size * 10 >= limit * 9:
                break
        length = min((stop - position) * limit * 31 // (max(size, 1) * 32), 4 * (stop - position))
    return max(fits, position + 1)


def _cut(text: str, position: int, stop: int, end: int) -> int:
    """The strongest boundary in the second half of `[position, stop)`, else the last of any kind."""
    low = position + (stop - position) // 2
    for find in (_after_blank_line, _before_item, _after_line, _after_sentence, _after_space):
        cut = find(text, low, stop)
        if cut > low and _whole(text, cut):
            return cut
    cut = _after_space(text, position, stop)
    if (cut - position) * 8 > stop - position and _whole(text, cut):
        return cut
    cut = _last(_PUNCTUATION, text, low, stop)
    if cut > low and _whole(text, cut):
        return cut
    cut = grapheme_floor(text, stop)
    while cut <= position:  # a grapheme larger than what fits goes whole
        stop += 1
        cut = stop if stop >= end or grapheme_floor(text, stop) == stop else position
    return cut


def _spare(
    text: str,
    position: int,
    cut: int,
    stop: int,
    keep: Sequence[Span],
    limit: int,
    measure: Callable[[str], int],
) -> int:
    """`cut`, moved to an end of the stretch it would break where that stretch fits one piece."""
    index = bisect_left(keep, (cut, 0)) - 1
    if index < 0:
        return cut
    first, last = keep[index]
    if last <= cut:
        return cut
    if last <= stop:
        return last
    return first if first > position and measure(text[first:last]) <= limit else cut


def _whole(text: str, cut: int) -> bool:
    """Whether `cut`, behind white space or punctuation, parts no grapheme."""
    if text[cut - 1] == "\n" or cut >= len(text):
        return True
    sign = text[cut]
    if (sign.isascii() and sign != "\n") or "\u3041" <= sign <= "\u3096" or "\u30a1" <= sign <= "\u9fff":
        return True
    return grapheme_floor(text, cut) == cut


def _after_blank_line(text: str, low: int, stop: int) -> int:
    weak = -1
    found = text.rfind("\n\n", low, stop)
    while found >= 0:
        cut = found + 2
        if text[cut : cut + 1] not in (" ", "\t"):
            return cut
        weak = max(weak, cut)
        found = text.rfind("\n\n", low, found + 1)
    return weak


def _before_item(text: str, low: int, stop: int) -> int:
    return _last(_ITEM, text, low, stop)


def _after_line(text: str, low: int, stop: int) -> int:
    return text.rfind("\n", low, stop) + 1


def _after_sentence(text: str, low: int, stop: int) -> int:
    return _last(_SENTENCE, text, low, stop)


def _after_space(text: str, low: int, stop: int) -> int:
    return max(text.rfind(sign, low, stop) for sign in _SPACES) + 1


def _last(pattern: re.Pattern[str], text: str, low: int, stop: int) -> int:
    cut = -1
    for found in pattern.finditer(text, low, stop):
        cut = found.end()
    return cut
