"""The outline of a document, and the lines of its pages that it names."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from indx_core.ports import Heading
from indx_core.text import fold
from indx_format_pdf._pdfium import address, pdfium, text_of

__all__ = ["OutlineItem", "headings", "outline"]

_MOST: Final = 10_000
_DEEPEST: Final = 32
_LINES: Final = 3  # a title may run over so many lines
_MOST_TRIED: Final = 100  # lines alike that a title may begin with
_NOT_WORDS: Final = re.compile(r"[\W_]+")
_NUMBER: Final = re.compile(r"^\d+")


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """One entry: its title, its level from 1, and the page it leads to, from 1; 0 when it leads nowhere."""

    title: str
    level: int
    page: int


def outline(document: Any) -> list[OutlineItem]:
    """The entries of an open document in order. A loop of entries, or too many, ends the list."""
    items: list[OutlineItem] = []
    seen: set[int] = set()
    waiting: list[tuple[Any, int]] = [(pdfium.FPDFBookmark_GetFirstChild(document, None), 1)]
    while waiting and len(items) < _MOST:
        entry, level = waiting.pop()
        place = address(entry)
        if not place or place in seen:
            continue
        seen.add(place)
        title = " ".join(text_of(pdfium.FPDFBookmark_GetTitle, entry).split())
        if title:
            items.append(OutlineItem(title, level, _page_of(document, entry)))
        waiting.append((pdfium.FPDFBookmark_GetNextSibling(document, entry), level))
        if level < _DEEPEST:
            waiting.append((pdfium.FPDFBookmark_GetFirstChild(document, entry), level + 1))
    return items


def _page_of(document: Any, entry: Any) -> int:
    destination = pdfium.FPDFBookmark_GetDest(document, entry)
    if not destination:
        action = pdfium.FPDFBookmark_GetAction(entry)
        if action and pdfium.FPDFAction_GetType(action) == pdfium.PDFACTION_GOTO:
            destination = pdfium.FPDFAction_GetDest(document, action)
    return 1 + int(pdfium.FPDFDest_GetDestPageIndex(document, destination)) if destination else 0


def _key(text: str) -> str:
    """What stays of a title when spelling, spacing and punctuation are no difference."""
    return _NOT_WORDS.sub("", fold(text))


def headings(
    text: str, starts: Sequence[int], ends: Sequence[int], items: Sequence[OutlineItem]
) -> tuple[Heading, ...]:
    """The lines of a page that are titles of `items`, each line for one item.

    A title may run over several lines, and may lack the number that the page prints before it, or have one
    that the page lacks.
    """
    lines = _Lines([_key(text[start:end]) for start, end in zip(starts, ends, strict=True)])
    found: list[Heading] = []
    for item in items:
        wanted = _key(item.title)
        place = lines.take(wanted) if wanted else None
        if place:
            first, last = place
            found.append(Heading(starts[first], ends[last], item.level))
    return tuple(sorted(found, key=lambda heading: heading.start))


class _Lines:
    """The lines of a page by what they say, each taken by one title at most."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = keys
        self._taken: set[int] = set()
        self._whole: dict[str, deque[int]] = {}
        self._bare: dict[str, deque[int]] = {}
        for line, key in enumerate(keys):
            if key:
                self._whole.setdefault(key, deque()).append(line)
                self._bare.setdefault(_NUMBER.sub("", key), deque()).append(line)
        self._sizes = sorted(set(map(len, self._whole)))

    def take(self, wanted: str) -> tuple[int, int] | None:
        """The first line and the last of the first title like this that is left."""
        bare = _NUMBER.sub("", wanted)
        found = [*self._over_lines(wanted)]
        if bare:
            single = (
                self._left(self._whole, bare),
                self._left(self._bare, wanted),
                self._left(self._bare, bare),
            )
            found += [(lines[0], lines[0]) for lines in single if lines]
        if not found:
            return None
        first, last = min(found)
        self._taken.update(range(first, last + 1))
        return first, last

    def _left(self, lines: Mapping[str, deque[int]], key: str) -> deque[int]:
        """The lines of a key of which the first is not taken."""
        left = lines.get(key, deque())
        while left and left[0] in self._taken:
            left.popleft()
        return left

    def _over_lines(self, wanted: str) -> Iterator[tuple[int, int]]:
        """The first place where a title begins with a line and ends with it or one of those that follow."""
        for size in self._sizes[: bisect_right(self._sizes, len(wanted))]:
            for first in islice(self._left(self._whole, wanted[:size]), _MOST_TRIED):
                joined = ""
                for last in range(first, min(first + _LINES, len(self._keys))):
                    joined += self._keys[last]
                    if joined == wanted and first not in self._taken:
                        yield first, last
                    if not wanted.startswith(joined):
                        break
