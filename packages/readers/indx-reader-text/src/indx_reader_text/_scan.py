"""What a walk over the lines of lightweight markup finds, and the reading made of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, overload

from indx_core.ports import Heading, Link, RoleSpan, Span, line_columns
from indx_reader_text._marks import Marks
from indx_reader_text._tables import FoundTable, with_tables

__all__ = ["FoundLink", "Lines", "Scan", "holds", "lines_of", "one_line"]

FoundLink: TypeAlias = "tuple[int, int, str]"
"""Start and end of a link's text, and its target."""


@dataclass(slots=True)
class Scan:
    """A source and what was found in it; stretches in offsets of the source, in order of their starts.

    Attributes:
        source: The text as written.
        headings: Start, end and level of headings.
        code: Source code and the like, which holds nothing else.
        formulas: Formulas set apart.
        hidden: Comments.
        tables: Tables that become rows of tabs.
    """

    source: str
    headings: list[tuple[int, int, int]] = field(default_factory=list)
    code: list[Span] = field(default_factory=list)
    formulas: list[Span] = field(default_factory=list)
    hidden: list[Span] = field(default_factory=list)
    tables: list[FoundTable] = field(default_factory=list)

    def marks(self, links: Callable[[str], Iterator[FoundLink]]) -> Marks:
        """The reading; `links` finds links in the text, of which those in code and comments do not count."""
        grids = [(table.start, table.end) for table in self.tables]
        text, tables, shift = with_tables(self.source, self.tables, 0)
        hidden = shift.spans(_outside(self.hidden, grids))
        code = shift.spans(_outside(self.code, grids))
        closed = sorted([*grids, *self.code, *self.hidden, *self.formulas])
        blocks = sorted([*grids, *self.code])
        headings = [
            one for one in self.headings if not holds(closed, one[0]) and not _crosses(blocks, *one[:2])
        ]
        roles = [RoleSpan(start, end, "code") for start, end in code]
        roles += [RoleSpan(*shift.span(*span, 0), "formula") for span in _outside(self.formulas, grids)]
        opaque = sorted([*hidden, *code])
        found = sorted(link for link in links(text) if link[2] and link[1] > link[0])
        return Marks(
            text,
            tables=tables,
            links=[Link(*link) for link in found if not holds(opaque, link[0])],
            headings=[Heading(*shift.span(start, end, 0), level) for start, end, level in sorted(headings)],
            roles=sorted(roles, key=lambda role: role.start),
            hidden=hidden,
        )


def lines_of(source: str) -> Iterator[tuple[int, str]]:
    """The lines of `source` with where each starts, one at a time."""
    position = 0
    while (end := source.find("\n", position)) >= 0:
        yield position, source[position:end]
        position = end + 1
    yield position, source[position:]


class Lines(Sequence[tuple[int, str]]):
    """The lines of a source with where each starts, held as numbers and made when they are asked for."""

    def __init__(self, source: str) -> None:
        """Find where the lines of `source` start."""
        self._source = source
        self._starts = line_columns(source + "\n")[0]

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, index: int) -> tuple[int, str]: ...
    @overload
    def __getitem__(self, index: slice) -> list[tuple[int, str]]: ...
    def __getitem__(self, index: int | slice) -> tuple[int, str] | list[tuple[int, str]]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        start = self._starts[index]
        return start, self._source[start : self._starts[index + 1] - 1]


def one_line(text: str) -> str:
    """A cell's text with its line breaks as spaces."""
    return " ".join(text.split())


def holds(spans: Sequence[Span], place: int) -> bool:
    """Whether one of `spans`, in order, holds `place`."""
    index = bisect_right(spans, (place, 1 << 62)) - 1
    return index >= 0 and place < spans[index][1]


def _crosses(blocks: Sequence[Span], start: int, end: int) -> bool:
    """Whether one of `blocks` begins in `[start, end)`, as behind a brace that closes too late."""
    index = bisect_right(blocks, (start, 1 << 62))
    return index < len(blocks) and blocks[index][0] < end


def _outside(spans: Sequence[Span], grids: Sequence[Span]) -> list[Span]:
    """Those of `spans` that lie in no table."""
    return [span for span in spans if not holds(grids, span[0])] if grids else list(spans)
