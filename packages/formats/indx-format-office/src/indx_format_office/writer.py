"""The text of a page in the making: pieces, and marks at offsets into what they will add up to."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, TypeAlias

from indx_core.canonical import clean_text
from indx_core.ports import Box, Heading, Link, PageReading, Role, RoleSpan, Span, Table, line_columns

__all__ = ["Mark", "TextWriter", "flat", "stands_raised"]

Mark: TypeAlias = "tuple[int, int]"
"""How many pieces had been written, and how many characters they were."""

MAX_RUBY: Final = 2000
_LONGEST_WORD: Final = 200
_SMALLER: Final = 0.85  # programs make it 58 to 80 hundredths
_RAISED_NUMBER: Final = re.compile(r"[-+−]?\d")

_FLAT: Final = dict.fromkeys(map(ord, "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u2028\u2029"), " ")


def flat(text: str) -> str:
    """`text` with every line break and tab made a space: as long as before, so offsets stay true."""
    return text if text.isprintable() else text.translate(_FLAT)


def stands_raised(rise: float, size: float, before: float) -> bool:
    """Whether text that is moved up by `rise` is raised as exponents are: smaller than the text before."""
    return rise > 0 and size <= before * _SMALLER


class TextWriter:
    """Collects the text of a page and what is known of its stretches.

    Attributes:
        length: Characters written so far: the offset of the next one.
        chart_values_left_out: How many values of charts were too many to be written.
    """

    __slots__ = (
        "_boxes",
        "_gap",
        "_headings",
        "_hidden",
        "_links",
        "_parts",
        "_raised_end",
        "_roles",
        "_ruby",
        "_table_end",
        "_tables",
        "chart_values_left_out",
        "length",
    )

    def __init__(self) -> None:
        """Start empty."""
        self.length = 0
        self.chart_values_left_out = 0
        self._parts: list[str] = []
        self._gap = False
        self._raised_end = self._table_end = -1
        self._boxes: list[tuple[int, Box | None]] = []
        self._links: list[Link] = []
        self._roles: list[RoleSpan] = []
        self._hidden: list[Span] = []
        self._headings: list[Heading] = []
        self._tables: list[Table] = []
        self._ruby: dict[tuple[str, str], None] = {}

    def write(self, text: str) -> None:
        """Add `text`, which may hold line breaks."""
        if text:
            self._parts.append(text)
            self.length += len(text)

    def write_raised(self, text: str) -> None:
        """Add text that stands raised; a number behind a number is set off: 10 with 6 above is not 106."""
        goes_on = self._raised_end == self.length
        if self._parts and not goes_on and self._parts[-1][-1:].isdecimal() and _RAISED_NUMBER.match(text):
            self.write("^")
        self.write(text)
        self._raised_end = self.length

    @property
    def at_line_start(self) -> bool:
        """Whether what is written next begins a line."""
        return not self._parts or self._parts[-1].endswith("\n")

    def start_line(self) -> int:
        """Begin a new line, unless the text is at the beginning of one, and say where it starts."""
        if self._parts and (not self.at_line_start or self._table_end == self.length):
            self.write("\n")
        if self._gap and self._parts:
            self.write("\n")
        self._gap = False
        return self.length

    def gap(self) -> None:
        """Leave one blank line before the next line, however often it is asked for."""
        self._gap = True

    def mark(self) -> Mark:
        """A place to hand to `since` and `discard`."""
        return len(self._parts), self.length

    def since(self, mark: Mark) -> str:
        """What was written after `mark` was taken."""
        return "".join(self._parts[mark[0] :])

    def discard(self, mark: Mark) -> None:
        """Take back what was written after `mark` was taken, blank lines and all."""
        count, length = mark
        del self._parts[count:]
        self.length = length
        for marks in (self._links, self._roles, self._headings):
            while marks and marks[-1].end > length:
                marks.pop()
        while self._hidden and self._hidden[-1][1] > length:
            self._hidden.pop()

    @contextmanager
    def block(self) -> Iterator[int]:
        """Lines of their own for the length of a `with` block; taken back when nothing gets written."""
        before = self.mark()
        start = self.start_line()
        yield start
        if self.length == start:
            self.discard(before)

    def place(self, box: Box | None) -> None:
        """State where the lines that begin from here on stand; None for a place that nobody knows."""
        self._boxes.append((self.length, box))

    def link(self, start: int, target: str, *, end: int | None = None) -> None:
        """What was written from `start` to `end` leads to `target`; runs of one link become one.

        `end` is where the text ends by now, unless it is given, here and in the marks below.
        """
        end = self.length if end is None else end
        if not target or start >= end:
            return
        target = clean_text(target)
        if self._links and self._links[-1].end == start and self._links[-1].target == target:
            start = self._links.pop().start
        self._links.append(Link(start, end, target))

    def role(self, start: int, role: Role, *, end: int | None = None) -> None:
        """What was written from `start` to `end` is `role`."""
        end = self.length if end is None else end
        if start < end:
            self._roles.append(RoleSpan(start, end, role))

    def heading(self, start: int, level: int, *, end: int | None = None) -> None:
        """What was written from `start` to `end` is a heading."""
        end = self.length if end is None else end
        if start < end:
            self._headings.append(Heading(start, end, level))

    def hide(self, start: int, *, end: int | None = None) -> None:
        """The document hides what was written from `start` to `end`."""
        end = self.length if end is None else end
        if start < end:
            self._hidden.append((start, end))

    def ruby(self, base: str, reading: str) -> None:
        """The word `base` is read as `reading`, which is kept beside the text, each pair once."""
        pair = clean_text("".join(base.split("\n")).strip()), clean_text(reading.strip())
        if all(pair) and max(map(len, pair)) <= _LONGEST_WORD:
            self._ruby[pair] = None

    def text(self) -> str:
        """What has been written."""
        return "".join(self._parts)

    def take(self, other: TextWriter) -> None:
        """Add another writer's text as one stretch of a line, with its marks; its tables are not kept."""
        base = self.length
        self.write(flat(other.text()))
        self._shift_marks(other, base)

    def append(self, other: TextWriter) -> None:
        """Add another writer's lines with all that is known of them but their places."""
        base = self.start_line()
        self._parts += other._parts
        self.length += other.length
        self._shift_marks(other, base)
        for table in other._tables:
            cells = [replace(cell, start=cell.start + base, end=cell.end + base) for cell in table.cells]
            self._tables.append(
                replace(table, start=table.start + base, end=table.end + base, cells=tuple(cells))
            )

    def _shift_marks(self, other: TextWriter, base: int) -> None:
        self._ruby |= other._ruby
        self.chart_values_left_out += other.chart_values_left_out
        self._links += [Link(x.start + base, x.end + base, x.target) for x in other._links]
        self._roles += [RoleSpan(x.start + base, x.end + base, x.role) for x in other._roles]
        self._headings += [Heading(x.start + base, x.end + base, x.level) for x in other._headings]
        self._hidden += [(start + base, end + base) for start, end in other._hidden]

    def table(self, table: Table) -> None:
        """What was just written is `table`."""
        self._tables.append(table)
        self._table_end = self.length

    def page(self, page: int, *, metadata: Mapping[str, Any] | None = None) -> PageReading:
        """The reading of page `page`; call it once, at the end."""
        text = clean_text(self.text()).replace("\r", " ")
        starts, ends = line_columns(text)
        return PageReading(
            page=page,
            text=text,
            line_starts=starts,
            line_ends=ends,
            boxes=_line_boxes(starts, self._boxes) if self._boxes else None,
            tables=tuple(sorted(self._tables, key=_start)),
            links=tuple(sorted(self._links, key=_start)),
            headings=tuple(sorted(self._headings, key=_start)),
            roles=tuple(sorted(self._roles, key=_start)),
            hidden=_merged(self._hidden),
            metadata={**(metadata or {}), **self._readings(), **self._left_out()} or None,
        )

    def _readings(self) -> dict[str, Any]:
        """The readings of words as facts of a page."""
        if not self._ruby:
            return {}
        pairs = [{"base": base, "reading": reading} for base, reading in self._ruby]
        more = {"more_ruby": len(pairs) - MAX_RUBY} if len(pairs) > MAX_RUBY else {}
        return {"ruby": pairs[:MAX_RUBY], **more}

    def _left_out(self) -> dict[str, Any]:
        """What of the page is not in its text, as facts of it."""
        count = self.chart_values_left_out
        return {"chart_values_left_out": count} if count else {}


def _start(mark: Table | Link | Heading | RoleSpan) -> tuple[int, int]:
    return mark.start, mark.end


def _line_boxes(starts: Sequence[int], places: Sequence[tuple[int, Box | None]]) -> array[float]:
    """A box a line: that of the last place stated at or before the line's first character."""
    unresolved = (math.nan,) * 4
    boxes = array("d")
    position = -1
    for start in starts:
        while position + 1 < len(places) and places[position + 1][0] <= start:
            position += 1
        box = places[position][1] if position >= 0 else None
        boxes.extend(box or unresolved)
    return boxes


def _merged(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans in order, those that touch or overlap made one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple(merged)
