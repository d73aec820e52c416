"""What the document hides, parted from what it shows, so that no chunk passes the one off as the other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter

from indx_core.ports import Span
from indx_core.text import grapheme_floor

__all__ = ["apart"]


def apart(text: str, spans: Sequence[Span], hidden: Sequence[Span]) -> list[list[Span]]:
    """The stretches of `spans` that are shown and those that are `hidden`, whichever there are.

    White space goes with what stands before it.
    """
    shown: list[Span] = []
    kept: list[Span] = []
    for start, end in spans:
        position = start
        for first, last in _within(text, start, end, hidden):
            if first > position and text[position:first].strip():
                shown.append((position, first))
            kept.append((first, last))
            position = last
        if position < end and (text[position:end].strip() or not kept):
            shown.append((position, end))
    return [one for one in (shown, kept) if one]


def _within(text: str, start: int, end: int, hidden: Sequence[Span]) -> Iterator[Span]:
    """The hidden words of `text[start:end]`, each with the white space behind it and none before it."""
    for number in range(bisect_right(hidden, start, key=itemgetter(1)), len(hidden)):
        first, last = hidden[number]
        if first >= end:
            break
        first, last = (grapheme_floor(text, place) for place in (max(first, start), min(last, end)))
        if body := text[first:last].strip():
            yield text.index(body, first), end - len(text[last:end].lstrip())
