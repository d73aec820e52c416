"""What the document hides, parted from what it shows, so that no chunk passes the one off as the other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter

from indx_core.ports import Span
from indx_core.text import grapheme_floor

__all__ = ["apart"]


def apart(text: str, spans: Sequence[Span], hidden: Sequence[Span]) -> list[list[Span]]:
    """The stretches of `spans` that are shown, and those that are `hidden`, whichever there are.

    The shown keep their line breaks. The hidden are together as long as white space parts them.
    """
    shown: list[Span] = []
    runs: list[list[Span]] = []
    for start, end in spans:
        position = start
        for first, last in _within(text, start, end, hidden):
            before, behind = text[position:first].rstrip(), text[last:end].lstrip()
            lead, tail = text[position + len(before) : first], text[last : end - len(behind)]
            if before and "\n" in tail and "\n" not in lead:
                first -= len(lead) if runs else 0  # a line ends here that is shown but for this
            else:
                last += len(tail)
            if text[position:first].strip():
                shown.append((position, first))
            if runs and (text[first].isspace() or text[runs[-1][-1][1] - 1].isspace()):
                runs[-1].append((first, last))
            else:
                runs.append([(first, last)])
            position = last
        if text[position:end].strip() or not runs:
            shown.append((position, end))
    return [one for one in (shown, *runs) if one]


def _within(text: str, start: int, end: int, hidden: Sequence[Span]) -> list[Span]:
    """The hidden words of `text[start:end]`, those that only white space parts as one."""
    found: list[Span] = []
    for number in range(bisect_right(hidden, start, key=itemgetter(1)), len(hidden)):
        first, last = hidden[number]
        if first >= end:
            break
        first, last = (grapheme_floor(text, place) for place in (max(first, start), min(last, end)))
        if body := text[first:last].strip():
            first = text.index(body, first)
            last = first + len(body)
            joins = found and text[found[-1][1] : first].isspace()
            found.append((found.pop()[0] if joins else first, last))
    return found
