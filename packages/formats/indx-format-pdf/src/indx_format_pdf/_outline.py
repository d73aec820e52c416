"""The outline of a document, and the lines of its pages that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from indx_core.ports import Heading
from indx_core.text import fold
from indx_format_pdf._pdfium import address, pdfium, text_of

__all__ = ["OutlineItem", "headings", "outline"]

_MOST: Final = 10_000
_DEEPEST: Final = 32
_LINES: Final = 3  # a title may run over so many lines
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
    keys = [_key(text[start:end]) for start, end in zip(starts, ends, strict=True)]
    taken: set[int] = set()
    found: list[Heading] = []
    for item in items:
        wanted = _key(item.title)
        place = wanted and _find(keys, wanted, taken)
        if place:
            first, last = place
            taken.update(range(first, last + 1))
            found.append(Heading(starts[first], ends[last], item.level))
    return tuple(sorted(found, key=lambda heading: heading.start))


def _find(keys: Sequence[str], wanted: str, taken: set[int]) -> tuple[int, int] | None:
    bare = _NUMBER.sub("", wanted)
    for first, key in enumerate(keys):
        if not key or first in taken:
            continue
        if bare and (key == bare or _NUMBER.sub("", key) in {wanted, bare}):
            return first, first
        joined = ""
        for last in range(first, min(first + _LINES, len(keys))):
            joined += keys[last]
            if joined == wanted:
                return first, last
            if not wanted.startswith(joined):
                break
    return None
