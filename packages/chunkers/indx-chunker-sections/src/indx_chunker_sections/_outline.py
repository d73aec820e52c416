"""The sections of a page: where each begins and ends, and the headings above it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from indx_core.ports import Heading, PageReading
from indx_core.text import grapheme_floor

__all__ = ["Plain", "Section", "outline", "plain_label", "plain_tex"]

Plain: TypeAlias = "Callable[[str], str]"
"""Takes the marks of a format away from a heading."""

_LONGEST_LABEL: Final = 200
_LINK: Final = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_EMPHASIS: Final = re.compile(r"(\*\*|__|\*)(?=\S)([^*_]+)(?<=\S)\1")
_TAGS: Final = re.compile(
    r"</?(?:a|b|br|code|em|i|img|kbd|small|span|strong|sub|sup)\b[^<>]*>", re.IGNORECASE
)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_COMMAND: Final = re.compile(r"\\(?:label|index)\{[^{}]*\}|\\[a-zA-Z]+\*?\s?|\\([^a-zA-Z])|[{}$]")


@dataclass(slots=True)
class Section:
    """A stretch of a page under one heading, without the sections under it.

    Attributes:
        start: Where the line of its heading starts, 0 for what stands above the first heading.
        end: Where the next section starts.
        body: Where the text below its heading starts.
        level: The level of its heading, 0 for what stands above the first.
        path: The headings above it and its own, outermost first.
    """

    start: int
    end: int
    body: int
    level: int
    path: tuple[str, ...]


def outline(page: PageReading, *, plain: Plain | None = None) -> list[Section]:
    """The sections of `page` in order; together they cover its text. A heading in a table makes none."""
    text = page.text
    sections = [Section(0, len(text), 0, 0, ())]
    above: list[tuple[int, str]] = []
    for heading in _outside_tables(page):
        while above and above[-1][0] >= heading.level:
            above.pop()
        label = _label(text[heading.start : heading.end], plain)
        above.append((heading.level, label))
        path = tuple(one for _, one in above)
        start = text.rfind("\n", 0, heading.start) + 1
        last = sections[-1]
        if start > last.start or last.level == 0 == start:
            last.end = start
            sections.append(Section(start, len(text), heading.end, heading.level, path))
        else:  # two headings on one line
            last.body, last.level, last.path = heading.end, heading.level, path
    return [one for one in sections if text[one.start : one.end].strip()]


def _outside_tables(page: PageReading) -> Sequence[Heading]:
    if not page.tables:
        return page.headings
    starts = [table.start for table in page.tables]

    def in_table(heading: Heading) -> bool:
        index = bisect_right(starts, heading.start) - 1
        return index >= 0 and heading.start < page.tables[index].end

    return [heading for heading in page.headings if not in_table(heading)]


def _label(heading: str, plain: Plain | None) -> str:
    """A heading as a section's name: one line, of bounded length, without what `plain` takes away."""
    label = " ".join(heading[: 4 * _LONGEST_LABEL].split())
    if plain is not None:
        label = plain(label) or label
    return label[: grapheme_floor(label, _LONGEST_LABEL)].rstrip() if len(label) > _LONGEST_LABEL else label


def plain_label(label: str) -> str:
    """A Markdown heading without the marks of links, code and emphasis."""
    if not label.isalnum():
        label = _LINK.sub(r"\1", label)
        label = _EMPHASIS.sub(r"\2", _TAGS.sub("", label)).replace("`", "")
        label = _ESCAPE.sub(r"\1", label)
    return " ".join(label.split())


def plain_tex(label: str) -> str:
    """A LaTeX heading without commands and braces."""
    return " ".join(_COMMAND.sub(lambda found: found[1] or "", label.replace("~", " ")).split())
